// Prints failures to standard error: a failed request with the next step, or an error of the program itself.
import type { RequestReport } from '../core/requests/run/model';
import { EXIT, type ExitCode } from './exit';
import { escapeLine, escapeText } from './terminal';

export type RefusedRequest = Pick<NonNullable<RequestReport['error']>, 'kind' | 'message' | 'hint'>;

/** Two lines at most; gives the exit code for it. */
export function printRefusal({ kind, message, hint }: RefusedRequest): ExitCode {
  const next = hint === undefined ? '' : `next: ${escapeLine(hint)}\n`;
  process.stderr.write(`${kind}: ${escapeLine(message)}\n${next}`);
  return EXIT.request;
}

/** The line about an error of the program itself. */
export const faultText = (thrown: unknown): string =>
  `Something went wrong inside solana-rpc: ${escapeText(thrown instanceof Error ? thrown.message : String(thrown))}\n`;
