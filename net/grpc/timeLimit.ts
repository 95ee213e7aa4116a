// Bounds work by a time limit and a signal: either ends it at once, even while it is waiting.
import { failed, ok, type Result, type ServiceError } from '../../core/service/errors';
import { whenAborted } from '../aborts';
import { CANCELLED, failureOf, timedOut } from '../failures';

/** The limit as the work sees it. */
export interface TimeLimit {
  /** True once the time is up or the call was cancelled. */
  isOver(): boolean;
  /** Called when that happens; the work sets it. */
  onEnd: (error: ServiceError) => void;
}

export interface Limits {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** As shown to people. */
  readonly host: string;
}

/** The result of `work`, or the error of the limit that ended it. */
export function withTimeLimit<T>(
  { timeoutMs, signal, host }: Limits,
  work: (limit: TimeLimit) => Promise<T | undefined>,
): Promise<Result<T>> {
  return new Promise((resolve) => {
    let over: ServiceError | undefined;
    const limit: TimeLimit = { isOver: () => over !== undefined, onEnd: () => undefined };
    const settle = (result: Result<T>): void => {
      clearTimeout(timer);
      forget();
      resolve(result);
    };
    const stop = (error: ServiceError): void => {
      over ??= error;
      limit.onEnd(error);
      settle(failed(error));
    };
    const timer = setTimeout(() => stop(timedOut(host, timeoutMs)), timeoutMs);
    const forget = whenAborted(signal, () => stop(CANCELLED));
    if (signal.aborted) {
      stop(CANCELLED);
      return;
    }
    work(limit).then(
      (value) => settle(value === undefined ? failed(over ?? CANCELLED) : ok(value)),
      (error: unknown) => settle(failed(over ?? failureOf(error, host))),
    );
  });
}
