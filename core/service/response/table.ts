// Items of a response's list as rows of a table: its columns, the text of a cell, and the order of two cells. Keeps exact
// digits; reads no files.
import {
  integerOf,
  isJsonArray,
  isJsonObject,
  JsonNumber,
  member,
  printJson,
  type JsonValue,
} from '../../solana/json/json';
import { integerText } from '../../solana/json/numbers';

/** Path from an item to the cell; empty if the item itself is the cell. */
export type ColumnPath = readonly string[];

export interface Column {
  readonly path: ColumnPath;
  /** Every sampled cell is a number or empty. */
  readonly isNumber: boolean;
  /** Length of the longest sampled text, including the name, in UTF-16 units. */
  readonly width: number;
}

/** Kind of a cell's value; `missing`: the item has no such member. */
export type CellKind = 'text' | 'number' | 'boolean' | 'null' | 'json' | 'missing';

export interface Cell {
  readonly kind: CellKind;
  readonly text: string;
  /** The text is cut. */
  readonly isCut?: true;
}

/** Members become columns down to this depth; deeper objects are one cell. */
const MAX_DEPTH = 5;
/** Most columns of a table. */
const MAX_COLUMNS = 200;
/** Longest shown text of a cell, in UTF-16 units. */
const MAX_TEXT = 300;

export const columnName = (path: ColumnPath): string => path.join('.') || 'value';

/**
 * The columns of these items in order of appearance: the item's own members before nested ones, and lists last, since
 * they are the widest and least informative.
 */
export function columnsOf(items: readonly JsonValue[]): readonly Column[] {
  const columns = new Map<string, { path: ColumnPath; isNumber: boolean; isList: boolean; width: number }>();
  for (const item of items)
    eachCell(item, [], (path, value) => {
      const id = JSON.stringify(path);
      const known = columns.get(id);
      if (known === undefined && columns.size >= MAX_COLUMNS) return;
      const column = known ?? { path, isNumber: true, isList: false, width: columnName(path).length };
      column.isList ||= isJsonArray(value);
      column.isNumber &&= value === null || typeof value === 'number' || value instanceof JsonNumber;
      column.width = Math.max(column.width, cellOf(value).text.length);
      columns.set(id, column);
    });
  const rank = ({ path, isList }: { path: ColumnPath; isList: boolean }): number => path.length + (isList ? 100 : 0);
  return [...columns.values()]
    .sort((left, right) => rank(left) - rank(right))
    .map(({ path, isNumber, width }) => ({ path, isNumber, width }));
}

function eachCell(value: JsonValue, path: ColumnPath, see: (path: ColumnPath, value: JsonValue) => void): void {
  const members = isJsonObject(value) && path.length < MAX_DEPTH ? Object.entries(value) : [];
  if (members.length === 0) see(path, value);
  for (const [name, inner] of members) eachCell(inner, [...path, name], see);
}

/** The content of a row's cell. */
export function cellAt(item: JsonValue, path: ColumnPath): JsonValue | undefined {
  let value: JsonValue | undefined = item;
  for (const name of path) value = member(value, name);
  return value;
}

/** The whole text of a cell: strings as they are, numbers with their digits, anything else as JSON. */
export function wholeCellText(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : printJson(value);
}

/** The displayed form of a cell. */
export function cellOf(value: JsonValue | undefined): Cell {
  const text = wholeCellText(value);
  const kind = kindOf(value);
  return text.length > MAX_TEXT ? { kind, text: text.slice(0, MAX_TEXT), isCut: true } : { kind, text };
}

function kindOf(value: JsonValue | undefined): CellKind {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (typeof value === 'number' || value instanceof JsonNumber) return 'number';
  if (typeof value === 'string') return 'text';
  return typeof value === 'boolean' ? 'boolean' : 'json';
}

/** Sort key of a cell: numbers by value, integers as text too, then other texts; empty cells last. */
export type SortKey = bigint | number | string | undefined;

export function sortKeyOf(value: JsonValue | undefined): SortKey {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'number') return value;
  if (value instanceof JsonNumber) return integerOf(value) ?? value.toNumber();
  const integer = integerText(value);
  return integer === undefined ? wholeCellText(value).slice(0, MAX_TEXT) : BigInt(integer);
}

/** Negative if `left` sorts first. Empty cells sort last in either direction. */
export function compareKeys(left: SortKey, right: SortKey, isDescending: boolean): number {
  if (left === undefined || right === undefined) return Number(left === undefined) - Number(right === undefined);
  const order = rankOf(left) - rankOf(right) || (left < right ? -1 : left > right ? 1 : 0);
  return isDescending ? -order : order;
}

const rankOf = (key: SortKey): number => (typeof key === 'string' ? 1 : 0);

export interface TableFilter {
  /** Text that a cell must contain, case-insensitive. */
  readonly text: string;
  /** The cell to search; default: any cell of the row. */
  readonly column?: ColumnPath;
}

/** Whether a row passes the filter. */
export function matches(item: JsonValue, { text, column }: TableFilter): boolean {
  const wanted = text.toLowerCase();
  const holds = (value: JsonValue | undefined): boolean => wholeCellText(value).toLowerCase().includes(wanted);
  if (column !== undefined) return holds(cellAt(item, column));
  let found = false;
  eachCell(item, [], (_path, value) => (found ||= holds(value)));
  return found;
}
