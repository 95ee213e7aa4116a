// Work that ends when its time is up or it is cancelled, whatever it is waiting for.
import { failed, ok, type Result, type ServiceError } from '../../core/errors';
import { whenAborted } from '../aborts';
import { CANCELLED, failureOf, timedOut } from '../failures';

/** The limits of a call while it is on its way. */
export interface Limit {
  /** True once the time is up or the call was cancelled. */
  isOver(): boolean;
  /** Called at once when that happens. */
  onEnd: (error: ServiceError) => void;
}

/** Runs `work` within its time and until `signal`; both end it at once, whatever it is waiting for. */
export function within<T>(
  timeoutMs: number,
  signal: AbortSignal,
  host: string,
  work: (limit: Limit) => Promise<T | undefined>,
): Promise<Result<T>> {
  return new Promise((resolve) => {
    let over: ServiceError | undefined;
    const limit: Limit = { isOver: () => over !== undefined, onEnd: () => undefined };
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
