// Quick fixes as people take them: from the menu at the cursor.
import { comes } from './patience';
import type { Workbench } from './workbench';

/**
 * Takes a quick fix at the cursor by its title. Asks again where no menu came: the editor drops the request if problems of
 * the file change, or the cursor moves, before the fixes arrive, and says nothing.
 */
export async function takeQuickFix(workbench: Workbench, title: string): Promise<void> {
  const fix = workbench.page.getByText(title, { exact: true }).first();
  await workbench.until(`the quick fix "${title}" is taken`, async () => {
    if (!(await workbench.tryCommand('Quick Fix...')) || (await comes(fix)) !== true) return undefined;
    await fix.click();
    return true;
  });
}
