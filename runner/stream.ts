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

/** Messages kept for the report. */
export const MAX_MESSAGES = 10_000;

export interface Collecting {
  readonly request: PreparedRequest;
  readonly stream: OpenStream;
  /** Undefined: until it is cancelled, which then is its proper end. */
  readonly until: Until | undefined;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Reads to the end and closes the stream, whatever happens. */
export async function collect({ request, stream, until, clock, signal }: Collecting): Promise<Outcome> {
  const { messages: wanted, ms } = until ?? {};
  const started = clock.now();
  const timer = new AbortController();
  const messages: JsonValue[] = [];
  let surplus = 0;
  let error: ServiceError | undefined;
  const timeout = ms === undefined ? undefined : clock.sleep(ms, timer.signal).then(() => 'timeout' as const);
  timeout?.catch(() => undefined);
  const iterator = stream.messages()[Symbol.asyncIterator]();
  try {
    while (wanted === undefined || messages.length + surplus < wanted) {
      const next = iterator.next();
      const step = await abortable(timeout === undefined ? next : Promise.race([next, timeout]), signal);
      if (step === 'timeout') {
        next.catch(() => undefined);
        break;
      }
      if (step.done === true) {
        error = stream.error;
        break;
      }
      if (messages.length < MAX_MESSAGES) messages.push(step.value);
      else surplus++;
    }
  } catch (thrown) {
    error = thrown instanceof Cancelled ? cancelled : interrupted;
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
  };
}

export const cancelled: ServiceError = { kind: 'cancelled', message: 'The run was cancelled.' };

const interrupted: ServiceError = {
  kind: 'network',
  message: 'The stream broke off.',
  hint: 'Run it again; what came before is in the report.',
};
