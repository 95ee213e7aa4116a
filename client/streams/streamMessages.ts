// Reads a message from the page of a stream before it is trusted: of the right form and a bounded size, or undefined. Pure.
import { isPublicKey } from '../../core/solana/chain/keys';
import {
  MAX_COPIED,
  MAX_FILTER,
  MAX_ROWS,
  type StreamAsk,
  type StreamKept,
  type StreamCommand,
} from '../../protocol/streamPanel';
import type { StreamColumn, StreamInfo, StreamSource } from '../../protocol/streams';

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (value: unknown): Fields | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;

const isIndex = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

const isText = (value: unknown, most: number): value is string => typeof value === 'string' && value.length <= most;

export function readAsk(body: unknown): StreamAsk | undefined {
  const fields = fieldsOf(body);
  switch (fields?.['kind']) {
    case 'rows': {
      const { from, count, filter } = fields;
      if (!isIndex(from) || !isIndex(count) || count > MAX_ROWS || !isText(filter, MAX_FILTER)) return undefined;
      return { kind: 'rows', from, count, filter };
    }
    case 'row': {
      const { number } = fields;
      return isIndex(number) ? { kind: 'row', number } : undefined;
    }
    case 'export': {
      const { format, what, filter } = fields;
      if (format !== 'ndjson' && format !== 'csv') return undefined;
      if (what !== 'kept' && what !== 'fromNow') return undefined;
      return isText(filter, MAX_FILTER) ? { kind: 'export', format, what, filter } : undefined;
    }
    default:
      return undefined;
  }
}

export function readCommand(body: unknown): StreamCommand | undefined {
  const fields = fieldsOf(body);
  switch (fields?.['kind']) {
    case 'stop':
      return { kind: 'stop' };
    case 'reopen':
      return { kind: 'reopen' };
    case 'stopExport':
      return { kind: 'stopExport' };
    case 'mend':
      return { kind: 'mend' };
    case 'copy':
      return isText(fields['text'], MAX_COPIED) ? { kind: 'copy', text: fields['text'] } : undefined;
    case 'watch': {
      const { address } = fields;
      return typeof address === 'string' && isPublicKey(address) ? { kind: 'watch', address } : undefined;
    }
    case 'explain':
      return isIndex(fields['number']) ? { kind: 'explain', number: fields['number'] } : undefined;
    case 'fetchIdl': {
      const { program } = fields;
      return typeof program === 'string' && isPublicKey(program) ? { kind: 'fetchIdl', program } : undefined;
    }
    default:
      return undefined;
  }
}

/** The part of a previous window's kept state that the extension itself needs; the rest is for the page. */
export function readKept(state: unknown): Pick<StreamKept, 'info'> | undefined {
  const info = readInfo(fieldsOf(state)?.['info']);
  return info === undefined ? undefined : { info };
}

/** Words of a title, a method, a name. */
const MAX_WORDS = 1_000;
const MAX_URI = 4_000;
const MAX_COLUMNS = 50;

function readInfo(value: unknown): StreamInfo | undefined {
  const fields = fieldsOf(value);
  if (fields === undefined) return undefined;
  const { id, title, method, endpoint, transport } = fields;
  const source = readSource(fields['source']);
  if (source === undefined || (transport !== 'WS' && transport !== 'GRPC')) return undefined;
  if (!isText(id, MAX_WORDS) || !isText(title, MAX_WORDS)) return undefined;
  if (!isText(method, MAX_WORDS) || !isText(endpoint, MAX_WORDS)) return undefined;
  const given: unknown = fields['columns'];
  if (!Array.isArray(given) || given.length > MAX_COLUMNS) return undefined;
  const columns = given.map(readColumn);
  if (!columns.every((column) => column !== undefined)) return undefined;
  return { id, source, title, method, transport, endpoint, columns };
}

function readSource(value: unknown): StreamSource | undefined {
  const fields = fieldsOf(value);
  switch (fields?.['kind']) {
    case 'block': {
      const { uri, version, line, endpoint } = fields;
      if (!isText(uri, MAX_URI) || !isIndex(version) || !isIndex(line)) return undefined;
      if (endpoint === undefined) return { kind: 'block', uri, version, line };
      return isText(endpoint, MAX_WORDS) ? { kind: 'block', uri, version, line, endpoint } : undefined;
    }
    case 'account': {
      const { address, endpoint } = fields;
      if (typeof address !== 'string' || !isPublicKey(address)) return undefined;
      if (endpoint === undefined) return { kind: 'account', address };
      return isText(endpoint, MAX_WORDS) ? { kind: 'account', address, endpoint } : undefined;
    }
    default:
      return undefined;
  }
}

function readColumn(value: unknown): StreamColumn | undefined {
  const { field, title, align } = fieldsOf(value) ?? {};
  if (!isText(field, MAX_WORDS) || !isText(title, MAX_WORDS)) return undefined;
  return align === 'start' || align === 'end' ? { field, title, align } : undefined;
}
