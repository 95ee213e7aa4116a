// Adding an endpoint that needs no key: what the user answers is in the settings from then on.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { addEndpoint as AddEndpoint } from '../../../client/endpoints/addEndpoint';
import { needsKey } from '../../../client/profiles/origins';
import type { EndpointProfile } from '../../../core/service/profiles/profile';
import { readAddress } from '../../../core/service/providers/address';
import { loadOver } from '../../support/editor/fakeVscode';

const picked: string[] = [];
const editor = {
  l10n: { t: (text: string) => text },
  window: {
    showInputBox: () => Promise.resolve('own'),
    showQuickPick: (rows: readonly { readonly label: string }[]) => {
      picked.push(...rows.map(({ label }) => label));
      return Promise.resolve(rows.find(({ label }) => label === 'It needs no key'));
    },
    setStatusBarMessage: () => undefined,
  },
  // Nothing is asked of the address.
  workspace: { isTrusted: false },
};
const { addEndpoint } = loadOver<{ readonly addEndpoint: typeof AddEndpoint }>(
  editor,
  '../../../client/endpoints/addEndpoint',
  __filename,
);

test('“It needs no key” is kept with the endpoint', async () => {
  let kept: EndpointProfile | undefined;
  const profiles = {
    list: () => [],
    add: (profile: EndpointProfile) => {
      kept = profile;
      return Promise.resolve(true);
    },
  };
  const address = readAddress('https://rpc.own.example/main');
  assert.ok(address);
  const deps = { profiles } as unknown as Parameters<typeof AddEndpoint>[0];
  assert.equal(await addEndpoint(deps, address), true);
  assert.equal(picked.at(-1), 'It needs no key');
  assert.equal(kept?.name, 'own');
  assert.equal(kept.rpcUrl, 'https://rpc.own.example/main');
  assert.deepEqual(kept.auth, { rpc: 'none' });
  assert.equal(needsKey(kept), false);
});
