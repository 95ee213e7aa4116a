// Runs as the window sees them: starts one, cancels it, shows its responses, and says in the file why nothing was sent.
// The server does the work; a run ends with its answer, a cancel, or the end of the server.
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import type { ServiceError } from '../../core/service/errors';
import type { KeyQuery } from '../../core/service/profiles/profile';
import {
  confirm,
  execute,
  progress,
  prompt,
  requestLines,
  type ExecuteOutcome,
  type ExecuteParams,
  type ExecuteResult,
  type ExecuteVariant,
  type GrowingResponse,
  type ResponsePlace,
  type SendFirst,
  type KeptResponse,
} from '../../protocol/lsp';
import type { RunPlace } from '../../protocol/responsePanels';
import { showResponse, type Responses } from '../responses/responses';
import { askVariable } from './askVariable';
import { AssertionMarks } from './assertionMarks';
import { failedFinding, finding } from './findings';
import { movedLines, type BlockLines } from './movedLines';
import type { RunPanels } from './runPanels';
import type { SetContext } from '../shared/contexts';
import { offerTrust } from '../shared/refusal';
import { plain, sentences } from '../shared/words';

export interface RunsDeps {
  /** The running server, started where it is not. */
  readonly server: () => Promise<LanguageClient>;
  readonly responses: Responses;
  readonly log: vscode.LogOutputChannel;
  /** Asks for the endpoint that a run lacks; true once there is one. */
  readonly settleEndpoint: (name: string | undefined) => Promise<boolean>;
  /** Offers to add the key that a request lacked; true once one was stored. */
  readonly offerKey: (query: KeyQuery) => Promise<boolean>;
  /** Called with every outcome, to record what it says about a key. */
  readonly onOutcome: (outcome: ExecuteOutcome) => void;
  /** The report of a run of all of a file. */
  readonly reports: Pick<RunPanels, 'begin' | 'note' | 'end'>;
  /** A large response begins to come in for a request that was sent alone. */
  readonly onReceiving: (growing: GrowingResponse, run: RunPlace) => void;
  /** Whether the user browses a response already: then its head is not brought up as well. */
  readonly isBrowsed: (place: ResponsePlace) => boolean;
  readonly setContext: SetContext;
}

interface Run {
  readonly uri: string;
  readonly lines: BlockLines;
  /** Whether results are revealed: true for a run that the user started, false for tests and comparisons. */
  readonly isShown: boolean;
  /** The blocks of the file that have ended. */
  readonly ended: Set<number>;
  readonly cancel: vscode.CancellationTokenSource;
}

interface RunOptions extends Pick<ExecuteParams, 'notBefore' | 'first' | 'test' | 'follow' | 'updatesSnapshots'> {
  readonly token?: vscode.CancellationToken | undefined;
  readonly variant?: ExecuteVariant | undefined;
  readonly isShown: boolean;
  /** The user started it just now, so that a missing endpoint may be asked for. */
  readonly canAsk?: boolean;
}

/** A file as the user saw it when it was sent. */
type Shown = Pick<vscode.TextDocument, 'uri' | 'version'>;

/** The user's request to send. */
interface Sent {
  readonly document: vscode.TextDocument;
  /** The version that the user saw. */
  readonly version: number;
  readonly lines: BlockLines;
  readonly options: RunOptions;
}

/** The user's choices for a run. */
export interface StartOptions {
  readonly variant?: ExecuteVariant;
  /** Also runs the block's dependencies again. */
  readonly isAgain?: boolean;
  /** Stores the results of its `matchesSnapshot` assertions. */
  readonly updatesSnapshots?: boolean;
}

export class Runs implements vscode.Disposable {
  readonly #running = new Set<Run>();
  /** The streams of this window whose document was brought up. */
  readonly #followed = new Set<string>();
  readonly #findings = vscode.languages.createDiagnosticCollection('solana-rpc-run');
  readonly #marks = new AssertionMarks();
  readonly #edits: vscode.Disposable;
  #last: { readonly uri: vscode.Uri; readonly lines: BlockLines } | undefined;

