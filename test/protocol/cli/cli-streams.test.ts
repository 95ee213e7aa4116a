// Streams and priority landing in the terminal: `@until`, messages in the report, assertions on them, both keys.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { resultOf, type CliResult, testWorkspace } from '../../support/process/cli';
import { sendsOf, testLedger } from '../../support/process/localnet';

const work = testWorkspace();
const local = testLedger(['--plan', 'Ultra', '--slot-ms', '100', '--traffic', '20'], { clock: 'running' });

const urls = (): string[] => ['--rpc-url', local.ready.rpcUrl, '--ws-url', local.ready.wsUrl];

function run(text: string, options: readonly string[] = [], env: Readonly<Record<string, string>> = {}) {
  const file = work.write('file.jsonrpc', text);
  return work.run(['run', file, ...urls(), ...options], { env: { SOLANA_RPC_KEY: local.ready.keys.rpc.key, ...env } });
}

interface Row {
  readonly status: string;
  readonly transport: string;
  readonly messages?: readonly { readonly slot: number }[];
  readonly dropped?: number;
  readonly error?: { readonly kind: string };
  readonly response?: { readonly result?: unknown };
}

function rowsOf({ stdout, stderr }: CliResult): readonly Row[] {
  assert.notEqual(stdout, '', stderr);
  return (JSON.parse(stdout) as { requests: Row[] }).requests;
}

const SLOTS = '### slots\n# @name slots\n# @until 3 messages\nWS\n{"method":"slotSubscribe"}\n';

describe('streams', () => {
  test('a subscription ends after its messages, which are in the report', async () => {
    const result = await run(`${SLOTS}?? messages length 3\n?? messages[0].slot > 0\n`, ['--json']);
    const [row] = rowsOf(result);
    assert.deepEqual(
      [result.code, row?.status, row?.transport, row?.messages?.length, row?.dropped],
      [0, 'passed', 'WS', 3, 0],
    );
  });

  test('the report for people counts the messages', async () =>
    assert.match((await run(SLOTS)).stdout, /slotSubscribe · 3 messages/));

  test('an assertion on a message that does not hold fails the run, and says what was found', async () => {
    const { code, stdout } = await run(`${SLOTS}?? messages[0].slot == 0\n`);
    assert.equal(code, 4);
    assert.match(stdout, /messages\[0\]\.slot == 0\n\s+found: \d+/);
  });

  test('a stream ends by its time', async () => {
    const text =
      '### s\n# @until 100000 messages or 300ms\nWS\n{"method":"slotSubscribe"}\n?? messages length 100000\n';
    const result = await run(text, ['--json']);
    const [row] = rowsOf(result);
    assert.deepEqual([result.code, (row?.messages?.length ?? 0) > 0, row?.error], [4, true, undefined]);
  });

  test('a later request reads a message, and waits for the end of the stream', async () => {
    const text = `${SLOTS}### block\n{"method":"getBlocks","params":["{{slots.messages[0].slot}}"]}\n`;
    const rows = rowsOf(await run(text, ['--json']));
    assert.deepEqual(
      rows.map(({ status }) => status),
      ['passed', 'passed'],
    );
  });

  test('a refused subscription fails with the service’s error', async () => {
    const [row] = rowsOf(
      await run('### a\nWS\n{"method":"accountSubscribe","params":["{{x}}"]}', ['--json', '--var', 'x=abc']),
    );
    assert.equal(row?.error?.kind, 'rpc');
  });

  test('the key does not go to a WebSocket nobody named on the command line', async () => {
    const file = work.write('file.jsonrpc', SLOTS.replace('WS\n', `WS ${local.ready.wsUrl}\n`));
    const { stdout } = await work.run(['run', file, '--rpc-url', 'https://rpc.example.test/sol', '--json'], {
      env: { SOLANA_RPC_KEY: local.ready.keys.rpc.key },
    });
    assert.match(stdout, /"kind": "noKey"/);
  });

  test('Ctrl+C ends a stream and the command at once', async () => {
    const { keyId, key } = await local.newKey({ type: 'rpc', plan: 'Pro' });
    const file = work.write('file.jsonrpc', SLOTS.replace('3 messages', '1000000 messages'));
    const child = work.start(['run', file, ...urls()], { env: { SOLANA_RPC_KEY: key } });
    const result = resultOf(child);
    while (!(await wasUsed(keyId))) assert.equal(child.exitCode, null);
    child.kill('SIGINT');
    const { code, stdout } = await result;
    assert.equal(code, 3);
    assert.match(stdout, /cancelled/);
  });
});

/** The service has seen this key. */
async function wasUsed(keyId: string): Promise<boolean> {
  const { keys } = JSON.parse((await local.admin('GET', '/keys')).text) as { keys: Record<string, unknown>[] };
  return keys.some((each) => each['keyId'] === keyId && typeof each['lastUsedAt'] === 'number');
}

describe('priority landing', () => {
  const TEXT =
    '### send\nSWQOS\n{"method":"sendTransaction","params":["{{tx}}",{"encoding":"base64","skipPreflight":true,"maxRetries":0}]}\n';

  test('a SWQOS block goes with both keys, and the transaction lands', async () => {
    const file = work.write('swqos.jsonrpc', TEXT.replace('{{tx}}', '{{$transfer $wallet 1}}'));
    const [row] = rowsOf(await work.run(['run', file, '--local', '--json']));
    assert.deepEqual([row?.status, row?.transport, typeof row?.response?.result], ['passed', 'SWQOS', 'string']);
  });

  test('the keys come from SOLANA_RPC_KEY and SOLANA_SWQOS_KEY, and the SWQoS key pays', async () => {
    const swqos = { SOLANA_SWQOS_KEY: local.ready.keys.swqos.key };
    // No transaction: the service reads it after the keys, and says so.
    const [row] = rowsOf(await run(TEXT, ['--json', '--var', 'tx=AAAA'], swqos));
    assert.equal(row?.error?.kind, 'rpc');
    assert.equal(await sends(), 1);
  });

  test('without a SWQoS key nothing is sent', async () => {
    const before = await sends();
    const [row] = rowsOf(await run(TEXT, ['--json', '--var', 'tx=AAAA']));
    assert.equal(row?.error?.kind, 'noKey');
    assert.equal(await sends(), before);
  });

  test('a key of another type instead of the SWQoS key has its own error', async () => {
    const [row] = rowsOf(
      await run(TEXT, ['--json', '--var', 'tx=AAAA'], { SOLANA_SWQOS_KEY: local.ready.keys.grpc.key }),
    );
    assert.equal(row?.error?.kind, 'wrongKeyType');
  });
});

/** sendTransaction calls that the SWQoS key of the service has paid for. */
const sends = (): Promise<number> => sendsOf(local, local.ready.keys.swqos.keyId);
