// A transaction sent with priority is watched with questions to the same endpoint until it is finalized or too old.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PreparedRequest } from '../../../core/run/model';
import { landingText } from '../../../core/run/landing';
import { runText, type Reply } from '../../support/process/run';

const SIGNATURE = '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW';
const FILE = '### Land\nSWQOS\n{ "method": "sendTransaction", "params": ["AAAA", { "encoding": "base64" }] }\n';
const answer = (result: string): string => `{"jsonrpc":"2.0","id":1,"result":${result}}`;
const status = (level: string, err = 'null'): string =>
  answer(`{"context":{"slot":9},"value":[{"slot":7,"confirmations":1,"err":${err},"confirmationStatus":"${level}"}]}`);
const UNSEEN = answer('{"context":{"slot":9},"value":[null]}');

/** Answers each method in turn with its list; the last one stays. */
function serving(lists: Readonly<Record<string, readonly Reply[]>>): (request: PreparedRequest) => Reply {
  const asked = new Map<string, number>();
  return ({ method }) => {
    const list = { sendTransaction: [answer(`"${SIGNATURE}"`)], ...lists }[method] ?? [];
    const nth = asked.get(method) ?? 0;
    asked.set(method, nth + 1);
    return list[Math.min(nth, list.length - 1)] ?? answer('null');
  };
}

test('it is followed from processed over confirmed to finalized, with times, by POST', async () => {
  let now = 0;
  const ran = await runText(FILE, {
    reply: serving({
      getSignatureStatuses: [UNSEEN, status('processed'), status('confirmed'), status('finalized')],
      getBlockHeight: [answer('100')],
    }),
    ports: {
      clock: { now: () => now, unixSeconds: () => 0, sleep: async (ms) => void (now += ms) },
    },
  });
  const [row] = ran.report.requests;
  assert.equal(row?.status, 'passed');
  assert.deepEqual(row?.landing, {
    signature: SIGNATURE,
    level: 'finalized',
    slot: '7',
    times: { processed: 400, confirmed: 800, finalized: 2300 },
  });
  assert.deepEqual([...new Set(ran.sent.slice(1).map(({ transport }) => transport))], ['POST']);
  assert.equal(ran.sent.filter(({ method }) => method === 'sendTransaction').length, 1);
});

test('past the last block its blockhash is good for it is expired, and looked for once more', async () => {
  const ran = await runText(FILE, {
    reply: serving({ getSignatureStatuses: [UNSEEN], getBlockHeight: [answer('100'), answer('250'), answer('251')] }),
  });
  const [row] = ran.report.requests;
  assert.equal(row?.status, 'failed');
  assert.equal(row?.error?.kind, 'expired');
  assert.match(row?.error?.message ?? '', new RegExp(SIGNATURE));
  assert.equal(row?.landing?.level, 'expired');
  assert.match(ran.bodies.at(-1) ?? '', /searchTransactionHistory/);
});

test('one that landed in the very last block is not expired', async () => {
  const ran = await runText(FILE, {
    reply: serving({
      getSignatureStatuses: [UNSEEN, UNSEEN, status('finalized')],
      getBlockHeight: [answer('100'), answer('251')],
    }),
  });
  assert.equal(ran.report.requests[0]?.landing?.level, 'finalized');
});

test('where there is no getSignatureStatuses the transaction itself is asked for', async () => {
  const ran = await runText(FILE, {
    reply: serving({
      getSignatureStatuses: [{ error: { kind: 'rpc', code: -32601, message: 'Method not found' }, lost: true }],
      getTransaction: [answer('null'), answer('{"slot":7,"meta":{"err":null}}')],
      getBlockHeight: [answer('100')],
    }),
  });
  assert.equal(ran.report.requests[0]?.landing?.level, 'finalized');
});

test('questions that stay without an answer end the watch, and the send stays what it was', async () => {
  const ran = await runText(FILE, {
    reply: serving({ getSignatureStatuses: ['no json'], getBlockHeight: ['no json'] }),
  });
  assert.deepEqual([ran.report.requests[0]?.status, ran.report.requests[0]?.landing?.level], ['passed', 'sent']);
});

test('its own error is told, with every digit', async () => {
  const ran = await runText(FILE, {
    reply: serving({ getSignatureStatuses: [status('finalized', '{"InstructionError":[0,{"Custom":6001}]}')] }),
  });
  const landing = ran.report.requests[0]?.landing;
  assert.ok(landing);
  assert.match(landingText(landing), /failed on the ledger: \{"InstructionError":\[0,\{"Custom":6001\}\]\}/);
});

test('later requests run while it is watched, and may use its signature', async () => {
  const file = `${FILE.replace('SWQOS', '# @name land\nSWQOS')}\n### Next\n{ "method": "getTransaction", "params": ["{{land.result}}"] }\n`;
  const order: string[] = [];
  const ran = await runText(file, {
    reply: (request) => {
      order.push(request.method);
      return serving({ getSignatureStatuses: [order.includes('getTransaction') ? status('finalized') : UNSEEN] })(
        request,
      );
    },
  });
  assert.deepEqual(
    ran.report.requests.map((row) => row.status),
    ['passed', 'passed'],
  );
  assert.match(ran.bodies.find((body) => body.includes('getTransaction')) ?? '', new RegExp(SIGNATURE));
});

test('a send by POST is not watched', async () => {
  const ran = await runText(FILE.replace('SWQOS', 'POST'), { reply: serving({}) });
  assert.equal(ran.sent.length, 1);
  assert.equal(ran.report.requests[0]?.landing, undefined);
});

test('a sender’s own URL answers nothing but sends: how far it is confirmed is asked of its profile', async () => {
  const url = 'https://sender.test/fast';
  const ran = await runText(FILE.replace('SWQOS', `SWQOS ${url}`), {
    reply: serving({ getSignatureStatuses: [status('finalized')] }),
  });
  assert.equal(ran.report.requests[0]?.landing?.level, 'finalized');
  assert.deepEqual(
    ran.sent.map(({ method, url: asked, sentTo }) => [method, asked, sentTo]),
    [
      ['sendTransaction', url, undefined],
      ['getSignatureStatuses', undefined, url],
    ],
  );
});

test('a URL that serves JSON-RPC is asked itself', async () => {
  const url = 'https://rpc.test/sol';
  const ran = await runText(FILE.replace('SWQOS', `SWQOS ${url}`), {
    reply: serving({ getSignatureStatuses: [status('finalized')] }),
  });
  assert.deepEqual(
    ran.sent.map(({ url: asked }) => asked),
    [url, url],
  );
});
