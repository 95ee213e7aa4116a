// The rows of `@foreach`: a CSV file with a line of names, or a JSON array. Values keep their digits. Reads text that it
// is given; opens no file.
import { readVariableText } from './value';
import { isJsonArray, JsonSyntaxError, parseJson, type JsonValue } from '../../../solana/json/json';

/** More rows are refused: each is a request. */
export const MAX_FOREACH_ROWS = 10_000;
const MAX_COLUMNS = 1_000;

/** One row, and its place from 0. */
export interface Row {
  readonly value: JsonValue;
  readonly index: number;
}

export type RowsReading =
  | { readonly ok: true; readonly rows: readonly Row[] }
  | { readonly ok: false; readonly reason: string };

const no = (reason: string): RowsReading => ({ ok: false, reason });
const TOO_MANY = `@foreach takes ${MAX_FOREACH_ROWS} rows at most.`;

/** Rows of a JSON array. An element that is not an object is itself the row's value. */
export function rowsOfJson(text: string): RowsReading {
  let value: JsonValue;
  try {
    value = parseJson(text);
  } catch (error) {
    if (error instanceof JsonSyntaxError) return no('The rows are not JSON.');
    throw error;
  }
  if (!isJsonArray(value)) return no('The rows are a JSON array.');
  return value.length > MAX_FOREACH_ROWS
    ? no(TOO_MANY)
    : { ok: true, rows: value.map((row, index) => ({ value: row, index })) };
}

/** Rows of a file, by the end of its name: `.json`, else CSV. */
export function rowsOfFile(name: string, text: string): RowsReading {
  return /\.json$/i.test(name) ? rowsOfJson(text) : rowsOfCsv(text);
}

/** CSV (RFC 4180). Quoted values are text; others are parsed like a variable's value. */
function rowsOfCsv(text: string): RowsReading {
  const [names, ...lines] = new CsvReader(text.replace(/^\ufeff/, '')).lines();
  const columns = names?.map(({ text: name }) => name.trim()) ?? [];
  if (columns.length === 0 || columns.includes('')) return no('The first line of the file names each column.');
  if (columns.length > MAX_COLUMNS) return no(`A row has ${MAX_COLUMNS} columns at most.`);
  const twice = columns.find((name, index) => columns.indexOf(name) < index);
  if (twice !== undefined) return no(`Two columns are named "${twice}".`);
  if (lines.length > MAX_FOREACH_ROWS) return no(TOO_MANY);
  const wrong = lines.findIndex((line) => line.length !== columns.length);
  if (wrong >= 0)
    return no(
      `Row ${wrong + 1} has ${lines[wrong]?.length ?? 0} values and not ${columns.length}, as the first line says.`,
    );
  const rows = lines.map((line, index) => ({
    index,
    value: Object.fromEntries(
      line.map((cell, at) => [columns[at] ?? '', cell.isQuoted ? cell.text : readVariableText(cell.text)]),
    ),
  }));
  return { ok: true, rows };
}

interface Cell {
  readonly text: string;
  readonly isQuoted: boolean;
}

class CsvReader {
  #at = 0;
  readonly #separator = /[,\r\n]/g;

  constructor(private readonly text: string) {}

  /** Lines without blank ones; no more than are needed to see that there are too many. */
  lines(): readonly (readonly Cell[])[] {
    const lines: (readonly Cell[])[] = [];
    while (this.#at < this.text.length && lines.length <= MAX_FOREACH_ROWS + 1) {
      const line = this.#line();
      if (line.length > 1 || line[0]?.isQuoted === true || line[0]?.text.trim() !== '') lines.push(line);
    }
    return lines;
  }

  #line(): readonly Cell[] {
    const cells: Cell[] = [];
    for (;;) {
      cells.push(this.text[this.#at] === '"' ? this.#quoted() : this.#plain());
      const separator = this.text[this.#at++];
      if (separator === '\r' && this.text[this.#at] === '\n') this.#at++;
      if (separator !== ',') return cells;
    }
  }

  #plain(): Cell {
    const start = this.#at;
    this.#separator.lastIndex = start;
    this.#at = this.#separator.exec(this.text)?.index ?? this.text.length;
    return { text: this.text.slice(start, this.#at), isQuoted: false };
  }

  /** A quote inside is written twice. */
  #quoted(): Cell {
    const pieces: string[] = [];
    for (;;) {
      const start = this.#at + 1;
      const end = this.text.indexOf('"', start);
      this.#at = end < 0 ? this.text.length : end + 1;
      pieces.push(this.text.slice(start, end < 0 ? undefined : end));
      if (this.text[this.#at] !== '"') break;
    }
    // Blanks between the quote and the comma.
    while (this.text[this.#at] === ' ') this.#at++;
    return { text: pieces.join('"'), isQuoted: true };
  }
}
