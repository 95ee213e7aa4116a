// How refusals and JSON-RPC errors are reported: by HTTP status first, with the meaning of the code and a next step.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ServiceError } from '../../../core/service/errors';
import { RPC_ERRORS } from '../../../core/service/rpcErrors';
import { judgeAnswer } from '../../../net/http/answer';
import { EnvelopeScanner, type AnswerEnvelope } from '../../../net/http/envelope';

const HOST = 'rpc.example.com';
const NOW = Date.UTC(2026, 0, 1, 0, 0, 0);

function envelopeOf(text: string, size = text.length, maxEntries = 8): AnswerEnvelope {
  const scanner = new EnvelopeScanner(maxEntries);
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) scanner.push(bytes.subarray(at, at + size));
  return scanner.end();
}

function judged(
  httpStatus: number,
  text: string,
  headers: readonly (readonly [string, string])[] = [],
): ServiceError | undefined {
  return judgeAnswer({ httpStatus, headers, text, envelope: envelopeOf(text), host: HOST, unixMs: NOW }, ['1'], false);
}

function error(...given: Parameters<typeof judged>): ServiceError {
  const found = judged(...given);
  assert.ok(found !== undefined);
  assert.ok(found.message.endsWith('.') && found.message.length < 500);
  return found;
}

const gateway = (code: number, message: string): string =>
  JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: 1 });

describe('HTTP statuses', () => {
  test('401 is a rejected key', () => {
    const { kind, message, hint } = error(401, gateway(401, 'unknown key'));
    assert.deepEqual([kind, message], ['keyRejected', `${HOST} does not accept the key: unknown key.`]);
    assert.ok(hint !== undefined);
  });

  const TYPES = [
    ['This endpoint needs a gRPC key', 'grpc'],
    ['needs an RPC key, got a SWQoS key', 'rpc'],
    ['A gRPC key was given, an RPC key is required', 'rpc'],
    ['gRPC keys are not allowed here', undefined],
    ['requires: swqos', 'swqos'],
    ['RPC Key expected', 'rpc'],
    ['use a SWQoS key for this endpoint', 'swqos'],
    ['Forbidden', undefined],
  ] as const;
  for (const [said, needs] of TYPES)
    test(`403 with ${JSON.stringify(said)} is a wrong key type`, () => {
      const found = error(403, gateway(403, said));
      assert.ok(found.kind === 'wrongKeyType');
      assert.equal(found.needs, needs);
    });

  test('403 without a body is a wrong key type', () => assert.equal(error(403, '').kind, 'wrongKeyType'));

  test('403 that says suspended is a suspension, with its time', () => {
    const found = error(403, gateway(403, 'key temporarily suspended'), [['retry-after', '30']]);
    assert.ok(found.kind === 'suspended' && found.retryAfterMs === 30_000);
    assert.match(found.message, /30 s/);
  });

  test('429 is a rate limit, with Retry-After in seconds or as a date', () => {
    for (const after of ['7', 'Thu, 01 Jan 2026 00:00:07 GMT']) {
      const found = error(429, gateway(429, 'slow down'), [['retry-after', after]]);
      assert.ok(found.kind === 'rateLimited' && found.retryAfterMs === 7000);
    }
  });

  test('429 without Retry-After names no time', () => {
    const found = error(429, 'slow down');
    assert.ok(found.kind === 'rateLimited' && found.retryAfterMs === undefined);
  });

  for (const status of [500, 502, 503, 504, 599])
    test(`${status} is an error of the network, even around a JSON-RPC error`, () => {
      const found = error(status, gateway(-32005, 'behind'));
      assert.ok(found.kind === 'network' && found.httpStatus === status);
      assert.match(found.message, /behind/);
    });

  for (const status of [400, 404, 405, 413, 415, 418])
    test(`${status} is an error of the protocol, with a hint`, () => {
      const found = error(status, '<html>no</html>');
      assert.ok(found.kind === 'protocol' && found.httpStatus === status && found.hint !== undefined);
      assert.doesNotMatch(found.message, /html/);
    });

  test('400 around a JSON-RPC error is that error', () => {
    const found = error(400, gateway(-32602, 'Invalid param: WrongSize'));
    assert.ok(found.kind === 'rpc' && found.code === -32602 && found.httpStatus === 400);
  });

  test('a refusal’s markup, control characters and direction marks stay out of the message', () => {
    const evil = 'a\u001b[31mred\u0007\u202etxt\u2066\u200b\nline\u0000 <img src=x onerror=alert(1)>\ud800';
    const { message } = error(401, gateway(401, evil));
    assert.doesNotMatch(message, /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f]|\p{Surrogate}/u);
  });

  test('a refusal of a megabyte is cut', () =>
    assert.ok(error(401, gateway(401, 'x'.repeat(1_000_000))).message.length < 400));

  test('a refusal of sixty thousand letters is cut in one line', () =>
    assert.ok(error(401, gateway(401, 'x\n'.repeat(20_000))).message.length < 400));
});