  constructor(private readonly deps: RunsDeps) {
    // A run's findings describe the text that was run; an edit makes them outdated.
    this.#edits = vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (contentChanges.length > 0) this.#findings.delete(document.uri);
      if (this.#last?.uri.toString() === document.uri.toString())
        this.#last = { ...this.#last, lines: movedLines(this.#last.lines, contentChanges) };
    });
  }

  dispose(): void {
    for (const { cancel } of this.#running) cancel.cancel();
    this.#findings.dispose();
    this.#marks.dispose();
    this.#edits.dispose();
  }

  /** For the commands that make sense only while, or after, something runs. */
  #setRunning(): void {
    this.deps.setContext('solanaRpc.running', this.#running.size > 0);
    this.deps.setContext('solanaRpc.ran', true);
  }

  /** Registers the server's questions and notifications during a run. */
  attach(client: LanguageClient): void {
    client.onRequest(prompt, (question, token: vscode.CancellationToken) => askVariable(client, question, token));
    client.onRequest(confirm, async ({ question, to }) => {
      const yes = to === 'sign' ? vscode.l10n.t('Sign') : vscode.l10n.t('Send');
      const title = to === 'sign' ? vscode.l10n.t('Sign this transaction?') : vscode.l10n.t('Send this request?');
      return (await vscode.window.showWarningMessage(title, { modal: true, detail: question }, yes)) === yes;
    });
    client.onNotification(progress, ({ uri, line, state, text, outcome, receiving }) => {
      if (outcome === undefined && state === 'done')
        for (const run of this.#running) if (run.uri === uri) run.ended.add(line);
      if (outcome?.response !== undefined) this.deps.responses.follow(uri, outcome, outcome.response);
      if (outcome !== undefined && this.#isOfWholeFile(uri)) this.deps.reports.note(uri, outcome, state === 'done');
      else if (outcome?.response !== undefined) void this.#follow(outcome, outcome.response);
      if (receiving !== undefined && this.#isSentAlone(uri, line)) this.deps.onReceiving(receiving, { uri, line });
      if (state === 'waiting' && text !== undefined)
        vscode.window.setStatusBarMessage(`$(watch) ${plain(text)}`, 3_000);
    });
  }

  /** Runs the block that holds `line`, or all of the file, and shows what came; resolves when it is over, however it ended. */
  async start(
    document: vscode.TextDocument,
    line: number | undefined,
    { variant, isAgain = false, updatesSnapshots = false }: StartOptions = {},
  ): Promise<void> {
    if (!vscode.workspace.isTrusted) return offerTrust();
    const { version } = document;
    const block = line === undefined ? undefined : await this.#blockAt(document, line);
    const lines = block === undefined ? undefined : [block];
    // A second send of the same block takes the place of the first.
    this.cancel(document.uri.toString(), block);
    if (variant === undefined) this.#last = { uri: document.uri, lines };
    this.#findings.delete(document.uri);
    const again = isAgain ? { notBefore: Date.now() } : {};
    const options = { variant, isShown: true, canAsk: true, follow: variant === undefined, updatesSnapshots, ...again };
    await this.#send({ document, version, lines, options });
  }

  async #send(sent: Sent): Promise<void> {
    const { document, version, lines, options } = sent;
    const file = document.uri.toString();
    const isWhole = lines === undefined;
    if (isWhole) await this.deps.reports.begin(document);
    const result = await this.offering({ uri: document.uri, version }, lines, options);
    if (isWhole) this.deps.reports.end(file, result);
    if (result.kind === 'refused') {
      this.#refuse(document, result.line ?? lines?.[0] ?? 0, result.error);
      return;
    }
    await this.#show(document, result.outcomes, isWhole);
    void this.#goOnWithKey(sent, result.outcomes);
  }

  /** Sends what was refused for want of a key once the user has added one; nothing else is sent again. */
  async #goOnWithKey(sent: Sent, outcomes: readonly ExecuteOutcome[]): Promise<void> {
    if (!(await this.#offerKey(outcomes))) return;
    const { document, lines } = sent;
    const undone = outcomes.filter((outcome) => isHere(document, outcome.uri) && isUndone(outcome));
    // A block that the chosen ones refer to is sent with them, not because it was sent by the user.
    const again = undone.map(({ line }) => line).filter((line) => lines?.includes(line) ?? true);
    if (again.length > 0) await this.#send({ ...sent, lines: again });
  }

  /** True once a key was stored that a request lacked. */
  async #offerKey(outcomes: readonly ExecuteOutcome[]): Promise<boolean> {
    const key = outcomes.find(({ error }) => error?.kind === 'noKey')?.key;
    return key !== undefined && (await this.deps.offerKey(key));
  }

  /**
   * Runs blocks; if the answer of a transaction is missing, offers to send that one first and then continues. Sends only what
   * the user saw: nothing if the file has changed since.
   */
  async offering({ uri, version }: Shown, lines: BlockLines, options: RunOptions): Promise<ExecuteResult> {
    const document = { uri, version };
    for (;;) {
      const result = await this.#run(document, lines, options);
      if (result.kind === 'done' && !options.isShown) void this.#offerKey(result.outcomes);
      if (result.kind === 'done' || result.sendFirst === undefined) return result;
      if (!(await this.sendFirst(document, result.sendFirst, result.error, options.variant))) return result;
    }
  }

  /** Offers to send a transaction whose answer is needed; true once it was sent and has answered. */
  async sendFirst(
    document: Shown,
    first: SendFirst,
    { message }: Pick<ServiceError, 'message'>,
    variant?: ExecuteVariant,
  ): Promise<boolean> {
    const send = vscode.l10n.t('Send "{0}" First', plain(first.name));
    if ((await vscode.window.showWarningMessage(plain(message), send)) !== send) return false;
    // Sends the request itself, at the intended endpoint.
    const place = variant?.kind === 'endpoint' ? { variant } : {};
    const result = await this.#run(document, [first.line], { ...place, first, isShown: true });
    const open = await vscode.workspace.openTextDocument(document.uri);
    if (result.kind === 'refused') {
      this.#refuse(open, first.line, result.error);
      return false;
    }
    await this.#show(open, result.outcomes);
    void this.#offerKey(result.outcomes);
    return result.outcomes.length > 0 && result.outcomes.every(({ error }) => error === undefined);
  }

  /** Runs blocks without showing what came; `token` cancels them, as does `cancel`. */
  async execute(document: Shown, lines: BlockLines, options: Omit<RunOptions, 'isShown'>): Promise<ExecuteResult> {
    const result = await this.#run(document, lines, { ...options, isShown: false });
    if (result.kind === 'done') void this.#offerKey(result.outcomes);
    return result;
  }

  /** Runs blocks, a second time if the endpoint they lacked came after the question for it. */
  async #run(document: Shown, lines: BlockLines, { canAsk = false, ...options }: RunOptions): Promise<ExecuteResult> {
    const result = await this.#runOnce(document, lines, options);
    if (result.kind !== 'refused' || result.error.kind !== 'noEndpoint' || !canAsk) return result;
    const isSettled = await this.deps.settleEndpoint(result.error.name);
    return isSettled ? this.#runOnce(document, lines, options) : result;
  }

  async #runOnce(
    document: Shown,
    lines: BlockLines,
    { token, variant, isShown, ...more }: Omit<RunOptions, 'canAsk'>,
  ): Promise<ExecuteResult> {
    const uri = document.uri.toString();
    const run: Run = { uri, lines, isShown, ended: new Set(), cancel: new vscode.CancellationTokenSource() };
    const asked = token?.onCancellationRequested(() => run.cancel.cancel());
    this.#running.add(run);
    this.#setRunning();
    try {
      const params: ExecuteParams = {
        uri,
        version: document.version,
        ...(lines !== undefined && { lines }),
        ...(variant !== undefined && { variant }),
        ...more,
      };
      const result = await this.#request(params, run.cancel.token);
      if (result.kind === 'done') result.outcomes.forEach(this.deps.onOutcome);
      return result;
    } finally {
      this.#running.delete(run);
      if (![...this.#running].some((other) => other.uri === uri)) this.deps.responses.endAll(uri);
      this.#setRunning();
      asked?.dispose();
      run.cancel.dispose();
    }
  }

  /** Runs what was run last, as the file is now. */
  async rerun(): Promise<void> {
    if (this.#last === undefined) return;
    await this.start(await vscode.workspace.openTextDocument(this.#last.uri), this.#last.lines?.[0]);
  }

  /** The line on which the block at `line` begins, by which lenses and cancels name it; `line` itself outside of any. */
  async #blockAt(document: vscode.TextDocument, line: number): Promise<number> {
    const client = await this.deps.server();
    const [block] = await client.sendRequest(requestLines, { uri: document.uri.toString(), lines: [line] });
    return block ?? line;
  }

  /** Cancels the run in which a block has not ended; without a line every run of the file. True when there was one. */
  cancel(uri: string, line?: number): boolean {
    const runs = [...this.#running].filter(
      ({ uri: file, lines, ended }) =>
        file === uri && (line === undefined || (!ended.has(line) && (lines?.includes(line) ?? true))),
    );
    for (const { cancel } of runs) cancel.cancel();
    return runs.length > 0;
  }

  /** Whether the user sent all of this file: then its report shows what comes. */
  #isOfWholeFile(uri: string): boolean {
    return [...this.#running].some((run) => run.isShown && run.uri === uri && run.lines === undefined);
  }

  /** Whether the user sent this block by itself: of many, nothing comes up on the way. */
  #isSentAlone(uri: string, line: number): boolean {
    return [...this.#running].some(
      (run) => run.isShown && run.uri === uri && run.lines?.length === 1 && run.lines[0] === line,
    );
  }

  async #request(params: ExecuteParams, token: vscode.CancellationToken): Promise<ExecuteResult> {
    const client = await this.deps.server();
    try {
      return await client.sendRequest(execute, params, token);
    } catch (error) {
      if (token.isCancellationRequested) return { kind: 'done', outcomes: [] };
      this.deps.log.warn(`A run ended without an answer: ${error instanceof Error ? error.message : 'unknown'}`);
      return {
        kind: 'refused',
        error: {
          kind: 'ambiguous',
          message: vscode.l10n.t('Interrupted: the language server ended during this run.'),
          hint: vscode.l10n.t('A request may have reached the service. Check before you send a transaction again.'),
        },
      };
    }
  }

  /** Shows what a stream brought so far; its document comes up once and then stays where the user has it. */
  async #follow(outcome: ExecuteOutcome, response: KeptResponse): Promise<void> {
    const uri = this.deps.responses.refresh(outcome, response);
    const key = followedKey(uri, response.run);
    if (this.#followed.has(key)) return;
    this.#followed.add(key);
    await showResponse(uri, vscode.Uri.parse(outcome.uri, true));
  }

  /** `isReported`: a report has what came, so that no response comes up by itself. */
  async #show(document: vscode.TextDocument, outcomes: readonly ExecuteOutcome[], isReported = false): Promise<void> {
    const here = outcomes.filter(({ uri }) => isHere(document, uri));
    this.#marks.set(document.uri.toString(), here);
    const failed = here.flatMap(({ assertions }) => assertions.filter(({ passed }) => !passed));
    const unsent = outcomes.filter(({ error, response }) => error !== undefined && response === undefined);
    this.#findings.set(document.uri, [
      ...failed.map((assertion) => failedFinding(document, assertion)),
      ...unsent.map(({ uri, line, title, error }) =>
        isHere(document, uri)
          ? finding(document, line, sentences(error))
          : finding(document, 0, `${title}: ${sentences(error)}`),
      ),
    ]);
    const uris = outcomes.map((outcome) => ({
      outcome,
      uri: outcome.response === undefined ? undefined : this.deps.responses.refresh(outcome, outcome.response),
    }));
    const sent = uris.filter(({ uri }) => uri !== undefined);
    const first = sent.find(({ outcome }) => outcome.status === 'failed') ?? sent.at(-1);
    const isUp = first?.uri !== undefined && this.#followed.has(followedKey(first.uri, first.outcome.response?.run));
    if (first?.uri !== undefined && !isUp && !isReported && !this.#isBrowsed(first.outcome))
      await showResponse(first.uri, document.uri);
    if (outcomes.length > 1) {
      const passed = outcomes.filter(({ status }) => status === 'passed').length;
      const text = vscode.l10n.t('{0} of {1} requests passed', passed, outcomes.length);
      vscode.window.setStatusBarMessage(`$(check-all) ${text}`, 5_000);
    }
  }

  /** Its viewer came up while it came in: it shows more than the head, and says itself why not all of it came. */
  #isBrowsed({ response, isBroken }: ExecuteOutcome): boolean {
    return (
      response !== undefined && (isBroken === true || response.fullFile !== undefined) && this.deps.isBrowsed(response)
    );
  }

  #refuse(document: vscode.TextDocument, line: number, error: ServiceError): void {
    if (error.kind !== 'cancelled') this.#findings.set(document.uri, [finding(document, line, sentences(error))]);
  }
}

/** Had no effect at the service: refused for a missing key, or because the request it depends on was. */
const isUndone = ({ error, response }: ExecuteOutcome): boolean =>
  error?.kind === 'noKey' || (response === undefined && error?.kind === 'invalidRequest');

const isHere = (document: vscode.TextDocument, uri: string): boolean => uri === document.uri.toString();

const followedKey = (uri: vscode.Uri, run: number | undefined): string => `${uri.toString()} ${run}`;
