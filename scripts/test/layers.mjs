// The layers of tests, and the files of each. A folder of test/ is a layer.
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';

/**
 * What a layer needs besides the built bundles:
 * - `editor`: the real editor or its browser. Its files take long and mostly wait, so they start first.
 * - `shells`: Neovim and the shells.
 * `steps`: the tests of a file are steps of one flow, so that one of them cannot run without those before it.
 * @typedef {{ readonly editor?: true, readonly shells?: true, readonly steps?: true }} Layer
 */

/** @type {Readonly<Record<string, Layer>>} */
export const LAYERS = {
  unit: {},
  net: {},
  contract: {},
  protocol: { shells: true },
  package: {},
  webview: { editor: true },
  security: { editor: true, steps: true },
  host: { editor: true, steps: true },
  ui: { editor: true, steps: true },
};

/**
 * The test files of a layer, relative to the root. What runs inside the editor (a `suite` folder) is not a file of its own.
 * @param {string} root
 * @param {string} layer
 */
export async function filesOf(root, layer) {
  const folder = path.join(root, 'test', layer);
  if (!existsSync(folder)) return [];
  const entries = await readdir(folder, { recursive: true });
  return entries
    .filter((name) => name.endsWith('.test.ts') && !name.startsWith(`suite${path.sep}`))
    .map((name) => path.join('test', layer, name))
    .sort();
}
