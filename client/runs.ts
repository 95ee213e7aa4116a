// Runs as the window sees them: starts one, cancels it, shows its responses, and says in the file why nothing was sent.
// The server does the work; a run ends with its answer, a cancel, or the end of the server.
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import type { ServiceError } from '../core/errors';
import {
  confirm,
  execute,
  progress,
  prompt,
  type ConfirmParams,
  type ExecuteOutcome,
  type ExecuteParams,
  type ExecuteResult,
  type ExecuteVariant,
  type GrowingResponse,
  type ProgressParams,
  type PromptParams,
  type ResponsePlace,
  type StoredResponse,
} from '../protocol/lsp';
import type { RunPlace } from '../protocol/responsePanels';
import { showResponse, type Responses } from './responses';
import { plain } from './words';

export interface RunsDeps {
  /** The running server, started where it is not. */
  readonly server: () => Promise<LanguageClient>;
  readonly responses: Responses;
  readonly log: vscode.LogOutputChannel;
  /** Told of every outcome, so that what it says of a key is noted. */
  readonly onOutcome: (outcome: ExecuteOutcome) => void;
  /** A large response begins to come in for a request that was sent alone. */
  readonly onReceiving: (growing: GrowingResponse, run: RunPlace) => void;
  /** Whether the user browses a response already: then its head is not brought up as well. */
  readonly isBrowsed: (place: ResponsePlace) => boolean;
}

/** Lines of the blocks to run; undefined is all of the file. */
export type Lines = readonly number[] | undefined;

interface Run {
  readonly uri: string;
  readonly lines: Lines;
  /** What comes is brought up: the user sent it, no test and no comparison. */
  readonly isShown: boolean;
  readonly cancel: vscode.CancellationTokenSource;
}

interface RunOptions {
  readonly token?: vscode.CancellationToken | undefined;
  readonly variant: ExecuteVariant | undefined;
  readonly isShown: boolean;
}

export class Runs implements vscode.Disposable {
  readonly #deps: RunsDeps;
  readonly #running = new Set<Run>();
  /** The streams of this window whose document was brought up. */
  readonly #followed = new Set<string>();
  readonly #findings = vscode.languages.createDiagnosticCollection('solana-rpc-run');
  readonly #edits: vscode.Disposable;
  #last: { readonly uri: vscode.Uri; readonly lines: Lines } | undefined;

