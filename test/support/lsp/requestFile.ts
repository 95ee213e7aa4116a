// The built server with the local service as its endpoint, and a request file that is open in it.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { TestContext } from 'node:test';
import type { ExecuteOutcome, ExecuteParams, ExecuteResult, ProgressParams } from '../../../protocol/lsp';
import type { Localnet } from '../process/localnet';
import { startServer, type RunningServer, type StartOptions } from './serverProcess';
import { grantingBroker, localWindow, type Broker } from './window';

/** The name of the file that `openFile` opens. */
export const REQUEST_FILE = 'file:///requests/sample.jsonrpc';

export interface ServerOnLedger {
  readonly server: RunningServer;
  /** Grants the service's keys. */
  readonly broker: Broker;
}

/** A server for one test; `options` replace parts of the window, or the broker's answers. */
export async function startServerOn(
  t: TestContext,
  local: Localnet,
  options: StartOptions = {},
): Promise<ServerOnLedger> {
  const broker = grantingBroker(local);
  const server = await startServer({
    answer: (request) => broker.answer(request),
    ...options,
    window: { ...localWindow(local), ...options.window },
  });
  t.after(() => server.stop());
  return { server, broker };
}

export interface RequestFile {
  /** Sends the request around a line, as the text is now; without a line all of the file. */
  readonly send: (line?: number, more?: Partial<ExecuteParams>) => Promise<ExecuteResult>;
  /** Replaces the text. */
  readonly edit: (text: string) => Promise<void>;
}

/** Opens `text` as the only file of a server. */
export async function openFile(server: RunningServer, text: string): Promise<RequestFile> {
  const { connection } = server;
  await server.open(REQUEST_FILE, text);
  let version = 1;
  return {
    send: (line, more) =>
      connection.sendRequest<ExecuteResult>('solanaRpc/execute', {
        uri: REQUEST_FILE,
        version,
        ...(line !== undefined && { lines: [line] }),
        ...more,
      }),
    edit: (changed) =>
      connection.sendNotification('textDocument/didChange', {
        textDocument: { uri: REQUEST_FILE, version: ++version },
        contentChanges: [{ text: changed }],
      }),
  };
}

/** A server for one test with `text` as its only file. */
export async function openRequests(
  t: TestContext,
  local: Localnet,
  text: string,
  options: StartOptions = {},
): Promise<ServerOnLedger & RequestFile> {
  const started = await startServerOn(t, local, options);
  return { ...started, ...(await openFile(started.server, text)) };
}

/** The outcomes of a run. */
export function outcomesOf(result: ExecuteResult): readonly ExecuteOutcome[] {
  assert.ok(result.kind === 'done', JSON.stringify(result));
  return result.outcomes;
}

/** The outcome of a run of one request. */
export function onlyOutcome(result: ExecuteResult): ExecuteOutcome {
  const [outcome, ...more] = outcomesOf(result);
  assert.ok(outcome !== undefined && more.length === 0, JSON.stringify(result));
  return outcome;
}

/** The file that keeps the response of an outcome. */
export async function responseText(server: RunningServer, { response }: ExecuteOutcome): Promise<string> {
  assert.ok(response !== undefined);
  return readFile(path.join(server.storage, 'responses', `${response.request}-${response.run}.json`), 'utf8');
}

/** Resolves with the first value that `pick` gives for the progress of a run. */
export const progress = <T>(server: RunningServer, pick: (progress: ProgressParams) => T | undefined): Promise<T> =>
  new Promise((resolve) => {
    server.connection.onNotification('solanaRpc/progress', (params: ProgressParams) => {
      const found = pick(params);
      if (found !== undefined) resolve(found);
    });
  });
