// p-token's instructions beyond those that both token programs always had: a batch, shown as its parts, and the two that
// move lamports.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { NO_PROGRAMS, type DecodedInstruction, type DecodedValue } from '../../../../core/solana/decode/decoded';
import { fieldLines } from '../../../../core/solana/decode/decodedText';
import { transactionFromJson } from '../../../../core/solana/decode/transactions/decode';
import { decodeInstruction } from '../../../../core/solana/decode/transactions/instructions';
import { encodeBase58 } from '../../../../core/solana/encoding/base58';
import type { JsonValue } from '../../../../core/solana/json/json';
import { texts } from '../../../support/data/decoded';
import { keyOf, layOut } from '../../../support/data/layouts';

const TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
const TOKEN_2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb';
const key = (byte: number): string => encodeBase58(keyOf(byte));
const [A, B, C, D, E, MINT] = [key(1), key(2), key(3), key(4), key(5), key(6)];

const TRANSFER = layOut([1, 3], [8, 1_500_000]);
const CHECKED = layOut([1, 12], [8, 2_500_000], [1, 6]);
const UNWRAP = layOut([1, 45], [1, 1], [8, 7]);

/** Parts as a batch has them: how many accounts and bytes, then the bytes. */
const batch = (...parts: readonly (readonly [accounts: number, data: Uint8Array])[]): Uint8Array =>
  layOut([1, 255], ...parts.flatMap(([accounts, data]) => [layOut([1, accounts], [1, data.length]), data]));

/** An instruction with these accounts. */
function read(data: Uint8Array, addresses: readonly string[], program = TOKEN): Omit<DecodedInstruction, 'inner'> {
  const accounts = [program, ...addresses].map((address) => ({ address, isSigner: false, isWritable: true }));
  const indexes = addresses.map((_, at) => at + 1);
  return decodeInstruction({ kind: 'raw', program: 0, accounts: indexes, data }, accounts, [0], NO_PROGRAMS);
}

function partsOf({ fields }: Pick<DecodedInstruction, 'fields'>): readonly DecodedValue[] {
  const [parts] = fields;
  assert.ok(parts?.name === 'instructions' && parts.value.kind === 'list');
  return parts.value.items;
}

const plain = (value: DecodedValue): unknown =>
  value.kind === 'fields' ? [value.name, texts(value.fields)] : assert.fail(value.kind);

