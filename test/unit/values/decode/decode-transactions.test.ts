// Decoded transactions: the same one from every form it travels in, its calls, logs, balances and errors.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import test from 'node:test';
import { create, toBinary } from '@bufbuild/protobuf';
import { encodeBase58 } from '../../../../core/solana/encoding/base58';
import {
  NO_PROGRAMS,
  type DecodedInstruction,
  type DecodedTransaction,
  type LogNode,
} from '../../../../core/solana/decode/decoded';
import { valueText } from '../../../../core/solana/decode/decodedText';
import { readIdl } from '../../../../core/solana/decode/idl/read';
import { programsOf } from '../../../../core/solana/decode/idl/registry';
import { parseJson, type JsonValue } from '../../../../core/solana/json/json';
import { attachSignature, transferMessage } from '../../../../core/solana/wire/message';
import {
  transactionFromJson,
  transactionFromWire,
  transactionFromYellowstone,
} from '../../../../core/solana/decode/transactions/decode';
import { SubscribeUpdateTransactionInfoSchema } from '../../../../proto/gen/geyser_pb';
import { texts } from '../../../support/data/decoded';
import { borsh, keyOf, layOut } from '../../../support/data/layouts';

const key = (byte: number): string => encodeBase58(keyOf(byte));
const [PAYER, SOURCE, TARGET, MINT, PROGRAM] = [key(1), key(2), key(3), key(4), key(0x11)];
const SYSTEM = '11111111111111111111111111111111';
const TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
const SIGNATURE = encodeBase58(new Uint8Array(64).fill(9));

const checked = layOut([1, 12], [8, 1_500_000], [1, 6]);
const lamports = layOut([4, 2], [8, 2_000_000_000n]);

const holding = (account: number, amount: string): JsonValue => ({
  accountIndex: account,
  mint: MINT,
  owner: PAYER,
  programId: TOKEN,
  uiTokenAmount: { amount, decimals: 6, uiAmount: null, uiAmountString: '' },
});

/** A call of a program that called the token program, which called the system program: in JSON as a node gives it. */
const JSON_FORM: JsonValue = {
  slot: 77,
  blockTime: 86_400,
  version: 'legacy',
  transaction: {
    signatures: [SIGNATURE],
    message: {
      header: { numRequiredSignatures: 1, numReadonlySignedAccounts: 0, numReadonlyUnsignedAccounts: 4 },
      accountKeys: [PAYER, SOURCE, TARGET, MINT, PROGRAM, TOKEN, SYSTEM],
      recentBlockhash: key(8),
      instructions: [{ programIdIndex: 4, accounts: [0, 1], data: encodeBase58(Uint8Array.of(1, 2)), stackHeight: 1 }],
    },
  },
  meta: {
    err: null,
    fee: 5_000,
    preBalances: [10_000_000_000, 0, 0, 0, 0, 0, 0],
    postBalances: [7_999_995_000, 0, 2_000_000_000, 0, 0, 0, 0],
    preTokenBalances: [holding(1, '2000000')],
    postTokenBalances: [holding(1, '500000'), holding(2, '1500000')],
    innerInstructions: [
      {
        index: 0,
        instructions: [
          { programIdIndex: 5, accounts: [1, 3, 2, 0], data: encodeBase58(checked), stackHeight: 2 },
          { programIdIndex: 6, accounts: [0, 2], data: encodeBase58(lamports), stackHeight: 3 },
          { programIdIndex: 6, accounts: [0, 2], data: encodeBase58(lamports), stackHeight: 2 },
        ],
      },
    ],
    logMessages: [
      `Program ${PROGRAM} invoke [1]`,
      'Program log: hello',
      `Program ${TOKEN} invoke [2]`,
      `Program ${TOKEN} consumed 100 of 199000 compute units`,
      `Program ${TOKEN} success`,
      `Program ${PROGRAM} success`,
    ],
    computeUnitsConsumed: 1_234,
  },
};

function decoded(form: JsonValue, known = NO_PROGRAMS): DecodedTransaction {
  const result = transactionFromJson(form, known);
  assert.ok(result.ok, result.ok ? '' : result.reason);
  return result.value;
}

const outline = (instructions: readonly DecodedInstruction[]): unknown[] =>
  instructions.map(({ path, name, inner }) => [path.join('.'), name ?? '?', ...outline(inner)]);

const withMember = (form: JsonValue, name: string, value: JsonValue): JsonValue => ({
  ...(form as object),
  [name]: value,
});
const failing = (err: JsonValue): JsonValue =>
  withMember(JSON_FORM, 'meta', withMember((JSON_FORM as { meta: JsonValue }).meta, 'err', err));

