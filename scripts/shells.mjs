// Finds the shells whose completion scripts are tested, and installs Debian's where they are missing and may be installed.
// `node scripts/shells.mjs` does only that.
import { needPackages } from './editor/prerequisites.mjs';
import { endWith, findProgram, isMain } from './editor/run.mjs';

const NAMES = /** @type {const} */ (['bash', 'zsh', 'fish']);

/**
 * @param {(text: string) => void} [say] takes progress lines
 * @returns {Promise<Readonly<Record<'bash' | 'zsh' | 'fish', string>>>} the programs; rejects with one sentence where one
 * is missing and cannot be installed
 */
export async function needShells(say = tell) {
  await needPackages({
    wanted: NAMES.map((name) => ({ name, debian: name, present: () => findProgram(name) !== undefined })),
    what: 'The test of the completion scripts',
    elsewhere: `Install them: ${NAMES.join(', ')}.`,
    say,
  });
  const [bash, zsh, fish] = NAMES.map((name) => findProgram(name) ?? name);
  return { bash: bash ?? '', zsh: zsh ?? '', fish: fish ?? '' };
}

/** @param {string} text */
function tell(text) {
  process.stderr.write(`shells: ${text}\n`);
}

if (isMain(import.meta.url)) endWith(needShells().then(() => tell('ready')));