describe('JSON-RPC errors', () => {
  test('every code of the table is reported with its name and a next step', () => {
    for (const [code, facts] of RPC_ERRORS) {
      const found = error(200, gateway(code, ''));
      assert.ok(found.kind === 'rpc' && found.code === code && found.httpStatus === 200);
      assert.equal(found.message, `${facts.name} (${code}): ${facts.meaning}.`);
      assert.equal(found.hint, facts.next);
    }
  });

  const PREFLIGHT: readonly (readonly [err: string, hint: RegExp])[] = [
    ['"BlockhashNotFound"', /preflightCommitment/],
    ['{"InsufficientFundsForRent":{"account_index":1}}', /getMinimumBalanceForRentExemption/],
    ['{"InstructionError":[0,{"Custom":1}]}', /program logs/],
    ['"constructor"', /program logs/],
    ['null', /program logs/],
  ];
  for (const [err, hint] of PREFLIGHT)
    test(`a preflight that fails with ${err} says what to do about it`, () => {
      const body = `{"jsonrpc":"2.0","id":1,"error":{"code":-32002,"message":"x","data":{"err":${err}}}}`;
      assert.match(error(200, body).hint ?? '', hint);
    });

  test('the service’s own words are quoted', () =>
    assert.equal(
      error(200, gateway(-32602, 'Invalid param: WrongSize.')).message,
      'Invalid params (-32602): Invalid param: WrongSize.',
    ));

  test('words that repeat the name of the code give way to its meaning', () =>
    assert.equal(
      error(200, gateway(-32601, 'method not found')).message,
      'Method not found (-32601): it does not offer this method.',
    ));

  test('data is kept with every digit', () => {
    const text = '{"id":1,"error":{"code":-32016,"message":"x","data":{"contextSlot":18446744073709551615}}}';
    const found = error(200, text);
    assert.ok(found.kind === 'rpc' && JSON.stringify(found.data) === '{"contextSlot":{"text":"18446744073709551615"}}');
  });

  test('an unknown code is reported as is', () =>
    assert.equal(error(200, gateway(-1, 'strange')).message, 'Error -1: strange.'));

  test('an error with the id null answers the request', () =>
    assert.equal(error(200, '{"id":null,"error":{"code":-32700,"message":"x"}}').kind, 'rpc'));

  test('an error with the id of another request does not', () =>
    assert.equal(error(200, '{"id":9,"error":{"code":-32700,"message":"x"}}').kind, 'protocol'));

  test('error null along with a result is not an error', () =>
    assert.equal(judged(200, '{"id":1,"error":null,"result":1}'), undefined));
});

describe('the envelope', () => {
  const TEXT = ' {"jsonrpc" : "2.0" , "result":{"id":5,"error":{"a":["}\\\\\\""]}},"error" :null,"id":\t"x\\"y" } ';
  test('is read the same wherever packets cut it', () => {
    const whole = envelopeOf(TEXT);
    assert.deepEqual(whole, {
      kind: 'answers',
      isBatch: false,
      entries: [{ id: '"x\\"y"', hasResult: true }],
    });
    for (let size = 1; size < TEXT.length; size++) assert.deepEqual(envelopeOf(TEXT, size), whole);
  });

  test('of a batch is read the same wherever packets cut it', () => {
    const text = '[{"id":1,"result":[1,2]},{"error":{"code":1,"message":"]}"},"id":null}]';
    const whole = envelopeOf(text);
    assert.ok(whole.kind === 'answers' && whole.isBatch && whole.entries.length === 2);
    for (let size = 1; size < text.length; size++) assert.deepEqual(envelopeOf(text, size), whole);
  });

  test('has a bound on answers', () =>
    assert.equal(envelopeOf(`[${'{"id":1},'.repeat(9)}{"id":1}]`).kind, 'malformed'));

  test('of two megabytes of brackets costs no stack', () => {
    const text = '['.repeat(1_000_000) + ']'.repeat(1_000_000);
    assert.equal(envelopeOf(text).kind, 'malformed');
    assert.equal(envelopeOf(`{"id":1,"result":${text}}`).kind, 'answers');
  });
});
