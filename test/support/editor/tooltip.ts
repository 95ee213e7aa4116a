// The tooltip of a row, a tab or an item of the status bar, in an editor that was opened with `tooltips`.
import type { Locator } from 'playwright-core';
import type { Workbench } from './workbench';
import { wholeText } from './wholeText';

/** Rests the mouse on a place until its tooltip says the words. Drawn again meanwhile, a place loses its tooltip. */
export async function tooltipOf(workbench: Workbench, place: Locator, words: RegExp): Promise<Locator> {
  const tooltip = workbench.page.locator('.monaco-hover:visible').filter({ hasText: wholeText(words) });
  return workbench.until(`a tooltip says ${words.source}`, async () => {
    // A mouse that stays where it is asks for nothing.
    await workbench.page.mouse.move(0, 0);
    await place.hover();
    return (await workbench.comes(tooltip)) === true ? tooltip : undefined;
  });
}
