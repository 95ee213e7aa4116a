// Describes the window when a wait fails.
import type { Page } from 'playwright-core';
import type { QuickInput } from './quickInput';

/** The screen in words: the active tabs, the options of the box at the top, what asks in front of all, and what is notified. */
export async function screenText(page: Page, quickInput: QuickInput): Promise<string> {
  const rows = await quickInput.options().allInnerTexts();
  const named = {
    'active tabs': await page.locator('.tab.active').allInnerTexts(),
    'rows on offer': rows.slice(0, 5),
    dialogs: await page.locator('.monaco-dialog-box').allInnerTexts(),
    notifications: await page.locator('.notification-toast').allInnerTexts(),
  };
  return Object.entries(named)
    .map(([name, texts]) => `${name}: ${JSON.stringify(texts)}`)
    .join(', ');
}
