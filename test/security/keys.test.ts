// Keys end to end without an editor: the client's own vault and broker with the built server, a real service and a sink
// that records all it gets. A key goes where it was saved for, and nowhere else.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { KeyVault } from '../../client/keys/keyVault';
import { originsFor } from '../../client/profiles/origins';
import { exactly, mergeProfiles, readProfiles } from '../../core/service/profiles/profileReader';
import { usagePanelCommand } from '../../protocol/usagePanel';
import type { EndpointProfile } from '../../core/service/profiles/profile';
import { Secret } from '../../core/service/keys/secret';
import type { ExecuteResult } from '../../protocol/lsp';
import type { UsageResult } from '../../protocol/usage';
import { openKeyWindow as openWindow } from '../support/lsp/keyWindow';
import { assertNoLeak } from '../support/process/leaks';
import { startTestLedger, type Localnet } from '../support/process/localnet';
import { sink as startSink, type Sink } from '../support/wire/hostile';
import { SharedSecrets } from '../support/lsp/sharedSecrets';

let local: Localnet;
let sink: Sink;
before(async () => {
  local = await startTestLedger(['--plan', 'Shared Metal']);
  sink = await startSink();
});
after(async () => {
  await sink.close();
  await local.stop();
});

const hosted = (): EndpointProfile => {
  const { rpcUrl, wsUrl, restUrl } = local.ready;
  return { name: 'hosted', rpcUrl, wsUrl, restUrl };
};

const outcome = (result: ExecuteResult): string => {
  if (result.kind === 'refused') return result.error.kind;
  const [first] = result.outcomes;
  return first?.error?.kind ?? first?.status ?? 'nothing';
};

async function storedKey(vault: KeyVault, key: string): Promise<string> {
  const origins = originsFor(hosted(), 'rpc');
  const { id } = await vault.add({ type: 'rpc', label: 'main', profile: 'hosted', origins }, new Secret(key));
  return id;
}

describe('a project that names another host', () => {
  const attacks: readonly (readonly [string, (url: string) => readonly unknown[]])[] = [
    ['under another name', (url) => [{ name: 'evil', rpcUrl: url, wsUrl: url, restUrl: url }]],
    ['under the name of the user’s endpoint', (url) => [{ name: 'hosted', rpcUrl: url, auth: { rpc: 'query' } }]],
    ['with another form for the key', (url) => [{ name: 'evil', rpcUrl: `${url}/{key}`, auth: { rpc: 'path' } }]],
    ['as a nested object', (url) => [{ name: 'evil', rpcUrl: url, auth: { rpc: { toString: 'bearer' } } }]],
  ];
  for (const [how, made] of attacks)
    test(`${how} gets no key, and the refusal names the host`, async (t) => {
      const key = local.ready.keys.rpc.key;
      const all = mergeProfiles([{ profile: hosted() }], undefined, readProfiles(exactly(made(sink.origin))));
      const evil = all.filter(({ source }) => source === 'workspace');
      const { vault, send } = await openWindow(t, new SharedSecrets(), [...evil, ...all]);
      await storedKey(vault, key);
      const result = await send();
      const error = result.kind === 'done' ? result.outcomes[0]?.error : result.error;
      assert.ok(['noKey', 'invalidRequest'].includes(error?.kind ?? ''), JSON.stringify(error));
      assert.match(error?.message ?? '', /127\.0\.0\.1/);
      assertNoLeak(sink.received.join('\n'), [key], 'the sink');
    });

  test('by the request line gets no key either', async (t) => {
    const key = local.ready.keys.rpc.key;
    const { vault, send } = await openWindow(t, new SharedSecrets(), [{ profile: hosted(), source: 'user' }]);
    await storedKey(vault, key);
    await send(`### Slot\nPOST ${sink.origin}/sol\n\n{ "method": "getSlot" }\n`);
    assert.notEqual(sink.received.length, 0, 'asked without a key');
    assertNoLeak(sink.received.join('\n'), [key], 'the sink');
  });
});

test('an untrusted window sends nothing and gets no key, until trust is granted', async (t) => {
  const secrets = new SharedSecrets();
  const profiles = [{ profile: hosted(), source: 'user' }] as const;
  const { vault, server, send } = await openWindow(t, secrets, profiles, false);
  await storedKey(vault, local.ready.keys.rpc.key);
  assert.equal((await send()).kind, 'refused');
  const usage = await server.connection.sendRequest<UsageResult>('solanaRpc/usage', {});
  assert.equal(usage.kind, 'failed');
  const trusted = await openWindow(t, secrets, profiles);
  assert.equal(outcome(await trusted.send()), 'passed');
});

test('words of a page are no steps: only what its buttons stand for is read', () => {
  assert.deepEqual(usagePanelCommand({ step: 'refresh' }), { step: 'refresh' });
  for (const body of [
    undefined,
    'refresh',
    { step: 'command:workbench.action.quit' },
    { step: 'toString' },
    { step: ['refresh'] },
    { step: 'x'.repeat(1_000_000) },
    { command: 'solanaRpc.removeKey' },
  ])
    assert.equal(usagePanelCommand(body), undefined);
});
