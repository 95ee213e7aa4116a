// Failures of transactions in words with the next step, and the tables of known errors.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { NO_PROGRAMS, type Programs, type TransactionFailure } from '../../../../core/solana/decode/decoded';
import {
  anchorError,
  instructionError,
  programError,
  transactionError,
} from '../../../../core/solana/decode/errors/known';
import { transactionFromJson } from '../../../../core/solana/decode/transactions/decode';
import { errorFromBincode, failureSentence } from '../../../../core/solana/decode/transactions/failure';
import { encodeBase58 } from '../../../../core/solana/encoding/base58';
import type { JsonValue } from '../../../../core/solana/json/json';
import { PRECOMPILES } from '../../../../core/solana/chain/addresses';
import { keyOf } from '../../../support/data/layouts';

const [PAYER, PROGRAM, BLOCKHASH] = [1, 0x11, 8].map((byte) => encodeBase58(keyOf(byte))) as [string, string, string];
const TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';

/** The failure of a transaction with one instruction that a node gave this `err`. */
function failed(
  err: JsonValue,
  logMessages: readonly string[] = [],
  known: Programs = NO_PROGRAMS,
): TransactionFailure | undefined {
  const form = {
    transaction: {
      signatures: [encodeBase58(new Uint8Array(64).fill(9))],
      message: {
        header: { numRequiredSignatures: 1, numReadonlySignedAccounts: 0, numReadonlyUnsignedAccounts: 1 },
        accountKeys: [PAYER, PROGRAM],
        recentBlockhash: BLOCKHASH,
        instructions: [{ programIdIndex: 1, accounts: [0], data: '' }],
      },
    },
    meta: { err, fee: 5_000, preBalances: [2, 1], postBalances: [1, 1], logMessages },
  };
  const result = transactionFromJson(form, known);
  assert.ok(result.ok, result.ok ? '' : result.reason);
  return result.value.error;
}

/** Errors of a node, the words for them, and the next step. */
const ERRORS: readonly (readonly [err: JsonValue, text: string, next: string | undefined])[] = [
  [
    'BlockhashNotFound',
    'the blockhash has expired, or is of another cluster (BlockhashNotFound).',
    'Sign with a new blockhash and send again',
  ],
  ['NewestFault<b>', 'newest faultb (NewestFaultb).', undefined],
  [
    { InstructionError: [0, { Custom: 1 }] },
    "Instruction 1 failed: the program's own error 1 (0x1).",
    "Fetch the program's IDL, or put it into the folder idl: it names the error",
  ],
  [
    { InstructionError: [0, { Custom: 2006 }] },
    "Instruction 1 failed: the program's own error 2006 (0x7d6).",
    "Fetch the program's IDL, or put it into the folder idl: it names the error. Of a program that is built with Anchor it is ConstraintSeeds: an address is not the one that its seeds give",
  ],
  [
    { InstructionError: [0, 'InvalidAccountData'] },
    'Instruction 1 failed: an account does not hold what the program expects (InvalidAccountData).',
    "Compare the instruction's accounts with what its program documents",
  ],
  [
    { DuplicateInstruction: 2 },
    'Instruction 3 failed: a Compute Budget instruction of the same kind occurs twice (DuplicateInstruction).',
    'Keep one of each kind',
  ],
  [
    { InsufficientFundsForRent: { account_index: 4 } },
    'an account would be left with less than its rent exemption (InsufficientFundsForRent) (account 5 of the transaction).',
    'Send it the missing lamports, or close it',
  ],
];
for (const [err, text, next] of ERRORS) {
  test(`the error ${JSON.stringify(err)} in words, with its next step`, () => {
    const error = failed(err);
    assert.deepEqual([error && failureSentence(error), error?.next], [text, next]);
  });
}

/** A call of the program that failed with its own error number, after these lines of logs. */
const failedIn = (program: string, custom: number, ...lines: readonly string[]): TransactionFailure | undefined => {
  const end = `Program ${program} failed: custom program error: 0x${custom.toString(16)}`;
  return failed({ InstructionError: [0, { Custom: custom }] }, [`Program ${program} invoke [1]`, ...lines, end]);
};

test("a known program's number has its name, its meaning and the next step", () => {
  assert.deepEqual(failedIn(TOKEN, 1), {
    text: 'the tokens do not suffice (InsufficientFunds, error 1).',
    source: 'SPL Token Program',
    name: 'InsufficientFunds',
    next: "Check the source's balance, and the amount in raw units",
    instruction: 0,
    custom: 1,
  });
});

describe('numbers of the programs that verify signatures', () => {
  const NAMES = [
    'InvalidPublicKey',
    'InvalidRecoveryId',
    'InvalidSignature',
    'InvalidDataOffsets',
    'InvalidInstructionDataSize',
  ];
  for (const program of PRECOMPILES)
    test(program, () => {
      const found = NAMES.map((_, custom) => failedIn(program, custom));
      assert.deepEqual(
        found.map((error) => [error?.name, error?.source?.endsWith('Precompile'), (error?.next ?? '') !== '']),
        NAMES.map((name) => [name, true, true]),
      );
      assert.equal(
        found[4]?.text,
        'the instruction data does not have the size that its signatures need (InvalidInstructionDataSize, error 4).',
      );
    });
});

test("a number of Anchor's is one only where the logs show Anchor", () => {
  const line = 'Program log: AnchorError caused by account: till. Error Code: ConstraintSeeds. Error Number: 2006.';
  const error = failedIn(PROGRAM, 2006, line);
  assert.deepEqual([error?.source, error?.name], ['Anchor', 'ConstraintSeeds']);
  assert.equal(failedIn(PROGRAM, 2006)?.name, undefined);
});

