// Runs tests: the chosen blocks of each file in one run of the server, results at the line, the exchange as output.
// Sends nothing by itself: a run begins by the user's gesture, a continuous one with a file that the user saves.
import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import { shortened } from '../../core/solana/common/ends';
import { failedCall, TRANSACTION_METHODS, type FailedCallView } from '../../protocol/explain';
import type { AssertionOutcome, ExecuteOutcome, ExecuteParams, ExecuteResult } from '../../protocol/lsp';
import type { Responses } from '../responses/responses';
import type { Runs } from '../runs/runs';
import { restrictedText } from '../shared/refusal';
import { plain, sentences } from '../shared/words';
import type { TestTree } from './testTree';

/** Of a response, in the output of a test. UTF-16 units. */
const MAX_SHOWN = 16_384;

interface RunOptions {
  readonly token: vscode.CancellationToken;
  readonly test: NonNullable<ExecuteParams['test']>;
  /** A missing endpoint may be asked for. */
  readonly canAsk: boolean;
}

export interface TestRunDeps {
  readonly runs: Runs;
  readonly responses: Responses;
  /** The running server, started where it is not. */
  readonly server: () => Promise<LanguageClient>;
  readonly log: vscode.LogOutputChannel;
}

export class TestRuns implements vscode.Disposable {
  readonly #profile: vscode.TestRunProfile;

  constructor(
    private readonly controller: vscode.TestController,
    private readonly tree: TestTree,
    private readonly deps: TestRunDeps,
  ) {
    this.#profile = controller.createRunProfile(
      vscode.l10n.t('Send'),
      vscode.TestRunProfileKind.Run,
      (request, token) => (request.continuous === true ? this.#onSave(request, token) : this.#run(request, token)),
      true,
      undefined,
      true,
    );
  }

  dispose(): void {
    this.#profile.dispose();
  }

  /** Until the user ends it: each save of a file runs those of its tests that were asked for. */
  #onSave(request: vscode.TestRunRequest, token: vscode.CancellationToken): void {
    const saves = vscode.workspace.onDidSaveTextDocument(({ uri }) => {
      const chosen = this.#leaves(request).filter((item) => item.uri?.toString() === uri.toString());
      if (chosen.length > 0)
        void this.#run(new vscode.TestRunRequest(chosen, request.exclude, request.profile, true), token);
    });
    token.onCancellationRequested(() => {
      saves.dispose();
    });
  }

  async #run(request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> {
    if (request.include === undefined) await this.tree.all();
    const leaves = this.#leaves(request);
    const run = this.controller.createTestRun(request);
    // Dependencies of the tests are sent once per run, over all of its files.
    const test = { run: randomUUID(), isContinuous: request.continuous === true };
    const stop = token.onCancellationRequested(() => run.end());
    try {
      for (const item of leaves) run.enqueued(item);
      // A save asks nothing; a run asks once for all of its files.
      let canAsk = request.continuous !== true;
      for (const [file, items] of byFile(leaves)) {
        if (token.isCancellationRequested) break;
        canAsk = (await this.#runFile(run, file, items, { token, test, canAsk })) && canAsk;
      }
    } finally {
      stop.dispose();
      run.end();
    }
  }

  /** False if there was no endpoint to run it on. */
  async #runFile(
    run: vscode.TestRun,
    file: string,
    items: readonly vscode.TestItem[],
    options: RunOptions,
  ): Promise<boolean> {
    // Unsaved edits may have moved the blocks.
    await this.tree.refresh(vscode.Uri.parse(file, true));
    for (const item of items) run.started(item);
    const result = await this.#execute(file, items, options);
    if (options.token.isCancellationRequested) return true;
    if (result.kind === 'refused') {
      for (const item of items) run.errored(item, new vscode.TestMessage(sentences(result.error)));
      return result.error.kind !== 'noEndpoint';
    }
    const byLine = new Map<number, ExecuteOutcome[]>();
    for (const outcome of result.outcomes)
      if (outcome.uri === file) byLine.set(outcome.line, [...(byLine.get(outcome.line) ?? []), outcome]);
    const left = new Map(result.skipped?.filter(({ uri }) => uri === file).map(({ line, why }) => [line, why]));
    for (const item of items) {
      const line = item.range?.start.line ?? -1;
      const [outcome, ...rows] = byLine.get(line) ?? [];
      const why = left.get(line);
      if (why !== undefined) run.appendOutput(inTerminal(`${item.label}: ${why}\n`), undefined, item);
      if (outcome === undefined) run.skipped(item);
      else if (rows.length === 0) await this.#report(run, item, outcome);
      else await this.#reportRows(run, item, [outcome, ...rows]);
    }
    return true;
  }

  async #execute(file: string, items: readonly vscode.TestItem[], options: RunOptions): Promise<ExecuteResult> {
    if (!vscode.workspace.isTrusted)
      return { kind: 'refused', error: { kind: 'invalidRequest', message: restrictedText() } };
    const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(file, true));
    const lines = items.flatMap(({ range }) => (range === undefined ? [] : [range.start.line]));
    try {
      return await this.deps.runs.execute(document, lines, options);
    } catch (error) {
      // There is no server: a test without a result would look as if it had not been run.
      const message = error instanceof Error ? error.message : String(error);
      return { kind: 'refused', error: { kind: 'invalidRequest', message } };
    }
  }

  /** A request that runs once per row of `@foreach` has a test for each of them. */
  async #reportRows(run: vscode.TestRun, item: vscode.TestItem, rows: readonly ExecuteOutcome[]): Promise<void> {
    const children = rows.map((outcome, index) => {
      const child = this.controller.createTestItem(`${item.id}#row${index}`, plain(outcome.title), item.uri);
      if (item.range !== undefined) child.range = item.range;
      child.sortText = String(index).padStart(6, '0');
      return child;
    });
    item.children.replace(children);
    for (const [index, child] of children.entries()) {
      const outcome = rows[index];
      if (outcome !== undefined) await this.#report(run, child, outcome);
    }
  }

  async #report(run: vscode.TestRun, item: vscode.TestItem, outcome: ExecuteOutcome): Promise<void> {
    run.appendOutput(inTerminal(await this.#exchange(outcome)), undefined, item);
    const { status, durationMs, assertions, error } = outcome;
    if (status === 'skipped') run.skipped(item);
    else if (status === 'passed') run.passed(item, durationMs);
    else {
      const messages = assertions.filter(({ passed }) => !passed).map((assertion) => failure(item, assertion));
      if (error !== undefined) messages.unshift(placed(item, { line: item.range?.start.line ?? 0 }, sentences(error)));
      const failed = await this.#failedCall(outcome);
      if (failed !== undefined) messages.push(callFailure(item, failed));
      run.failed(item, messages, durationMs);
    }
  }

  /** Of a transaction that failed, the call with which it did; undefined too where the server ended before it said so. */
  async #failedCall({ method, response, uri, line }: ExecuteOutcome): Promise<FailedCallView | undefined> {
    if (response === undefined || !TRANSACTION_METHODS.has(method)) return undefined;
    const { request, run } = response;
    const params = { place: { request, run }, uri, line };
    try {
      return (await (await this.deps.server()).sendRequest(failedCall, params)) ?? undefined;
    } catch (error) {
      this.deps.log.warn(`The failed call is not known: ${error instanceof Error ? error.message : String(error)}`);
      return undefined;
    }
  }

  /** The request and its answer as text. */
  async #exchange(outcome: ExecuteOutcome): Promise<string> {
    const { transport, method, endpoint, httpStatus, durationMs, request, response } = outcome;
    const head = `${transport} ${method} · ${endpoint}${httpStatus === undefined ? '' : ` · ${httpStatus}`} · ${durationMs.toFixed(1)} ms`;
    const body = response === undefined ? '' : await this.deps.responses.head(outcome, response, MAX_SHOWN);
    return [head, request ?? '', body, ''].filter((part, index) => part !== '' || index === 3).join('\n');
  }

  #leaves({ include, exclude }: vscode.TestRunRequest): readonly vscode.TestItem[] {
    const leaves: vscode.TestItem[] = [];
    const visit = (item: vscode.TestItem): void => {
      if (exclude?.includes(item) === true) return;
      // Rows of a request run together.
      if (item.range !== undefined) leaves.push(rowOwner(item));
      else item.children.forEach(visit);
    };
    if (include === undefined) this.controller.items.forEach(visit);
    else include.forEach(visit);
    return [...new Set(leaves)];
  }
}

