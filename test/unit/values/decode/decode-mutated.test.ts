// A hundred thousand accounts that chance has damaged: no decoder throws, and what it gives is well-formed.
import assert from 'node:assert/strict';
import test from 'node:test';
import { decodeBase58, encodeBase58 } from '../../../../core/solana/encoding/base58';
import { decodeAccount, DECODED_OWNERS } from '../../../../core/solana/decode/decode';
import type { DecodedField, DecodedValue } from '../../../../core/solana/decode/decoded';
import { fieldLines } from '../../../../core/solana/decode/decodedText';
import { diffBytes, diffDecoded } from '../../../../core/solana/decode/diff';
import { guessLayout } from '../../../../core/solana/decode/guess';
import { readIdl } from '../../../../core/solana/decode/idl/read';
import { programsOf } from '../../../../core/solana/decode/idl/registry';
import { NO_PROGRAMS } from '../../../../core/solana/decode/decoded';
import { addressName } from '../../../../core/solana/chain/addresses';
import { transactionFromWire, transactionFromYellowstone } from '../../../../core/solana/decode/transactions/decode';
import { borsh, extension, keyOf, layOut, padded } from '../../../support/data/layouts';
import { metadataAccount } from '../../../support/data/plantedAccounts';
import { VOTES } from '../../../support/data/voteAccounts';

const PROGRAM = encodeBase58(keyOf(0x11));
const ACCOUNTS = 100_000;

/** The same numbers in every run (xorshift). */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

const IDL = JSON.stringify({
  address: PROGRAM,
  metadata: { name: 'all', version: '0', spec: '0.1.0' },
  instructions: [],
  accounts: [{ name: 'All', discriminator: [1] }],
  types: [
    {
      name: 'All',
      type: {
        kind: 'struct',
        fields: [
          { name: '__proto__', type: { vec: { defined: { name: 'Choice' } } } },
          { name: 'constructor', type: { option: { hashMap: ['string', { vec: 'u64' }] } } },
          { name: 'self', type: { option: { defined: { name: 'All' } } } },
        ],
      },
    },
    { name: 'Choice', type: { kind: 'enum', variants: [{ name: 'A' }, { name: 'B', fields: ['string', 'u128'] }] } },
  ],
});

const tokenBase = layOut(
  keyOf(1),
  keyOf(2),
  [8, 5],
  [4, 1],
  keyOf(3),
  [1, 1],
  [4, 1],
  [8, 0],
  [8, 0],
  [4, 0],
  keyOf(0),
);
const mintBase = layOut([4, 1], keyOf(1), [8, 9], [1, 6], [1, 1], [4, 0], keyOf(0));
/** Owner, sound data, and the address where that counts. */
const SOUND: readonly (readonly [owner: string, data: Uint8Array, address?: string])[] = [
  ['TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', tokenBase],
  ['TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', mintBase],
  ['TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', layOut([1, 1], [1, 2], [1, 1], Buffer.alloc(352))],
  [
    'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
    layOut(tokenBase, [1, 2], extension(7, layOut()), extension(2, layOut([8, 1]))),
  ],
  [
    'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
    layOut(
      mintBase,
      Buffer.alloc(83),
      [1, 1],
      extension(19, layOut(keyOf(0), keyOf(1), borsh('a'), borsh('b'), borsh('c'), [4, 1], borsh('k'), borsh('v'))),
    ),
  ],
  ['11111111111111111111111111111111', layOut([4, 1], [4, 1], keyOf(1), keyOf(2), [8, 5])],
  [
    'AddressLookupTab1e1111111111111111111111111',
    layOut([4, 1], [8, 1], [8, 1], [1, 0], [1, 1], keyOf(1), [2, 0], keyOf(2)),
  ],
  ['Stake11111111111111111111111111111111111111', layOut([4, 2], Buffer.alloc(196))],
  ...VOTES.map(([, data]) => ['Vote111111111111111111111111111111111111111', data] as const),
  ['BPFLoaderUpgradeab1e11111111111111111111111', layOut([4, 3], [8, 1], [1, 1], keyOf(1), [8, 1])],
  [
    'Sysvar1111111111111111111111111111111111111',
    layOut([8, 2], [8, 1], keyOf(1), [8, 2], keyOf(2)),
    'SysvarS1otHashes111111111111111111111111111',
  ],
  [
    'Sysvar1111111111111111111111111111111111111',
    layOut([1, 1], [8, 2], [16, 3], [8, 128], [8, 9]),
    'SysvarS1otHistory11111111111111111111111111',
  ],
  [
    'metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s',
    layOut(
      [1, 4],
      keyOf(1),
      keyOf(2),
      padded('n', 32),
      padded('s', 10),
      padded('u', 200),
      [2, 5],
      [1, 1],
      [4, 1],
      keyOf(1),
      [1, 1],
      [1, 100],
      [1, 0],
      [1, 1],
      Buffer.alloc(50),
    ),
  ],
  ['LoaderV411111111111111111111111111111111111', layOut([8, 7], keyOf(1), [8, 1], Buffer.alloc(40, 1))],
  ['BPFLoader2111111111111111111111111111111111', layOut([4, 0x464c457f], Buffer.alloc(40, 1))],
  ['BPFLoader1111111111111111111111111111111111', layOut([4, 0x464c457f], Buffer.alloc(40, 1))],
  ['NativeLoader1111111111111111111111111111111', Buffer.from('system_program')],
  [
    'Config1111111111111111111111111111111111111',
    layOut(
      [1, 2],
      decodeBase58('Va1idator1nfo111111111111111111111111111111') ?? keyOf(0),
      [1, 0],
      keyOf(1),
      [1, 1],
      [8, 2],
      [2, 0x7d7b],
    ),
  ],
  ['Feature111111111111111111111111111111111111', layOut([1, 1], [8, 9])],
  ['ProgM6JCCvbYkfKqJYHePx4xxSUSqJp7rh8Lyv7nk7S', metadataAccount({ program: PROGRAM, data: '{}' })],
  [
    PROGRAM,
    layOut([1, 1], [4, 2], [1, 0], [1, 1], borsh('x'), [16, 1], [1, 1], [4, 1], borsh('k'), [4, 1], [8, 1], [1, 0]),
  ],
];

