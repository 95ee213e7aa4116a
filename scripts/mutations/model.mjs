// The type of a mutant, and whether its edit still applies. A mutant removes one guard; the tests it names must then fail.
import { createHash } from 'node:crypto';

/**
 * @typedef {object} Mutant
 * @property {string} guard what the edit takes away, in words; with the file, its name
 * @property {string} file relative to the root
 * @property {string} from text that is found exactly once in the file
 * @property {string} to
 * @property {readonly TestPlace[]} tests those that must miss the guard, the fastest first
 */

/**
 * A test file relative to the root, or one with a regular expression for the names of its tests.
 * @typedef {string | readonly [file: string, pattern: string]} TestPlace
 */

/** One in so many is run with every commit. */
const SHARE = 10;

/** @param {Mutant} mutant */
export const nameOf = ({ file, guard }) => `${file}: ${guard}`;

/** @param {TestPlace} place @returns {{ readonly file: string, readonly pattern?: string }} */
export function readPlace(place) {
  if (typeof place === 'string') return { file: place };
  const [file, pattern] = place;
  return { file, pattern };
}

/** A test file's layer is its folder. @param {string} file `test/LAYER/…` */
export const layerOf = (file) => file.split('/')[1] ?? '';

/**
 * The file with the edit. Throws where its old text is not found exactly once: the list must follow the code.
 * @param {Mutant} mutant
 * @param {string} text of the file
 */
export function mutated(mutant, text) {
  const { from, to } = mutant;
  const parts = text.split(from);
  if (parts.length !== 2 || from === to)
    throw new Error(`${nameOf(mutant)}: the text to replace is found ${parts.length - 1} times:\n${from}`);
  return parts.join(to);
}

/**
 * A tenth of the list, another one for each commit, the same one for the same commit.
 * @param {readonly Mutant[]} mutants
 * @param {string} commit
 * @returns {readonly Mutant[]}
 */
export function sampleOf(mutants, commit) {
  const rank = new Map(
    mutants.map((mutant) => [
      mutant,
      createHash('sha256')
        .update(`${commit} ${nameOf(mutant)}`)
        .digest('hex'),
    ]),
  );
  const sorted = mutants.toSorted((a, b) => ((rank.get(a) ?? '') < (rank.get(b) ?? '') ? -1 : 1));
  return sorted.slice(0, Math.ceil(mutants.length / SHARE));
}
