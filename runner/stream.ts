// Collects the messages of a stream until its end: by count, by time, by the service, or by cancellation. Keeps the first
// of them, bounded in number and in memory; the others are counted as dropped.
import { answerOf } from '../core/requests/document/variables/answer';
import { memoryOf } from '../core/solana/json/memory';
import { faultOf } from './fault';
import { MAX_MESSAGES_MIB } from './memory';
import { abortable, Cancelled } from './wait';
import type { Budget } from '../core/solana/common/budget';
import type { Until } from '../core/requests/document/model';
import type { PreparedRequest } from '../core/requests/run/model';
import type { ServiceError } from '../core/service/errors';
import type { JsonValue } from '../core/solana/json/json';
import type { SendOutcome } from './outcome';
import type { Clock, OpenStream, RunPorts } from './ports';

/** A stream without `@until` ends after this, unless a person watches it. */
export const DEFAULT_UNTIL: Until & { readonly ms: number } = { ms: 10_000 };

/** Messages of a stream kept for the report. */
const MAX_MESSAGES = 10_000;

/** The first messages of a stream: none is kept after the first that does not fit. */
class KeptMessages {
  readonly list: JsonValue[] = [];
  surplus = 0;

  constructor(private readonly memory: Budget) {}

  get count(): number {
    return this.list.length + this.surplus;
  }

  take(message: JsonValue): void {
    const { memory, list } = this;
    const fits = this.surplus === 0 && list.length < MAX_MESSAGES && memory.takes(memoryOf(message, memory.left));
    if (fits) list.push(message);
    else this.surplus++;
  }

  get notes(): readonly string[] {
    const { list, surplus } = this;
    if (surplus === 0) return [];
    const kept = `Kept the first ${list.length.toLocaleString('en-US')} messages and dropped ${surplus}`;
    const most = `a stream keeps at most ${MAX_MESSAGES.toLocaleString('en-US')}, all streams of a run ${MAX_MESSAGES_MIB} MiB`;
    return [`${kept}: ${most}. End the stream sooner with @until.`];
  }
}

export interface Collecting {
  readonly request: PreparedRequest;
  readonly stream: OpenStream;
  /** The end that the block asks for. */
  readonly until: Until | undefined;
  /** Its end where the block says nothing; undefined: until it is cancelled, which then is its proper end. */
  readonly defaultUntil: Until | undefined;
  /** Without a message for so long, a stream that ends by a count alone fails, unless a person watches it. ms */
  readonly silenceMs: number;
  readonly memory: Budget;
  readonly ports: Pick<RunPorts, 'clock' | 'onFault'>;
  readonly signal: AbortSignal;
}

/** Reads to the end and closes the stream in any case. */
export async function collect(collecting: Collecting): Promise<SendOutcome> {
  const { request, stream, ports, signal, defaultUntil, silenceMs } = collecting;
  const { clock } = ports;
  const until = collecting.until ?? defaultUntil;
  const { messages: wanted, ms } = until ?? {};
  const isUnbounded = wanted !== undefined && ms === undefined && defaultUntil?.ms !== undefined;
  const started = clock.now();
  const timer = new AbortController();
  const kept = new KeptMessages(collecting.memory);
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
    while (wanted === undefined || kept.count < wanted) {
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
      kept.take(step.value);
    }
  } catch (thrown) {
    if (!(thrown instanceof Cancelled)) error = interrupted;
    else error = signal.aborted ? cancelled : noMessage(silenceMs, arrived.count, wanted);
  }
  timer.abort();
  if (until === undefined && error?.kind === 'cancelled') error = undefined;
  try {
    await stream.close();
  } catch (thrown) {
    const fault = faultOf(thrown, ports);
    error ??= { ...fault, message: NOT_CLOSED };
  }
  const durationMs = clock.now() - started;
  const hasDefaultEnd = isOverTime && ms !== undefined && collecting.until === undefined;
  const notes = [...kept.notes, ...(hasDefaultEnd ? [endedAfter(ms)] : [])];
  return {
    request,
    answer: answerOf({ durationMs, headers: [], isBatch: false, messages: kept.list }),
    ...(error !== undefined && { error }),
    durationMs,
    dropped: stream.dropped + kept.surplus,
    ...(notes.length > 0 && { notes }),
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

const NOT_CLOSED = 'Closing the stream failed with an internal error of the workbench. Its messages are in the report.';

const interrupted: ServiceError = {
  kind: 'network',
  message: 'The stream broke off.',
  hint: 'Run it again; what came before is in the report.',
};