/** Flips, cuts, grows, or writes a large number: what damage really looks like. */
function mutated(data: Uint8Array, next: (below: number) => number): Uint8Array {
  let copy = Uint8Array.from(data);
  for (let times = 1 + next(4); times > 0; times--) {
    const at = next(copy.length + 1);
    switch (next(4)) {
      case 0:
        copy[Math.min(at, copy.length - 1)] = next(256);
        break;
      case 1:
        copy = copy.slice(0, at);
        break;
      case 2:
        copy = layOut(copy, new Uint8Array(next(80)).fill(next(256)));
        break;
      default:
        copy.fill(255, at, at + 1 + next(8));
    }
  }
  return copy;
}

/** Every value has a kind, and a list no more items than the bound. */
function check(fields: readonly DecodedField[], depth = 0): void {
  if (depth > 200) throw new Error('nested without end');
  for (const { name, value } of fields) {
    if (typeof name !== 'string') throw new Error('a field without a name');
    checkValue(value, depth);
  }
}

function checkValue(value: DecodedValue, depth: number): void {
  if (value.kind === 'fields') check(value.fields, depth + 1);
  if (value.kind !== 'list') return;
  if (value.items.length > 1_024) throw new Error('a list beyond its bound');
  for (const item of value.items) checkValue(item, depth + 1);
}

test('a hundred thousand damaged accounts decode to something or to nothing, and never throw', () => {
  const next = numbers(0x5eed);
  const { idl } = readIdl(IDL);
  assert.ok(idl);
  const known = programsOf([{ idl }]);
  let decodedCount = 0;
  for (let i = 0; i < ACCOUNTS; i++) {
    const sound = SOUND[next(SOUND.length)];
    assert.ok(sound);
    const [owner, whole, address] = sound;
    const data = mutated(whole, next);
    const account = { owner, lamports: 1n, data, executable: false, ...(address === undefined ? {} : { address }) };
    const decoded = decodeAccount(account, known);
    if (decoded === undefined) continue;
    decodedCount++;
    check(decoded.fields);
    // Showing and comparing cost more than decoding: a share of them is enough.
    if (i % 16 !== 0) continue;
    fieldLines(decoded.fields);
    const before = decodeAccount({ ...account, data: whole }, known);
    assert.ok(before);
    diffDecoded(before, decoded);
  }
  // Damage that decodes to nothing would prove little.
  assert.ok(decodedCount > ACCOUNTS / 10, `${decodedCount} decoded`);
});

test('sound accounts of the same table all decode', () => {
  const { idl } = readIdl(IDL);
  assert.ok(idl);
  for (const [owner, data, address] of SOUND) {
    const account = { owner, lamports: 1n, data, executable: false, ...(address === undefined ? {} : { address }) };
    assert.ok(decodeAccount(account, programsOf([{ idl }])), `${owner} ${data.length}`);
  }
});

test('every program whose accounts are decoded is among them', () => {
  const owners = new Set(SOUND.map(([owner]) => owner));
  assert.deepEqual(
    DECODED_OWNERS.filter((owner) => !owners.has(owner)),
    [],
  );
});

test('every program whose accounts are decoded has a name in the table of addresses', () => {
  assert.deepEqual(
    DECODED_OWNERS.filter((owner) => addressName(owner) === undefined),
    [],
  );
});

test('guesses and byte differences of damaged data cover it and never throw', () => {
  const next = numbers(77);
  for (let i = 0; i < 5_000; i++) {
    const [, whole] = SOUND[next(SOUND.length)] ?? [];
    assert.ok(whole);
    const data = mutated(whole, next);
    const covered = guessLayout(data).reduce((sum, { range }) => sum + (range?.length ?? 0), 0);
    assert.equal(covered, data.length);
    diffBytes(whole, data);
  }
});

test('damaged transactions never throw, on the wire and from Yellowstone', () => {
  const next = numbers(99);
  const wire = layOut(
    [1, 1],
    new Uint8Array(64),
    Uint8Array.of(1, 0, 1, 2),
    keyOf(1),
    keyOf(0),
    keyOf(8),
    Uint8Array.of(1, 1, 2, 0, 0, 12, 2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0),
  );
  assert.ok(transactionFromWire(wire, NO_PROGRAMS).ok);
  for (let i = 0; i < 10_000; i++) {
    const data = mutated(wire, next);
    transactionFromWire(data, NO_PROGRAMS);
    transactionFromYellowstone(data, NO_PROGRAMS);
  }
});

test('damaged IDL files never throw', () => {
  const next = numbers(5);
  for (let i = 0; i < 5_000; i++) {
    const at = next(IDL.length);
    const { idl, problems } = readIdl(IDL.slice(0, at) + '{}[]":,0xnull'.charAt(next(13)) + IDL.slice(at + next(3)));
    assert.ok(idl !== undefined || problems.length > 0);
  }
});
