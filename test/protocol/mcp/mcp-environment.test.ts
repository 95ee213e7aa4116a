// `solana-rpc mcp --env NAME`: the variables of an environment reach the tools; the endpoint that it names does not.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startSink, type Sink, testWorkspace } from '../../support/process/cli';
import { McpClient } from '../../support/process/mcpClient';

const TEXT = '### a\n{ "method": "getSlot", "id": "{{chosen}}" }\n';

const work = testWorkspace();
let sink: Sink;

before(async () => {
  sink = await startSink('{"jsonrpc":"2.0","id":7,"result":1}');
  work.write(
    'solana-rpc.json',
    JSON.stringify({
      endpoints: [
        { name: 'remote', rpcUrl: `${sink.origin}/sol`, auth: { rpc: 'none' } },
        { name: 'other', rpcUrl: `${sink.origin}/other`, auth: { rpc: 'none' } },
      ],
      environments: { dev: { endpoint: 'other', variables: { chosen: 7 } } },
    }),
  );
});
after(() => sink.close());

const started = (...args: readonly string[]): Promise<McpClient> =>
  McpClient.start({
    folder: work.root,
    args: ['--allow-endpoint', 'remote', ...args],
    env: { SOLANA_RPC_KEY: 'a-key-of-the-user', SOLANA_RPC_ORIGIN: sink.origin },
  });

const isChecked = async (client: McpClient): Promise<boolean> =>
  (await client.structured<{ readonly ok: boolean }>('check', { text: TEXT })).ok;

test('its variables count in check and run_file, and no endpoint is allowed by it', async () => {
  const client = await started('--env', 'dev');
  try {
    assert.equal(await isChecked(client), true);
    await client.structured('run_file', { text: TEXT, endpoint: 'remote' });
    assert.match(sink.requests[0]?.body ?? '', /"id":7/);
    assert.match(await client.refusal('run_file', { text: TEXT, endpoint: 'other' }), /did not allow it/);
    assert.equal(sink.requests.length, 1);
  } finally {
    await client.close();
  }
});

test('without it they have no value', async () => {
  const client = await started();
  try {
    assert.equal(await isChecked(client), false);
  } finally {
    await client.close();
  }
});
