// Rows of trees, as a person uses them.
import type { Locator } from 'playwright-core';
import type { Workbench } from './workbench';

/** Opens a row. A tree that is drawn again between the click and the key, as its results come in, takes neither. */
export async function expand(workbench: Workbench, row: Locator): Promise<void> {
  await workbench.until('the row is open', async () => {
    if ((await row.getAttribute('aria-expanded')) !== 'true') {
      await row.click();
      await workbench.page.keyboard.press('ArrowRight');
    }
    return (await row.getAttribute('aria-expanded')) === 'true' ? true : undefined;
  });
}
