// Decodes the accounts and transactions in a response, wherever a node puts them, each as a title with rows. Never
// throws; opens no file.
import { decodeAccount } from '../../solana/decode/decode';
import type { AccountBytes, DecodedField, Programs } from '../../solana/decode/decoded';
import { amountText, fieldRows, visibleText, valueText, type DecodedRow } from '../../solana/decode/decodedText';
import { guessLayout } from '../../solana/decode/guess';
import { integerOf, isJsonArray, isJsonObject, member, type JsonObject, type JsonValue } from '../../solana/json/json';
import { transactionFromJson } from '../../solana/decode/transactions/decode';
import { fieldsFromJson } from '../../solana/decode/transactions/json';
import { transactionRows } from '../../solana/decode/transactions/rows';
import { DATA_ENCODINGS } from '../streams/content';

/** One account or transaction. */
export interface DecodedItem {
  /** Its index in the list; 0 if there is no list. */
  readonly index: number;
  /** Its address or signature; empty if unknown. */
  readonly title: string;
  /** Its kind, for people. */
  readonly what: string;
  /** False if the layout is unknown and the rows are guesses. */
  readonly isDecoded: boolean;
  readonly rows: readonly DecodedRow[];
}

/** A JSON path to a list of accounts or transactions; `single`: the value there is the only one. */
export interface DecodablePlace {
  readonly path: readonly (string | number)[];
  readonly kind: 'accounts' | 'transactions';
  readonly isSingle: boolean;
}

const PLACES: readonly (readonly string[])[] = [
  ['result', 'transactions'],
  ['result', 'value'],
  ['result'],
  ['params', 'result', 'value', 'block', 'transactions'],
  ['params', 'result', 'value'],
  ['params', 'result'],
];

/** Path of the accounts or transactions in a response; `undefined` if it contains none. */
export function decodablePlace(response: JsonValue): DecodablePlace | undefined {
  for (const path of PLACES) {
    const value = path.reduce<JsonValue | undefined>((inside, name) => member(inside, name), response);
    if (value === undefined) continue;
    const kind = kindOf(value);
    if (kind !== undefined) return { path, kind, isSingle: true };
    const first = isJsonArray(value) ? value.find((item) => item !== null) : undefined;
    const listed = first === undefined ? undefined : kindOf(first);
    if (listed !== undefined) return { path, kind: listed, isSingle: false };
  }
  return undefined;
}

function kindOf(value: JsonValue): DecodablePlace['kind'] | undefined {
  if (!isJsonObject(value)) return undefined;
  if (accountOf(value) !== undefined) return 'accounts';
  return member(value, 'transaction') !== undefined && Object.hasOwn(value, 'meta') ? 'transactions' : undefined;
}

/** The account itself, given with its address or alone. */
function accountOf(item: JsonValue): JsonObject | undefined {
  const inner = member(item, 'account') ?? item;
  const isAccount = isJsonObject(inner) && typeof member(inner, 'owner') === 'string' && Object.hasOwn(inner, 'data');
  return isAccount && Object.hasOwn(inner, 'lamports') ? inner : undefined;
}

/** A run of consecutive accounts or transactions of a response. */
export interface DecodableItems {
  readonly kind: DecodablePlace['kind'];
  /** `null` is an account that does not exist. */
  readonly items: readonly JsonValue[];
  /** Index of the first of them in the response's list; default 0. */
  readonly from?: number;
  /** The sent request, which has the addresses that the response lacks. */
  readonly request?: JsonValue | undefined;
}

export function decodeItems(
  { kind, items, from = 0, request }: DecodableItems,
  known: Programs,
): readonly DecodedItem[] {
  if (kind === 'transactions') return items.map((item, at) => transactionItem(item, from + at, known));
  const withMints = knowingMints(items, request, known);
  return items.map((item, at) => accountItem(item, from + at, request, withMints));
}

/** Decimals of mints in the response, for amounts in their token accounts. */
function knowingMints(items: readonly JsonValue[], request: JsonValue | undefined, known: Programs): Programs {
  const byMint = new Map<string, number>();
  for (const [at, item] of items.entries()) {
    const account = readAccount(item, at, request);
    if (account.kind !== 'bytes' || account.bytes.address === undefined) continue;
    const decoded = decodeAccount(account.bytes, known);
    const decimals =
      decoded?.kind === 'mint' ? decoded.fields.find(({ name }) => name === 'decimals')?.value : undefined;
    if (decimals?.kind === 'integer') byMint.set(account.bytes.address, Number(decimals.value));
  }
  return { idl: known.idl, decimals: (mint) => byMint.get(mint) ?? known.decimals?.(mint) };
}

