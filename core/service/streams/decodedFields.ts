// The fields of a message that require decoding: an account's kind and data, a transaction's outcome and calls. Computed
// for rows that are shown, filtered or exported, never on arrival.
import { findPath } from '../../../proto/fields';
import { decodeAccount } from '../../solana/decode/decode';
import type { Programs } from '../../solana/decode/decoded';
import { visibleText, valueText } from '../../solana/decode/decodedText';
import {
  callsOfInfo,
  callsOfLogs,
  outcomeOfError,
  outcomeOfInfo,
  outcomeOfJson,
  programsOfInfo,
  programsOfLogs,
  SUCCEEDED,
  unitsOfLogs,
} from '../../solana/decode/transactions/summary';
import {
  accountIn,
  errorIn,
  infoIn,
  isBeforeRun,
  isGossip,
  isYellowstone,
  logsIn,
  type ContentSource,
} from './content';
import { showsText, type FieldType, type FieldValue, type Shape } from './shape';
import { columnOf } from './yellowstoneKinds';

/** The context in which a message is decoded. */
interface DecodeContext {
  readonly source: ContentSource;
  readonly known: Programs;
}

/** Reads a field of the message between `start` and `end`. */
type Reader = (context: DecodeContext, bytes: Uint8Array, start: number, end: number) => FieldValue | undefined;
type DecodedFields = Readonly<Record<string, readonly [type: FieldType, read: Reader]>>;

/** Most account fields shown in a row. */
const MAX_FIELDS = 12;

const ACCOUNT: DecodedFields = {
  type: ['text', (...message) => decoded(...message)?.title],
  data: [
    'text',
    (...message) =>
      decoded(...message)
        ?.fields.slice(0, MAX_FIELDS)
        .map(({ name, value }) => `${visibleText(name)}: ${valueText(value)}`)
        .join(', '),
  ],
};

function decoded({ source, known }: DecodeContext, bytes: Uint8Array, start: number, end: number) {
  const account = accountIn(source, bytes, start, end);
  return account === undefined ? undefined : decodeAccount(account, known);
}

/** SubscribeUpdateTransactionStatus, and the error in it. */
const STATUS = [10];
const STATUS_ERROR = [10, 5, 1];

const CALLS: DecodedFields = {
  instructions: [
    'text',
    ({ source, known }, ...place) => {
      const info = infoIn(source.method, ...place);
      return info === undefined ? undefined : callsOfInfo(info, known);
    },
  ],
  programs: [
    'text',
    ({ source }, ...place) => {
      const info = infoIn(source.method, ...place);
      return info === undefined ? undefined : programsOfInfo(info).join(', ');
    },
  ],
};

const OUTCOME: Reader = ({ source, known }, bytes, start, end) => {
  const info = infoIn(source.method, bytes, start, end);
  if (info !== undefined) return outcomeOfInfo(info, known);
  const error = findPath(bytes, start, end, STATUS_ERROR);
  if (error !== undefined) return outcomeOfError(bytes.subarray(error.start, error.end), known);
  return findPath(bytes, start, end, STATUS) === undefined ? undefined : SUCCEEDED;
};

const UPDATES: DecodedFields = { ...ACCOUNT, outcome: ['text', OUTCOME], ...CALLS };

const LOGS: DecodedFields = {
  outcome: ['text', ({ known }, ...place) => outcomeOfJson(errorIn(...place), logsIn(...place), known)],
  instructions: ['text', ({ known }, ...place) => callsOfLogs(logsIn(...place), known)],
  programs: ['text', ({ known }, ...place) => programsOfLogs(logsIn(...place), known).join(', ')],
  units: ['number', ({ known }, ...place) => numberOf(unitsOfLogs(logsIn(...place), known))],
};

const numberOf = (value: bigint | undefined): FieldValue | undefined =>
  value !== undefined && value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value;

const NOTIFICATIONS: Readonly<Record<string, DecodedFields>> = {
  accountSubscribe: ACCOUNT,
  programSubscribe: ACCOUNT,
  logsSubscribe: LOGS,
  signatureSubscribe: {
    outcome: ['text', ({ known }, ...place) => outcomeOfJson(errorIn(...place), [], known)],
  },
};

/** The decoded fields of a kind of Yellowstone update. */
export const DECODED_FIELDS_BY_KIND: Readonly<Record<string, readonly string[]>> = {
  account: Object.keys(ACCOUNT),
  transaction: ['outcome', ...Object.keys(CALLS)],
  transactionStatus: ['outcome'],
};

const decodedFieldsOf = (method: string): DecodedFields =>
  isGossip(method) ? {} : isBeforeRun(method) ? CALLS : isYellowstone(method) ? UPDATES : (NOTIFICATIONS[method] ?? {});

/** A shape with decoded fields. `programs` is called for each, since IDLs are added and removed. */
export function withDecodedFields(source: ContentSource, programs: () => Programs): Shape {
  const { shape, method } = source;
  const decodedFields = decodedFieldsOf(method);
  const types = new Map(Object.entries(decodedFields).map(([name, [type]]) => [name, type]));
  const columns = shape.columns.map((column) =>
    types.has(column.field) ? columnOf(column.field, types.get(column.field)) : column,
  );
  const shown = columns.filter(({ field }) => types.has(field)).map(({ field }) => field);
  const value: Shape['value'] = (field, bytes, start, end) => {
    const own = Object.hasOwn(decodedFields, field) ? decodedFields[field] : undefined;
    if (own === undefined) return shape.value(field, bytes, start, end);
    return own[1]({ source, known: programs() }, bytes, start, end);
  };
  return {
    ...shape,
    columns,
    fields: new Map([...shape.fields, ...types]),
    value,
    finds: (text) => {
      const finds = shape.finds(text);
      const shows = showsText(text, value, shown);
      return (bytes, start, end) => finds(bytes, start, end) || shows(bytes, start, end);
    },
  };
}
