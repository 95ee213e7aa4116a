// A clock on which waiting takes no time, and a server that answers with one status after the other.
import type { NetClock } from '../../../net/api';
import { httpServer, type Answerer, type Hostile } from './hostile';
import { OK_BODY } from './wire';

/** A clock on which waiting takes no time; it keeps what was waited. */
export function fakeClock(): NetClock & { readonly slept: number[] } {
  let now = 0;
  const slept: number[] = [];
  return {
    slept,
    now: () => now,
    unixMs: () => Date.UTC(2026, 0, 1) + now,
    sleep: async (ms, signal) => {
      signal.throwIfAborted();
      slept.push(ms);
      now += ms;
    },
  };
}

/** Answers with each of `statuses` in turn, then with success; counts the requests. */
export async function turns(
  statuses: readonly number[],
  headers: Record<string, string> = {},
): Promise<Hostile & { count(): number }> {
  let count = 0;
  const answer: Answerer = (_, response) => {
    const status = statuses[count++] ?? 200;
    response.writeHead(status, headers);
    response.end(status === 200 ? OK_BODY : JSON.stringify({ error: { code: status, message: 'wait' } }));
  };
  return { ...(await httpServer(answer)), count: () => count };
}
