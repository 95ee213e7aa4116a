// The rows of the tables of errors.

/** An error's name, meaning and next step. Sentences without capital and full stop, except `next`. */
export interface KnownError {
  /** As its program or the runtime spells it. */
  readonly name: string;
  /** The cause. */
  readonly text: string;
  /** The next step, with a capital. */
  readonly next: string;
}

/** Name, text, next step. */
export type ErrorRow = readonly [name: string, text: string, next: string];

export const knownError = (row: ErrorRow | undefined): KnownError | undefined =>
  row && { name: row[0], text: row[1], next: row[2] };

export const rowsByName = (rows: readonly ErrorRow[]): ReadonlyMap<string, ErrorRow> =>
  new Map(rows.map((row) => [row[0], row]));
