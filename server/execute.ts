// Runs blocks of an open file: the run loop over the ports of this process, each response kept in a file, the outcomes
// as summaries. Refuses before anything else where the window is not trusted.
import { randomInt, randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { parseDocument } from '../core/document/document';
import type { RequestDocument } from '../core/document/model';
import { failed, ok, type Result, type ServiceError } from '../core/errors';
import { simulationOf } from '../core/language/simulate';
import type { KeyQuery } from '../core/profile';
import { landingText } from '../core/run/landing';
import type { BodyText, Exchange, LargeBody, PreparedRequest, RequestReport } from '../core/run/model';
import { StoredResponse } from '../core/response/stored';
import { member, printJson, type JsonValue } from '../core/values/json';
import type { GrowingBody, Target, WaitReason } from '../net/api';
import { queryFor, settle } from '../net/target';
import { DEFAULT_UNTIL, run } from '../runner/run';
import type { FilePort, RunPorts, RunProgress, WalletPort } from '../runner/ports';
import type { ExecuteOutcome, ExecuteParams, ExecuteResult, ProgressParams, ResponsePlace } from '../protocol/lsp';
import type { LastAnswers } from './answers';
import type { Documents } from './documents';
import type { Keys } from './keys';
import type { Results, UnkeptOutcome } from './results';
import { importsOf } from './imports';
import { LiveStream, requestName, titleOf, type LiveBlock } from './live';
import { profileNamed, profileVariables } from './profiles';
import type { Transports } from './transports';
import { createWallet } from './wallet';
import type { Window } from './window';

/** For blocks that name no time (request-files, `@timeout`). */
export const DEFAULT_TIMEOUT_MS = 30_000;

export interface ExecuteDeps {
  readonly window: Window;
  readonly documents: Documents;
  readonly files: FilePort;
  readonly keys: Keys;
  readonly transports: Transports;
  readonly results: Results;
  readonly answers: LastAnswers;
  readonly prompt: RunPorts['prompt'];
  readonly confirm: RunPorts['confirm'];
  readonly onProgress: (params: ProgressParams) => void;
}

export async function execute(deps: ExecuteDeps, params: ExecuteParams, signal: AbortSignal): Promise<ExecuteResult> {
  const permit = deps.window.permit();
  if (!permit.ok) return { kind: 'refused', error: permit.error };
  const { uri, lines } = params;
  const document = documentOf(deps, params);
  if (!document.ok) return { kind: 'refused', error: document.error };
  const variant = variantOf(params);
  deps.keys.begin();
  try {
    await deps.results.prepare();
    const imports = await importsOf([document.value], deps.documents, deps.files);
    const kept: Promise<ExecuteOutcome>[] = [];
    const exchanges = new Exchanges(deps.results, (block, place) =>
      deps.onProgress({
        uri,
        line: block.line,
        state: 'receiving',
        receiving: { ...place, title: titleOf(block) + variant.mark },
      }),
    );
    // One after the other: what is shown while it goes on and its end share a file.
    let line: Promise<unknown> = Promise.resolve();
    const keepNext = (report: RequestReport, isWatched: boolean): Promise<ExecuteOutcome> => {
      const next = line.then(() => keep(deps, report, exchanges, { isWatched, mark: variant.mark }));
      line = next.catch(() => undefined);
      return next;
    };
    const ports = portsOf(
      deps,
      exchanges,
      signal,
      { uri, endpoint: variant.endpoint },
      {
        done: (report) => kept.push(keepNext(report, false)),
        // Shown as it goes: its end, a dozen seconds later, takes the place of this.
        landed: (report) =>
          void keepNext(report, true).then(
            (outcome) => deps.onProgress({ uri, line: outcome.line, state: 'streaming', outcome }),
            () => undefined,
          ),
      },
    );
    const outcome = await run(
      {
        files: [document.value],
        imports,
        selection: lines === undefined ? { kind: 'all' } : { kind: 'lines', lines },
        variables: new Map(),
        profileVariables: (endpoint) => profileVariables(deps.window, variant.endpoint ?? endpoint),
        endpoint: variant.endpoint ?? deps.window.state.endpoint ?? '',
        defaultTimeoutMs: DEFAULT_TIMEOUT_MS,
        // A person watches: a stream goes on until Cancel. One that is compared, or that a tool asks for, ends.
        defaultUntil: params.variant === undefined ? undefined : DEFAULT_UNTIL,
        bail: false,
      },
      ports,
      signal,
    );
    if (outcome.kind === 'done') return { kind: 'done', outcomes: await Promise.all(kept) };
    return refusal(outcome.kind === 'invalid' ? outcome.report.requests : []);
  } finally {
    deps.keys.end();
  }
}

/** The text that is run: the open file as it stands or with one block read in another way, or no file at all. */
function documentOf(deps: ExecuteDeps, { uri, version, lines, variant }: ExecuteParams): Result<RequestDocument> {
  if (variant?.kind === 'text') return ok(parseDocument(uri, version, variant.text));
  const document = deps.documents.get(uri);
  if (document === undefined || document.version !== version) {
    const message = 'The file changed while it was being sent.';
    return failed({ kind: 'invalidRequest', message, hint: 'Send again.' });
  }
  if (variant?.kind !== 'simulation') return ok(document);
  const text = simulationOf(document, lines?.[0] ?? 0);
  return text === undefined
    ? failed({ kind: 'invalidRequest', message: 'Only a sendTransaction request can be simulated.' })
    : ok(parseDocument(uri, version, text));
}

/** Where a variant goes whatever the file says, and what tells its answers from those of the request itself. */
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

/** The wallet of the endpoint that a variant goes to. */
const walletOf = (wallet: WalletPort, endpoint: string | undefined): WalletPort =>
  endpoint === undefined
    ? wallet
    : { address: () => wallet.address(endpoint), sign: (_named, message) => wallet.sign(endpoint, message) };

/** Nothing was sent: the first faulty block says why. */
function refusal(rows: readonly RequestReport[]): ExecuteResult {
  const faulty = rows.find(({ error }) => error !== undefined);
  const { message, hint } = faulty?.error ?? { message: 'There is no request to send here.' };
  return {
    kind: 'refused',
    error: { kind: 'invalidRequest', message, ...(hint !== undefined && { hint }) },
    ...(faulty !== undefined && { line: faulty.line - 1 }),
  };
}

/** What a request asked for and what came back. */
interface Traffic {
  readonly key?: KeyQuery;
  readonly exchange?: Exchange;
  /** No answer at all, and why. */
  readonly failure?: ServiceError;
}

/** What went over the wire for the request that is under way; a repeat replaces what the try before it brought. */
export class Exchanges {
  readonly #byLine = new Map<number, Traffic>();
  readonly #streams = new Map<string, LiveStream>();
  /** Where a response was shown before its request was done, by line. */
  readonly shown = new Map<number, ResponsePlace>();
  readonly #places = new Map<number, Promise<ResponsePlace>>();
  /** The block that is being sent. */
  block: LiveBlock = { file: '', name: null, title: '', line: 0, method: '' };

  constructor(
    private readonly results: Results,
    private readonly onGrowing: (block: LiveBlock, place: ResponsePlace) => void,
  ) {}

  goes(target: Target, label: string | undefined): void {
    this.#byLine.set(this.block.line, target.auth === 'none' ? {} : { key: queryFor(target, label) });
  }

  opened(stream: LiveStream): void {
    this.#streams.set(requestName(this.block), stream);
  }

  came(what: Pick<Traffic, 'exchange' | 'failure'>): void {
    const { line } = this.block;
    this.#byLine.set(line, { ...this.#byLine.get(line), ...what });
  }

  /** What belongs to the block on this line; kept where the block goes on. */
  of(line: number, goesOn: boolean): Traffic {
    const traffic = this.#byLine.get(line);
    if (!goesOn) this.#byLine.delete(line);
    return traffic ?? {};
  }

  /** The body of the block that is being sent is a large one: it gets its place while it still comes in. */
  grows(body: GrowingBody): void {
    const { block } = this;
    const place = this.results.take(requestName(block)).then((taken) => {
      this.results.large.grows(taken, body);
      this.onGrowing(block, taken);
      return taken;
    });
    // Whoever saves it waits for the place, and is told there why it has none.
    place.catch(() => undefined);
    this.#places.set(block.line, place);
  }

  /** The place that a large body got, which is now to be filled, or not to be. */
  async placeOf(line: number): Promise<ResponsePlace | undefined> {
    const place = await this.#places.get(line);
    this.#places.delete(line);
    if (place !== undefined) this.results.large.forget(place);
    return place;
  }

  streamOf(report: RequestReport): LiveStream | undefined {
    return this.#streams.get(requestName({ ...report, line: report.line - 1 }));
  }
}

export function portsOf(
  deps: ExecuteDeps,
  exchanges: Exchanges,
  runSignal: AbortSignal,
  { uri, endpoint: forced }: { readonly uri: string; readonly endpoint: string | undefined },
  { done, landed }: Readonly<Record<'done' | 'landed', (report: RequestReport) => void>>,
): RunPorts {
  const { window, transports, results } = deps;
  const waiting = (text: string, line = exchanges.block.line): void =>
    deps.onProgress({ uri, line, state: 'waiting', text });
  const onWait = (reason: WaitReason, ms: number): void =>
    waiting(`${reason === 'retry' ? 'Trying again' : 'Waiting for the rate limit'}: ${Math.ceil(ms)} ms`);
  const place = (request: PreparedRequest): Result<Target> =>
    settle(profileNamed(window, forced ?? request.endpoint), request);
  return {
    files: deps.files,
    prompt: deps.prompt,
    confirm: deps.confirm,
    wallet: walletOf(createWallet(window, deps.keys, runSignal), forced),
    clock: {
      now: () => performance.now(),
      unixSeconds: () => Math.floor(Date.now() / 1000),
      sleep: (ms, signal) => delay(ms, undefined, { signal }),
    },
    random: { uuid: randomUUID, integer: (min, max) => randomInt(min, max + 1) },
    environment: (name) => (window.state.trusted ? process.env[name] : undefined),
    async look(request, signal) {
      const target = place(request);
      return target.ok ? transports.use((net) => net.call(target.value, request, { signal })) : target;
    },
    async send(request, signal) {
      const target = place(request);
      if (!target.ok) return target;
      exchanges.goes(target.value, request.keyLabel);
      const answer = await transports.use((net) =>
        net.call(target.value, request, {
          signal,
          inlineBytes: window.state.settings.responseInlineBytes,
          spillFile: () => results.spillFile(),
          onGrow: (body) => exchanges.grows(body),
          onWait,
        }),
      );
      exchanges.came(answer.ok ? { exchange: answer.value } : { failure: answer.error });
      return answer;
    },
    stream: {
      async openStream(request, signal) {
        const target = place(request);
        if (!target.ok) return target;
        const { block } = exchanges;
        exchanges.goes(target.value, request.keyLabel);
        const opened = await transports.use((net) => net.open(target.value, request, { signal, onWait }));
        if (!opened.ok) return opened;
        const endpoint = window.state.endpoint ?? '';
        const stream = new LiveStream(opened.value, block, request, endpoint, results, (outcome) =>
          deps.onProgress({ uri, line: block.line, state: 'streaming', outcome }),
        );
        exchanges.opened(stream);
        return ok(stream);
      },
    },
    onProgress(event: RunProgress) {
      if (event.kind === 'sending') {
        exchanges.block = event;
        deps.onProgress({ uri, line: event.line, state: 'sending' });
      } else if (event.kind === 'landing') {
        landed(event.report);
      } else if (event.kind === 'done') {
        deps.onProgress({ uri, line: event.report.line - 1, state: 'done' });
        deps.answers.keep(event.report);
        if (event.report.status !== 'skipped') done(event.report);
      } else {
        waiting(event.reason === 'dependency' ? 'Waiting for another request' : 'Waiting to try again', event.line);
      }
    },
  };
}

/** Writes one response, with what it came to, and gives the summary that crosses to the client. */
async function keep(
  deps: ExecuteDeps,
  report: RequestReport,
  exchanges: Exchanges,
  { isWatched, mark }: { readonly isWatched: boolean; readonly mark: string },
): Promise<ExecuteOutcome> {
  const { exchange, failure, key } = exchanges.of(report.line - 1, isWatched);
  const live = exchanges.streamOf(report);
  const body = exchange?.body ?? { kind: 'text', text: printJson(shownFor(report)) };
  const growing = await exchanges.placeOf(report.line - 1);
  const place = live?.response ?? exchanges.shown.get(report.line) ?? growing;
  const slot = slotOf(report.response) ?? (await slotIn(report.large));
  const said = exchange?.error;
  const lost = said ?? failure;
  const { status, error, assertions, httpStatus, durationMs, transport, method, endpoint, messages, dropped } = report;
  const { landing } = report;
  const outcome: UnkeptOutcome = {
    uri: report.file,
    line: report.line - 1,
    title: titleOf(report) + mark,
    status,
    assertions: assertions.map(({ actual, expected, ...rest }) => ({
      ...rest,
      ...(actual !== undefined && { actual: excerpt(actual) }),
      ...(expected !== undefined && { expected: excerpt(expected) }),
    })),
    ...(report.request !== null && { request: excerpt(report.request) }),
    durationMs: exchange?.durationMs ?? durationMs,
    bytes: exchange?.bytes ?? sizeOf(body),
    transport,
    method,
    endpoint,
    ...(error !== undefined && { error }),
    ...(said !== undefined && 'retryAfterMs' in said && { retryAfterMs: said.retryAfterMs }),
    ...(httpStatus !== undefined && { httpStatus }),
    ...(slot !== undefined && { slot }),
    ...(messages !== undefined && { stream: { count: messages.length, dropped: dropped ?? 0, isOpen: false } }),
    ...(landing !== undefined && {
      landing: {
        signature: landing.signature,
        text: landingText(landing),
        isWatched,
        isLanded: landing.level !== 'sent' && landing.level !== 'expired',
      },
    }),
    ...(lost?.kind === 'ambiguous' && lost.signature !== undefined && { lostSignature: lost.signature }),
    ...(place !== undefined && { response: place }),
    ...(growing !== undefined && exchange === undefined && { isBroken: true }),
    ...(key !== undefined && { key }),
  };
  const kept = await deps.results.save(requestName({ ...report, line: report.line - 1 }) + mark, body, outcome);
  if (isWatched && kept.response !== undefined) exchanges.shown.set(report.line, kept.response);
  return kept;
}

/** What a document shows where no body came: the messages of a stream, else the error with its next step. */
function shownFor({ messages, error }: RequestReport): JsonValue {
  // A stream that broke off keeps what came before; why it did stands above it.
  if (error === undefined || (messages?.length ?? 0) > 0) return messages ?? null;
  const { kind, message, hint } = error;
  return { error: { kind, message, ...(hint !== undefined && { nextStep: hint }) } };
}

/** JSON text for showing. UTF-16 units. */
const MAX_EXCERPT = 16_384;

function excerpt(value: JsonValue): string {
  const text = printJson(value, 2);
  return text.length <= MAX_EXCERPT ? text : `${text.slice(0, MAX_EXCERPT)}…`;
}

const sizeOf = (body: BodyText): number => (body.kind === 'text' ? Buffer.byteLength(body.text) : body.bytes);

/** The same of a response that lies in a file. */
async function slotIn(large: LargeBody | undefined): Promise<string | undefined> {
  if (large === undefined) return undefined;
  const stored = new StoredResponse(large.file, () => large.outline);
  const found = await stored.value(['result', 'context', 'slot'], 100);
  return found?.kind === 'value' ? printJson(found.value) : undefined;
}

/** `result.context.slot` as its digits. */
function slotOf(response: JsonValue | undefined): string | undefined {
  const slot = member(member(member(response, 'result'), 'context'), 'slot');
  return slot === undefined ? undefined : printJson(slot);
}
