// The messages of a run report's page: what all requests of a file came to, row by row, and what the user wants of a row.
import type { ResponsePlace } from './lsp';

/** One request of the run. Texts are for people. */
export interface RunRow {
  /** The file and the zero-based line that it begins on. */
  readonly uri: string;
  readonly line: number;
  readonly title: string;
  /** `running`: it goes on, what is known is shown. */
  readonly status: 'running' | 'passed' | 'failed' | 'skipped';
  readonly statusText: string;
  readonly method: string;
  readonly time: string;
  readonly size: string;
  /** What its assertions found, how far its transaction is, why it failed or was left out. */
  readonly notes: readonly string[];
  /** Absent where nothing came. */
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

/** What the page wants: `row` counts from 0. */
export type RunCommand = { readonly kind: 'response' | 'request'; readonly row: number } | { readonly kind: 'again' };
