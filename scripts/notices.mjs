// The licence texts of the packages that are inside the bundles, as one file of dist/; read from what the bundler says
// that it took in, so that no package can be forgotten.
import { readFile, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

const root = path.join(import.meta.dirname, '..');

export const NOTICES = 'THIRD_PARTY_NOTICES.txt';

/** Packages that are shipped along with the bundles, in the VSIX of a platform and in the npm package. */
export const BESIDE = ['node_modules/litesvm'];

/** Names of the files in which packages keep their licence; one without such a file is listed by its licence's name. */
const LICENCE_FILE = /^(licen[cs]e|copying|notice|thirdpartynotices)/i;

/**
 * The folders of packages in the bundles of dist/ and shipped with them, sorted, once each.
 * @param {readonly string[]} [bundles] names of their files; absent: every one that was built
 * @returns {Promise<string[]>} relative to the checkout, with forward slashes
 */
export async function bundledPackages(bundles) {
  const meta = path.join(root, 'dist', 'meta');
  /** @type {Set<string>} */
  const folders = new Set(BESIDE);
  for (const name of await readdir(meta)) {
    if (bundles !== undefined && !bundles.includes(name.replace(/\.json$/, '.js'))) continue;
    const { inputs } = JSON.parse(await readFile(path.join(meta, name), 'utf8'));
    for (const file of Object.keys(inputs)) {
      // Modules that a bundle takes from a store (scripts/stores.mjs) are among the inputs of the store itself.
      if (file.startsWith('store:')) continue;
      const match = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file);
      if (match?.[1] !== undefined) folders.add(match[1]);
    }
  }
  return [...folders].sort();
}

/**
 * Writes dist/THIRD_PARTY_NOTICES.txt; rejects for a package that says nothing of a licence.
 * @returns {Promise<string>} the text
 */
export async function writeNotices() {
  /** @type {Map<string, string>} by name and version: one package may lie in two folders */
  const sections = new Map();
  for (const folder of await bundledPackages()) {
    const { name, version, license } = JSON.parse(await readFile(path.join(root, folder, 'package.json'), 'utf8'));
    if (typeof license !== 'string') throw new Error(`${folder} names no licence.`);
    const files = (await readdir(path.join(root, folder))).filter((file) => LICENCE_FILE.test(file)).sort();
    const texts = await Promise.all(files.map((file) => readFile(path.join(root, folder, file), 'utf8')));
    const heading = `${name} ${version} (${license})`;
    const underlined = `${heading}\n${'='.repeat(heading.length)}`;
    sections.set(heading, [underlined, ...texts.map((text) => text.trim())].join('\n\n'));
  }
  const intro = 'This product includes the packages below. Each stays under its own licence.';
  const text = `${[intro, ...sections.values()].join('\n\n\n').replaceAll('\r\n', '\n')}\n`;
  await writeFile(path.join(root, 'dist', NOTICES), text);
  return text;
}
