// Waiting that ends as soon as a signal is aborted. Adds one listener per signal, however many calls wait: an
// EventTarget scans all its listeners whenever one is added.

const WAITING = new WeakMap<AbortSignal, Set<() => void>>();

/** Calls `act` once, when the signal is aborted; the function given back forgets it. */
export function whenAborted(signal: AbortSignal, act: () => void): () => void {
  const waiting = WAITING.get(signal) ?? listenTo(signal);
  waiting.add(act);
  return () => waiting.delete(act);
}

function listenTo(signal: AbortSignal): Set<() => void> {
  const waiting = new Set<() => void>();
  WAITING.set(signal, waiting);
  const onAbort = (): void => {
    const all = [...waiting];
    waiting.clear();
    for (const act of all) act();
  };
  signal.addEventListener('abort', onAbort, { once: true });
  return waiting;
}

/** The reason of an aborted signal, as an error. */
export const reasonOf = (signal: AbortSignal): Error =>
  signal.reason instanceof Error ? signal.reason : new Error('Cancelled.');

/** The promise, or a rejection as soon as the signal is aborted. */
export function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      promise.catch(() => undefined);
      reject(reasonOf(signal));
      return;
    }
    const forget = whenAborted(signal, () => reject(reasonOf(signal)));
    promise.then(
      (value) => {
        forget();
        resolve(value);
      },
      (error: unknown) => {
        forget();
        reject(error instanceof Error ? error : new Error('Failed.'));
      },
    );
  });
}

/**
 * The work under a signal that is aborted with `signal`, and after so many ms. (Of `AbortSignal.any` with
 * `AbortSignal.timeout` Node 20 collects the time-out as garbage: it may never come.)
 */
export async function inTime<T>(
  { ms, signal }: { readonly ms: number; readonly signal: AbortSignal },
  work: (limit: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = new AbortController();
  const forget = whenAborted(signal, () => limit.abort(signal.reason));
  const timer = setTimeout(() => limit.abort(new DOMException('The time is up.', 'TimeoutError')), ms);
  if (signal.aborted) limit.abort(signal.reason);
  try {
    return await work(limit.signal);
  } finally {
    clearTimeout(timer);
    forget();
  }
}
