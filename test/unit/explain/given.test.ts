// Transactions as they are given: a text, a node's answer, a request with its response; and the bounded answer for models.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { explainTransaction } from '../../../core/solana/explain/explain';
import type { Explanation } from '../../../core/solana/explain/explanation';
import { explainedAnswer, explainedExchange, explainedText, type Explained } from '../../../core/solana/explain/given';
import { explainAnswer } from '../../../core/requests/tools/explain';
import { MAX_ANSWER } from '../../../core/requests/tools/limits';
import { NO_PROGRAMS } from '../../../core/solana/decode/decoded';
import { transactionFromWire } from '../../../core/solana/decode/transactions/decode';
import { encodeBase58 } from '../../../core/solana/encoding/base58';
import { decodeBase64 } from '../../../core/solana/encoding/base64';
import { decodeTransaction } from '../../../core/solana/wire/transaction';
import { printJson, type JsonValue } from '../../../core/solana/json/json';
import { v1Bytes } from '../../support/data/v1Transactions';

const TRANSFER = readFileSync(path.join(__dirname, '..', '..', 'corpus', 'valid', 'transfer.b64'), 'utf8').trim();
const SYSTEM = '11111111111111111111111111111111';
const LOGS = [
  `Program ${SYSTEM} invoke [1]`,
  'Transfer: insufficient lamports 0, need 5',
  `Program ${SYSTEM} failed: custom program error: 0x1`,
];
/** The answer of a simulation, and of a failed preflight. */
const FAILED: JsonValue = {
  err: { InstructionError: [0, { Custom: 1 }] },
  logs: LOGS,
  unitsConsumed: 150,
  loadedAccountsDataSize: 206,
};

function known(explained: Explained | undefined): Explanation {
  assert.ok(typeof explained === 'object', typeof explained === 'string' ? explained : 'nothing');
  return explained;
}

const reason = (explained: Explained): string => (typeof explained === 'string' ? explained : 'explained');

const request = (method: string): JsonValue => ({ method, params: [TRANSFER, { encoding: 'base64' }] });
const exchange = (method: string, response: JsonValue): Explained | undefined =>
  explainedExchange(request(method), response, NO_PROGRAMS);

test('a simulation and a failed preflight are explained alike, with the bytes of the request', () => {
  const simulated = known(exchange('simulateTransaction', { result: { context: { slot: 1 }, value: FAILED } }));
  const refused = known(exchange('sendTransaction', { error: { code: -32002, message: 'failed', data: FAILED } }));
  for (const { outcome, limits, size, calls } of [simulated, refused]) {
    assert.ok(outcome.kind === 'failed');
    assert.deepEqual(outcome.at, [0]);
    assert.deepEqual(limits.computeUnits, { used: 150n });
    assert.deepEqual(limits.loadedAccountsData, { used: 206n });
    assert.equal(size?.bytes, decodeBase64(TRANSFER)?.length);
    assert.deepEqual(calls[0]?.logs, [LOGS[1]]);
  }
});

test('a transaction that was sent has not run as far as is known', () => {
  assert.deepEqual(known(exchange('sendTransaction', { result: '5abc' })).outcome, { kind: 'notExecuted' });
});

describe('a message without signatures', () => {
  const whole = decodeBase64(TRANSFER) ?? new Uint8Array();
  const legacy = whole.subarray(65);
  const version0 = Buffer.concat([Uint8Array.of(0x80), legacy, Uint8Array.of(0)]);
  // Its one signature comes last.
  const version1 = v1Bytes().subarray(0, -64);
  for (const [version, message] of [
    ['legacy', legacy],
    ['0', version0],
    ['1', version1],
  ] as const)
    test(`of version ${version} is explained as one`, () => {
      for (const text of [Buffer.from(message).toString('base64'), encodeBase58(message)]) {
        const explanation = known(explainedText(text, NO_PROGRAMS));
        assert.equal(String(explanation.version), version);
        assert.equal(explanation.outcome.kind, 'notExecuted');
        assert.equal(explanation.signature, undefined);
        assert.deepEqual(new Set(explanation.signatures?.map(({ state }) => state)), new Set(['missing']));
        assert.ok(explanation.calls.length > 0);
        assert.match(explanation.notes[0] ?? '', /^This is a message without its signatures/);
      }
    });
  test('is named where a transaction is due, and a damaged one is neither', () => {
    for (const [name, message] of [
      ['legacy', legacy],
      ['version 0', version0],
      ['version 1', version1],
    ] as const) {
      const read = decodeTransaction(message);
      assert.equal(read.ok ? '' : read.reason, `it is a ${name} message without its signatures`);
      const cut = decodeTransaction(message.subarray(0, -1));
      assert.doesNotMatch(cut.ok ? '' : cut.reason, /without its signatures/);
    }
  });
});

test('other requests are not explained; of a transaction that the node does not know, the reasons are given', () => {
  assert.equal(exchange('getSlot', { result: 5 }), undefined);
  const unknown = exchange('getTransaction', { result: null });
  assert.ok(unknown !== undefined);
  assert.match(reason(unknown), /^The node does not know this transaction/);
});

test('text is read as base64, base58 or JSON; otherwise a reason is given', () => {
  const wrapped = TRANSFER.match(/.{1,76}/g)?.join('\r\n') ?? '';
  assert.equal(typeof explainedText(`${wrapped}\n`, NO_PROGRAMS), 'object');
  assert.equal(known(explainedText(` ${TRANSFER}\n`, NO_PROGRAMS)).calls[0]?.name, 'transfer');
  const answer = JSON.stringify({ result: { transaction: [TRANSFER, 'base64'], meta: null } });
  assert.equal(known(explainedText(answer, NO_PROGRAMS)).calls[0]?.name, 'transfer');
  assert.equal(explainedText('{ "a": ', NO_PROGRAMS), 'It looks like JSON but cannot be parsed.');
  assert.match(reason(explainedText('AAAA', NO_PROGRAMS)), /As base64: /);
  assert.match(reason(explainedAnswer({ result: null }, NO_PROGRAMS)), /\.$/);
});

test('megabytes of base58 are no transaction, and are not read for minutes', () => {
  const long = 'A1'.repeat(2_000_001);
  assert.equal(explainedText(long, NO_PROGRAMS), 'It is neither base64 nor base58.');
  const answer = { transaction: [long, 'base58'], meta: null };
  assert.match(reason(explainedAnswer(answer, NO_PROGRAMS)), /^[^]{1,200}$/);
});

test('the answer for models is bounded, however long the logs and many the calls, and counts what is left out', () => {
  const wire = transactionFromWire(decodeBase64(TRANSFER) ?? new Uint8Array(), NO_PROGRAMS);
  assert.ok(wire.ok);
  const [instruction] = wire.value.instructions;
  assert.ok(instruction !== undefined);
  const one = explainTransaction(wire.value, {});
  const [call] = one.calls;
  assert.ok(call !== undefined);
  const calls = Array.from({ length: 300 }, (_, at) => ({
    ...call,
    path: [at],
    logs: Array<string>(50).fill('a log line'),
  }));
  const [balance] = [{ owner: SYSTEM, lamports: { before: 0n, after: 2n ** 60n }, tokens: [] }];
  const answer = explainAnswer({ ...one, calls, balances: Array(1_000).fill(balance) as Explanation['balances'] });
  const text = printJson(answer);
  assert.ok(text.length < MAX_ANSWER, `${text.length}`);
  for (const name of ['moreCalls', 'moreLogs', 'moreBalances']) assert.match(text, new RegExp(`"${name}": ?[1-9]`));
  assert.match(text, /1152921504606846976/);
});