test('a wire transaction says who pays, what it does and that it has not run', () => {
  const built = transferMessage({ from: PAYER, to: TARGET, lamports: 5n, blockhash: key(8) });
  assert.ok(built.ok);
  const result = transactionFromWire(attachSignature(built.message, new Uint8Array(64)), NO_PROGRAMS);
  assert.ok(result.ok);
  const { feePayer, signature, hasRun, instructions, accounts } = result.value;
  assert.deepEqual([feePayer, signature, hasRun], [PAYER, undefined, false]);
  assert.deepEqual(outline(instructions), [['0', 'transfer']]);
  assert.deepEqual(instructions[0]?.accounts, [
    { role: 'source', address: PAYER, isSigner: true, isWritable: true },
    { role: 'destination', address: TARGET, isSigner: false, isWritable: true },
  ]);
  assert.deepEqual(
    accounts.map(({ isFeePayer }) => isFeePayer),
    [true, false, false],
  );
});

test('calls nest by their heights, with names, roles and amounts', () => {
  const { instructions } = decoded(JSON_FORM);
  assert.deepEqual(outline(instructions), [
    ['0', '?', ['0.0', 'transferChecked', ['0.0.0', 'transfer']], ['0.1', 'transfer']],
  ]);
  const [transfer] = instructions[0]?.inner ?? [];
  assert.deepEqual(texts(transfer?.fields ?? []), { amount: '1.5 (raw 1500000)', decimals: '6' });
  assert.deepEqual(
    transfer?.accounts.map(({ role, address }) => [role, address]),
    [
      ['source', SOURCE],
      ['mint', MINT],
      ['destination', TARGET],
      ['authority', PAYER],
    ],
  );
});

test('balances say what changed, in lamports and in tokens, and a new account began with nothing', () => {
  assert.deepEqual(decoded(JSON_FORM).balances, [
    { kind: 'lamports', account: PAYER, before: 10_000_000_000n, after: 7_999_995_000n },
    { kind: 'lamports', account: TARGET, before: 0n, after: 2_000_000_000n },
    { kind: 'tokens', account: SOURCE, owner: PAYER, mint: MINT, decimals: 6, before: 2_000_000n, after: 500_000n },
    { kind: 'tokens', account: TARGET, owner: PAYER, mint: MINT, decimals: 6, before: 0n, after: 1_500_000n },
  ]);
});

test('logs are a tree by call, with compute units', () => {
  const [outer] = decoded(JSON_FORM).logs;
  assert.ok(outer?.kind === 'call');
  assert.deepEqual([outer.program, outer.depth, outer.outcome], [PROGRAM, 1, 'success']);
  const [line, inner] = outer.children;
  assert.deepEqual(line, { kind: 'line', text: 'hello' });
  assert.deepEqual(inner, {
    kind: 'call',
    program: TOKEN,
    programName: 'SPL Token Program',
    depth: 2,
    outcome: 'success',
    unitsConsumed: 100n,
    unitsAllowed: 199_000n,
    children: [],
  } satisfies LogNode);
});

test('a program cannot end another one in the logs, and cut logs say so', () => {
  const meta = (JSON_FORM as { meta: JsonValue }).meta;
  const logs = [
    `Program ${PROGRAM} invoke [1]`,
    `Program log: Program ${PROGRAM} success`,
    `Program ${TOKEN} success`,
    'Log truncated',
  ];
  const [call] = decoded(withMember(JSON_FORM, 'meta', withMember(meta, 'logMessages', logs))).logs;
  assert.ok(call?.kind === 'call');
  assert.equal(call.outcome, 'unfinished');
  assert.deepEqual(
    call.children.map(({ kind }) => kind),
    ['line', 'line', 'truncated'],
  );
});

const IDL = JSON.stringify({
  address: PROGRAM,
  metadata: { name: 'shop', version: '1.0.0', spec: '0.1.0' },
  instructions: [
    {
      name: 'buy',
      discriminator: [1, 2],
      accounts: [
        { name: 'buyer', signer: true },
        { name: 'group', accounts: [{ name: 'till' }] },
      ],
      args: [],
    },
  ],
  events: [{ name: 'Sold', discriminator: [7, 7, 7, 7, 7, 7, 7, 7] }],
  types: [{ name: 'Sold', type: { kind: 'struct', fields: [{ name: 'what', type: 'string' }] } }],
  errors: [{ code: 6001, name: 'SoldOut', msg: 'Nothing is left' }],
});

