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

/** The others read the answer of the first: none of them leaves before it is given. */
const file = (count: number): string =>
  [
    '### first\n# @name first\n{ "jsonrpc": "2.0", "id": 1, "method": "getHealth" }\n',
    ...Array.from(
      { length: count },
      (_, n) => `### ${n}\n{ "jsonrpc": "2.0", "id": 1, "method": "getSlot", "params": ["{{first.result}}"] }\n`,
    ),
  ].join('\n');

/** When the others came, after the answer of the first. */
class Arrivals {
  /** ms since that answer, in order. */
  readonly times: number[] = [];
  #start = Number.NaN;

  constructor(private readonly answer: Answerer) {}

  readonly answerer: Answerer = (request, response) => {
    if (request.body.includes('getHealth')) {
      this.#start = performance.now();
      response.end(OK);
      return;
    }
    this.times.push(performance.now() - this.#start);
    return this.answer(request, response);
  };

  /**
   * Those that came before the plan lets them leave. A slow way makes a request late and never early, so this holds at any
   * pace, where a count of what arrives within a second does not: a machine that was busy receives two seconds at once.
   */
  get early(): readonly number[] {
    return this.times.filter((time, at) => time < 1_000 * Math.floor(at / rps));
  }
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
    let open = 0;
    let most = 0;
    const waiting: (() => void)[] = [];
    const arrivals = new Arrivals(async (_, response) => {
      most = Math.max(most, ++open);
      // The first ones wait for each other: they can only come at the same time.
      if (arrivals.times.length < rps) await new Promise<void>((resolve) => waiting.push(resolve));
      else for (const go of waiting.splice(0)) go();
      open--;
      response.end(OK);
    });
    const server = await httpServer(arrivals.answerer);
    t.after(() => server.close());
    const count = rps * 3;
    const { code, summary } = await ran(server, count, '--parallel', '64');
    assert.equal(code, 0, JSON.stringify(summary));
    assert.equal(arrivals.times.length, count);
    assert.equal(most, rps, 'all of a second’s requests are under way together');
    assert.deepEqual(arrivals.early, [], String(arrivals.times));
  });

  test('stays within it where the service refuses some with 429, which are asked again and counted', async (t) => {
    const arrivals = new Arrivals((_, response) => {
      const isRefused = arrivals.times.length % 3 === 1;
      response.writeHead(isRefused ? 429 : 200, isRefused ? { 'retry-after': '0' } : {});
      response.end(isRefused ? '{"error":{"code":429,"message":"Too many requests"}}' : OK);
    });
    const server = await httpServer(arrivals.answerer);
    t.after(() => server.close());
    const { code, summary } = await ran(server, rps * 2, '--parallel', '64');
    assert.equal(code, 0, JSON.stringify(summary));
    assert.ok(arrivals.times.length > rps * 2, String(arrivals.times.length));
    assert.deepEqual(arrivals.early, [], String(arrivals.times));
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
