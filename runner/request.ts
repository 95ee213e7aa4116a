// One request of a run: confirmation, values from outside, sending, repeating, saving. Its end is always an outcome.
import { analyse } from '../core/requests/run/analyse';
import { bodyPath } from '../core/requests/document/variables/answer';
import { checkAssertion } from '../core/requests/run/assertions/assertions';
import { expectedOf, NoValue, resolverFor } from '../core/requests/run/evaluate';
import { blockhashCommitment } from '../core/requests/run/preflight';
import { prepareBlock } from '../core/requests/run/prepare';
import { sendsTransaction } from '../core/requests/run/sends';
import { settingsOf } from '../core/requests/run/source';
import { tipProblems } from '../core/service/providers/tips';
import { spliceToken } from '../core/requests/document/splice';
import { JsonSyntaxError, member, parseJson } from '../core/solana/json/json';
import { memoryOf } from '../core/solana/json/memory';
import { isSignature } from '../core/solana/chain/keys';
import { refuseAsking, refuseRequest, refuseSaving } from './environment';
import { fetchHelpers, helperKey, instantHelper } from './helpers';
import { HelperFailed, type HelperContext } from './outside';
import { withBuiltTransactions } from './transactions';
import { answerNotKept, SMALL_ANSWER, type RunMemory } from './memory';
import { answerTo, errorOf, rowHead, savedText } from './outcome';
import { cancelled, collect } from './stream';
import { watchBundle } from './bundle';
import { sentNonce } from '../core/requests/run/landing';
import { watchLanding, type Watched } from './landing';
import { abortable, Cancelled } from './wait';
import type { World } from '../core/requests/run/evaluate';
import type { BodyText, Landing, PreparedRequest } from '../core/requests/run/model';
import type { Located } from '../core/requests/run/source';
import type { ResolveReference } from '../core/requests/document/splice';
import type { Retry, Until } from '../core/requests/document/model';
import { failed, invalidRequest, type ServiceError, type ServiceErrorKind } from '../core/service/errors';
import type { SendOutcome } from './outcome';
import type { CarriedNames } from './carried';
import type { RunPorts } from './ports';

/** Transport failures, which `@retry` repeats. A refusal would only be refused again. */
const REPEATABLE: ReadonlySet<ServiceErrorKind> = new Set([
  'network',
  'timeout',
  'rateLimited',
  'protocol',
  'ambiguous',
]);

export interface RequestContext {
  readonly at: Located;
  /** Values without this request's helpers, which are fetched here. */
  readonly world: World;
  readonly ports: RunPorts;
  readonly carried: CarriedNames;
  readonly freshId: () => number;
  readonly defaultTimeoutMs: number;
  /** For streams without `@until`; undefined: until they are cancelled. */
  readonly defaultUntil: Until | undefined;
  readonly memory: RunMemory;
  /** Whether it may be sent should it turn out to send a transaction. */
  readonly maySend: boolean;
  /** Watches transactions sent without priority too. */
  readonly followsSends: boolean;
  readonly signal: AbortSignal;
}

/** A request that answered, or a stream that is open and ends later. */
export interface Started {
  readonly resolve: ResolveReference;
  readonly outcome: Promise<SendOutcome>;
  readonly isStream: boolean;
  /** Watches the transaction that was sent; called once its outcome is there. */
  readonly watch?: (onChange: (landing: Landing) => void) => Promise<Watched>;
}

/** Runs a block to its response; a stream only to its confirmation. */
export async function start(context: RequestContext): Promise<Started> {
  const started = context.ports.clock.now();
  const fail = (error: ServiceError): Started => ({
    resolve: resolverFor(context.at, context.world),
    outcome: Promise.resolve({ error, durationMs: context.ports.clock.now() - started }),
    isStream: false,
  });
  try {
    const refusal = await confirmNotes(context);
    return refusal === undefined ? await startConfirmed(context, fail) : fail(refusal);
  } catch (error) {
    if (error instanceof Cancelled) return fail(cancelled);
    if (error instanceof HelperFailed) return fail(error.error);
    if (error instanceof NoValue) return fail(invalidRequest(error.message));
    throw error;
  }
}

/** The last guard: a request's method may be known only after variables are filled in. */
const notSent: ServiceError = {
  kind: 'confirmation',
  message: 'The request sends a transaction and was only referred to, so it was not sent.',
  hint: 'Send it by itself first.',
};

async function confirmNotes({ at, ports, signal }: RequestContext): Promise<ServiceError | undefined> {
  for (const note of at.block.settings.notes) {
    const agreed = await abortable(ports.confirm(note === '' ? 'Send this request?' : note, signal), signal);
    if (!agreed) {
      const message = 'The request asks for confirmation and was not confirmed.';
      return { kind: 'confirmation', message, hint: 'Confirm it, or run with --yes in a terminal.' };
    }
  }
  return undefined;
}

