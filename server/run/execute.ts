// Runs blocks of an open file: the run loop over the ports of this process, each response kept in a file, the outcomes
// as summaries. Refuses before anything else where the window is not trusted.
import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { parseDocument } from '../../core/requests/document/document';
import type { RequestDocument } from '../../core/requests/document/model';
import { failed, invalidRequest, ok, type Result } from '../../core/service/errors';
import { simulationOf } from '../../core/requests/language/features/simulate';
import type { PreparedRequest, RequestReport } from '../../core/requests/run/model';
import { withoutValues } from '../../core/requests/run/report';
import type { GrowingBody, SendTarget, WaitReason } from '../../net/api';
import { profileFor, settle, urlIn } from '../../net/target/target';
import { faultOf } from '../../runner/fault';
import { RANDOM } from '../../runner/random';
import { DEFAULT_TIMEOUT_MS, planRun, run, type RunInput } from '../../runner/run';
import { DEFAULT_UNTIL } from '../../runner/stream';
import type { Selection } from '../../core/requests/run/plan';
import type { FilePort, GivenAnswer, RunPorts, RunProgress, WalletPort } from '../../runner/ports';
import type {
  ExecuteOutcome,
  ExecuteParams,
  ExecuteResult,
  FileVariant,
  ProgressParams,
  PromptParams,
} from '../../protocol/lsp';
import { environmentOf, type SharedEnvironment, type RunTarget } from './environment';
import type { Destined } from '../../runner/ports';
import type { LastAnswers } from './answers';
import type { Documents } from '../lsp/connection';
import type { Results } from '../responses/results';
import { importsOf } from '../lsp/imports';
import { missingEndpoint } from './endpoint';
import { Exchanges, wasSent } from './exchanges';
import { keep } from './keep';
import { LiveStream, titleOf } from './live';
import { environmentVariables, profileNamed, profileVariables } from '../profiles';
import { stopFor, type Reuse } from './reuse';
import type { Transports } from './transports';
import { createWallet, type WalletDeps } from './wallet';

export interface ExecuteDeps extends WalletDeps {
  readonly documents: Documents;
  readonly files: FilePort;
  readonly transports: Transports;
  readonly results: Results;
  readonly answers: LastAnswers;
  readonly reuse: Reuse;
  /** Prompts for a variable's value; undefined if dismissed. */
  readonly prompt: (question: Pick<PromptParams, 'uri' | 'name' | 'label'>) => Promise<string | undefined>;
  readonly confirm: RunPorts['confirm'];
  /** Whether a variable of the environment may go somewhere, and which ones this machine was sent. */
  readonly environment: SharedEnvironment;
  readonly onProgress: (params: ProgressParams) => void;
  readonly onFault: NonNullable<RunPorts['onFault']>;
}

