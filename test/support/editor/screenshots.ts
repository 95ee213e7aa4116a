// Pictures of what the tests of the editor and of the pages show, for people to look at. They are taken where somebody asks for
// them (`npm run screenshots`): three themes of each are a good part of such a test's time.
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';

const FOLDER = path.join(__dirname, '..', '..', '..', 'out', 'screenshots');

export const screenshotsAreWanted = process.env['WORKBENCH_SCREENSHOTS'] === '1';

/** To out/screenshots/NAME.png, where pictures are wanted. */
export async function takeScreenshot(page: Page, name: string): Promise<void> {
  if (!screenshotsAreWanted) return;
  await mkdir(FOLDER, { recursive: true });
  await page.screenshot({ path: path.join(FOLDER, `${name}.png`) });
}
