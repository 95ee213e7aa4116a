// The layers of tests, and the files of each. A folder of test/ is a layer; `night` has no files, but the small form of what
// `npm run night` runs (night.mjs).
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';

/**
 * The needs of a layer besides the built bundles:
 * - `editor`: the real editor or its browser. Nothing else runs at the same time.
 * - `shells`: Neovim and the shells.
 * `steps`: the tests of a file are steps of one flow, so that one of them cannot run without those before it.
 * `process`: its tests start processes or an editor, so a failed file has a second try (tries.mjs).
 * `together`: how many of its files run in one process, one after the other; absent: each has its own.
 * @typedef {{ readonly editor?: true, readonly shells?: true, readonly steps?: true, readonly process?: true, readonly together?: number }} Layer
 */

/** @type {Readonly<Record<string, Layer>>} */
export const LAYERS = {
  unit: { together: 12 },
  net: { together: 6 },
  contract: { process: true, together: 6 },
  protocol: { shells: true, process: true, together: 6 },
  package: {},
  webview: { editor: true, process: true },
  security: { editor: true, process: true, steps: true },
  host: { editor: true, process: true, steps: true },
  ui: { editor: true, process: true, steps: true },
  night: { editor: true },
};

/** How long one test or hook of a layer may take. ms @param {string} layer */
export const limitOf = (layer) => (LAYERS[layer]?.editor === true ? 180_000 : 60_000);

/**
 * The test files of a layer, relative to the root. What runs inside the editor (a `suite` folder) is not a separate file.
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

/** The layer of a test file, by its path from the root; undefined for another file. @param {string} file */
export function layerOf(file) {
  const [test, layer = ''] = file.split(path.sep);
  return test === 'test' && LAYERS[layer] !== undefined && file.endsWith('.test.ts') ? layer : undefined;
}

/**
 * Files that run alone: they look at the whole process, its memory or its threads, or start so many processes that they take
 * as long as several files.
 */
const ALONE = /(^|\/)endurance(\.test\.ts$|\/)|(^|\/)protocol\/(?!(server|mcp)\/)/;

/**
 * The files of a layer as they run: those of one process in one list.
 * @param {string} layer
 * @param {readonly string[]} files
 * @returns {readonly (readonly string[])[]}
 */
export function groupsOf(layer, files) {
  const size = LAYERS[layer]?.together ?? 1;
  const shared = files.filter((file) => !ALONE.test(file.replaceAll('\\', '/')));
  const count = Math.ceil(shared.length / size);
  // Every nth: neighbours are alike, and would make a group of the long ones.
  const groups = Array.from({ length: count }, (_, first) => shared.filter((_, at) => at % count === first));
  return [...groups, ...files.filter((file) => !shared.includes(file)).map((file) => [file])];
}