describe('a batch', () => {
  test('is its instructions, each with the accounts that are next and with its amounts', () => {
    const decoded = read(batch([3, TRANSFER], [4, CHECKED], [3, UNWRAP]), [A, B, C, B, MINT, D, C, E, A, C]);
    assert.equal(decoded.name, 'batch');
    assert.equal(decoded.unread, undefined);
    assert.deepEqual(partsOf(decoded).map(plain), [
      ['transfer', { source: A, destination: B, authority: C, amount: '1,500,000 raw' }],
      [
        'transferChecked',
        { source: B, mint: MINT, destination: D, authority: C, amount: '2.5 (raw 2500000)', decimals: '6' },
      ],
      ['unwrapLamports', { source: E, destination: A, authority: C, amount: '7 lamports (0.000000007 SOL)' }],
    ]);
  });

  test('of Token-2022 has instructions of that program', () => {
    const [part] = partsOf(read(batch([1, layOut([1, 32])]), [MINT], TOKEN_2022));
    assert.deepEqual(part && plain(part), ['initializeNonTransferableMint', { mint: MINT }]);
    const [unknown] = partsOf(read(batch([1, layOut([1, 32])]), [MINT]));
    assert.deepEqual(unknown && plain(unknown), [undefined, { 'account 1': MINT, data: '0x20' }]);
  });

  test('with a part that is not an instruction shows the bytes of that part', () => {
    const inside = batch([0, TRANSFER]);
    const decoded = read(
      batch([1, inside], [1, layOut([1, 200])], [0, new Uint8Array()], [3, TRANSFER.subarray(0, 5)]),
      [A, B, C, D, E],
    );
    assert.deepEqual(partsOf(decoded).map(plain), [
      [undefined, { 'account 1': A, data: '0xff000903' + '60e3160000000000' }],
      [undefined, { 'account 1': B, data: '0xc8' }],
      [undefined, { data: '0x' }],
      ['transfer', { source: C, destination: D, authority: E, data: '0x0360e31600' }],
    ]);
  });

  for (const [name, data, addresses] of [
    ['whose part is longer than the data', layOut([1, 255], [1, 1], [1, 9], [1, 3]), [A, B, C]],
    ['with more accounts than there are', batch([3, TRANSFER], [1, TRANSFER]), [A, B, C]],
    ['that ends within the head of a part', layOut([1, 255], [1, 3]), [A, B, C]],
  ] as const)
    test(`${name} is left as its bytes`, () => {
      const decoded = read(data, addresses);
      assert.deepEqual([decoded.name, decoded.fields, decoded.data], ['batch', [], data]);
      assert.match(decoded.unread ?? '', /parts/);
      assert.deepEqual(
        decoded.accounts.map(({ role }) => role),
        [undefined, undefined, undefined],
      );
    });

  test('of very many parts is bounded, and the others are counted', () => {
    const [field] = read(batch(...Array.from({ length: 20_000 }, () => [0, new Uint8Array()] as const)), []).fields;
    assert.ok(field?.value.kind === 'list');
    assert.deepEqual([field.value.items.length, field.value.more], [1_024, 18_976]);
  });

  test('without parts has none', () => {
    assert.deepEqual(partsOf(read(layOut([1, 255]), [A])), []);
  });

  test('gets the decimals that the transaction says, and is explained part by part', () => {
    const holding = { accountIndex: 1, mint: MINT, programId: TOKEN, uiTokenAmount: { amount: '9', decimals: 6 } };
    const form: JsonValue = {
      slot: 1,
      version: 'legacy',
      transaction: {
        signatures: [encodeBase58(new Uint8Array(64).fill(9))],
        message: {
          header: { numRequiredSignatures: 1, numReadonlySignedAccounts: 0, numReadonlyUnsignedAccounts: 1 },
          accountKeys: [A, B, C, TOKEN],
          recentBlockhash: key(8),
          instructions: [{ programIdIndex: 3, accounts: [1, 2, 0], data: encodeBase58(batch([3, TRANSFER])) }],
        },
      },
      meta: { err: null, fee: 5_000, preBalances: [], postBalances: [], preTokenBalances: [holding], logMessages: [] },
    };
    const decoded = transactionFromJson(form, NO_PROGRAMS);
    assert.ok(decoded.ok);
    const [instruction] = decoded.value.instructions;
    assert.deepEqual(instruction && fieldLines(instruction.fields), [
      'instructions: 1 item',
      '  [0]: transfer',
      `    source: ${B}`,
      `    destination: ${C}`,
      `    authority: ${A}`,
      '    amount: 1.5 (raw 1500000)',
    ]);
  });
});

describe('the instructions that move lamports', () => {
  for (const [program, name] of [
    [TOKEN, 'SPL Token'],
    [TOKEN_2022, 'Token-2022'],
  ] as const)
    test(`are read for ${name}`, () => {
      const withdrawn = read(layOut([1, 38]), [A, B, C], program);
      assert.equal(withdrawn.name, 'withdrawExcessLamports');
      const some = read(UNWRAP, [A, B, C, D], program);
      const all = read(layOut([1, 45], [1, 0]), [A, B, C], program);
      assert.deepEqual(
        [some, all].map((one) => [one.name, texts(one.fields)]),
        [
          ['unwrapLamports', { amount: '7 lamports (0.000000007 SOL)' }],
          ['unwrapLamports', { amount: 'none' }],
        ],
      );
      for (const { accounts } of [withdrawn, some, all])
        assert.deepEqual(
          accounts.slice(0, 3).map(({ role }) => role),
          ['source', 'destination', 'authority'],
        );
    });

  test('are the only ones of Token-2022 that SPL Token has', () => {
    const names = Array.from({ length: 255 }, (_, number) => read(layOut([1, number]), []).name);
    const known = names.flatMap((name, number) => (name === undefined ? [] : [number]));
    assert.deepEqual(known, [...Array.from({ length: 25 }, (_, number) => number), 38, 45]);
  });
});
