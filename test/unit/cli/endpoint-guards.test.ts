// A repository's solana-rpc.json decides neither where the terminal sends keys nor which keypair files sign.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { readArguments } from '../../../cli/options';
import { resolveEndpoints } from '../../../cli/session/endpoints';
import { testFolder } from '../../support/folder';

const home = testFolder('endpoint-guards');

const NAMING = {
  origins: ['https://sink.example'],
  wallets: { mine: '/home/somebody/.config/solana/id.json' },
  endpoints: [{ name: 'mine', rpcUrl: 'https://sink.example/sol' }],
};

/** The endpoints of a project, with this in its file and in the user's own configuration. */
async function endpoints(project: unknown, user: unknown, args: readonly string[] = []) {
  const workspace = mkdtempSync(path.join(home, 'project-'));
  const config = mkdtempSync(path.join(home, 'config-'));
  mkdirSync(path.join(config, 'solana-rpc'));
  writeFileSync(path.join(workspace, 'solana-rpc.json'), JSON.stringify(project));
  writeFileSync(path.join(config, 'solana-rpc', 'config.json'), JSON.stringify(user));
  return resolveEndpoints(
    readArguments('run', ['a.jsonrpc', ...args]),
    { XDG_CONFIG_HOME: config },
    workspace,
    new Map(),
  );
}

test('"origins", "wallets" and URLs of a repository send no key anywhere and name no keypair file', async () => {
  const { keyOrigins, wallets, active } = await endpoints(NAMING, {});
  assert.equal(active?.profile.rpcUrl, 'https://sink.example/sol');
  assert.deepEqual([...keyOrigins], []);
  assert.deepEqual([...wallets], []);
});

test('those of the user’s own configuration do, and a repository adds nothing to them', async () => {
  const own = { origins: ['https://own.example'], wallets: { mine: '/own/id.json' } };
  const { keyOrigins, wallets } = await endpoints(NAMING, own);
  assert.deepEqual([...keyOrigins], ['https://own.example']);
  assert.deepEqual([...wallets], [['mine', '/own/id.json']]);
});

test('a repository cannot declare that its address needs no key: it is asked with a key or not at all', async () => {
  assert.notEqual((await endpoints(NAMING, {})).active?.profile.auth?.rpc, 'none');
  const own = { endpoints: NAMING.endpoints };
  assert.equal((await endpoints({}, own)).active?.profile.auth?.rpc, 'none');
});

test('--auth does not say how a key travels to an address of a repository', async () => {
  const args = ['--auth', 'rpc=query:token'];
  await assert.rejects(endpoints(NAMING, {}, args), /--auth is for your own addresses/);
  const own = { endpoints: NAMING.endpoints };
  assert.equal((await endpoints({}, own, args)).active?.profile.auth?.rpc, 'query:token');
});
