// Whether and when to retry a refused request: Retry-After if given, else exponential backoff with full jitter. Clock and
// randomness are passed in; a sendTransaction never gets here.

export const MAX_TRIES = 5;
/** Longest wait between two tries, in milliseconds. A longer Retry-After is reported to the user instead. */
export const MAX_WAIT_MS = 30_000;
const FIRST_WAIT_MS = 500;

/** Too many requests, and not available for now (docs/local-service.md, "Keys"; RFC 9110, Retry-After). */
const REPEATED = new Set([429, 503]);

/**
 * Milliseconds to wait before the next attempt, or undefined to give up after `tries`, the last answered `httpStatus`.
 * `random` is 0 <= n < 1.
 */
export function retryDelay(
  httpStatus: number,
  tries: number,
  afterMs: number | undefined,
  random: () => number,
): number | undefined {
  if (!REPEATED.has(httpStatus) || tries >= MAX_TRIES) return undefined;
  if (afterMs !== undefined) return afterMs <= MAX_WAIT_MS ? afterMs : undefined;
  return Math.floor(random() * Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** (tries - 1)));
}

/** Retry-After as milliseconds from now: seconds or an HTTP date. Undefined if absent or invalid. */
export function retryAfterMs(headers: readonly (readonly [string, string])[], unixMs: number): number | undefined {
  const value = headers.find(([name]) => name === 'retry-after')?.[1].trim();
  if (value === undefined) return undefined;
  if (/^\d{1,9}(?:\.\d{1,3})?$/.test(value)) return Math.ceil(Number(value) * 1000);
  const date = /^[A-Za-z]{3}/.test(value) ? Date.parse(value) : NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - unixMs);
}
