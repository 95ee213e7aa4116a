// Temporary folders of tests.
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, type TestContext } from 'node:test';

/** A new folder, removed after the test, or after the tests of the file or `describe` that this is called in. */
export function testFolder(name: string, t?: TestContext): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), `${name}-`));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  if (t === undefined) after(remove);
  else t.after(remove);
  return folder;
}