/** The address given with the account, or at the same index in the request. */
function addressOf(item: JsonValue, index: number, request: JsonValue | undefined): string | undefined {
  const own = member(item, 'pubkey');
  if (typeof own === 'string') return own;
  const params = member(request, 'params');
  const first = isJsonArray(params) ? params[0] : undefined;
  const named = isJsonArray(first) ? first[index] : first;
  return typeof named === 'string' ? named : undefined;
}

type ReadAccount =
  | { readonly kind: 'bytes'; readonly bytes: AccountBytes; readonly isPart: boolean }
  /** The node's jsonParsed form. */
  | {
      readonly kind: 'parsed';
      readonly program: string;
      readonly type: string;
      readonly fields: readonly DecodedField[];
    }
  | { readonly kind: 'unread'; readonly reason: string };

function readAccount(item: JsonValue, index: number, request: JsonValue | undefined): ReadAccount {
  const account = accountOf(item);
  if (account === undefined) return { kind: 'unread', reason: item === null ? 'No account' : 'This is not an account' };
  const data = member(account, 'data');
  const parsed = member(data, 'parsed');
  if (parsed !== undefined) {
    return {
      kind: 'parsed',
      program: textOf(member(data, 'program')),
      type: textOf(member(parsed, 'type')),
      fields: fieldsFromJson(member(parsed, 'info') ?? parsed),
    };
  }
  const bytes = bytesOf(data);
  if (typeof bytes === 'string') return { kind: 'unread', reason: bytes };
  const space = integerOf(member(account, 'space'));
  const address = addressOf(item, index, request);
  return {
    kind: 'bytes',
    bytes: {
      ...(address === undefined ? {} : { address }),
      owner: textOf(member(account, 'owner')),
      lamports: integerOf(member(account, 'lamports')) ?? 0n,
      data: bytes,
      executable: member(account, 'executable') === true,
    },
    isPart: space !== undefined && space !== BigInt(bytes.length),
  };
}

const textOf = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');

/** The bytes, or why they are missing. */
function bytesOf(data: JsonValue | undefined): Uint8Array | string {
  const [text, encoding] = isJsonArray(data) ? data : [data, 'base58'];
  if (typeof text !== 'string' || typeof encoding !== 'string') return 'The data has no encoding that is known';
  const decode = Object.hasOwn(DATA_ENCODINGS, encoding) ? DATA_ENCODINGS[encoding] : undefined;
  if (decode === undefined) return `The data is in the encoding ${visibleText(encoding)}, which is not known`;
  return decode(text) ?? `The data is not ${encoding === 'base64+zstd' ? 'a zstd frame' : encoding}`;
}

function accountItem(item: JsonValue, index: number, request: JsonValue | undefined, known: Programs): DecodedItem {
  const title = visibleText(addressOf(item, index, request) ?? '');
  const account = readAccount(item, index, request);
  switch (account.kind) {
    case 'unread':
      return { index, title, what: account.reason, isDecoded: false, rows: [] };
    case 'parsed': {
      const what = visibleText(`${account.program} ${account.type}`);
      return { index, title, what, isDecoded: true, rows: fieldRows(account.fields) };
    }
    case 'bytes':
      return { index, title, ...decodedBytes(account.bytes, account.isPart, known) };
  }
}

function decodedBytes(
  account: AccountBytes,
  isPart: boolean,
  known: Programs,
): Pick<DecodedItem, 'what' | 'isDecoded' | 'rows'> {
  const { owner, lamports, data } = account;
  const head: readonly DecodedRow[] = [
    { depth: 0, name: 'ownerProgram', value: visibleText(valueText({ kind: 'pubkey', address: owner })) },
    { depth: 0, name: 'lamports', value: amountText(lamports, { kind: 'lamports' }) },
  ];
  // A slice of an account could match a layout by chance.
  const decoded = isPart ? undefined : decodeAccount(account, known);
  if (decoded !== undefined) {
    return { what: visibleText(decoded.title), isDecoded: true, rows: [...head, ...fieldRows(decoded.fields)] };
  }
  if (data.length === 0 && !isPart) return { what: 'Account without data', isDecoded: true, rows: head };
  const what = isPart ? 'Part of an account' : 'Account of a layout that is not known';
  return { what, isDecoded: false, rows: [...head, ...fieldRows(guessLayout(data, known.idl(owner)))] };
}

function transactionItem(item: JsonValue, index: number, known: Programs): DecodedItem {
  const transaction = transactionFromJson(item, known);
  if (!transaction.ok) return { index, title: '', what: visibleText(transaction.reason), isDecoded: false, rows: [] };
  const { signature, error, hasRun } = transaction.value;
  const what = error === undefined ? (hasRun ? 'Transaction' : 'Transaction that has not run') : 'Failed transaction';
  return {
    index,
    title: visibleText(signature ?? ''),
    what,
    isDecoded: true,
    rows: transactionRows(transaction.value),
  };
}