export async function executeRun(
  deps: ExecuteDeps,
  params: ExecuteParams,
  signal: AbortSignal,
): Promise<ExecuteResult> {
  const permit = deps.window.permit();
  if (!permit.ok) return { kind: 'refused', error: permit.error };
  const { uri, lines, first } = params;
  const document = documentOf(deps, params);
  if (!document.ok) return { kind: 'refused', error: document.error };
  const variant = variantOf(params);
  deps.keys.begin();
  try {
    await deps.results.prepare();
    const imports = await importsOf([document.value], deps.documents, deps.files);
    const file =
      first === undefined ? document.value : imports.documents.find((imported) => imported.uri === first.uri);
    if (file === undefined) return { kind: 'refused', error: CHANGED };
    const selection = selectionOf(first === undefined ? lines : [first.line]);
    const input: RunInput = {
      files: [file],
      imports,
      selection,
      variables: new Map(),
      environment: environmentVariables(deps.window),
      profileVariables: (endpoint) => profileVariables(deps.window, variant.endpoint ?? endpoint),
      endpoint: variant.endpoint ?? deps.window.state.endpoint ?? '',
      defaultTimeoutMs: DEFAULT_TIMEOUT_MS,
      defaultUntil: isWatchedAlone(params) ? undefined : DEFAULT_UNTIL,
      bail: false,
      references: deps.reuse.references(params, variant.endpoint),
      followsSends: params.follow === true,
      updatesSnapshots: params.updatesSnapshots === true,
    };
    const planned = planRun(input);
    const missing = missingEndpoint(deps.window, file, planned.plan, variant.endpoint);
    if (missing !== undefined) return { kind: 'refused', ...missing };
    const together =
      params.variant === undefined && lines === undefined && first === undefined ? randomUUID() : undefined;
    const kept: Promise<ExecuteOutcome>[] = [];
    const skipped: { readonly uri: string; readonly line: number; readonly why: string }[] = [];
    const exchanges = new Exchanges(deps.results, (block, place) =>
      deps.onProgress({
        uri,
        line: block.line,
        state: 'receiving',
        receiving: { ...place, title: titleOf(block) + variant.mark },
      }),
    );
    // Serialises saves: interim and final results share a file.
    let line: Promise<unknown> = Promise.resolve();
    const keepNext: Keeper<Promise<ExecuteOutcome>> = (report, given, isWatched = false) => {
      // Of a request that was not sent, the answer before it is still the last.
      if (given !== undefined && wasSent(exchanges.of(report, true), report.error))
        deps.reuse.keep(params, given.key, report, given.provenance);
      const keepAs = (shown: RequestReport): Promise<ExecuteOutcome> =>
        keep(deps.results, shown, exchanges, {
          chain: deps.answers.chain(shown.endpoint),
          isWatched,
          mark: variant.mark,
          variant: fileVariantOf(params, report),
          given: given?.provenance,
          together,
        });
      const next = line
        .then(() => keepAs(report))
        .catch((thrown: unknown) => keepAs(withoutValues(report, faultOf(thrown, deps))));
      line = next.catch(() => undefined);
      return next;
    };
    const recorder: RunRecorder = {
      exchanges,
      together,
      done: (report, given) => {
        const end = keepNext(report, given);
        kept.push(end);
        // Of many, each is shown as it ends.
        if (together !== undefined)
          end.then(
            (outcome) => deps.onProgress({ uri, line: outcome.line, state: 'done', outcome }),
            () => undefined,
          );
      },
      // Progress: replaced by the final outcome.
      landed: (report, given) =>
        void keepNext(report, given, true).then(
          (outcome) => deps.onProgress({ uri, line: outcome.line, state: 'streaming', outcome }),
          () => undefined,
        ),
      skipped: ({ file: of, line: at, error, reason }) => {
        const why = reason ?? (error === undefined ? undefined : `${error.message} ${error.hint ?? ''}`.trim());
        if (why !== undefined) skipped.push({ uri: of, line: at - 1, why });
      },
    };
    const place = { uri, endpoint: variant.endpoint, isFromModel: params.variant?.kind === 'text' };
    const ports = portsOf(deps, recorder, place, signal);
    const outcome = await run(input, ports, signal, planned);
    if (outcome.kind === 'done')
      return { kind: 'done', outcomes: await Promise.all(kept), ...(skipped.length > 0 && { skipped }) };
    if (outcome.kind === 'unsent') {
      if (first !== undefined) return { kind: 'refused', error: CHANGED };
      return { kind: 'refused', ...stopFor(outcome.requests) };
    }
    return refusal(outcome.kind === 'invalid' ? outcome.report.requests : []);
  } finally {
    deps.keys.end();
  }
}

const CHANGED = invalidRequest('The request changed since it was offered, so it was not sent.', 'Send again.');

const selectionOf = (lines: readonly number[] | undefined): Selection =>
  lines === undefined ? { kind: 'all' } : { kind: 'lines', lines };

/**
 * A person sent one request and watches it: a stream continues until Cancel. One of many, of a test, of a comparison or of a
 * language model's tool ends.
 */
const isWatchedAlone = ({ lines, variant, test }: ExecuteParams): boolean =>
  lines?.length === 1 && variant === undefined && test === undefined;

/** Keeps a request's outcome; `isWatched`: it is still in progress. */
type Keeper<T> = (report: RequestReport, given: GivenAnswer | undefined, isWatched?: boolean) => T;

/** The text to run: the open file, as is or with one block read differently, or a text without a file. */
function documentOf(
  deps: Pick<ExecuteDeps, 'documents'>,
  { uri, version, lines, variant, first }: ExecuteParams,
): Result<RequestDocument> {
  if (variant?.kind === 'text') return ok(parseDocument(uri, version, variant.text));
  const document = deps.documents.get(uri);
  if (document === undefined || document.version !== version)
    return failed(invalidRequest('The file changed while it was being sent.', 'Send again.'));
  if (variant?.kind !== 'simulation' || first !== undefined) return ok(document);
  const text = simulationOf(document, lines?.[0] ?? 0);
  return text === undefined
    ? failed(invalidRequest('Only a sendTransaction request can be simulated.'))
    : ok(parseDocument(uri, version, text));
}

/** A variant's endpoint, which overrides the file's, and a mark that separates its answers from the request's own. */
function variantOf({ variant }: ExecuteParams): { readonly endpoint: string | undefined; readonly mark: string } {
  switch (variant?.kind) {
    case 'endpoint':
      return { endpoint: variant.name, mark: ` (${variant.name})` };
    case 'text':
      return { endpoint: variant.endpoint, mark: '' };
    case 'simulation':
      return { endpoint: undefined, mark: ' (simulated)' };
    case undefined:
      return { endpoint: undefined, mark: '' };
  }
}

/** How one request of a run ran: what a simulated request needs runs as it is. */
function fileVariantOf({ variant, lines = [] }: ExecuteParams, { line }: RequestReport): FileVariant | undefined {
  if (variant === undefined || variant.kind === 'text') return undefined;
  return variant.kind === 'endpoint' || lines.includes(line - 1) ? variant : undefined;
}

