// `solana-rpc localnet --fork`: the features of the source run in the fork, its accounts of them say so, and a state keeps
// them. The source is a second local service with features that mainnet does not have.
import assert from 'node:assert/strict';
import path from 'node:path';
import { test, type TestContext } from 'node:test';
import { isJsonArray, member } from '../../../core/solana/json/json';
import { testWorkspace } from '../../support/process/cli';
import { startForkedLedger, type ForkedLedger } from '../../support/process/forkedLedger';
import { testLedger } from '../../support/process/localnet';

/** 128 account locks and SHA-512, which mainnet does not have; transactions of version 1 and p-token, which it has. */
const [LOCKS, SHA_512, VERSION_1, P_TOKEN] = [
  '9LZdXeKGeBV6hRLdxS1rHbHoEUsKqesCC2ZAPTPKJAbK',
  's512oDwgx8hjMnaQjXfqqrZroVj4HvC6TkN3iSSWXCh',
  'txv1aq4pp281K9um3tnPgkfX8UqtFT6wcVW3hNezGLL',
  'ptokFjwyJtrwCa9Kgo9xoDS59V4QccBGEaRFnRPnSdP',
] as const;
const SET = ['--feature-set', 'all', '--deactivate-feature', VERSION_1];

const work = testWorkspace();
const source = testLedger(['--plan', 'Pro', ...SET]);

async function started(t: TestContext, ...args: readonly string[]): Promise<ForkedLedger> {
  const fork = await startForkedLedger(work, args, { SOLANA_RPC_KEY: source.ready.keys.rpc.key });
  t.after(() => fork.stop());
  return fork;
}

/** Whether each of the four is active, by its account. */
async function active({ call }: Pick<ForkedLedger, 'call'>): Promise<readonly boolean[]> {
  const accounts = member(await call('getMultipleAccounts', [LOCKS, SHA_512, VERSION_1, P_TOKEN]), 'value');
  assert.ok(isJsonArray(accounts));
  return accounts.map((account) => account !== null);
}

test('A fork has the features of its source, which its state keeps, but for those that an option names', async (t) => {
  const state = path.join(work.root, 'features.state');
  const fork = await started(t, '--fork', source.ready.rpcUrl, '--state', state, '--deactivate-feature', SHA_512);
  assert.deepEqual(await active(fork), [true, false, false, true]);
  await fork.stop();

  const offline = await started(t, '--state', state);
  assert.deepEqual(await active(offline), [true, true, false, true]);
  await offline.stop();

  const named = await started(t, '--state', state, '--feature-set', 'mainnet');
  assert.deepEqual(await active(named), [false, false, true, true]);
});

test('A fork with a set that is named has that set', async (t) => {
  const fork = await started(t, '--fork', source.ready.rpcUrl, '--feature-set', 'mainnet');
  assert.deepEqual(await active(fork), [false, false, true, true]);
});
