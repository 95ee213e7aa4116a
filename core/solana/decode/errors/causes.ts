// Specific meanings of runtime errors, by the program that returned them or the log line of a crash. Tables only.
import { knownError, rowsByName, type ErrorRow, type KnownError } from './model';

const ATA = 'Check owner, mint and token program: the address comes from them';

/** By program (base58) and the variant of `InstructionError`. */
const CAUSES: readonly (readonly [program: string, ...rows: readonly ErrorRow[]])[] = [
  [
    'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL',
    [
      'IllegalOwner',
      'the associated token account is there already, or belongs to another owner',
      'Skip its creation, or create it with createIdempotent',
    ],
    ['InvalidSeeds', "this is not the address of the wallet's associated token account", ATA],
    ['IncorrectProgramId', 'the mint belongs to the other token program', ATA],
  ],
  [
    'Stake11111111111111111111111111111111111111',
    [
      'InsufficientFunds',
      'the stake account has too few lamports to spare',
      'Leave its rent-exempt reserve and what is staked, or deactivate and wait for the next epoch',
    ],
    ['InvalidAccountData', 'the stake account is not in a state for this', 'Read its state with getAccountInfo'],
    [
      'MissingRequiredSignature',
      'the staker or the withdrawer has not signed',
      'Sign with the authority that the stake account names',
    ],
  ],
  [
    'ComputeBudget111111111111111111111111111111',
    [
      'InvalidInstructionData',
      'the value is outside of what the runtime allows',
      'Ask for a heap of 32 to 256 KiB in whole KiB',
    ],
  ],
  [
    'AddressLookupTab1e1111111111111111111111111',
    ['InvalidAccountOwner', 'this is not a lookup table', "Pass the table's address"],
    ['IncorrectAuthority', 'the table has another authority', 'Sign with the authority that the table names'],
    ['Immutable', 'the table is frozen', 'Create another table'],
  ],
  [
    'BPFLoaderUpgradeab1e11111111111111111111111',
    ['IncorrectAuthority', 'the program has another upgrade authority', 'Sign with the authority that it names'],
    ['Immutable', 'the program can no longer be upgraded', 'Deploy it to another address'],
    [
      'AccountDataTooSmall',
      'the new program is larger than the space of the old one',
      'Extend the program first: solana program extend',
    ],
    [
      'InvalidArgument',
      'an account is not the buffer, program or program data that belongs there',
      'Check the order of the accounts, and each address',
    ],
  ],
  [
    'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
    ['InvalidInstructionData', 'the memo is not UTF-8', 'Write the memo as UTF-8 text'],
    [
      'MissingRequiredSignature',
      'an account of the memo has not signed',
      'Sign with every account that the instruction lists, or leave it out',
    ],
  ],
];

const BY_PROGRAM = new Map(CAUSES.map(([program, ...rows]) => [program, rowsByName(rows)]));

/** The specific meaning of an `InstructionError` of this program. */
export const programCause = (program: string, cause: string): KnownError | undefined =>
  knownError(BY_PROGRAM.get(program)?.get(cause));

const LIMIT = 'Raise the compute unit limit; simulate shows what it needs';
/** Log prefix of a program that the virtual machine stopped (`ProgramFailedToComplete`). */
const CRASHES: readonly (readonly [start: string, text: string, next: string])[] = [
  ['exceeded CUs meter', 'the program used up its compute units', LIMIT],
  ['Computational budget exceeded', 'the program used up its compute units', LIMIT],
  [
    'Access violation',
    'the program read or wrote memory that is not its own',
    'Check that the instruction lists every account; else report it to the authors of the program',
  ],
  ['SBF program panicked', 'the program panicked', 'Read its log: the last line says where, if the program logs it'],
  ['invalid utf-8', 'a text is not UTF-8', 'Write the text as UTF-8'],
  ['Invalid string', 'a text is not UTF-8', 'Write the text as UTF-8'],
  [
    'max call depth',
    'the functions of the program call each other too deep',
    'Report it to the authors of the program',
  ],
];

/** The meaning of a crash, by the program's last log line. */
export function crash(words: string): Pick<KnownError, 'text' | 'next'> | undefined {
  const row = CRASHES.find(([start]) => words.startsWith(start));
  return row && { text: row[1], next: row[2] };
}