async function startConfirmed(context: RequestContext, fail: (error: ServiceError) => Started): Promise<Started> {
  const { at, ports, signal, freshId } = context;
  const own = settingsOf(at);
  const timeoutMs = own.timeoutMs ?? context.defaultTimeoutMs;
  const { helpers } = analyse(at, context.world.sources);
  let lastValidBlockHeight: bigint | undefined;
  const outside: HelperContext = {
    ...context,
    endpoint: own.endpoint,
    ...(own.isKeyless && { isKeyless: own.isKeyless }),
    timeoutMs,
    refuse: (request) => refuseAsking(at, request, context),
    commitment: () => commitmentOf(context),
    onBlockhash: (height) => (lastValidBlockHeight = height),
  };
  const fetched = await fetchHelpers(helpers, outside);
  const world: World = {
    ...context.world,
    helper: (helper, home) => fetched.get(helperKey(helper, home)) ?? instantHelper(helper, ports),
  };
  const resolve = resolverFor(at, world);
  const prepared = prepareBlock(at, { resolve, freshId, defaultTimeoutMs: context.defaultTimeoutMs });
  const { isStream } = prepared;
  const { file, name, title, row } = rowHead(at, '');
  const shown = { file, name, title, line: at.placed.line, method: prepared.request.method };
  const block = row === undefined ? shown : { ...shown, row };
  const unbuilt = { ...prepared.request, block };
  if (!context.maySend && sendsTransaction(unbuilt)) return fail(notSent);
  const forbidden = await refuseRequest(at, unbuilt, context);
  if (forbidden !== undefined) return fail(forbidden);
  const blocked = await unwritable(context, resolve);
  if (blocked !== undefined) return fail(blocked);
  const request = await withBuiltTransactions(at, unbuilt, outside);
  const late = request === unbuilt ? undefined : await refuseRequest(at, request, context);
  if (late !== undefined) return fail(late);
  ports.onProgress?.({ kind: 'sending', ...block });
  if (!isStream) {
    const sent = await sendRepeatedly(context, request, resolve);
    count(sent, context.memory);
    const saved = await save(context, resolve, sent);
    const notes = notesOn(request, ports);
    const outcome = notes.length === 0 ? saved : { ...saved, notes };
    const done: Started = { resolve, outcome: Promise.resolve(outcome), isStream };
    const sending = { request, ports, signal };
    const id = sentBundle(outcome);
    if (id !== undefined) return { ...done, watch: (onChange) => watchBundle({ ...sending, id, onChange }) };
    const isFollowed = request.transport === 'SWQOS' || context.followsSends;
    const signature = isFollowed ? sentSignature(outcome) : undefined;
    if (signature === undefined) return done;
    const followed = { ...sending, signature, lastValidBlockHeight, nonce: sentNonce(parseJson(request.body)) };
    return { ...done, watch: (onChange) => watchLanding({ ...followed, onChange }) };
  }

  if (ports.stream === undefined) {
    const message = `Streams over ${request.transport} cannot be opened here.`;
    return fail(invalidRequest(message, 'Send it from the editor.'));
  }
  const opened = await abortable(ports.stream.openStream(request, signal), signal);
  if (!opened.ok)
    return { resolve, outcome: Promise.resolve({ request, error: opened.error, durationMs: 0 }), isStream };
  const { until } = at.block.settings;
  const { defaultUntil, memory } = context;
  const ends = { until, defaultUntil, silenceMs: timeoutMs, memory: memory.messages };
  const collected = collect({ request, stream: opened.value, ...ends, ports, signal });
  return { resolve, outcome: collected.then((outcome) => save(context, resolve, { outcome })), isStream };
}

/** Commitment for the blockhashes of a request's transactions: read from its body before they are built. */
function commitmentOf({ at, world, defaultTimeoutMs }: RequestContext): 'confirmed' | 'finalized' {
  const resolve = resolverFor(at, { ...world, helper: () => '' });
  try {
    const { request } = prepareBlock(at, { resolve, freshId: () => 1, defaultTimeoutMs });
    return blockhashCommitment(parseJson(request.body));
  } catch (error) {
    // The request itself will report what is missing.
    if (error instanceof NoValue || error instanceof JsonSyntaxError) return 'confirmed';
    throw error;
  }
}

/** A warning about a missing tip for the sender; it refuses nothing. */
function notesOn(request: PreparedRequest, ports: RunPorts): readonly string[] {
  if (request.transport === 'GRPC' || !sendsTransaction(request)) return [];
  const url = ports.urlOf(request);
  return url === undefined ? [] : tipProblems(url, parseJson(request.body));
}

/** The id of a bundle that was accepted. */
function sentBundle({ error, answer, request }: SendOutcome): string | undefined {
  const result = request?.method === 'sendBundle' ? member(answer?.body, 'result') : undefined;
  return error === undefined && typeof result === 'string' && /^[\w-]{8,128}$/.test(result) ? result : undefined;
}

/** The signature of a send that was accepted. */
function sentSignature({ error, answer, request }: SendOutcome): string | undefined {
  const result = request?.method === 'sendTransaction' ? member(answer?.body, 'result') : undefined;
  return error === undefined && typeof result === 'string' && isSignature(result) ? result : undefined;
}