test('an IDL names the instruction, its accounts, its events and its errors', () => {
  const { idl } = readIdl(IDL);
  assert.ok(idl);
  const known = programsOf([{ idl }]);
  const event = layOut(new Uint8Array(8).fill(7), borsh('tea'));
  const meta = (failing({ InstructionError: [0, { Custom: 6001 }] }) as { meta: JsonValue }).meta;
  const logs = [
    `Program ${PROGRAM} invoke [1]`,
    `Program data: ${Buffer.from(event).toString('base64')}`,
    `Program ${PROGRAM} failed: custom program error: 0x1771`,
  ];
  const transaction = decoded(withMember(JSON_FORM, 'meta', withMember(meta, 'logMessages', logs)), known);
  const [buy] = transaction.instructions;
  assert.deepEqual(
    [buy?.name, buy?.programName, buy?.accounts.map(({ role }) => role)],
    ['buy', 'shop', ['buyer', 'group.till']],
  );
  assert.equal(transaction.error?.text, 'SoldOut: Nothing is left (6001).');
  const [call] = transaction.logs;
  const [data] = call?.kind === 'call' ? call.children : [];
  assert.ok(data?.kind === 'data' && data.event !== undefined);
  assert.deepEqual([data.event.name, texts(data.event.fields)], ['Sold', { what: 'tea' }]);
});

test('an event that a program left by calling itself is decoded', () => {
  const { idl } = readIdl(IDL);
  assert.ok(idl);
  const data = layOut(
    Uint8Array.of(0xe4, 0x45, 0xa5, 0x2e, 0x51, 0xcb, 0x9a, 0x1d),
    new Uint8Array(8).fill(7),
    borsh('tea'),
  );
  const meta = (JSON_FORM as { meta: JsonValue }).meta;
  const inner = [
    { index: 0, instructions: [{ programIdIndex: 4, accounts: [], data: encodeBase58(data), stackHeight: 2 }] },
  ];
  const [outer] = decoded(
    withMember(JSON_FORM, 'meta', withMember(meta, 'innerInstructions', inner)),
    programsOf([{ idl }]),
  ).instructions;
  assert.equal(outer?.inner[0]?.name, 'event Sold');
});

test('what a node read itself keeps its names and values', () => {
  const parsed = parseJson(
    `{"slot":1,"meta":null,"transaction":{"signatures":["${SIGNATURE}"],"message":{"recentBlockhash":"${key(8)}","accountKeys":[{"pubkey":"${PAYER}","signer":true,"writable":true,"source":"transaction"},{"pubkey":"${PROGRAM}","signer":false,"writable":false}],"instructions":[{"program":"system","programId":"${SYSTEM}","parsed":{"type":"transfer","info":{"source":"${PAYER}","lamports":18446744073709551615}}},{"programId":"${PROGRAM}","accounts":["${PAYER}"],"data":"2"}]}}}`,
  );
  const { instructions, accounts, hasRun } = decoded(parsed);
  assert.deepEqual([accounts.length, hasRun], [2, false]);
  assert.deepEqual(outline(instructions), [
    ['0', 'transfer'],
    ['1', '?'],
  ]);
  assert.deepEqual(texts(instructions[0]?.fields ?? []), { source: PAYER, lamports: '18446744073709551615' });
  assert.deepEqual([instructions[1]?.program, instructions[1]?.accounts[0]?.address], [PROGRAM, PAYER]);
});

test('a Yellowstone update says what the node says in JSON', () => {
  const keys = [1, 2, 3, 4, 0x11].map(keyOf);
  const program = Buffer.from('06ddf6e1d765a193d9cbe146ceeb79ac1cb485ed5f5b37913a8cf5857eff00a9', 'hex');
  const fromJson = decoded(withMember(failing({ InstructionError: [0, { Custom: 1 }] }), 'blockTime', null));
  const info = create(SubscribeUpdateTransactionInfoSchema, {
    signature: new Uint8Array(64).fill(9),
    transaction: {
      signatures: [new Uint8Array(64).fill(9)],
      message: {
        header: { numRequiredSignatures: 1, numReadonlySignedAccounts: 0, numReadonlyUnsignedAccounts: 4 },
        accountKeys: [...keys, program, new Uint8Array(32)],
        recentBlockhash: keyOf(8),
        instructions: [{ programIdIndex: 4, accounts: Uint8Array.of(0, 1), data: Uint8Array.of(1, 2) }],
        versioned: false,
      },
    },
    meta: {
      err: { err: layOut([4, 8], [1, 0], [4, 25], [4, 1]) },
      fee: 5_000n,
      preBalances: [10_000_000_000n, 0n, 0n, 0n, 0n, 0n, 0n],
      postBalances: [7_999_995_000n, 0n, 2_000_000_000n, 0n, 0n, 0n, 0n],
      innerInstructions: [
        {
          index: 0,
          instructions: [
            { programIdIndex: 5, accounts: Uint8Array.of(1, 3, 2, 0), data: checked, stackHeight: 2 },
            { programIdIndex: 6, accounts: Uint8Array.of(0, 2), data: lamports, stackHeight: 3 },
            { programIdIndex: 6, accounts: Uint8Array.of(0, 2), data: lamports, stackHeight: 2 },
          ],
        },
      ],
      logMessages: (JSON_FORM as { meta: { logMessages: string[] } }).meta.logMessages,
      preTokenBalances: [
        { accountIndex: 1, mint: MINT, owner: PAYER, uiTokenAmount: { amount: '2000000', decimals: 6 } },
      ],
      postTokenBalances: [
        { accountIndex: 1, mint: MINT, owner: PAYER, uiTokenAmount: { amount: '500000', decimals: 6 } },
        { accountIndex: 2, mint: MINT, owner: PAYER, uiTokenAmount: { amount: '1500000', decimals: 6 } },
      ],
      computeUnitsConsumed: 1_234n,
    },
  });
  const bytes = toBinary(SubscribeUpdateTransactionInfoSchema, info);
  const result = transactionFromYellowstone(bytes, NO_PROGRAMS, { slot: 77n });
  assert.ok(result.ok);
  assert.deepEqual(plain(result.value), plain(fromJson));
});

