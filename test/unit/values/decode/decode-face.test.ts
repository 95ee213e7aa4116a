// The face of decoding: what changed between two readings, guesses about unknown bytes, and both as text.
import assert from 'node:assert/strict';
import test from 'node:test';
import { decodeAccount } from '../../../../core/solana/decode/decode';
import { NO_PROGRAMS, type Decoded } from '../../../../core/solana/decode/decoded';
import { fieldLines, valueText } from '../../../../core/solana/decode/decodedText';
import { diffBytes, diffDecoded } from '../../../../core/solana/decode/diff';
import { guessLayout } from '../../../../core/solana/decode/guess';

const TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';

function tokenAccount(amount: bigint): Decoded {
  const data = new Uint8Array(165);
  data.fill(7, 0, 32);
  data.fill(9, 32, 64);
  new DataView(data.buffer).setBigUint64(64, amount, true);
  data[108] = 1;
  const decoded = decodeAccount({ owner: TOKEN, lamports: 1n, data, executable: false }, NO_PROGRAMS);
  assert.ok(decoded);
  return decoded;
}

test('a token account that moved says only its amount changed', () => {
  const changes = diffDecoded(tokenAccount(5n), tokenAccount(8n));
  assert.deepEqual(
    changes.map(({ path, before, after }) => [path, before && valueText(before), after && valueText(after)]),
    [[['amount'], '5 raw', '8 raw']],
  );
});

test('an account that became another kind is one change of all', () => {
  const closed: Decoded = { kind: 'nonce', title: 'Nonce account', fields: [] };
  assert.deepEqual(
    diffDecoded(tokenAccount(1n), closed).map(({ path }) => path),
    [[]],
  );
});

test('changed items of a list have their place in the path, and what appeared has no before', () => {
  const list = (...numbers: bigint[]): Decoded => ({
    kind: 'lookupTable',
    title: 'Address lookup table',
    fields: [
      { name: 'addresses', value: { kind: 'list', items: numbers.map((value) => ({ kind: 'integer', value })) } },
    ],
  });
  assert.deepEqual(diffDecoded(list(1n, 2n), list(1n, 3n, 4n)), [
    { path: ['addresses', 1], before: { kind: 'integer', value: 2n }, after: { kind: 'integer', value: 3n } },
    { path: ['addresses', 2], after: { kind: 'integer', value: 4n } },
  ]);
});

test('bytes that differ are runs, joined over a few equal bytes, and what was added differs', () => {
  const before = Uint8Array.from([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  const after = Uint8Array.from([0, 2, 0, 4, 5, 6, 7, 8, 0, 10, 11]);
  assert.deepEqual(diffBytes(before, after), [
    { offset: 0, length: 3 },
    { offset: 8, length: 3 },
  ]);
  assert.deepEqual(diffBytes(before, before), []);
});

test('unknown bytes are guessed as key, text and number, marked as guesses and complete', () => {
  const key = Uint8Array.from({ length: 32 }, (_, at) => (at * 37 + 11) % 256);
  const data = new Uint8Array(8 + 32 + 8 + 4 + 5);
  data.fill(0xee, 0, 8);
  data.set(key, 8);
  new DataView(data.buffer).setBigUint64(40, 1_500_000_000n, true);
  data[48] = 5;
  data.set(new TextEncoder().encode('hello'), 52);
  const fields = guessLayout(data);
  assert.deepEqual(
    fields.map(({ value }) => value.kind),
    ['bytes', 'pubkey', 'integer', 'text'],
  );
  assert.ok(fields.every(({ isGuess }) => isGuess === true));
  assert.equal(
    fields.reduce((sum, { range }) => sum + (range?.length ?? 0), 0),
    data.length,
  );
});

test('fields as lines open structures below their name and keep control characters out', () => {
  const lines = fieldLines([
    { name: 'name', value: { kind: 'text', text: 'a\nb\u202ec' } },
    { name: 'fee', value: { kind: 'integer', value: 1_500_000_000n, unit: { kind: 'lamports' } } },
    {
      name: 'inner',
      value: { kind: 'fields', name: 'Open', fields: [{ name: 'on', value: { kind: 'flag', value: true } }] },
    },
  ]);
  assert.deepEqual(lines, ['name: a�b�c', 'fee: 1,500,000,000 lamports (1.5 SOL)', 'inner: Open', '  on: true']);
});
