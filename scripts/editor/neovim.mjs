// Finds Neovim for the test that attaches one, and installs Debian's where it is missing and may be installed.
// `node scripts/editor/neovim.mjs` does only that.
import { needPackages } from './prerequisites.mjs';
import { endWith, findProgram, isMain } from './run.mjs';

/** @type {import('./prerequisites.mjs').Prerequisite} */
const NEOVIM = { name: 'Neovim', debian: 'neovim', present: () => findNeovim() !== undefined };

/**
 * The variable NVIM_PATH goes before the usual places.
 * @returns {string | undefined}
 */
export function findNeovim() {
  const chosen = process.env['NVIM_PATH'] ?? '';
  return chosen === '' ? findProgram('nvim') : chosen;
}

/**
 * @param {(text: string) => void} [say] takes progress lines
 * @returns {Promise<string>} the program; rejects with one sentence where there is none and none can be installed
 */
export async function needNeovim(say = tell) {
  await needPackages({
    wanted: [NEOVIM],
    what: 'The test of another editor',
    elsewhere: 'Install it, or name the program in the variable NVIM_PATH.',
    say,
  });
  return findNeovim() ?? '';
}

/** @param {string} text */
function tell(text) {
  process.stderr.write(`neovim: ${text}\n`);
}

if (isMain(import.meta.url)) endWith(needNeovim().then(() => tell('ready')));
