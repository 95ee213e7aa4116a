// A transaction sent with priority is watched with questions to the same endpoint until it is finalized or too old.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeBase58 } from '../../../core/solana/encoding/base58';
import { encodeBase64 } from '../../../core/solana/encoding/base64';
import type { PreparedRequest } from '../../../core/requests/run/model';
import { landingText } from '../../../core/requests/run/landing';
import { key, v1Bytes } from '../../support/data/v1Transactions';
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

test('without a WebSocket it is asked for once a slot, by POST, and its times are upper bounds', async () => {
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
    slots: 0,
    times: { processed: 200, confirmed: 400, finalized: 600 },
    atMost: ['processed', 'confirmed', 'finalized'],
  });
  assert.equal(
    landingText(row?.landing ?? assert.fail()),
    'processed after at most 200 ms, confirmed after at most 400 ms, finalized after at most 600 ms, slot 7',
  );
  assert.equal(ran.sent.filter(({ method }) => method === 'getBlockHeight').length, 1);
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

/** A version 1 transaction of which the first instruction advances the nonce of an account. */
const NONCE_ACCOUNT = encodeBase58(key(2));
const durable = v1Bytes({
  addresses: [key(1), key(2), new Uint8Array(32)],
  instructionHeaders: [[2, 3, 4]],
  payload: [1, 0, 0, 4, 0, 0, 0],
});
const DURABLE = FILE.replace('AAAA', encodeBase64(durable));
/** The account with a nonce. */
function nonceAccount(nonce: Uint8Array): string {
  const data = new Uint8Array(80);
  data.set([1, 0, 0, 0, 1, 0, 0, 0]);
  data.set(nonce, 40);
  return answer(`{"context":{"slot":9},"value":{"data":["${encodeBase64(data)}","base64"],"lamports":1}}`);
}

test('one with a durable nonce outlives 150 blocks, and is asked for by its account', async () => {
  const ran = await runText(DURABLE, {
    reply: serving({
      getSignatureStatuses: [...Array.from({ length: 20 }, () => UNSEEN), status('finalized')],
      getBlockHeight: [answer('100'), answer('900')],
      getAccountInfo: [nonceAccount(key(9))],
    }),
  });
  assert.deepEqual(
    [ran.report.requests[0]?.landing?.level, ran.report.requests[0]?.landing?.nonceAccount],
    ['finalized', NONCE_ACCOUNT],
  );
  assert.ok(ran.sent.every(({ method }) => method !== 'getBlockHeight'));
  assert.match(ran.bodies.find((body) => body.includes('getAccountInfo')) ?? '', new RegExp(NONCE_ACCOUNT));
});

for (const [name, account] of [
  ['was advanced', nonceAccount(key(8))],
  ['is gone', answer('{"context":{"slot":9},"value":null}')],
] as const)
  test(`one whose nonce ${name} is expired, after it was looked for once more`, async () => {
    const ran = await runText(DURABLE, {
      reply: serving({ getSignatureStatuses: [UNSEEN], getAccountInfo: [nonceAccount(key(9)), account] }),
    });
    const [row] = ran.report.requests;
    assert.equal(row?.error?.kind, 'expired');
    assert.match(`${row.error.message} ${row.error.hint ?? ''}`, new RegExp(`nonce was advanced.*${NONCE_ACCOUNT}`));
    assert.match(row.landing === undefined ? '' : landingText(row.landing), /its nonce was advanced/);
    assert.match(ran.bodies.at(-1) ?? '', /searchTransactionHistory/);
  });

test('a transaction that used its nonce itself is not expired', async () => {
  const ran = await runText(DURABLE, {
    reply: serving({
      getSignatureStatuses: [UNSEEN, status('finalized')],
      getAccountInfo: [nonceAccount(key(8))],
    }),
  });
  assert.equal(ran.report.requests[0]?.landing?.level, 'finalized');
});

test('a transaction that landed in the very last block is not expired', async () => {
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

test('its own error is reported, with every digit', async () => {
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