const MEMO = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr';
const said = 'AnchorError occurred. Error Code: SoldOut. Error Number: 6001. Error Message: Nothing is left.';
/** A program's own number or an error of the runtime, of the program that failed by the logs, and whose error it is. */
const SOURCES: readonly (readonly [program: string, cause: JsonValue, source: string, line?: string])[] = [
  ['11111111111111111111111111111111', { Custom: 1 }, 'System Program'],
  ['Stake11111111111111111111111111111111111111', { Custom: 1 }, 'Stake Program'],
  ['Stake11111111111111111111111111111111111111', 'InsufficientFunds', 'Stake Program'],
  ['ComputeBudget111111111111111111111111111111', 'InvalidInstructionData', 'Compute Budget Program'],
  [TOKEN, { Custom: 1 }, 'SPL Token Program'],
  ['TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb', { Custom: 36 }, 'Token-2022 Program'],
  ['ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL', { Custom: 0 }, 'Associated Token Account Program'],
  [MEMO, 'InvalidInstructionData', 'Memo Program v2'],
  [MEMO, 'ComputationalBudgetExceeded', 'runtime'],
  [PROGRAM, 'InvalidAccountData', 'runtime'],
  [PROGRAM, { Custom: 2006 }, 'Anchor', 'Program log: AnchorError occurred.'],
  [PROGRAM, { Custom: 6001 }, 'shop'],
  // Nobody names the number: the program by its address, also where its own log has words for it.
  [BLOCKHASH, { Custom: 7 }, BLOCKHASH],
  [BLOCKHASH, { Custom: 6001 }, BLOCKHASH, `Program log: ${said}`],
];
for (const [program, cause, source, line] of SOURCES)
  test(`the error ${JSON.stringify(cause)} of ${program}${line === undefined ? '' : ' with a log'} is of ${source}`, () => {
    const known = { name: 'shop', errors: new Map([[6001, { name: 'SoldOut' }]]) };
    const idl = { ...known, instructions: [], accounts: [], events: [], types: new Map(), constants: [] };
    const lines = line === undefined ? [] : [line];
    const logs = [`Program ${program} invoke [1]`, ...lines, `Program ${program} failed: it failed`];
    const error = failed({ InstructionError: [0, cause] }, logs, {
      idl: (address) => (address === PROGRAM ? idl : undefined),
    });
    assert.equal(error?.source, source);
  });

const u32 = (value: number): number[] => [value & 255, value >> 8, 0, 0];

/** Names in the order of their numbers, until there are no more. */
function namesOf(nameOf: (number: number) => string | undefined): readonly string[] {
  const names: string[] = [];
  for (let number = 0; ; number++) {
    const name = nameOf(number);
    if (name === undefined || name === 'UnknownError') return names;
    names.push(name);
  }
}

const TRANSACTION = namesOf((number) => errorFromBincode(Uint8Array.of(...u32(number), 0, ...u32(0))).name);
const INSTRUCTION = namesOf(
  (number) => errorFromBincode(Uint8Array.of(...u32(8), 0, ...u32(number), 0, 0, 0, 0)).cause,
);

test('every error of the runtime is explained', () => {
  assert.ok(TRANSACTION.length >= 39 && INSTRUCTION.length >= 54);
  const missing = [
    ...TRANSACTION.filter((name) => name !== 'InstructionError' && transactionError(name) === undefined),
    ...INSTRUCTION.filter((name) => name !== 'Custom' && instructionError(name) === undefined),
  ];
  assert.deepEqual(missing, []);
});

/** Programs with custom errors, and how many. */
const PROGRAMS: readonly (readonly [program: string, errors: number])[] = [
  ['11111111111111111111111111111111', 9],
  ['Stake11111111111111111111111111111111111111', 17],
  ['Vote111111111111111111111111111111111111111', 21],
  ['ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL', 1],
  ['TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', 20],
  ['TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb', 69],
];

test("known programs' errors have the numbers of their programs", () => {
  for (const [program, errors] of PROGRAMS)
    assert.equal(namesOf((number) => programError(program, number)?.name).length, errors, program);
  assert.equal(programError('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb', 36)?.name, 'NoMemo');
  assert.equal(programError('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb', 48)?.name, 'ExtensionNotFound');
  assert.equal(programError('Stake11111111111111111111111111111111111111', 16)?.name, 'EpochRewardsActive');
});

test("Anchor's errors have their numbers", () => {
  const names = [100, 101, 2006, 2012, 3002, 3012, 4100].map((code) => anchorError(code)?.name);
  assert.deepEqual(names, [
    'InstructionMissing',
    'InstructionFallbackNotFound',
    'ConstraintSeeds',
    'ConstraintAddress',
    'AccountDiscriminatorMismatch',
    'AccountNotInitialized',
    'DeclaredProgramIdMismatch',
  ]);
  assert.equal(anchorError(6000), undefined);
});

test('every text is a sentence to be put in: lower case first, no full stop, and a next step', () => {
  const all = [
    ...TRANSACTION.map(transactionError),
    ...INSTRUCTION.map(instructionError),
    ...PROGRAMS.flatMap(([program, errors]) =>
      Array.from({ length: errors }, (_, code) => programError(program, code)),
    ),
    ...Array.from({ length: 6000 }, (_, code) => anchorError(code)),
  ].filter((error) => error !== undefined);
  for (const { name, text, next } of all) {
    assert.match(text, /^(?!.*\.$)(?:[a-z]|ElGamal)/, name);
    assert.match(next, /^[A-Z](?!.*\.$)/, name);
  }
});