  constructor(deps: RunsDeps) {
    this.#deps = deps;
    // What a run found is about the text that was run; an edit makes it history.
    this.#edits = vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (contentChanges.length > 0) this.#findings.delete(document.uri);
    });
  }

  dispose(): void {
    for (const { cancel } of this.#running) cancel.cancel();
    this.#findings.dispose();
    this.#edits.dispose();
  }

  /** Registers what the server asks and tells while a run goes on. */
  attach(client: LanguageClient): void {
    client.onRequest(prompt, async ({ label, name }: PromptParams, token: vscode.CancellationToken) => {
      const title = label === '' ? name : label;
      return (await vscode.window.showInputBox({ title, prompt: name, ignoreFocusOut: true }, token)) ?? null;
    });
    client.onRequest(confirm, async ({ question }: ConfirmParams) => {
      const send = vscode.l10n.t('Send');
      const title = vscode.l10n.t('Send this request?');
      return (await vscode.window.showWarningMessage(title, { modal: true, detail: question }, send)) === send;
    });
    client.onNotification(progress, ({ uri, line, state, text, outcome, receiving }: ProgressParams) => {
      if (outcome?.response !== undefined) void this.#follow(outcome, outcome.response);
      const sent = receiving === undefined ? undefined : this.#sentAlone(uri, line);
      if (receiving !== undefined && sent !== undefined) this.#deps.onReceiving(receiving, { uri, line: sent });
      if (state === 'waiting' && text !== undefined)
        vscode.window.setStatusBarMessage(`$(watch) ${plain(text)}`, 3_000);
    });
  }

  /** Runs the block that holds `line`, or all of the file, and shows what came; resolves when it is over, however it ended. */
  async start(document: vscode.TextDocument, line: number | undefined, variant?: ExecuteVariant): Promise<void> {
    if (!vscode.workspace.isTrusted) {
      await offerTrust();
      return;
    }
    const lines = line === undefined ? undefined : [line];
    // A second send of the same block takes the place of the first.
    this.cancel(document.uri.toString(), line);
    if (variant === undefined) this.#last = { uri: document.uri, lines };
    this.#findings.delete(document.uri);
    const result = await this.#run(document, lines, { variant, isShown: true });
    if (result.kind === 'refused') this.#refuse(document, result.line ?? line ?? 0, result.error);
    else await this.#show(document, result.outcomes);
  }

  /** Runs blocks without showing what came; `token` cancels them, as does `cancel`. */
  async execute(
    document: Pick<vscode.TextDocument, 'uri' | 'version'>,
    lines: Lines,
    token?: vscode.CancellationToken,
    variant?: ExecuteVariant,
  ): Promise<ExecuteResult> {
    return this.#run(document, lines, { token, variant, isShown: false });
  }

  async #run(
    document: Pick<vscode.TextDocument, 'uri' | 'version'>,
    lines: Lines,
    { token, variant, isShown }: RunOptions,
  ): Promise<ExecuteResult> {
    const uri = document.uri.toString();
    const run: Run = { uri, lines, isShown, cancel: new vscode.CancellationTokenSource() };
    const asked = token?.onCancellationRequested(() => run.cancel.cancel());
    this.#running.add(run);
    void tellRunning(true);
    try {
      const params: ExecuteParams = {
        uri,
        version: document.version,
        ...(lines !== undefined && { lines }),
        ...(variant !== undefined && { variant }),
      };
      const result = await this.#request(params, run.cancel.token);
      if (result.kind === 'done') result.outcomes.forEach(this.#deps.onOutcome);
      return result;
    } finally {
      this.#running.delete(run);
      void tellRunning(this.#running.size > 0);
      asked?.dispose();
      run.cancel.dispose();
    }
  }

  /** Runs what was run last, as the file is now. */
  async rerun(): Promise<void> {
    if (this.#last === undefined) return;
    await this.start(await vscode.workspace.openTextDocument(this.#last.uri), this.#last.lines?.[0]);
  }

  /** Cancels the run of a block; without a line every run of the file. True when there was one. */
  cancel(uri: string, line?: number): boolean {
    const runs = [...this.#running].filter(
      ({ uri: file, lines }) => file === uri && (line === undefined || (lines?.includes(line) ?? true)),
    );
    for (const { cancel } of runs) cancel.cancel();
    return runs.length > 0;
  }

  /** The line by which the user sent the block at `line`, by itself: of many nothing comes up on the way. */
  #sentAlone(uri: string, line: number): number | undefined {
    const lines = [...this.#running].flatMap((run) =>
      run.isShown && run.uri === uri && run.lines?.length === 1 ? run.lines : [],
    );
    return lines.filter((each) => each >= line).sort((left, right) => left - right)[0];
  }

  async #request(params: ExecuteParams, token: vscode.CancellationToken): Promise<ExecuteResult> {
    const client = await this.#deps.server();
    try {
      return await client.sendRequest<ExecuteResult>(execute, params, token);
    } catch (error) {
      if (token.isCancellationRequested) return { kind: 'done', outcomes: [] };
      this.#deps.log.warn(`A run ended without an answer: ${error instanceof Error ? error.message : 'unknown'}`);
      return {
        kind: 'refused',
        error: {
          kind: 'ambiguous',
          message: vscode.l10n.t('Interrupted: the language server ended during this run.'),
          hint: vscode.l10n.t('A request may have reached the service. Look before you send a transaction again.'),
        },
      };
    }
  }

  /** Shows what a stream brought so far; its document comes up once and then stays where the user has it. */
  async #follow(outcome: ExecuteOutcome, response: StoredResponse): Promise<void> {
    const uri = this.#deps.responses.refresh(outcome, response);
    const key = `${uri.toString()} ${response.run}`;
    if (this.#followed.has(key)) return;
    this.#followed.add(key);
    await showResponse(uri);
  }

  async #show(document: vscode.TextDocument, outcomes: readonly ExecuteOutcome[]): Promise<void> {
    const here = outcomes.filter(({ uri }) => uri === document.uri.toString());
    const failed = here.flatMap(({ assertions }) => assertions.filter(({ passed }) => !passed));
    if (failed.length > 0)
      this.#findings.set(
        document.uri,
        failed.map(({ line, text }) => finding(document, line, vscode.l10n.t('Failed: {0}', text))),
      );
    const uris = outcomes.map((outcome) => ({
      outcome,
      uri: outcome.response === undefined ? undefined : this.#deps.responses.refresh(outcome, outcome.response),
    }));
    const first = uris.find(({ outcome }) => outcome.status === 'failed') ?? uris.at(-1);
    if (first?.uri !== undefined && !this.#isBrowsed(first.outcome)) await showResponse(first.uri);
    if (outcomes.length > 1) {
      const passed = outcomes.filter(({ status }) => status === 'passed').length;
      const text = vscode.l10n.t('{0} of {1} requests passed', passed, outcomes.length);
      vscode.window.setStatusBarMessage(`$(check-all) ${text}`, 5_000);
    }
  }

  /** Its viewer came up while it came in: it shows more than the head, and says itself why not all of it came. */
  #isBrowsed({ response, isBroken }: ExecuteOutcome): boolean {
    return (
      response !== undefined && (isBroken === true || response.fullFile !== undefined) && this.#deps.isBrowsed(response)
    );
  }

  #refuse(document: vscode.TextDocument, line: number, { kind, message, hint }: ServiceError): void {
    if (kind === 'cancelled') return;
    this.#findings.set(document.uri, [finding(document, line, hint === undefined ? message : `${message} ${hint}`)]);
  }
}

/** For the commands that make sense only while, or after, something runs. */
async function tellRunning(running: boolean): Promise<void> {
  await vscode.commands.executeCommand('setContext', 'solanaRpc.running', running);
  await vscode.commands.executeCommand('setContext', 'solanaRpc.ran', true);
}

/** Why nothing is sent here, and what to do. */
export const restrictedText = (): string =>
  vscode.l10n.t('Nothing is sent in Restricted Mode. Trust this workspace to send requests from it.');

/** The user asked for something that Restricted Mode keeps back: says so, and offers the way out. */
export async function offerTrust(): Promise<void> {
  const manage = vscode.l10n.t('Manage Workspace Trust');
  if ((await vscode.window.showInformationMessage(restrictedText(), manage)) === manage)
    await vscode.commands.executeCommand('workbench.trust.manage');
}

function finding(document: vscode.TextDocument, line: number, message: string): vscode.Diagnostic {
  const { range } = document.lineAt(Math.min(Math.max(0, line), document.lineCount - 1));
  const diagnostic = new vscode.Diagnostic(range, message, vscode.DiagnosticSeverity.Error);
  diagnostic.source = 'Solana RPC';
  return diagnostic;
}
