// A fork whose source refuses reads for a while, and one whose terminal is killed while it fetches: nothing is taken for an
// account that does not exist, and nothing is lost.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import path from 'node:path';
import { test } from 'node:test';
import { Keypair } from '@solana/web3.js';
import { member, printJson, type JsonValue } from '../../../core/solana/json/json';
import { testWorkspace } from '../../support/process/cli';
import { startForkedLedger, type ForkedLedger } from '../../support/process/forkedLedger';
import { testLedger } from '../../support/process/localnet';
import { waiting } from '../../support/waiting';
import { prepare } from '../../support/shared';

const work = testWorkspace();
const holders = Array.from({ length: 40 }, () => Keypair.generate().publicKey.toBase58());
const [first = '', second = '', third = ''] = holders;

const source = testLedger(['--plan', 'Pro']);
prepare(async () => {
  for (const [index, address] of holders.entries())
    await source.cheat('setAccount', { address, lamports: 1_000_000 + index });
});

const started = (...args: readonly string[]): Promise<ForkedLedger> =>
  startForkedLedger(work, ['--fork', source.ready.rpcUrl, ...args], { SOLANA_RPC_KEY: source.ready.keys.rpc.key });

/** The next reads of accounts are answered 429. */
const refuse = (times: number, retryAfter: string): Promise<unknown> =>
  source.admin('PUT', '/faults', {
    faults: [
      {
        ...{ scope: 'http', kind: 'status', method: 'getMultipleAccounts', times },
        ...{ status: 429, headers: { 'retry-after': retryAfter } },
      },
    ],
  });

const lamportsIn = async (ledger: ForkedLedger, address: string): Promise<JsonValue> =>
  member(await ledger.call('getBalance', address), 'value') ?? null;

test('a busy source is asked again; a long refusal is an error, and the source is asked again the next time', async (t) => {
  const fork = await started();
  t.after(() => fork.stop());

  await refuse(2, '0');
  assert.equal(await lamportsIn(fork, first), 1_000_000);
  assert.equal(member(await fork.admin('GET', '/fork'), 'fetched'), 1);

  await refuse(1, '3600');
  const error = await fork.failure('getBalance', second);
  const { host } = new URL(source.ready.rpcUrl);
  assert.match(printJson(member(error, 'message') ?? null), new RegExp(`^"${host} could not be read: .*429`));
  assert.equal(await lamportsIn(fork, second), 1_000_001);
});

/** Whether somebody listens on a port of this machine. */
async function listens(url: string): Promise<boolean> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

test('a terminal that is killed while its fork fetches leaves a state that can be continued, and no process', async (t) => {
  const state = path.join(work.root, 'killed.state');
  const fork = await started('--state', state);
  t.after(() => fork.stop());
  assert.equal(await lamportsIn(fork, third), 1_000_002);
  const reads = holders.map((address) => lamportsIn(fork, address).catch(() => null));
  await reads[0];
  await fork.kill();
  await Promise.all(reads);
  await waiting('the end of the local service', async () => {
    while (await listens(fork.ready.rpcUrl));
  });

  const again = await started('--state', state);
  t.after(() => again.stop());
  for (const [index, address] of holders.entries()) assert.equal(await lamportsIn(again, address), 1_000_000 + index);
  const status = await again.admin('GET', '/fork');
  assert.deepEqual([member(status, 'fetched'), member(status, 'absent')], [holders.length, 0]);
});
