// Requests of a file that run at the same time over real sockets: within the plan, also where the service refuses some of
// them, and what a terminal shows of a long response as it comes in.
import assert from 'node:assert/strict';
import type http from 'node:http';
import path from 'node:path';
import { describe, test } from 'node:test';
import { PLANS } from '../../../core/service/profiles/planLimits';
import { testWorkspace } from '../../support/process/cli';
import { httpServer, type Hostile } from '../../support/wire/hostile';

const work = testWorkspace();

const PLAN = 'Free';
const { rps } = PLANS[PLAN];
const OK = '{"jsonrpc":"2.0","id":1,"result":1}';

/** The others read the answer of the first: none of them leaves before it is given. */
const file = (count: number): string =>
  [
    '### first\n# @name first\n{ "jsonrpc": "2.0", "id": 1, "method": "getHealth" }\n',
    ...Array.from(
      { length: count },
      (_, n) => `### ${n}\n{ "jsonrpc": "2.0", "id": 1, "method": "getSlot", "params": ["{{first.result}}"] }\n`,
    ),
  ].join('\n');

/**
 * Loaded into the command: its monotonic clock moves only when it waits for its plan, and then at once. Each request is
 * recorded with the time on this clock at which it was made, so the pace of the machine is in none of the numbers.
 */
const CLOCK = `
const { subscribe } = require('node:diagnostics_channel');
const { writeFileSync } = require('node:fs');
const { setTimeout: wait } = globalThis;
let now = 0;
const times = [];
performance.now = () => now;
// A token of the plan returns after a second and a margin. All other timers are real.
globalThis.setTimeout = (work, ms, ...args) => {
  if (!(ms > 1_000 && ms < 1_100)) return wait(work, ms, ...args);
  return wait(() => { now += ms; work(...args); }, 0);
};
subscribe('undici:request:create', () => times.push(now));
process.on('exit', () => writeFileSync('times.json', JSON.stringify(times)));
`;

interface Ran {
  readonly code: number | null;
  readonly summary: Readonly<Record<string, number>>;
  /** ms on the command's clock, of each request and in order; the first one is that whose answer the others read. */
  readonly times: readonly number[];
}

/** Requests that left less than a second after the one so many requests before them. */
const early = (times: readonly number[]): readonly number[] =>
  times.filter((time, at) => at >= rps && time - (times[at - rps] ?? 0) < 1_000);

async function ran(server: Hostile, count: number, ...options: readonly string[]): Promise<Ran> {
  work.write('many.jsonrpc', file(count));
  const endpoints = [{ name: 'mine', rpcUrl: server.origin, plan: PLAN, auth: { rpc: 'none' } }];
  work.write('solana-rpc.json', JSON.stringify({ endpoints }));
  const hook = path.join(work.root, work.write('clock.cjs', CLOCK));
  const args = ['run', 'many.jsonrpc', '--json', ...options];
  const { code, stdout, stderr } = await work.run(args, { env: { NODE_OPTIONS: `--require ${hook}` } });
  assert.equal(stderr, '');
  const { summary } = JSON.parse(stdout) as Pick<Ran, 'summary'>;
  return { code, summary, times: JSON.parse(work.read('times.json')) as readonly number[] };
}

describe('--parallel', () => {
  test('sends no more in any second than the plan allows', async (t) => {
    let came = 0;
    let open = 0;
    let most = 0;
    const waiting: (() => void)[] = [];
    const server = await httpServer(async ({ body }, response) => {
      if (!body.includes('getHealth')) {
        most = Math.max(most, ++open);
        // As many as a second allows wait for each other: they can only come at the same time.
        if (++came < rps) await new Promise<void>((resolve) => waiting.push(resolve));
        else for (const go of waiting.splice(0)) go();
        open--;
      }
      response.end(OK);
    });
    t.after(() => server.close());
    const count = rps * 3;
    const { code, summary, times } = await ran(server, count, '--parallel', '64');
    assert.equal(code, 0, JSON.stringify(summary));
    assert.equal(came, count);
    assert.ok(most >= rps, 'all of a second’s requests are under way together');
    assert.equal(times.length, count + 1);
    assert.deepEqual(early(times), [], String(times));
    // Nor does it send less: each second is used.
    assert.equal(new Set(times).size, Math.ceil((count + 1) / rps), String(times));
  });

  test('stays within it where the service refuses some with 429, which are asked again and counted', async (t) => {
    let came = 0;
    const server = await httpServer(({ body }, response) => {
      const isRefused = !body.includes('getHealth') && ++came % 3 === 1;
      response.writeHead(isRefused ? 429 : 200, isRefused ? { 'retry-after': '0' } : {});
      response.end(isRefused ? '{"error":{"code":429,"message":"Too many requests"}}' : OK);
    });
    t.after(() => server.close());
    const { code, summary, times } = await ran(server, rps * 2, '--parallel', '64');
    assert.equal(code, 0, JSON.stringify(summary));
    assert.ok(came > rps * 2, String(came));
    assert.equal(times.length, came + 1);
    assert.deepEqual(early(times), [], String(times));
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
