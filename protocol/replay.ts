// Replays over LSP: a transaction of the chain runs again on a private ledger that the server starts and ends. What came of
// it is asked for with explain, by the replay's id.
import type { ServiceError } from '../core/errors';
import { CheckedRequest } from './messages';

/** Reads what the transaction needs at the active endpoint, and runs it. */
export const replay = new CheckedRequest<ReplayParams, ReplayResult>('solanaRpc/replay', { signature: 'string' });
export interface ReplayParams {
  /** Base58. */
  readonly signature: string;
}

export type ReplayResult =
  { readonly kind: 'replayed'; readonly id: string } | { readonly kind: 'failed'; readonly error: ServiceError };

/** Changes a replay and runs it again; it keeps its id. */
export const replayAgain = new CheckedRequest<ReplayAgainParams, ReplayResult>('solanaRpc/replayAgain', {
  id: 'string',
  kind: 'string',
  file: 'string?',
  program: 'string?',
  unixTime: 'number?',
});
export type ReplayAgainParams = { readonly id: string } & ReplayChange;
export interface ReplayChange {
  /** Other code for a program, an account in place of its own, another time of the clock. */
  readonly kind: 'program' | 'account' | 'clock';
  /** Absolute path: an `.so` file, or JSON as `solana account --output json` writes it. */
  readonly file?: string;
  /** Base58. */
  readonly program?: string;
  /** Seconds. */
  readonly unixTime?: number;
}

/** Keeps a replay as a folder, which `solana-rpc replay` runs again. */
export const saveReplay = new CheckedRequest<SaveReplayParams, SaveReplayResult>('solanaRpc/saveReplay', {
  id: 'string',
  folder: 'string',
});
export interface SaveReplayParams {
  readonly id: string;
  /** Absolute path; nothing of a case is there yet. */
  readonly folder: string;
}
export type SaveReplayResult = { readonly kind: 'saved' } | { readonly kind: 'failed'; readonly error: ServiceError };

/** Beside the view of a transaction that ran here: whether it did what it did on the chain. */
export interface ReplayView {
  /** What was compared and is the same. */
  readonly same: readonly ReplayPoint[];
  readonly differences: readonly DifferenceView[];
  /** Why it may differ: sentences. */
  readonly notes: readonly string[];
}

export type ReplayPoint = 'error' | 'computeUnits' | 'logs' | 'lamports' | 'tokens';

export interface DifferenceView {
  readonly about: ReplayPoint;
  /** The line of the logs, or the account. */
  readonly at?: string;
  readonly expected: string;
  readonly local: string;
}
