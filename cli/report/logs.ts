// The program logs that come with a transaction that failed its simulation: what people need to see why.
import type { RequestReport } from '../../core/requests/run/model';
import { isJsonArray, member } from '../../core/solana/json/json';

/** Lines from the end of the logs, where the reason is. */
const MOST = 20;

/** The last lines of `error.data.logs`, as the service wrote them; what is left out before them is said. */
export function logsOf({ response }: RequestReport): readonly string[] {
  const logs = member(member(member(response, 'error'), 'data'), 'logs');
  if (!isJsonArray(logs)) return [];
  const lines = logs.filter((line) => typeof line === 'string');
  const left = lines.length - MOST;
  return left > 0 ? [`… ${left} more before`, ...lines.slice(-MOST)] : lines;
}
