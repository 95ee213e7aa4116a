// Transactions: real signatures by Node's own Ed25519, hand-written wire bytes, and thousands of damaged ones.
import assert from 'node:assert/strict';
import { generateKeyPairSync, sign, verify } from 'node:crypto';
import { describe, test } from 'node:test';
import { decodeBase58, encodeBase58 } from '../../../core/solana/encoding/base58';
import { instructionFacts } from '../../../core/solana/wire/instructions';
import { attachSignature, memoMessage, transferMessage, type Built } from '../../../core/solana/wire/message';
import { partsFromWire } from '../../../core/solana/decode/transactions/fromWire';
import { decodeMessage, decodeTransaction, missingSignatures } from '../../../core/solana/wire/transaction';

const key = (byte: number): Uint8Array => new Uint8Array(32).fill(byte);
const text = (byte: number): string => encodeBase58(key(byte));
const SYSTEM = '11111111111111111111111111111111';

function bytesOf(built: Built): Uint8Array {
  assert.ok(built.ok);
  return built.message;
}

/** A v0 message: one signer, one table, one instruction of a program in the static list. */
const V0_MESSAGE = Uint8Array.from([
  0x80,
  1,
  0,
  1,
  2,
  ...key(1),
  ...key(2),
  ...key(9),
  1,
  1,
  3,
  0,
  2,
  3,
  2,
  0xaa,
  0xbb,
  1,
  ...key(5),
  1,
  7,
  1,
  8,
]);

describe('building', () => {
  test('a transfer has exactly these bytes', () => {
    const message = bytesOf(transferMessage({ from: text(1), to: text(2), lamports: 5000n, blockhash: text(9) }));
    const expected = Buffer.concat([
      Buffer.from([1, 0, 1, 3]),
      key(1),
      key(2),
      key(0),
      key(9),
      Buffer.from([1, 2, 2, 0, 1, 12, 2, 0, 0, 0, 0x88, 0x13, 0, 0, 0, 0, 0, 0]),
    ]);
    assert.deepEqual(Buffer.from(message), expected);
  });

  test('a signed transfer decodes to what was asked for, and its signature verifies', () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const from = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
    const sender = encodeBase58(from);
    const message = bytesOf(
      transferMessage({ from: sender, to: text(2), lamports: 1_500_000_000n, blockhash: text(9) }),
    );
    const wire = attachSignature(message, sign(null, message, privateKey));
    const decoded = decodeTransaction(wire);
    assert.ok(decoded.ok);
    const { signatures, messageBytes, size, message: read } = decoded.value;
    assert.equal(size, wire.length);
    assert.deepEqual(missingSignatures(decoded.value), []);
    assert.ok(verify(null, messageBytes, publicKey, signatures[0] ?? Buffer.alloc(0)));
    assert.equal(encodeBase58(read.blockhash), text(9));
    const instruction = read.instructions[0];
    assert.ok(instruction);
    assert.deepEqual(instructionFacts(read, instruction), {
      program: SYSTEM,
      programName: 'System Program',
      summary: `transfer 1.5 SOL from ${sender} to ${text(2)}`,
    });
    assert.deepEqual(
      partsFromWire({ message: read, signatures: [] }).accounts.map(({ isWritable }) => isWritable),
      [true, true, false],
    );
  });

  test('a transfer to oneself names the account once', () => {
    const message = decodeMessage(
      bytesOf(transferMessage({ from: text(1), to: text(1), lamports: 1n, blockhash: text(9) })),
    );
    assert.ok(message.ok);
    assert.equal(message.value.accountKeys.length, 2);
    assert.deepEqual([...(message.value.instructions[0]?.accounts ?? [])], [0, 0]);
  });

  test('a memo keeps its text', () => {
    const message = decodeMessage(bytesOf(memoMessage({ from: text(1), text: 'héllo "du" ✓', blockhash: text(9) })));
    assert.ok(message.ok && message.value.instructions[0] !== undefined);
    const facts = instructionFacts(message.value, message.value.instructions[0]);
    assert.equal(facts.summary, 'memo "héllo \\"du\\" ✓"');
    assert.equal(facts.programName, 'Memo Program v2');
  });

  test('what cannot be built says why', () => {
    const good = { from: text(1), to: text(2), lamports: 1n, blockhash: text(9) };
    assert.equal(transferMessage({ ...good, from: 'x' }).ok, false);
    assert.equal(transferMessage({ ...good, to: '' }).ok, false);
    assert.equal(transferMessage({ ...good, blockhash: '0' }).ok, false);
    assert.equal(transferMessage({ ...good, lamports: -1n }).ok, false);
    assert.equal(transferMessage({ ...good, lamports: 1n << 64n }).ok, false);
    assert.equal(memoMessage({ from: text(1), blockhash: text(9), text: 'ä'.repeat(501) }).ok, false);
    assert.throws(() => attachSignature(new Uint8Array(1), new Uint8Array(63)), RangeError);
  });
});

