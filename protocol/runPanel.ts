// The messages of a run report's page: the outcome of each request of a file, and the user's actions on a row.
import type { ResponsePlace } from './lsp';

/** One request of the run. Texts are for people. */
export interface RunRow {
  /** The file and the zero-based line that it begins on. */
  readonly uri: string;
  readonly line: number;
  readonly title: string;
  /** `running`: in progress, with the results so far. */
  readonly status: 'running' | 'passed' | 'failed' | 'skipped';
  readonly statusText: string;
  readonly method: string;
  readonly time: string;
  readonly size: string;
  /** Results of its assertions, progress of its transaction, or why it failed or was skipped. */
  readonly notes: readonly string[];
  /** Absent without a response. */
  readonly response?: ResponsePlace;
}

export interface RunView {
  readonly uri: string;
  /** The file's name. */
  readonly file: string;
  readonly endpoint: string;
  /** When it began, as a time of day. */
  readonly at: string;
  readonly isDone: boolean;
  readonly rows: readonly RunRow[];
}

/** An action of the page; `row` is zero-based. */
export type RunCommand =
  | { readonly kind: 'response' | 'request'; readonly row: number }
  | { readonly kind: 'again' }
  | { readonly kind: 'cancel' };
