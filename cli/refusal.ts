// A request that failed, on standard error: what happened and the next step.
import type { RequestReport } from '../core/run/model';
import { EXIT, type ExitCode } from './exit';
import { escapeLine } from './terminal';

export type Refusal = Pick<NonNullable<RequestReport['error']>, 'kind' | 'message' | 'hint'>;

/** Two lines at most; gives the exit code for it. */
export function printRefusal({ kind, message, hint }: Refusal): ExitCode {
  const next = hint === undefined ? '' : `next: ${escapeLine(hint)}\n`;
  process.stderr.write(`${kind}: ${escapeLine(message)}\n${next}`);
  return EXIT.request;
}
