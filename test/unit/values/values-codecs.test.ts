// Base64, base58, lamports and addresses against oracles: Node's own Buffer, BigInt arithmetic, the table itself.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressName, KNOWN_ADDRESSES, knownAddress } from '../../../core/solana/chain/addresses';
import { decodeBase58, encodeBase58 } from '../../../core/solana/encoding/base58';
import { base64Length, decodeBase64, encodeBase64 } from '../../../core/solana/encoding/base64';
import { isBase58, isPublicKey, isSignature, judgeBase58 } from '../../../core/solana/chain/keys';
import { formatSol, formatUnits } from '../../../core/solana/chain/lamports';

/** A fixed stream of bytes: the same failures on every machine. */
function* byteStream(seed: number): Generator<number, never> {
  let state = seed;
  for (;;) {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    yield (state >>> 16) & 255;
  }
}

function samples(count: number, longest: number): Uint8Array[] {
  const stream = byteStream(7);
  return Array.from({ length: count }, (_, at) => Uint8Array.from({ length: at % longest }, () => stream.next().value));
}

test('base64 agrees with Buffer on 2,000 texts and back', () => {
  for (const bytes of samples(2000, 100)) {
    const text = encodeBase64(bytes);
    assert.equal(text, Buffer.from(bytes).toString('base64'));
    assert.equal(base64Length(text), bytes.length);
    assert.deepEqual(decodeBase64(text), bytes);
  }
});

test('base64 refuses what nodes refuse', () => {
  for (const text of [
    'A',
    'AA',
    'AAA',
    'AA=A',
    '=AAA',
    'A===',
    '====',
    'AAA=AAAA',
    'AB==',
    'AAB=',
    'AA A',
    'AA-_',
    'AAAé',
    'AAAA\n',
  ]) {
    assert.equal(base64Length(text), -1, JSON.stringify(text));
    assert.equal(decodeBase64(text), undefined, JSON.stringify(text));
  }
  assert.deepEqual(decodeBase64(''), new Uint8Array(0));
});

/** Base58 by the book: one big number. */
function slowBase58(bytes: Uint8Array): string {
  const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
  let number = bytes.reduce((all, byte) => all * 256n + BigInt(byte), 0n);
  let text = '';
  for (; number > 0n; number /= 58n) text = alphabet.charAt(Number(number % 58n)) + text;
  const zeros = bytes.findIndex((byte) => byte !== 0);
  return '1'.repeat(zeros < 0 ? bytes.length : zeros) + text;
}

test('base58 agrees with big-number arithmetic on 1,000 texts and back', () => {
  for (const bytes of samples(1000, 140)) {
    const padded = Uint8Array.from([...new Uint8Array(bytes.length % 3), ...bytes]);
    const text = encodeBase58(padded);
    assert.equal(text, slowBase58(padded));
    assert.deepEqual(decodeBase58(text), padded);
    assert.ok(isBase58(text));
  }
});

/** A number in `length` bytes, the highest first. */
const numberBytes = (number: bigint, length: number): Uint8Array =>
  Uint8Array.from({ length }, (_, at) => Number((number >> BigInt(8 * (length - 1 - at))) & 255n));

test('base58 carries at every power of 2^8 and of 58, one below and one above, at 32 and at 64 bytes', () => {
  for (const length of [32, 64]) {
    const above = 256n ** BigInt(length);
    for (const base of [256n, 58n])
      for (let power = 1n; power < above; power *= base)
        for (const number of [power - 1n, power, power + 1n]) {
          const bytes = numberBytes(number, length);
          const text = encodeBase58(bytes);
          assert.equal(text, slowBase58(bytes));
          assert.deepEqual(decodeBase58(text), bytes);
        }
    const most = new Uint8Array(length).fill(255);
    assert.equal(encodeBase58(most), slowBase58(most));
  }
});

test('base58 has 58 characters and no others', () => {
  const characters = Array.from({ length: 0x250 }, (_, code) => String.fromCharCode(code));
  const allowed = characters.filter((char) => isBase58(char));
  assert.equal(allowed.length, 58);
  for (const char of characters) assert.equal(decodeBase58(char) !== undefined, isBase58(char), JSON.stringify(char));
});

test('keys and signatures are recognised by their bytes', () => {
  assert.ok(isPublicKey('11111111111111111111111111111111'));
  assert.ok(!isPublicKey('1111111111111111111111111111111'));
  assert.ok(!isPublicKey('z'.repeat(44)));
  assert.ok(isSignature(encodeBase58(new Uint8Array(64).fill(255))));
  assert.ok(!isSignature(encodeBase58(new Uint8Array(63).fill(255))));
});

test('lamports are shown as SOL to the last digit', () => {
  assert.equal(formatSol(0n), '0 SOL');
  assert.equal(formatSol(1n), '0.000000001 SOL');
  assert.equal(formatSol(5000n), '0.000005 SOL');
  assert.equal(formatSol(1_500_000_000n), '1.5 SOL');
  assert.equal(formatSol(18_446_744_073_709_551_615n), '18,446,744,073.709551615 SOL');
  assert.equal(formatUnits(-1_234_567n, 6), '-1.234567');
  assert.equal(formatUnits(42n, 0), '42');
});

test('every known address is a key, is listed once, and has a name', () => {
  assert.equal(new Set(KNOWN_ADDRESSES.map((known) => known.address)).size, KNOWN_ADDRESSES.length);
  for (const { address, name } of KNOWN_ADDRESSES) {
    assert.ok(isPublicKey(address), address);
    assert.equal(addressName(address), name);
    assert.match(name, /\w/);
  }
  assert.equal(knownAddress('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v')?.decimals, 6);
  assert.equal(addressName('constructor'), undefined);
});

test('a text is judged as decoding it would judge it, at every length and at every boundary', () => {
  const judged = (bytes: Uint8Array): void => {
    const text = encodeBase58(bytes);
    for (const length of [0, 1, 31, 32, 33, 63, 64]) {
      const verdict = judgeBase58(text, length);
      const expected = bytes.length === length ? { kind: 'ok' } : { kind: 'length', found: bytes.length };
      assert.deepEqual(verdict, expected, `${text} as ${length} bytes`);
    }
  };
  for (const bytes of samples(700, 70)) judged(bytes);
  for (let length = 0; length <= 65; length++) {
    for (let zeros = 0; zeros <= length; zeros += 7) {
      judged(new Uint8Array(length).fill(255, zeros));
      judged(new Uint8Array(length).fill(1, zeros, zeros + 1));
    }
  }
  assert.deepEqual(judgeBase58('1'.repeat(97), 32), { kind: 'length', found: undefined });
  assert.deepEqual(judgeBase58('0', 32), { kind: 'alphabet' });
});
