// A bundle that was sent is followed at its sender, in the documented shapes, until it is finalized or dropped.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { PlacedProfile } from '../../../core/service/profiles/profile';
import { settle } from '../../../net/target/target';
import { runText, type Reply } from '../../support/process/run';

const ID = '892b79ed49138bfb3aa5441f0df6e06ef34f9ee8f3976c15b323605bae0cf51d';
const SIGNATURE = '3bC2M9fiACSjkTXZDgNNAuQ4ScTsdKGwR42ytFdhUvikqTmBheUxfsR1fDVsM5ADCMMspuwGkdm1uKbU246x5aE3';
const FILE = '### Bundle\nSWQOS\n{ "method": "sendBundle", "params": [["AAAA"], { "encoding": "base64" }] }\n';

const answer = (result: string): string => `{"jsonrpc":"2.0","id":1,"result":${result}}`;
const flight = (status: string, slot = 'null'): string =>
  answer(`{"context":{"slot":9},"value":[{"bundle_id":"${ID}","status":"${status}","landed_slot":${slot}}]}`);
const bundle = (level: string, spelling = 'confirmation_status'): string =>
  answer(
    `{"context":{"slot":9},"value":[{"bundle_id":"${ID}","transactions":["${SIGNATURE}"],"slot":242804011,"${spelling}":"${level}","err":{"Ok":null}}]}`,
  );

async function run(lists: Readonly<Record<string, readonly Reply[]>>) {
  let now = 0;
  const asked = new Map<string, number>();
  const ran = await runText(FILE, {
    reply: ({ method }) => {
      const list = { sendBundle: [answer(`"${ID}"`)], ...lists }[method] ?? [];
      const nth = asked.get(method) ?? 0;
      asked.set(method, nth + 1);
      return list[Math.min(nth, list.length - 1)] ?? answer('null');
    },
    ports: { clock: { now: () => now, unixSeconds: () => 0, sleep: async (ms) => void (now += ms) } },
  });
  return { row: ran.report.requests[0], sent: ran.sent };
}

test('from in flight over landed to finalized, with its first signature; nothing is sent twice', async () => {
  const { row, sent } = await run({
    getInflightBundleStatuses: [flight('Invalid'), flight('Pending'), flight('Landed', '242804011')],
    getBundleStatuses: [bundle('confirmed', 'confirmationStatus'), bundle('finalized')],
  });
  assert.equal(row?.status, 'passed');
  assert.deepEqual(row?.landing, {
    signature: SIGNATURE,
    bundle: ID,
    level: 'finalized',
    slot: '242804011',
    times: { processed: 3000, confirmed: 3000, finalized: 4500 },
    atMost: ['processed', 'confirmed', 'finalized'],
  });
  assert.equal(sent.filter(({ method }) => method === 'sendBundle').length, 1);
  assert.deepEqual([...new Set(sent.map(({ transport }) => transport))], ['SWQOS']);
  assert.match(sent[1]?.body ?? '', new RegExp(`"params":\\[\\["${ID}"\\]\\]`));
});

test('a bundle that failed is a failure with the next step', async () => {
  const { row } = await run({ getInflightBundleStatuses: [flight('Pending'), flight('Failed')] });
  assert.equal(row?.status, 'failed');
  assert.match(row?.error?.message ?? '', /no validator took it/);
});

test('a bundle that its sender never knows, or cannot report on, ends as not seen', async () => {
  for (const list of [[flight('Invalid')], ['{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"no"}}']]) {
    const { row } = await run({ getInflightBundleStatuses: list });
    assert.deepEqual([row?.status, row?.landing?.level], ['passed', 'sent']);
  }
});

describe('where bundles go', () => {
  const placed = (swqosUrl: string): PlacedProfile => ({
    source: 'user',
    profile: { name: 'mine', rpcUrl: 'https://mine.test/', swqosUrl },
  });
  const target = (method: string, profile: PlacedProfile, url?: string) => {
    const settled = settle(profile, { transport: 'SWQOS', method, headers: [], ...(url !== undefined && { url }) });
    return settled.ok ? [settled.value.url.href, settled.value.auth] : settled.error.kind;
  };
  const JITO = 'https://mainnet.block-engine.jito.wtf/api/v1';

  test('to the path for bundles of the same sender, with its key', () => {
    assert.deepEqual(target('sendBundle', placed(`${JITO}/transactions`)), [`${JITO}/bundles`, 'none']);
    assert.deepEqual(target('getBundleStatuses', placed(`${JITO}/transactions?uuid={key}`)), [
      `${JITO}/bundles?uuid={key}`,
      'path',
    ]);
    assert.deepEqual(target('sendTransaction', placed(`${JITO}/transactions`)), [`${JITO}/transactions`, 'none']);
    assert.deepEqual(target('sendBundle', placed('https://mine.test/'), `${JITO}/bundles`), [
      `${JITO}/bundles`,
      'none',
    ]);
  });

  test('nowhere where the sender takes none', () => {
    assert.equal(target('sendBundle', placed('https://sender.helius-rpc.com/fast')), 'wrongKeyType');
    assert.equal(target('getSlot', placed(`${JITO}/transactions`)), 'wrongKeyType');
  });
});
