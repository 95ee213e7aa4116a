// Transactions and accounts decoded for language models, as lines of text. Opens nothing; never throws.
import { decodablePlace, decodeItems } from '../../service/response/decodable';
import type { Programs } from '../../solana/decode/decoded';
import { rowLine, type DecodedRow } from '../../solana/decode/decodedText';
import { transactionFromWire } from '../../solana/decode/transactions/decode';
import { transactionRows } from '../../solana/decode/transactions/rows';
import { member, type JsonObject, type JsonValue } from '../../solana/json/json';
import type { WireTransaction } from '../../solana/wire/transactionText';
import { MAX_ANSWER } from './limits';

export interface DecodedAnswer {
  readonly what: string;
  readonly title?: string;
  readonly isDecoded: boolean;
  readonly lines: readonly string[];
  readonly moreLines?: number;
}

/** Lines share the bound of an answer with the rest of it. UTF-16 units. */
const MAX_LINES = MAX_ANSWER / 2;

export function decodedWire({ bytes }: WireTransaction, known: Programs): DecodedAnswer {
  const transaction = transactionFromWire(bytes, known);
  if (!transaction.ok) return { what: transaction.reason, isDecoded: false, lines: [] };
  const { signature } = transaction.value;
  return {
    what: 'Transaction that has not run',
    ...(signature !== undefined && { title: signature }),
    isDecoded: true,
    ...boundedLines(transactionRows(transaction.value)),
  };
}

/** The one account or transaction of a response; undefined where it holds none. */
export function decodedResponse(response: JsonValue, request: JsonValue, known: Programs): DecodedAnswer | undefined {
  const place = decodablePlace(response);
  if (place === undefined) return undefined;
  const value = place.path.reduce<JsonValue | undefined>((inside, name) => member(inside, String(name)), response);
  const [item] = value === undefined ? [] : decodeItems({ kind: place.kind, items: [value], request }, known);
  if (item === undefined) return undefined;
  const { what, title, isDecoded, rows } = item;
  return { what, ...(title !== '' && { title }), isDecoded, ...boundedLines(rows) };
}

/** Data of an account that nobody looked up: in base64, with the program that owns it. */
export interface GivenAccount {
  readonly owner: string;
  readonly data: string;
  readonly address?: string | undefined;
}

export function decodedData({ owner, data, address }: GivenAccount, known: Programs): DecodedAnswer {
  const account: JsonObject = { owner, data: [data, 'base64'], lamports: 0 };
  const request: JsonObject = { params: [address ?? null] };
  const [item] = decodeItems({ kind: 'accounts', items: [account], request }, known);
  if (item === undefined) return { what: 'No account', isDecoded: false, lines: [] };
  const { what, isDecoded, rows } = item;
  // Nobody said how many lamports it has.
  const certain = rows.filter(({ depth, name }) => depth > 0 || name !== 'lamports');
  return { what, ...(address !== undefined && { title: address }), isDecoded, ...boundedLines(certain) };
}

const boundedLines = (rows: readonly DecodedRow[]): Pick<DecodedAnswer, 'lines' | 'moreLines'> =>
  boundedTexts(rows.map(rowLine));

/** As many of these texts as fit. */
export function boundedTexts(all: readonly string[], most = MAX_LINES): Pick<DecodedAnswer, 'lines' | 'moreLines'> {
  let left = most;
  const end = all.findIndex((line) => (left -= line.length + 4) < 0);
  if (end < 0) return { lines: all };
  return { lines: all.slice(0, end), moreLines: all.length - end };
}
