// Checks `{{row.column}}` against the rows of its `@foreach`, if these are in the file or can be read: reports a column
// that no row has. A column that only some rows have is left to the run.
import type { Block, ForEach, PathStep, Problem, Reference } from '../document/model';
import { printPath } from '../document/variables/path';
import { rowsOfJson, type Row, type RowsReading } from '../document/variables/rows';
import type { Dynamic, Scope } from '../document/variables/variables';
import { didYouMean } from '../methods/reporter';
import { nearestNames } from '../../solana/common/nearest';
import { perObject } from '../../solana/common/perObject';
import { lookUp } from '../document/variables/answer';
import { isJsonObject } from '../../solana/json/json';
import type { FilesPort } from './analysis';
import { problem } from './problem';

/** Every row has it in addition to its columns. */
const INDEX = '$index';

/** The rows of a file's `@foreach`, read once. */
export class RowReader {
  readonly #files = new Map<string, RowsReading | undefined>();
  readonly #rows = perObject(({ source: { kind, token } }: ForEach) =>
    kind === 'json' ? rowsOfJson(token.text) : this.#ofFile(token.text),
  );

  /** `from`: the URI of the file that names the rows. */
  constructor(
    private readonly files: FilesPort | undefined,
    private readonly from: string,
  ) {}

  /** Undefined where nobody knows. */
  rowsOf(foreach: ForEach): RowsReading | undefined {
    return this.#rows(foreach);
  }

  #ofFile(name: string): RowsReading | undefined {
    if (!this.#files.has(name)) this.#files.set(name, this.files?.rows(name, this.from));
    return this.#files.get(name);
  }
}

type RowValue = Extract<Dynamic, { readonly kind: 'row' }>;

/** References of a block to a value that none of its rows has: every row would fail. */
export function missingColumns(scope: Scope, block: Block, rows: readonly Row[]): Problem[] {
  return block.references.flatMap((reference) => {
    const meaning = scope.meaningOf(block, reference.content);
    const isOfRow = meaning.kind === 'dynamic' && meaning.dynamic.kind === 'row';
    return isOfRow ? (missingColumn(block, reference, meaning.dynamic, rows) ?? []) : [];
  });
}

/** The problem of a reference to a value that no row has. */
export function missingColumn(
  block: Block,
  { span, isOptional }: Reference,
  { name, path }: RowValue,
  rows: readonly Row[],
): Problem | undefined {
  if (isOptional === true || rows.length === 0 || path.length === 0) return undefined;
  if (path.length === 1 && path[0] === INDEX) return undefined;
  if (rows.some(({ value }) => lookUp(value, path) !== undefined)) return undefined;
  const depth = path.findIndex(
    (_, at) => !rows.some(({ value }) => lookUp(value, path.slice(0, at + 1)) !== undefined),
  );
  const step = path[depth];
  const names = typeof step === 'string' ? nearestNames(step, namesAt(rows, path.slice(0, depth)), 2) : [];
  const message = `No row of @foreach has "${printPath(path)}".${didYouMean(names)}`;
  const start = typeof step === 'string' ? stepStart(block.text, span.start, [name, ...path.slice(0, depth + 1)]) : -1;
  const isFound = start >= 0 && start + String(step).length <= span.end && names.length > 0;
  return problem(
    'unresolved-variable',
    message,
    span,
    isFound ? { kind: 'rename', span: { start, end: start + String(step).length }, names } : undefined,
  );
}

/** The names of the members that rows have at a path. */
function namesAt(rows: readonly Row[], path: readonly PathStep[]): readonly string[] {
  const names = new Set<string>(path.length === 0 ? [INDEX] : []);
  for (const row of rows) {
    const value = lookUp(row.value, path);
    if (isJsonObject(value)) for (const name of Object.keys(value)) names.add(name);
  }
  return [...names];
}

/** Where the last of some steps is written, each behind the one before it; below zero where one is not as it is read. */
function stepStart(text: string, from: number, steps: readonly PathStep[]): number {
  let start = from;
  let end = from;
  for (const step of steps) {
    start = text.indexOf(String(step), end);
    if (start < 0) return start;
    end = start + String(step).length;
  }
  return start;
}
