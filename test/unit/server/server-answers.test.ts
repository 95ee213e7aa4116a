// The server's memory of the last answers: by file and name, bounded, without keys; and which blockhashes are old.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RequestReport } from '../../../core/requests/run/model';
import { parseJson } from '../../../core/solana/json/json';
import { chainAge } from '../../../core/solana/chain/chain';
import { LastAnswers } from '../../../server/run/answers';

const FILE = 'file:///project/a.jsonrpc';

function report(name: string | null, response: string, more: Partial<RequestReport> = {}): RequestReport {
  return {
    file: FILE,
    line: 1,
    name,
    title: '',
    method: 'getSlot',
    transport: 'POST',
    endpoint: 'local',
    status: 'passed',
    durationMs: 1,
    request: {},
    response: parseJson(response),
    assertions: [],
    ...more,
  };
}

const plain = (): LastAnswers =>
  new LastAnswers(
    (text) => text,
    () => undefined,
  );

test('the last answer of a name is kept by file, with every digit', () => {
  const answers = plain();
  answers.keep(report('a', '{"result":1}'));
  answers.keep(report('a', '{"result":18446744073709551615}'));
  assert.deepEqual(answers.lastAnswer(FILE, 'a')?.body, parseJson('{"result":18446744073709551615}'));
  assert.equal(answers.lastAnswer('file:///project/b.jsonrpc', 'a'), undefined);
  assert.equal(answers.lastAnswer(FILE, '__proto__'), undefined);
});

test('a key in an answer is taken out before it is kept', () => {
  const answers = new LastAnswers(
    (text) => text.replaceAll('abc-key', '[redacted]'),
    () => undefined,
  );
  answers.keep(report('a', '{"result":"abc-key"}'));
  assert.deepEqual(answers.lastAnswer(FILE, 'a')?.body, { result: '[redacted]' });
});

test('messages of a stream and the message of a gRPC call are found where a path looks for them', () => {
  const answers = plain();
  const { response, ...stream } = report('s', 'null');
  assert.equal(response, null);
  answers.keep({ ...stream, transport: 'WS', messages: [{ slot: 1 }] });
  assert.deepEqual(answers.lastAnswer(FILE, 's')?.messages, [{ slot: 1 }]);
  answers.keep(report('g', '{"slot":"5"}', { transport: 'GRPC' }));
  assert.deepEqual(answers.lastAnswer(FILE, 'g')?.body, { result: { slot: '5' } });
});

test('an answer that is too large makes the last one unknown, and old names are dropped', () => {
  const answers = plain();
  answers.keep(report('a', '{"result":1}'));
  answers.keep(report('a', `{"result":"${'x'.repeat(600_000)}"}`));
  assert.equal(answers.lastAnswer(FILE, 'a'), undefined);
  for (let index = 0; index <= 200; index++) answers.keep(report(`n${index}`, '{"result":1}'));
  assert.equal(answers.lastAnswer(FILE, 'n0'), undefined);
  assert.ok(answers.lastAnswer(FILE, 'n200') !== undefined);
});

test('a blockhash expires once the same endpoint reports a height above its last valid one', () => {
  let changes = 0;
  const answers = new LastAnswers(
    (text) => text,
    () => changes++,
  );
  const hash = '{"result":{"value":{"blockhash":"H","lastValidBlockHeight":1150}}}';
  answers.keep(report(null, hash, { method: 'getLatestBlockhash' }));
  answers.keep(report(null, '{"result":1150}', { method: 'getBlockHeight' }));
  answers.keep(report(null, '{"result":9999}', { method: 'getBlockHeight', endpoint: 'other' }));
  assert.deepEqual([...answers.expired()], []);
  answers.keep(report(null, '{"result":{"blockHeight":1151}}', { method: 'getEpochInfo' }));
  assert.deepEqual([...answers.expired()], ['H']);
  assert.equal(changes, 1);
});

test('the release of an endpoint is what its last answer to getVersion named', () => {
  let changes = 0;
  const answers = new LastAnswers(
    (text) => text,
    () => changes++,
  );
  const version = (text: string): string => `{"result":{"solana-core":"${text}","feature-set":1}}`;
  const { endpoint } = report(null, version('4.2.1'));
  assert.equal(answers.release(endpoint), undefined);
  answers.keep(report(null, version('4.2.1'), { method: 'getSlot' }));
  assert.equal(answers.release(endpoint), undefined);
  answers.keep(report(null, version('4.2.1'), { method: 'getVersion' }));
  answers.keep(report(null, version('4.2.9'), { method: 'getVersion' }));
  assert.equal(answers.release(endpoint), '4.2');
  assert.equal(answers.release('other'), undefined);
  assert.equal(changes, 1);
  answers.keep(report(null, version('0.708.4'), { method: 'getVersion' }));
  assert.equal(answers.release(endpoint), undefined);
});

test('the newest slot of an endpoint advances with the clock, and starts over with a new ledger', () => {
  let now = 0;
  const answers = new LastAnswers(
    (text) => text,
    () => undefined,
    () => now,
  );
  const { endpoint } = report('a', 'null');
  assert.equal(answers.newestSlot(endpoint, now), undefined);
  answers.keep(report('a', '{"result":{"context":{"slot":1000},"value":1}}', { method: 'getBalance' }));
  now = 4_000;
  assert.equal(answers.newestSlot(endpoint, now), 1020n);
  // A finalized answer is behind what is known already.
  answers.keep(report('a', '{"result":1018}', { method: 'getSlot' }));
  answers.keep(report('a', '{"result":980}', { method: 'getSlot' }));
  assert.equal(answers.newestSlot(endpoint, now), 1020n);
  answers.keep(report('a', '{"result":5}', { method: 'getSlot' }));
  assert.equal(answers.newestSlot(endpoint, now), 5n);
});

test('an answer that says something of the chain changes what the editor says of it', () => {
  let changes = 0;
  const answers = new LastAnswers(
    (text) => text,
    () => changes++,
  );
  const { endpoint } = report(null, 'null');
  assert.deepEqual(answers.chain(endpoint), chainAge());
  answers.keep(report(null, '{"result":null}', { method: 'getAgGenesisCert' }));
  assert.equal(answers.chain(endpoint).consensus, 'tower');
  assert.equal(answers.chain('other').isShown, false);
  assert.equal(changes, 1);
});

test('an answer of a URL on the request line is kept, and says nothing of the endpoint', () => {
  let changes = 0;
  const answers = new LastAnswers(
    (text) => text,
    () => changes++,
  );
  const certificate = report('a', '{"result":null}', { method: 'getAgGenesisCert' });
  const version = report('b', '{"result":{"solana-core":"4.2.1"}}', { method: 'getVersion' });
  answers.keep(certificate, true);
  answers.keep(version, true);
  answers.keep(report('c', '{"result":7}', { method: 'getSlot' }), true);
  assert.deepEqual(answers.lastAnswer(certificate.file, 'a')?.body, parseJson('{"result":null}'));
  const { endpoint } = certificate;
  assert.equal(answers.chain(endpoint).isShown, false);
  assert.equal(answers.release(endpoint), undefined);
  assert.equal(answers.newestSlot(endpoint, 0), undefined);
  assert.equal(changes, 0);
});
