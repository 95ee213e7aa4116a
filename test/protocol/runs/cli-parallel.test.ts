// Requests of a file that run at the same time over real sockets: within the plan, also where the service refuses some of
// them, and what a terminal shows of a long response as it comes in.
import assert from 'node:assert/strict';
import type http from 'node:http';
import { after, describe, test } from 'node:test';
import { PLANS } from '../../../core/limits';
import { Workspace } from '../../support/process/cli';
import { httpServer, type Answerer, type Hostile } from '../../support/wire/hostile';

const work = new Workspace();
after(() => work.dispose());

const PLAN = 'Free';
const { rps } = PLANS[PLAN];
const OK = '{"jsonrpc":"2.0","id":1,"result":1}';

const file = (count: number): string =>
  Array.from({ length: count }, (_, n) => `### ${n}\n{ "jsonrpc": "2.0", "id": 1, "method": "getSlot" }\n`).join('\n');

/** What is left of a second after ways of uneven length on a busy machine. ms */
const NEARLY_A_SECOND = 500;

/** Most requests that came within half of any second. */
function mostWithinASecond(times: readonly number[]): number {
  return Math.max(
    ...times.map((start) => times.filter((time) => time >= start && time < start + NEARLY_A_SECOND).length),
  );
}

async function ran(
  server: Hostile,
  count: number,
  ...options: readonly string[]
): Promise<{ readonly code: number | null; readonly summary: Readonly<Record<string, number>> }> {
  work.write('many.jsonrpc', file(count));
  const endpoints = [{ name: 'mine', rpcUrl: server.origin, plan: PLAN, auth: { rpc: 'none' } }];
  work.write('solana-rpc.json', JSON.stringify({ endpoints }));
  const { code, stdout, stderr } = await work.run(['run', 'many.jsonrpc', '--json', ...options]);
  assert.equal(stderr, '');
  const { summary } = JSON.parse(stdout) as { readonly summary: Readonly<Record<string, number>> };
  return { code, summary };
}

describe('--parallel', () => {
  test('sends no more in any second than the plan allows', async (t) => {
    const times: number[] = [];
    let open = 0;
    let most = 0;
    const waiting: (() => void)[] = [];
    const answer: Answerer = async (_, response) => {
      times.push(performance.now());
      most = Math.max(most, ++open);
      // The first ones wait for each other: they can only come at the same time.
      if (times.length < rps) await new Promise<void>((resolve) => waiting.push(resolve));
      else for (const go of waiting.splice(0)) go();
      open--;
      response.end(OK);
    };
    const server = await httpServer(answer);
    t.after(() => server.close());
    const count = rps * 3;
    const { code, summary } = await ran(server, count, '--parallel', '64');
    assert.equal(code, 0, JSON.stringify(summary));
    assert.equal(times.length, count);
    assert.equal(most, rps, 'all of a second’s requests are under way together');
    assert.ok(mostWithinASecond(times) <= rps, String(times));
  });

  test('stays within it where the service refuses some with 429, which are asked again and counted', async (t) => {
    const times: number[] = [];
    const answer: Answerer = (_, response) => {
      times.push(performance.now());
      const isRefused = times.length % 3 === 1;
      response.writeHead(isRefused ? 429 : 200, isRefused ? { 'retry-after': '0' } : {});
      response.end(isRefused ? '{"error":{"code":429,"message":"Too many requests"}}' : OK);
    };
    const server = await httpServer(answer);
    t.after(() => server.close());
    const { code, summary } = await ran(server, rps * 2, '--parallel', '64');
    assert.equal(code, 0, JSON.stringify(summary));
    assert.ok(times.length > rps * 2, String(times.length));
    assert.ok(mostWithinASecond(times) <= rps, String(times));
  });
});

describe('a long response', () => {
  test('is shown as it comes in: how much of how much, then the row', async (t) => {
    const half = 400_000;
    const body = `{"jsonrpc":"2.0","id":1,"result":"${'x'.repeat(2 * half)}"}`;
    let sendRest = (): void => undefined;
    const server = await httpServer((_, response: http.ServerResponse) => {
      response.writeHead(200, { 'content-length': Buffer.byteLength(body), 'content-type': 'application/json' });
      response.write(body.slice(0, half));
      sendRest = () => void response.end(body.slice(half));
    });
    t.after(() => server.close());
    work.write(
      'long.jsonrpc',
      '### Long\n{ "jsonrpc": "2.0", "id": 1, "method": "getProgramAccounts" }\n?? result exists\n',
    );
    work.write('solana-rpc.json', '{}');
    const terminal = work.terminal(['run', 'long.jsonrpc', '--rpc-url', server.origin], { columns: 100 });
    const shown = await terminal.shows('of 0.8 MB');
    assert.match(terminal.screen, /line 1: getProgramAccounts .*\[#+·+\] 0\.[34] of 0\.8 MB/);
    sendRest();
    await terminal.shows('1 passed', shown);
    assert.equal(await terminal.ended(), 0);
  });
});
