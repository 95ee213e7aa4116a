// The transaction of sendTransaction and simulateTransaction: its encoding, its signatures, its size, advice for SWQoS.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { checkCall } from '../../../core/requests/methods/check';
import type { CheckOptions } from '../../../core/requests/methods/problems';
import { STANDARD_METHODS } from '../../../core/requests/methods/index';
import { encodeBase58 } from '../../../core/solana/encoding/base58';
import { decodeBase64, encodeBase64 } from '../../../core/solana/encoding/base64';
import { isJsonArray, type JsonValue } from '../../../core/solana/json/json';
import { attachSignature, memoMessage } from '../../../core/solana/wire/message';
import { BROKEN, v1Bytes } from '../../support/data/v1Transactions';

const SOME_KEY = '9B5XszUGdMaxCZ7uSQhPzdks5ZQSmWxrmzCSvtJ6Ns6g';
const send = STANDARD_METHODS.named('sendTransaction');
const simulate = STANDARD_METHODS.named('simulateTransaction');
assert.ok(send && simulate);
const SIGNED = isJsonArray(send.example) ? send.example[0] : undefined;
assert.ok(typeof SIGNED === 'string');
const signedBytes = decodeBase64(SIGNED);
assert.ok(signedBytes);
const SIGNED_58 = encodeBase58(signedBytes);
const unsigned = signedBytes.slice();
unsigned.fill(0, 1, 65);
const UNSIGNED = encodeBase64(unsigned);

function found(record: typeof send, params: JsonValue, options?: CheckOptions): string[] {
  assert.ok(record);
  return checkCall(record, params, options).map((one) => `${one.code} @ ${one.target} /${one.path.join('/')}`);
}

test('a signed transaction is valid in base64 and, without an encoding, in base58', () => {
  assert.deepEqual(found(send, [SIGNED, { encoding: 'base64' }]), []);
  assert.deepEqual(found(send, [SIGNED_58]), []);
  assert.deepEqual(found(send, [SIGNED_58, { encoding: 'base58' }]), []);
});

test('base64 text without its encoding is one problem, with the option as its fix', () => {
  assert.deepEqual(found(send, [SIGNED]), ['transaction-encoding @ value /0']);
  assert.deepEqual(checkCall(send, [SIGNED])[0]?.fixes, [{ kind: 'set', path: [1], members: { encoding: 'base64' } }]);
});

test('base58 text that says base64 is the same problem', () => {
  assert.deepEqual(found(send, [SIGNED_58, { encoding: 'base64' }]), ['transaction-encoding @ value /0']);
});

test('an unsigned transaction is refused when sent, and when its signatures are to be verified', () => {
  assert.deepEqual(found(send, [UNSIGNED, { encoding: 'base64' }]), ['transaction-unsigned @ value /0']);
  assert.deepEqual(found(simulate, [UNSIGNED, { encoding: 'base64' }]), []);
  assert.deepEqual(found(simulate, [UNSIGNED, { encoding: 'base64', sigVerify: true }]), [
    'transaction-unsigned @ value /0',
  ]);
});

test('an encoding that works elsewhere is the only problem', () => {
  assert.deepEqual(found(send, [SIGNED, { encoding: 'jsonParsed' }]), ['encoding-unsupported @ value /1/encoding']);
});

test('text of neither alphabet is named by the encoding in force', () => {
  assert.deepEqual(found(send, ['not a transaction']), ['not-base58 @ value /0']);
  assert.deepEqual(found(send, ['not a transaction', { encoding: 'base64' }]), ['not-base64 @ value /0']);
});

test('text of the right alphabet that is not a transaction is left to the node', () => {
  assert.deepEqual(found(send, ['AQID', { encoding: 'base64' }]), []);
  assert.deepEqual(found(send, ['3Bxs4h']), []);
});

test('1,232 bytes are allowed and one more is a warning', () => {
  const built = memoMessage({ from: SOME_KEY, text: 'x'.repeat(1000), blockhash: SOME_KEY });
  assert.ok(built.ok);
  const bytes = attachSignature(built.message, new Uint8Array(64).fill(7));
  const grown = (size: number): string => {
    // A memo longer than the builder allows: the length prefix has two bytes either way.
    const longer = new Uint8Array(size).fill(120);
    longer.set(bytes);
    const text = 1000 + size - bytes.length;
    const at = bytes.length - 1002;
    longer[at] = (text & 0x7f) | 0x80;
    longer[at + 1] = text >> 7;
    return encodeBase64(longer);
  };
  assert.deepEqual(found(send, [grown(1232), { encoding: 'base64' }]), []);
  assert.deepEqual(found(send, [grown(1233), { encoding: 'base64' }]), ['transaction-too-large @ value /0']);
  assert.equal(checkCall(send, [grown(1233), { encoding: 'base64' }])[0]?.severity, 'warning');
});

