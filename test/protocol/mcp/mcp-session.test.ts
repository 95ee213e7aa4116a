// A session of `solana-rpc mcp`: how it ends, and what it does with invalid messages.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { describe, test } from 'node:test';
import { childrenOf, isAlive, testWorkspace } from '../../support/process/cli';
import { McpClient } from '../../support/process/mcpClient';

const KEY = 'k3yOfTheUserThatNobodySees0123';

const work = testWorkspace();

describe('the session', () => {
  const PROGRAM = path.join(__dirname, '..', '..', '..', 'dist', 'cli.js');

  test('ends when its input does, also while a request runs', async () => {
    const child = spawn(process.execPath, [PROGRAM, 'mcp'], { cwd: work.root, stdio: ['pipe', 'pipe', 'pipe'] });
    const closed = once(child, 'close');
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const send = (message: object): void =>
      void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const answerTo = async (id: number, method: string, params: object): Promise<void> => {
      send({ id, method, params });
      const line = await lines.next();
      assert.equal((JSON.parse(String(line.value)) as { readonly id: unknown }).id, id);
    };
    const clientInfo = { name: 'a', version: '1' };
    await answerTo(1, 'initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
    send({ method: 'notifications/initialized' });
    // Its answer comes from the local service, which therefore runs.
    await answerTo(2, 'tools/call', { name: 'run', arguments: { method: 'getSlot' } });
    const [service = 0, ...more] = childrenOf(child.pid ?? 0);
    assert.ok(isAlive(service));
    assert.deepEqual(more, []);
    send({
      id: 3,
      method: 'tools/call',
      params: { name: 'read_stream', arguments: { method: 'voteSubscribe', seconds: 120 } },
    });
    // Answered in the order of asking: the stream is being read by then.
    await answerTo(4, 'ping', {});
    child.stdin.end();
    assert.deepEqual(await closed, [0, null]);
    assert.ok(!isAlive(service), 'it ends before the session does');
  });

  test('ends with a signal', async () => {
    const own = await McpClient.start({ folder: work.root });
    process.kill(own.pid, 'SIGTERM');
    await own.closed;
  });

  test('does not answer input that is not a message, and ends at a far too large message', async () => {
    const child = spawn(process.execPath, [PROGRAM, 'mcp'], { cwd: work.root, stdio: ['pipe', 'pipe', 'pipe'] });
    const closed = once(child, 'close');
    child.stdin.on('error', () => undefined);
    child.stdin.write('no json\n{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
    const [answer] = (await once(child.stdout, 'data')) as [Buffer];
    assert.deepEqual(JSON.parse(answer.toString()), { jsonrpc: '2.0', id: 1, result: {} });
    child.stdin.write('x'.repeat(9 * 1024 * 1024));
    assert.deepEqual(await closed, [1, null]);
  });

  test('is for programs: with a key on the command line it does not start', async () => {
    const { code, stderr } = await work.run(['mcp', '--api-key', KEY], { input: '' });
    assert.equal(code, 1);
    assert.ok(!stderr.includes(KEY));
  });
});