/** Bytes as hex: a view and a copy of it are the same to people. */
const plain = (transaction: DecodedTransaction): unknown =>
  JSON.parse(
    JSON.stringify(transaction, (_, value: unknown) =>
      typeof value === 'bigint'
        ? String(value)
        : value instanceof Uint8Array
          ? Buffer.from(value).toString('hex')
          : value,
    ),
  );

test('addresses of lookup tables are named where the node read them, and are unknown where it did not', () => {
  const message = {
    header: { numRequiredSignatures: 1, numReadonlySignedAccounts: 0, numReadonlyUnsignedAccounts: 1 },
    accountKeys: [PAYER, SYSTEM],
    recentBlockhash: key(8),
    instructions: [{ programIdIndex: 1, accounts: [0, 2], data: encodeBase58(lamports) }],
    addressTableLookups: [{ accountKey: MINT, writableIndexes: [5], readonlyIndexes: [6] }],
  };
  const form = (meta: JsonValue): JsonValue => ({ version: 0, transaction: { signatures: [], message }, meta });
  const read = decoded(form({ err: null, loadedAddresses: { writable: [TARGET], readonly: [SOURCE] } }));
  assert.deepEqual(read.instructions[0]?.accounts[1], {
    role: 'destination',
    address: TARGET,
    isSigner: false,
    isWritable: true,
  });
  assert.deepEqual(read.accounts[3], {
    address: SOURCE,
    isSigner: false,
    isWritable: false,
    table: MINT,
    isFeePayer: false,
  });
  assert.equal(decoded(form(null)).instructions[0]?.accounts[1]?.address, undefined);
});

test('a vote of today is read to its block', () => {
  const data = layOut([4, 14], [8, 40], [1, 1], [1, 5], [1, 31], keyOf(0xaa), [1, 1], [8, 86_400], keyOf(0xbb));
  const form: JsonValue = {
    transaction: {
      signatures: [],
      message: {
        header: { numRequiredSignatures: 1, numReadonlySignedAccounts: 0, numReadonlyUnsignedAccounts: 1 },
        accountKeys: [PAYER, 'Vote111111111111111111111111111111111111111'],
        instructions: [{ programIdIndex: 1, accounts: [0], data: encodeBase58(data) }],
      },
    },
  };
  const [vote] = decoded(form).instructions;
  assert.equal(vote?.name, 'towerSync');
  assert.deepEqual(
    vote.fields.map(({ name, value }) => [name, valueText(value)]),
    [
      ['root', '40'],
      ['lockoutOffsets', '[{ offset: 5, confirmationCount: 31 }]'],
      ['hash', key(0xaa)],
      ['timestamp', '1970-01-02T00:00:00Z (86400)'],
      ['blockId', key(0xbb)],
    ],
  );
});

test('a value that is not a transaction is refused with a reason', () => {
  for (const form of [null, [], {}, { transaction: 'a' }, { transaction: ['!', 'base64'] }, { transaction: {} }]) {
    const result = transactionFromJson(form, NO_PROGRAMS);
    assert.ok(!result.ok && result.reason.length > 0, JSON.stringify(form));
  }
  assert.equal(transactionFromYellowstone(createHash('sha512').digest(), NO_PROGRAMS).ok, false);
});
