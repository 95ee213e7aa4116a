// Pictures of what the tests of the editor and of the pages show, for people to look at. They are taken where somebody asks for
// them (`npm run screenshots`): three themes of each are a good part of such a test's time.
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';

const OUT = path.join(__dirname, '..', '..', '..', 'out');
const FOLDER = path.join(OUT, 'screenshots');
/** Read by scripts/test/limits.cjs: what is called when a test fails, with its name. */
const FAILED = Symbol.for('workbench.failed');

const failed: Set<(name: string) => Promise<unknown>> = ((
  globalThis as { [FAILED]?: Set<(name: string) => Promise<unknown>> }
)[FAILED] ??= new Set());

export const screenshotsAreWanted = process.env['WORKBENCH_SCREENSHOTS'] === '1';

/** To out/screenshots/NAME.png, where pictures are wanted. */
export async function takeScreenshot(page: Page, name: string): Promise<void> {
  if (!screenshotsAreWanted) return;
  await mkdir(FOLDER, { recursive: true });
  await page.screenshot({ path: path.join(FOLDER, `${name}.png`) });
}

/** Every test that fails while the page is open leaves a picture of it, out/failed/TEST-N.png. */
export function pictureFailures(page: Page): void {
  const picture = (name: string): Promise<unknown> => {
    const file = `${name.replace(/\W+/g, '-').slice(0, 100)}-${[...failed].indexOf(picture) + 1}.png`;
    return page.screenshot({ path: path.join(OUT, 'failed', file) });
  };
  failed.add(picture);
  page.once('close', () => failed.delete(picture));
}