/** The wallet of the endpoint that a variant goes to. */
const walletOf = (wallet: WalletPort, endpoint: string | undefined): WalletPort =>
  endpoint === undefined
    ? wallet
    : {
        address: (_active, name) => wallet.address(endpoint, name),
        sign: (_active, draft, names) => wallet.sign(endpoint, draft, names),
        identity: (_active, name) => wallet.identity(endpoint, name),
      };

/** Nothing was sent: the first faulty block says why. */
function refusal(rows: readonly RequestReport[]): ExecuteResult {
  const faulty = rows.find(({ error }) => error !== undefined);
  const { message = 'There is no request to send here.', hint } = faulty?.error ?? {};
  return {
    kind: 'refused',
    error: invalidRequest(message, hint),
    ...(faulty !== undefined && { line: faulty.line - 1 }),
  };
}

/** Recorders of a run's outcomes. */
export interface RunRecorder {
  readonly exchanges: Exchanges;
  /** Names the run of all requests of a file. */
  readonly together?: string | undefined;
  readonly done: Keeper<void>;
  readonly landed: Keeper<void>;
  readonly skipped?: (report: RequestReport) => void;
}

export function portsOf(
  deps: ExecuteDeps,
  { exchanges, together, done, landed, skipped }: RunRecorder,
  { uri, endpoint: forced, isFromModel = false }: RunTarget,
  runSignal: AbortSignal,
): RunPorts {
  const { window, transports, results } = deps;
  const waiting = (line: number, text: string): void => deps.onProgress({ uri, line, state: 'waiting', text });
  const onWait =
    ({ block }: PreparedRequest) =>
    (reason: WaitReason, ms: number): void => {
      const why = reason === 'retry' ? 'Trying again' : 'Waiting for the rate limit';
      if (block !== undefined) waiting(block.line, `${why}: ${Math.ceil(ms)} ms`);
    };
  const place = (request: Destined): Result<SendTarget> => {
    const named = profileNamed(window, forced ?? request.endpoint);
    return settle(profileFor(named, request, window.state.profiles), request);
  };
  return {
    files: deps.files,
    prompt: (name, label) => deps.prompt({ uri, name, label }),
    confirm: deps.confirm,
    wallet: walletOf(createWallet(deps, runSignal), forced),
    onFault: deps.onFault,
    programs: (endpoint) => deps.programs(forced ?? endpoint),
    chain: (endpoint) => deps.answers.chain(profileNamed(window, forced ?? endpoint)?.profile.name ?? ''),
    clock: {
      now: () => performance.now(),
      unixSeconds: () => Math.floor(Date.now() / 1000),
      sleep: (ms, signal) => delay(ms, undefined, { signal }),
    },
    random: RANDOM,
    urlOf: (request) => urlIn(place(request)),
    environment: environmentOf(window, deps.environment, place, isFromModel),
    async look(request, signal) {
      const target = place(request);
      return target.ok ? transports.use((net) => net.call(target.value, request, { signal })) : target;
    },
    async send(request, signal, inlineBytes = Infinity) {
      const target = place(request);
      if (!target.ok) return target;
      const { block } = request;
      exchanges.goes(block, target.value, request.keyLabel);
      const answer = await transports.use((net) =>
        net.call(target.value, request, {
          signal,
          inlineBytes: Math.min(inlineBytes, window.state.settings['response.inlineSize'] * 1_000_000),
          spillFile: () => results.spillFile(),
          wantsSent: true,
          ...(block !== undefined && { onGrow: (body: GrowingBody) => exchanges.grows(block, body) }),
          onWait: onWait(request),
        }),
      );
      exchanges.came(block, answer.ok ? { exchange: answer.value } : { failure: answer.error });
      return answer;
    },
    stream: {
      async openStream(request, signal) {
        const target = place(request);
        if (!target.ok) return target;
        const { block } = request;
        exchanges.goes(block, target.value, request.keyLabel);
        const opened = await transports.use((net) =>
          net.open(target.value, request, { signal, onWait: onWait(request) }),
        );
        if (!opened.ok || block === undefined) return opened;
        const stream = new LiveStream(opened.value, {
          block,
          request,
          endpoint: window.state.endpoint ?? '',
          results,
          together,
          show: (outcome) => deps.onProgress({ uri, line: block.line, state: 'streaming', outcome }),
        });
        exchanges.opened(block, stream);
        return ok(stream);
      },
    },
    onProgress(event: RunProgress) {
      if (event.kind === 'sending') {
        deps.onProgress({ uri, line: event.line, state: 'sending' });
      } else if (event.kind === 'landing') {
        landed(event.report, event.given);
      } else if (event.kind === 'done') {
        const { file, line } = event.report;
        if (event.isLast) deps.onProgress({ uri: file, line: line - 1, state: 'done' });
        deps.answers.keep(event.report, event.isElsewhere);
        if (event.report.status === 'skipped') skipped?.(event.report);
        else done(event.report, event.given);
      } else if (event.kind === 'waiting') {
        waiting(event.line, event.reason === 'dependency' ? 'Waiting for another request' : 'Waiting to try again');
      }
    },
  };
}
