// Replays over LSP: a transaction of the chain runs again on a private ledger that the server starts and ends. What came of
// it is asked for with explain, by the replay's id.
import { NotificationType } from 'vscode-jsonrpc';
import type { ServiceError } from '../core/service/errors';
import type { AccountField, ReplayStep } from '../core/solana/replay/case';
import { CheckedRequest } from './messages';

/** Reads the accounts that the transaction needs from the active endpoint, and runs it. */
export const replay = new CheckedRequest<ReplayParams, ReplayResult>('solanaRpc/replay', {
  signature: 'string',
  id: 'string?',
});
export interface ReplayParams extends ReplayRun {
  /** Base58. */
  readonly signature: string;
}

/** Runs a case that was kept as a folder; asks no endpoint. */
export const replayFolder = new CheckedRequest<ReplayFolderParams, ReplayResult>('solanaRpc/replayFolder', {
  folder: 'string',
  id: 'string?',
});
export interface ReplayFolderParams extends ReplayRun {
  /** Absolute path. */
  readonly folder: string;
}

interface ReplayRun {
  /** Id of a discarded replay to reuse; absent: a new id. */
  readonly id?: string;
}

/** Server to client while a replay is made ready. */
export const replayStep = new NotificationType<ReplayStep>('solanaRpc/replayStep');

export type ReplayResult =
  | { readonly kind: 'replayed'; readonly id: string }
  | { readonly kind: 'failed'; readonly error: ServiceError };

/** Changes a replay and runs it again; it keeps its id. */
export const replayAgain = new CheckedRequest<ReplayAgainParams, ReplayResult>('solanaRpc/replayAgain', {
  id: 'string',
  kind: 'string',
  file: 'string?',
  program: 'string?',
  unixTime: 'number?',
  address: 'string?',
  field: 'string?',
  value: 'string?',
});
export type ReplayAgainParams = { readonly id: string } & ReplayChange;
export interface ReplayChange {
  /** Replaces a program's code, an account, a field of an account, or the clock's time. */
  readonly kind: 'program' | 'account' | 'field' | 'clock';
  /** Absolute path: an `.so` file, or JSON as `solana account --output json` writes it. */
  readonly file?: string;
  /** Base58. */
  readonly program?: string;
  /** Seconds. */
  readonly unixTime?: number;
  /** Base58: of the account whose field it is. */
  readonly address?: string;
  readonly field?: AccountField;
  /** Lamports in digits, base58 of the owner, or base64. */
  readonly value?: string;
}

/** Keeps a replay as a folder, which `solana-rpc replay` runs again. */
export const saveReplay = new CheckedRequest<SaveReplayParams, SaveReplayResult>('solanaRpc/saveReplay', {
  id: 'string',
  folder: 'string',
});
export interface SaveReplayParams {
  readonly id: string;
  /** Absolute path, without a case so far. */
  readonly folder: string;
}
export type SaveReplayResult = { readonly kind: 'saved' } | { readonly kind: 'failed'; readonly error: ServiceError };

/** Shown with the view of a replayed transaction: whether it did the same as on the chain. */
export interface ReplayView {
  /** Compared and equal. */
  readonly same: readonly ReplayPoint[];
  readonly differences: readonly DifferenceView[];
  /** The replacements of this replay. */
  readonly overrides: readonly string[];
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