describe('version 1', () => {
  const base64 = (bytes: Uint8Array) => [encodeBase64(bytes), { encoding: 'base64' }] as const;
  /** A sound one of this many bytes: instructions with more data. */
  const sized = (size: number): Uint8Array => {
    const more = size - v1Bytes().length;
    return v1Bytes({ instructionHeaders: [[2, 2, 3 + more]], payload: [0, 1, ...new Array<number>(3 + more).fill(9)] });
  };

  test('4,096 bytes are allowed as base64, and one more is a warning', () => {
    assert.deepEqual(found(send, base64(sized(4096))), []);
    assert.deepEqual(found(send, base64(sized(4097))), ['transaction-too-large @ value /0']);
    assert.deepEqual(found(send, base64(new Uint8Array(6000).fill(0x81))), ['transaction-too-large @ value /0']);
  });

  test('base58 carries 1,232 bytes of it', () => {
    assert.deepEqual(found(send, [encodeBase58(sized(1232))]), []);
    assert.deepEqual(found(send, [encodeBase58(sized(1233))]), ['transaction-too-large @ value /0']);
  });

  test('written in the other encoding it is found', () => {
    assert.deepEqual(found(send, [encodeBase64(v1Bytes())]), ['transaction-encoding @ value /0']);
  });

  test('a missing signature is all zeros', () => {
    assert.deepEqual(found(send, base64(v1Bytes({ signatures: [new Uint8Array(64)] }))), [
      'transaction-unsigned @ value /0',
    ]);
  });

  for (const [name, bytes] of Object.entries(BROKEN).filter(([, { 0: first }]) => first === 0x81))
    test(`${name} is refused before a node does`, () => {
      assert.deepEqual(found(send, base64(bytes)), ['transaction-malformed @ value /0']);
      const [problem] = checkCall(send, [...base64(bytes)]);
      assert.match(problem?.message ?? '', /^Nodes refuse this version 1 transaction: .+\.$/);
    });
});

test('a megabyte of text is judged by its length', () => {
  assert.deepEqual(found(send, ['1'.repeat(1 << 20)]), ['transaction-too-large @ value /0']);
  assert.deepEqual(found(send, ['A'.repeat(1 << 20), { encoding: 'base64' }]), ['transaction-too-large @ value /0']);
});

test('a variable is not a transaction yet; a wallet transaction needs base64', () => {
  const options: CheckOptions = { isWalletTransaction: (text) => text.startsWith('{{$transfer') };
  assert.deepEqual(found(send, ['{{tx}}'], options), []);
  assert.deepEqual(found(send, [SIGNED, { encoding: '{{e}}' }]), []);
  assert.deepEqual(found(send, [SIGNED, '{{config}}']), []);
  assert.deepEqual(found(send, ['{{$transfer a 1}}', { encoding: 'base64' }], options), []);
  assert.deepEqual(found(send, ['{{$transfer a 1}}'], options), ['transaction-encoding @ value /0']);
});

test('on the SWQoS lane advice asks for both settings, and names only what is missing', () => {
  const lane = { lane: 'swqos' } as const;
  const best = { encoding: 'base64', skipPreflight: true, maxRetries: 0 };
  assert.deepEqual(found(send, [SIGNED, best], lane), []);
  assert.deepEqual(found(send, [SIGNED_58], lane), ['swqos-settings @ method /']);
  assert.deepEqual(found(send, [SIGNED, { encoding: 'base64' }], lane), ['swqos-settings @ value /1']);
  assert.deepEqual(found(send, [SIGNED, { encoding: 'base64' }]), []);
  assert.deepEqual(checkCall(send, [SIGNED, { ...best, maxRetries: 3 }], lane)[0]?.fixes, [
    { kind: 'set', path: [1], members: { maxRetries: 0 } },
  ]);
  assert.deepEqual(found(send, [SIGNED, { ...best, maxRetries: '{{n}}' }], lane), []);
});

test('the option named commitment is meant as preflightCommitment', () => {
  const problem = checkCall(send, [SIGNED, { encoding: 'base64', commitment: 'confirmed' }])[0];
  assert.equal(problem?.code, 'unknown-field');
  assert.deepEqual(problem.fixes[0], { kind: 'rename', name: 'preflightCommitment' });
});