describe('decoding', () => {
  const wire = attachSignature(V0_MESSAGE, new Uint8Array(64));

  test('version 0 with a lookup table is decoded', () => {
    const decoded = decodeTransaction(wire);
    assert.ok(decoded.ok);
    const { message } = decoded.value;
    assert.equal(message.version, 0);
    assert.equal(message.accountKeys.length, 2);
    assert.deepEqual([...(message.instructions[0]?.accounts ?? [])], [0, 2, 3]);
    assert.deepEqual(message.lookups, [{ table: key(5), writable: Uint8Array.of(7), readonly: Uint8Array.of(8) }]);
    assert.deepEqual(missingSignatures(decoded.value), [0]);
  });

  test('every truncation is refused with a reason and nothing throws', () => {
    for (let length = 0; length < wire.length; length++) {
      const decoded = decodeTransaction(wire.subarray(0, length));
      assert.equal(decoded.ok, false, `${length} bytes`);
      if (!decoded.ok) assert.match(decoded.reason, /\w/);
    }
  });

  test('bytes after the end do not count', () => {
    const decoded = decodeTransaction(Uint8Array.from([...wire, 1, 2, 3]));
    assert.ok(decoded.ok);
    assert.equal(decoded.value.size, wire.length);
  });

  test('an unknown version, an account out of the list and a message without a signer are refused', () => {
    const change = (at: number, value: number): string => {
      const bytes = wire.slice();
      bytes[65 + at] = value;
      const decoded = decodeTransaction(bytes);
      return decoded.ok ? 'accepted' : decoded.reason;
    };
    assert.match(change(0, 0x81), /version 1/);
    assert.match(change(1, 0), /no account signs|holds 1 signatures/);
    assert.match(change(105, 9), /account that is not in its list/);
    assert.match(change(102, 0), /fee payer is called/);
    assert.match(change(2, 1), /fee payer is not writable/);
  });

  test('a count that is longer than it has to be is refused, as nodes refuse it', () => {
    const padded = Uint8Array.from([0x81, 0x00, ...wire.subarray(1)]);
    assert.equal(decodeTransaction(padded).ok, false);
  });

  test('20,000 random changes never throw', () => {
    let state = 42;
    const random = (below: number): number => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
    for (let round = 0; round < 20_000; round++) {
      const bytes = wire.slice(0, random(wire.length + 1));
      for (let change = 0; change < 3 && bytes.length > 0; change++) bytes[random(bytes.length)] = random(256);
      const decoded = decodeTransaction(bytes);
      if (!decoded.ok) continue;
      missingSignatures(decoded.value);
      for (const one of decoded.value.message.instructions) instructionFacts(decoded.value.message, one);
    }
  });
});

test('instructions of well-known programs are described in words', () => {
  const facts = (program: string, accounts: readonly number[], data: readonly number[]): string | undefined => {
    const address = decodeBase58(program);
    assert.ok(address);
    const instruction = { program: 3, accounts: Uint8Array.from(accounts), data: Uint8Array.from(data) };
    const message = {
      version: 'legacy',
      requiredSignatures: 1,
      readonlySigned: 0,
      readonlyUnsigned: 1,
      accountKeys: [key(1), key(2), key(3), address],
      blockhash: key(9),
      instructions: [instruction],
      lookups: [],
    } as const;
    return instructionFacts(message, instruction).summary;
  };
  const token = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
  const budget = 'ComputeBudget111111111111111111111111111111';
  assert.equal(facts(budget, [], [2, 0x40, 0x0d, 3, 0]), 'limit to 200,000 compute units');
  assert.equal(facts(budget, [], [3, 0x10, 0x27, 0, 0, 0, 0, 0, 0]), 'pay 10,000 micro-lamports per compute unit');
  assert.equal(
    facts(token, [0, 1, 2], [12, 1, 0, 0, 0, 0, 0, 0, 0, 6]),
    `transfer 1 raw tokens (6 decimals) of mint ${text(2)} from ${text(1)} to ${text(3)}`,
  );
  assert.equal(facts(token, [0, 1], [3, 1]), undefined, 'cut short');
  assert.equal(facts(token, [0, 1], [200]), undefined, 'not known');
  assert.equal(facts('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr', [], [0xff]), undefined, 'no UTF-8');
});