/** The test of a request; of one of its rows, that of the request. */
const rowOwner = (item: vscode.TestItem): vscode.TestItem => (item.parent?.range === undefined ? item : item.parent);

function byFile(items: readonly vscode.TestItem[]): ReadonlyMap<string, readonly vscode.TestItem[]> {
  const files = new Map<string, vscode.TestItem[]>();
  for (const item of items) {
    const file = item.uri?.toString() ?? '';
    files.set(file, [...(files.get(file) ?? []), item]);
  }
  return files;
}

/** A failure at the line of the assertion, with the expected and the actual value. */
function failure(item: vscode.TestItem, { text, line, actual, expected }: AssertionOutcome): vscode.TestMessage {
  if (actual === undefined) return placed(item, { line }, vscode.l10n.t('Failed: {0} (there is no such value)', text));
  // The editor draws "A != B" where both are given: true of equality alone.
  if (expected === undefined)
    return placed(item, { line }, vscode.l10n.t('Failed: {0} (it is {1})', text, shortened(actual, 200)));
  const message = placed(item, { line }, vscode.l10n.t('Failed: {0}', text));
  message.actualOutput = actual;
  message.expectedOutput = expected;
  return message;
}

/** Text from outside is plain text in the messages of a test, as a string is. */
function placed({ uri }: vscode.TestItem, at: Place, ...lines: readonly string[]): vscode.TestMessage {
  const message = new vscode.TestMessage(lines.map(plain).join('\n'));
  const position = new vscode.Position(at.line, at.character ?? 0);
  if (uri !== undefined) message.location = new vscode.Location(uri, position);
  return message;
}

interface Place {
  readonly line: number;
  readonly character?: number | undefined;
}

/** At the instruction that failed, where the request writes it. */
function callFailure(item: vscode.TestItem, { text, next, call, line, character }: FailedCallView): vscode.TestMessage {
  const said = call === undefined ? text : vscode.l10n.t('Call {0}: {1}', call, text);
  // The editor does not wrap the lines of a message.
  const lines = next === undefined ? [said] : [said, vscode.l10n.t('Next: {0}', next)];
  return placed(item, { line: line ?? item.range?.start.line ?? 0, character }, ...lines);
}

/** The output of tests is a terminal: lines end with CR LF, and nothing from outside may steer it. */
const inTerminal = (text: string): string => text.replace(/[\p{Cc}\p{Cf}]/gu, (char) => (char === '\n' ? '\r\n' : '�'));
