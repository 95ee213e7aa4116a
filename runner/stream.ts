// Collects the messages of a stream until its end: by count, by time, by the service, or by cancellation. Keeps a bounded
// number of them; what is above is counted as dropped.
import { answerOf } from '../core/run/answer';
import { abortable, Cancelled } from './wait';
import type { Until } from '../core/document/model';
import type { PreparedRequest } from '../core/run/model';
import type { ServiceError } from '../core/errors';
import type { JsonValue } from '../core/values/json/json';
import type { Outcome } from './outcome';
import type { Clock, OpenStream } from './ports';

/** A stream without `@until` ends after this, unless a person watches it. */
export const DEFAULT_UNTIL: Until & { readonly ms: number } = { ms: 10_000 };

/** Messages kept for the report. */
export const MAX_MESSAGES = 10_000;

export interface Collecting {
  readonly request: PreparedRequest;
  readonly stream: OpenStream;
  /** What the block says of its end. */
  readonly until: Until | undefined;
  /** Its end where the block says nothing; undefined: until it is cancelled, which then is its proper end. */
  readonly defaultUntil: Until | undefined;
  /** Without a message for so long, a stream that ends by a count alone fails, unless a person watches it. ms */
  readonly silenceMs: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Reads to the end and closes the stream in any case. */
export async function collect(collecting: Collecting): Promise<Outcome> {
  const { request, stream, clock, signal, defaultUntil, silenceMs } = collecting;
  const until = collecting.until ?? defaultUntil;
  const { messages: wanted, ms } = until ?? {};
  const isUnbounded = wanted !== undefined && ms === undefined && defaultUntil?.ms !== undefined;
  const started = clock.now();
  const timer = new AbortController();
  const messages: JsonValue[] = [];
  let surplus = 0;
  let error: ServiceError | undefined;
  let isOverTime = false;
  const timeout = ms === undefined ? undefined : clock.sleep(ms, timer.signal).then(() => 'timeout' as const);
  timeout?.catch(() => undefined);
  const silence = new AbortController();
  const arrived = { count: 0, at: started };
  if (isUnbounded) void silent(silenceMs, arrived, clock, timer.signal).then((isSilent) => isSilent && silence.abort());
  const stop = isUnbounded ? AbortSignal.any([signal, silence.signal]) : signal;
  const iterator = stream.messages()[Symbol.asyncIterator]();
  try {
    while (wanted === undefined || messages.length + surplus < wanted) {
      const next = iterator.next();
      const step = await abortable(timeout === undefined ? next : Promise.race([next, timeout]), stop);
      if (step === 'timeout') {
        next.catch(() => undefined);
        isOverTime = true;
        break;
      }
      if (step.done === true) {
        error = stream.error;
        break;
      }
      arrived.count++;
      arrived.at = clock.now();
      if (messages.length < MAX_MESSAGES) messages.push(step.value);
      else surplus++;
    }
  } catch (thrown) {
    if (!(thrown instanceof Cancelled)) error = interrupted;
    else error = signal.aborted ? cancelled : noMessage(silenceMs, arrived.count, wanted);
  } finally {
    timer.abort();
    await stream.close();
  }
  if (until === undefined && error?.kind === 'cancelled') error = undefined;
  const durationMs = clock.now() - started;
  return {
    request,
    answer: answerOf({ durationMs, headers: [], isBatch: false, messages }),
    ...(error === undefined ? {} : { error }),
    durationMs,
    dropped: stream.dropped + surplus,
    ...(isOverTime && ms !== undefined && collecting.until === undefined && { notes: [endedAfter(ms)] }),
  };
}

interface Arrived {
  /** Messages so far. */
  readonly count: number;
  /** When the last one came, or the stream opened. ms, of the clock */
  readonly at: number;
}

/** Resolves with true once no message has come for so long, with false when `signal` fires. */
async function silent(ms: number, arrived: Arrived, clock: Clock, signal: AbortSignal): Promise<boolean> {
  try {
    for (let wait = ms; ; wait = Math.max(1, ms - (clock.now() - arrived.at))) {
      const before = arrived.count;
      await clock.sleep(wait, signal);
      if (arrived.count === before) return true;
    }
  } catch (error) {
    if (signal.aborted) return false;
    throw error;
  }
}

const noMessage = (ms: number, count: number, wanted: number | undefined): ServiceError => ({
  kind: 'timeout',
  afterMs: ms,
  message: `The stream had no message for ${ms / 1000} s; ${count} of ${wanted} came.`,
  hint: 'Give @until a time, as in "5 messages or 10s", or wait longer with @timeout.',
});

const endedAfter = (ms: number): string =>
  `Ended after ${ms / 1000} s, since it has no @until. Add one to choose its end, or watch the stream.`;

export const cancelled: ServiceError = { kind: 'cancelled', message: 'The run was cancelled.' };

const interrupted: ServiceError = {
  kind: 'network',
  message: 'The stream broke off.',
  hint: 'Run it again; what came before is in the report.',
};