/** An outcome with the raw text of the response, for `>>`. */
interface Sent {
  readonly outcome: SendOutcome;
  readonly raw?: string;
}

async function sendRepeatedly(
  context: RequestContext,
  request: PreparedRequest,
  resolve: ResolveReference,
): Promise<Sent> {
  const { at, ports, signal } = context;
  const { retry } = at.block.settings;
  for (let repeats = 0; ; repeats++) {
    const sent = await sendOnce(request, context);
    if (retry === undefined || repeats >= retry.times || !(await wantsRepeat(at, retry, sent.outcome, resolve)))
      return sent;
    ports.onProgress?.({ kind: 'waiting', line: at.placed.line, reason: 'retry', ms: retry.everyMs });
    try {
      await abortable(ports.clock.sleep(retry.everyMs, signal), signal);
    } catch (error) {
      if (!(error instanceof Cancelled) && !signal.aborted) throw error;
      return { outcome: { ...sent.outcome, error: cancelled } };
    }
  }
}

async function sendOnce(request: PreparedRequest, { ports, signal, memory }: RequestContext): Promise<Sent> {
  const isFull = memory.answers.left === 0;
  const started = ports.clock.now();
  try {
    const sent = await abortable(ports.send(request, signal, isFull ? SMALL_ANSWER : undefined), signal);
    if (!sent.ok) return { outcome: { request, error: sent.error, durationMs: ports.clock.now() - started } };
    if (isFull && isLarge(sent.value.body))
      return { outcome: { request, error: answerNotKept, durationMs: sent.value.durationMs } };
    const answer = answerTo(request, sent.value);
    const error = errorOf(request, sent.value, answer);
    const { durationMs, body } = sent.value;
    const outcome = { request, answer, durationMs, ...(error !== undefined && { error }) };
    return body.kind === 'text' ? { outcome, raw: body.text } : { outcome: { ...outcome, large: body } };
  } catch (error) {
    if (!(error instanceof Cancelled)) throw error;
    return { outcome: { request, error: cancelled, durationMs: ports.clock.now() - started } };
  }
}

const isLarge = (body: BodyText): boolean => body.kind === 'text' && body.text.length > SMALL_ANSWER;

/** Counts an answer that is kept in memory, whole or as much as fits: from then on they go into files. */
function count({ outcome: { answer }, raw = '' }: Sent, { answers }: RunMemory): void {
  if (raw.length > SMALL_ANSWER && answer?.body !== undefined)
    answers.takes(Math.min(answers.left, memoryOf(answer.body, answers.left)));
}

async function wantsRepeat(
  at: Located,
  retry: Retry,
  { error, answer }: SendOutcome,
  resolve: ResolveReference,
): Promise<boolean> {
  if (error !== undefined && REPEATABLE.has(error.kind)) return true;
  const { condition } = retry;
  if (condition === undefined || answer === undefined) return false;
  const expected = expectedOf(condition, at, resolve);
  const inBody = bodyPath(condition.path.steps);
  if (inBody !== undefined) await answer.large?.fetch(inBody);
  return (await checkAssertion(condition, expected, answer)).passed;
}

/** Why a response could not be saved to its path: checked before anything is sent. Throws NoValue, Cancelled. */
async function unwritable(context: RequestContext, resolve: ResolveReference): Promise<ServiceError | undefined> {
  const { at, ports, signal } = context;
  const { block } = at;
  for (const { file, overwrite } of block.redirects) {
    const path = spliceToken(file, block.references, resolve);
    const allowed = await abortable(ports.files.mayWrite(path, at.scope.document.uri, overwrite), signal);
    if (!allowed.ok) return allowed.error;
    const refusal = await refuseSaving(at, path, context);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

/** `>>`: a file that cannot be written fails the request. */
async function save(context: RequestContext, resolve: ResolveReference, sent: Sent): Promise<SendOutcome> {
  const { at, ports, signal } = context;
  const { block } = at;
  let { outcome } = sent;
  for (const { file, overwrite } of block.redirects) {
    if (outcome.error !== undefined && outcome.error.kind !== 'rpc') return outcome;
    const text = outcome.large?.file ?? savedText(outcome, sent.raw);
    try {
      if (text === undefined) throw new NoValue('There is no response to save.');
      const path = spliceToken(file, block.references, resolve);
      // A service here may have got a name while the answer came.
      const refusal = await refuseSaving(at, path, context);
      const written =
        refusal === undefined
          ? await abortable(ports.files.write(path, at.scope.document.uri, text, overwrite), signal)
          : failed<void>(refusal);
      if (!written.ok) outcome = { ...outcome, error: written.error };
    } catch (error) {
      if (error instanceof Cancelled) outcome = { ...outcome, error: cancelled };
      else if (error instanceof NoValue) outcome = { ...outcome, error: invalidRequest(error.message) };
      else throw error;
    }
  }
  return outcome;
}
