// Reads the messages of a response's pages. Undefined if a message is invalid or asks for too much. Pure.
import type { ColumnPath } from '../../core/service/response/table';
import type { ResponsePlace } from '../../protocol/lsp';
import type { TableView } from '../../protocol/responses';
import {
  MAX_NEEDLE,
  MAX_WORDS,
  type BodyAsk,
  type BodyCommand,
  type CopyCommand,
  type ResponseHello,
  type RunPlace,
  type TableAsk,
} from '../../protocol/responsePanels';

/** Columns and steps of a path that a message may name. */
const MAX_COLUMNS = 200;
const MAX_STEPS = 16;
const MAX_NAME = 1_000;

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (value: unknown): Fields | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
const isText = (value: unknown, most: number): value is string => typeof value === 'string' && value.length <= most;
const isList = (value: unknown, most: number): value is readonly unknown[] =>
  Array.isArray(value) && value.length <= most;
const isColumn = (value: unknown): value is ColumnPath =>
  isList(value, MAX_STEPS) && value.every((step) => isText(step, MAX_NAME));
const isColumns = (value: unknown): value is readonly ColumnPath[] =>
  isList(value, MAX_COLUMNS) && value.every(isColumn);
const isPath = (value: unknown): value is readonly (string | number)[] =>
  isList(value, MAX_STEPS) && value.every((step) => isCount(step) || isText(step, MAX_NAME));

export function readTableAsk(body: unknown): TableAsk | undefined {
  const fields = fieldsOf(body);
  if (fields === undefined) return undefined;
  const { kind, path, from, count, columns, index } = fields;
  const decode = fields.decode === true;
  if (kind === 'open' && path === undefined) return { kind, decode };
  if (!isPath(path)) return undefined;
  if (kind === 'open') return { kind, path, decode };
  if (kind === 'item') return isCount(index) ? { kind, path, index } : undefined;
  const view = readView(fields.view);
  if (view === undefined || !isColumns(columns)) return undefined;
  if (kind === 'csv') return { kind, path, view, columns, decode };
  return kind === 'rows' && isCount(from) && isCount(count)
    ? { kind, path, view, columns, from, count, decode }
    : undefined;
}

function readView(value: unknown): TableView | undefined {
  const fields = fieldsOf(value);
  if (fields === undefined) return undefined;
  const sort = fieldsOf(fields.sort);
  const filter = fieldsOf(fields.filter);
  if (sort !== undefined && !(isColumn(sort.column) && typeof sort.isDescending === 'boolean')) return undefined;
  if (filter !== undefined && !isText(filter.text, MAX_NEEDLE)) return undefined;
  if (filter?.column !== undefined && !isColumn(filter.column)) return undefined;
  return {
    ...(sort !== undefined && {
      sort: { column: sort.column as ColumnPath, isDescending: sort.isDescending as boolean },
    }),
    ...(filter !== undefined && {
      filter: {
        text: filter.text as string,
        ...(filter.column !== undefined && { column: filter.column }),
      },
    }),
  };
}

export function readBodyAsk(body: unknown): BodyAsk | undefined {
  const { kind, from, count, text, limit, path, index } = fieldsOf(body) ?? {};
  if (kind === 'item') return isPath(path) && isCount(index) ? { kind, path, index } : undefined;
  if (!isCount(from)) return undefined;
  if (kind === 'page') return isCount(count) ? { kind, from, count } : undefined;
  return kind === 'search' && isText(text, MAX_NEEDLE) && isCount(limit) ? { kind, text, from, limit } : undefined;
}

export function readCopy(body: unknown): CopyCommand | undefined {
  const { kind, text } = fieldsOf(body) ?? {};
  return kind === 'copy' && isText(text, MAX_WORDS) ? { kind, text } : undefined;
}

export function readBodyCommand(body: unknown): BodyCommand | undefined {
  const { kind } = fieldsOf(body) ?? {};
  switch (kind) {
    case 'cancel':
    case 'openInFull':
    case 'openTable':
    case 'save':
      return { kind };
    default:
      return readCopy(body);
  }
}

/** The state that a page kept before the window was reloaded; undefined if it is invalid. */
export function readKept(state: unknown): ResponseHello | undefined {
  const { place, title, run } = fieldsOf(state) ?? {};
  const read = readPlace(place);
  if (read === undefined || !isText(title, MAX_NAME)) return undefined;
  const from = readRun(run);
  return { place: read, title, ...(from !== undefined && { run: from }) };
}

function readPlace(value: unknown): ResponsePlace | undefined {
  const { request, run } = fieldsOf(value) ?? {};
  return isText(request, 64) && /^[0-9a-f]+$/.test(request) && isCount(run) ? { request, run } : undefined;
}

function readRun(value: unknown): RunPlace | undefined {
  const { uri, line } = fieldsOf(value) ?? {};
  return isText(uri, MAX_WORDS) && isCount(line) ? { uri, line } : undefined;
}
