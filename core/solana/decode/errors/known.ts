// Errors of the runtime and of known programs: name, cause and next step. Tables only; a program's IDL takes precedence.
import { ANCHOR_ERRORS } from './anchor';
import { BUILTIN_ERRORS } from './builtins';
import { knownError, rowsByName, type ErrorRow, type KnownError } from './model';
import { INSTRUCTION_ERRORS, TRANSACTION_ERRORS } from './runtime';
import { TOKEN_2022_ERRORS, TOKEN_ERRORS } from './token';

const PROGRAM_ERRORS: ReadonlyMap<string, readonly ErrorRow[]> = new Map([
  ...BUILTIN_ERRORS,
  ['TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', TOKEN_ERRORS],
  ['TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb', [...TOKEN_ERRORS, ...TOKEN_2022_ERRORS]],
]);

/** A known program's own error (`Custom`) by its number. `program`: base58. */
export const programError = (program: string, code: number): KnownError | undefined =>
  knownError(PROGRAM_ERRORS.get(program)?.[code]);

/** An error of the Anchor framework by its number, 100 to 5000: only of programs that are known to use it. */
export const anchorError = (code: number): KnownError | undefined => knownError(ANCHOR_ERRORS.get(code));

const IDL = "Fetch the program's IDL, or put it into the folder idl: it names the error";
/** Programs of Anchor number their own errors from here. */
const FIRST_OWN = 6_000;

/** The next step for an error number without a known name. */
export function unnamedNext(code: number): string {
  const framework = ANCHOR_ERRORS.get(code);
  if (framework !== undefined)
    return `${IDL}. Of a program that is built with Anchor it is ${framework[0]}: ${framework[1]}`;
  return code < FIRST_OWN
    ? IDL
    : `${IDL}. Anchor counts from ${FIRST_OWN}: this would be error ${code - FIRST_OWN + 1} of the program's list`;
}

const TRANSACTION = rowsByName(TRANSACTION_ERRORS);
const INSTRUCTION = rowsByName(INSTRUCTION_ERRORS);

/** A `TransactionError` of the runtime by its name. */
export const transactionError = (name: string): KnownError | undefined => knownError(TRANSACTION.get(name));

/** An `InstructionError` of the runtime by its name; undefined for `Custom`, whose meaning its program defines. */
export const instructionError = (name: string): KnownError | undefined => knownError(INSTRUCTION.get(name));
