// `solana-rpc localnet` as a process, and what tests ask of its ledger: with `--fork`, a copy of another endpoint's.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { member, printJson, type JsonValue } from '../../../core/solana/json/json';
import type { Workspace } from './cli';
import { request, type ReadyLine } from './localnet';

export interface ForkedLedger {
  readonly ready: ReadyLine;
  /** The result of a call. Rejects with its error. */
  call(method: string, ...params: readonly unknown[]): Promise<JsonValue>;
  /** The error of a call. Rejects where it succeeds. */
  failure(method: string, ...params: readonly unknown[]): Promise<JsonValue>;
  /** Asks the admin interface; `after` is the path behind its URL. */
  admin(method: string, after: string, body?: unknown): Promise<JsonValue>;
  stop(): Promise<void>;
  /** Ends the terminal's process as a kill does. */
  kill(): Promise<void>;
}

/** Starts the command in a workspace; `--instant` lands each transaction at once. */
export async function startForkedLedger(
  work: Workspace,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<ForkedLedger> {
  const child = work.start(['localnet', '--json', '--instant', ...args], { env });
  let errors = '';
  child.stderr?.on('data', (part: Buffer) => (errors += part.toString()));
  if (child.stdout === null) throw new Error('The child has no pipe');
  const ended = once(child, 'close').then(() => assert.fail(errors));
  const [line] = (await Promise.race([once(createInterface({ input: child.stdout }), 'line'), ended])) as [string];
  ended.catch(() => undefined);
  const ready = JSON.parse(line) as ReadyLine;
  const ask = async (url: string, token: string, method: string, body?: unknown): Promise<JsonValue> =>
    (
      await request(url, {
        method,
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
    ).json;
  const rpc = (method: string, params: readonly unknown[]): Promise<JsonValue> =>
    ask(ready.rpcUrl, ready.keys.rpc.key, 'POST', { jsonrpc: '2.0', id: 1, method, params });
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await once(child, 'close');
  };
  return {
    ready,
    call: async (method, ...params) => {
      const answer = await rpc(method, params);
      assert.equal(member(answer, 'error'), undefined, printJson(answer));
      return member(answer, 'result') ?? null;
    },
    failure: async (method, ...params) => member(await rpc(method, params), 'error') ?? assert.fail('it succeeded'),
    admin: (method, after, body) => ask(ready.adminUrl + after, ready.adminToken, method, body),
    stop: () => end('SIGINT'),
    kill: () => end('SIGKILL'),
  };
}
