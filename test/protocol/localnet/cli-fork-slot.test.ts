// `solana-rpc localnet --fork-slot`: nothing older than the fork's slot is read, a node that is behind is asked again, and a
// slot that no node can serve ends the start. The source is an endpoint that writes down what it is asked.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { after, before, test } from 'node:test';
import { Keypair } from '@solana/web3.js';
import { isJsonArray, member, parseJson, printJson, type JsonValue } from '../../../core/solana/json/json';
import { testWorkspace } from '../../support/process/cli';
import { request } from '../../support/process/localnet';

const SLOT = 5_000;
const BEHIND = { code: -32016, message: 'Minimum context slot has not been reached' };
const address = Keypair.generate().publicKey.toBase58();

const work = testWorkspace();
const asked: { readonly method: string; readonly params: JsonValue }[] = [];
/** How many reads of accounts meet a node that is behind. */
let behind = 0;

const server = http.createServer((question, answer) => {
  const parts: Buffer[] = [];
  question.on('data', (part: Buffer) => parts.push(part));
  question.on('end', () => {
    const call = parseJson(Buffer.concat(parts).toString());
    const method = textOf(member(call, 'method'));
    asked.push({ method, params: member(call, 'params') ?? null });
    answer.setHeader('content-type', 'application/json');
    answer.end(printJson({ jsonrpc: '2.0', id: 1, ...outcomeOf(method, member(call, 'params')) }));
  });
});

function textOf(value: JsonValue | undefined): string {
  assert.ok(typeof value === 'string');
  return value;
}

function outcomeOf(method: string, params: JsonValue | undefined): { readonly [name: string]: JsonValue } {
  if (method === 'getSlot') return { result: SLOT };
  if (method === 'getAgGenesisCert') return { error: { code: -32601, message: 'Method not found' } };
  if (method === 'getMinimumBalanceForRentExemption') return { result: 890_880 };
  if (behind > 0) {
    behind--;
    return { error: BEHIND };
  }
  const [addresses] = isJsonArray(params) ? params : [];
  const account = { lamports: 77, owner: '1'.repeat(32), data: ['', 'base64'], executable: false, rentEpoch: 0 };
  const value = (isJsonArray(addresses) ? addresses : []).map(() => account);
  return { result: { context: { slot: SLOT }, value } };
}

let url: string;
before(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
after(() => server.close());

test('What is read has reached the fork, also where a node behind the endpoint has not', async (t) => {
  const child = work.start(['localnet', '--json', '--fork', url, '--fork-slot', String(SLOT - 10)]);
  t.after(() => child.kill('SIGINT'));
  if (child.stdout === null) throw new Error('The child has no pipe');
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const ready = parseJson(line);
  behind = 2;
  const key = textOf(member(member(member(ready, 'keys'), 'rpc'), 'key'));
  const { json } = await request(textOf(member(ready, 'rpcUrl')), {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: printJson({ jsonrpc: '2.0', id: 1, method: 'getBalance', params: [address] }),
  });
  assert.equal(member(member(json, 'result'), 'value'), 77);
  // The features are three questions.
  const reads = asked.slice(6);
  assert.deepEqual(
    asked.slice(0, 6).map(({ method }) => method),
    [
      ...['getAgGenesisCert', 'getMinimumBalanceForRentExemption'],
      ...['getMultipleAccounts', 'getMultipleAccounts', 'getMultipleAccounts', 'getSlot'],
    ],
  );
  const config = { encoding: 'base64', commitment: 'confirmed', minContextSlot: SLOT };
  assert.deepEqual(
    reads.map(({ method, params }) => [method, params]),
    Array.from({ length: 3 }, () => ['getMultipleAccounts', [[address], config]]),
  );
});

for (const [name, slot, says] of [
  ['past', SLOT - 151, 'nodes serve accounts as they are now, not as they were at slot 4849'],
  ['still to come', SLOT + 1, 'has not reached 5001 yet'],
] as const)
  test(`A slot that is ${name} ends the start with a sentence`, async () => {
    const { code, stdout, stderr } = await work.run(['localnet', '--json', '--fork', url, '--fork-slot', String(slot)]);
    assert.deepEqual([code === 0, stdout], [false, '']);
    assert.ok(stderr.includes(says), stderr);
  });
