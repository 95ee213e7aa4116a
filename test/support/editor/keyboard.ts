// Where the keys go that a test presses.
import type { Workbench } from './workbench';

/**
 * Waits until the keyboard is in the editor of a file. The tab of a file is active before its text takes keys, and the
 * first second group takes the keyboard from the text for some 50 ms, as the editor moves the text to its new place.
 */
export const keyboardIn = (workbench: Workbench, file: string): Promise<true> =>
  workbench.until(`the keyboard is in ${file}`, async () => {
    const focused = await workbench.page.evaluate<string>('document.activeElement?.ariaLabel ?? ""');
    return focused.startsWith(file) ? true : undefined;
  });
