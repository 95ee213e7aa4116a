// Every mutant: the groups of guards/, each of one file of the product.
import { AUTHORITY } from './guards/authority.mjs';
import { BOUNDS } from './guards/bounds.mjs';
import { FILE_GUARDS } from './guards/files.mjs';
import { KEYS } from './guards/keys.mjs';
import { LEDGER } from './guards/ledger.mjs';
import { LOCAL_SERVICE } from './guards/localService.mjs';
import { SHOWN_TEXT } from './guards/shownText.mjs';
import { TERMINAL } from './guards/terminal.mjs';
import { TOOLS } from './guards/tools.mjs';
import { VALUES } from './guards/values.mjs';
import { WINDOW } from './guards/window.mjs';
import { WIRE } from './guards/wire.mjs';

/** @typedef {import('./model.mjs').Mutant} Mutant */
/** @typedef {import('./model.mjs').TestPlace} TestPlace */

/**
 * The guards of one file: what each removal is called, its old text, its new text, and where other tests miss it, these.
 * @typedef {object} Group
 * @property {string} file
 * @property {readonly TestPlace[]} tests
 * @property {readonly Edit[]} edits
 */
/** @typedef {readonly [guard: string, from: string, to: string, tests?: readonly TestPlace[]]} Edit */

/** @type {readonly Mutant[]} */
export const MUTANTS = [
  ...KEYS,
  ...AUTHORITY,
  ...WINDOW,
  ...SHOWN_TEXT,
  ...TERMINAL,
  ...TOOLS,
  ...FILE_GUARDS,
  ...WIRE,
  ...BOUNDS,
  ...LOCAL_SERVICE,
  ...VALUES,
  ...LEDGER,
].flatMap(({ file, tests, edits }) =>
  edits.map(([guard, from, to, own]) => ({ guard, file, from, to, tests: own ?? tests })),
);
