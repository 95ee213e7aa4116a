// The parts of a transaction from a node's JSON: every encoding of getTransaction, getBlock and notifications.
import { decodeBase58 } from '../../encoding/base58';
import { decodeBase64 } from '../../encoding/base64';
import { integerOf, isJsonArray, isJsonObject, member, type JsonValue } from '../../json/json';
import { known } from '../../common/known';
import { decodeTransaction } from '../../wire/transaction';
import type { WireResult, TransactionConfig } from '../../wire/transactionTypes';
import { errorFromJson } from './failure';
import { partsFromWire } from './fromWire';
import {
  MAX_LOG_LINES,
  MAX_PARTS,
  partAccounts,
  type LoadedAddresses,
  type PartAccount,
  type PartInstruction,
  type PartMeta,
  type TokenHolding,
  type TransactionParts,
} from './parts';

const malformed = (reason: string): WireResult<TransactionParts> => ({ ok: false, reason });

/** `{transaction, meta, version?, slot?, blockTime?}`, where `transaction` is JSON or an encoded text. */
export function partsFromJson(value: JsonValue): WireResult<TransactionParts> {
  if (!isJsonObject(value)) return malformed('this is not a transaction');
  const loaded = loadedOf(member(value, 'meta'));
  const transaction = member(value, 'transaction');
  const encoded = encodedText(transaction);
  const parts =
    encoded === undefined ? readable(transaction, member(value, 'version'), loaded) : fromText(encoded, loaded);
  if (!parts.ok) return parts;
  const more = known({
    slot: integerOf(member(value, 'slot')),
    blockTime: integerOf(member(value, 'blockTime')),
    meta: metaOf(member(value, 'meta'), parts.value.accounts),
  });
  return { ok: true, value: { ...parts.value, ...more } };
}

interface Encoded {
  readonly text: string;
  readonly encoding: string;
}

/** `[text, encoding]`, or a bare text, which is base58. */
function encodedText(value: JsonValue | undefined): Encoded | undefined {
  if (typeof value === 'string') return { text: value, encoding: 'base58' };
  if (!isJsonArray(value)) return undefined;
  const [text, encoding] = value;
  return typeof text === 'string' && typeof encoding === 'string' ? { text, encoding } : undefined;
}

/** Longer texts hold no transaction; base58 of many characters is slow to read. */
const MAX_TEXT = 16_384;

function fromText({ text, encoding }: Encoded, loaded: LoadedAddresses): WireResult<TransactionParts> {
  if (text.length > MAX_TEXT) return malformed('the text is too long for a transaction');
  const bytes = encoding === 'base64' ? decodeBase64(text) : encoding === 'base58' ? decodeBase58(text) : undefined;
  if (bytes === undefined) return malformed(`the text is not ${encoding === 'base64' ? 'base64' : 'base58'}`);
  const transaction = decodeTransaction(bytes);
  return transaction.ok ? { ok: true, value: partsFromWire(transaction.value, loaded) } : transaction;
}

const texts = (value: JsonValue | undefined): readonly string[] =>
  isJsonArray(value) ? value.slice(0, MAX_PARTS).filter((item) => typeof item === 'string') : [];
const list = (value: JsonValue | undefined): readonly JsonValue[] =>
  isJsonArray(value) ? value.slice(0, MAX_PARTS) : [];
const textOf = (value: JsonValue | undefined): string | undefined => (typeof value === 'string' ? value : undefined);
const numberOf = (value: JsonValue | undefined): number | undefined => {
  const integer = integerOf(value);
  return integer === undefined || integer < 0n || integer > 0xffff_ffffn ? undefined : Number(integer);
};

function readable(
  transaction: JsonValue | undefined,
  version: JsonValue | undefined,
  loaded: LoadedAddresses,
): WireResult<TransactionParts> {
  // `transactionDetails: "accounts"` gives the keys without a message.
  const message = member(transaction, 'message') ?? transaction;
  const keys = list(member(message, 'accountKeys'));
  if (keys.length === 0) return malformed('the transaction names no accounts');
  const isParsed = isJsonObject(keys[0]);
  const accounts = isParsed ? keys.map(parsedAccount) : rawAccounts(keys, message, loaded);
  const blockhash = textOf(member(message, 'recentBlockhash'));
  return {
    ok: true,
    value: {
      version: versionOf(version, message),
      ...configOf(member(message, 'transactionConfig')),
      signatures: texts(member(transaction, 'signatures')),
      ...(blockhash === undefined ? {} : { blockhash }),
      accounts,
      instructions: list(member(message, 'instructions')).map((instruction) => instructionOf(instruction, accounts)),
    },
  };
}

function versionOf(version: JsonValue | undefined, message: JsonValue | undefined): TransactionParts['version'] {
  if (typeof version === 'number') return version;
  if (version === 'legacy') return 'legacy';
  if (isJsonObject(member(message, 'transactionConfig'))) return 1;
  return list(member(message, 'addressTableLookups')).length > 0 ? 0 : 'legacy';
}

/** All four keys are there in version 1; null is a value that is not set. */
function configOf(value: JsonValue | undefined): { readonly config?: TransactionConfig } {
  if (!isJsonObject(value)) return {};
  const integer = (name: keyof TransactionConfig): number | undefined => numberOf(member(value, name));
  return {
    config: known({
      priorityFee: integerOf(member(value, 'priorityFee')),
      computeUnitLimit: integer('computeUnitLimit'),
      loadedAccountsDataSizeLimit: integer('loadedAccountsDataSizeLimit'),
      heapSize: integer('heapSize'),
    }),
  };
}

function parsedAccount(value: JsonValue): PartAccount {
  return {
    address: textOf(member(value, 'pubkey')),
    isSigner: member(value, 'signer') === true,
    isWritable: member(value, 'writable') === true,
  };
}

function rawAccounts(
  keys: readonly JsonValue[],
  message: JsonValue | undefined,
  loaded: LoadedAddresses,
): readonly PartAccount[] {
  const header = member(message, 'header');
  const count = (key: string): number => numberOf(member(header, key)) ?? 0;
  const lookups = list(member(message, 'addressTableLookups'));
  const tablesOf = (key: string): readonly (string | undefined)[] =>
    lookups.flatMap((lookup) => list(member(lookup, key)).map(() => textOf(member(lookup, 'accountKey'))));
  return partAccounts(
    {
      keys: keys.map(textOf),
      signers: count('numRequiredSignatures'),
      readonlySigned: count('numReadonlySignedAccounts'),
      readonlyUnsigned: count('numReadonlyUnsignedAccounts'),
      tables: { writable: tablesOf('writableIndexes'), readonly: tablesOf('readonlyIndexes') },
    },
    loaded,
  );
}

function instructionOf(value: JsonValue, accounts: readonly PartAccount[]): PartInstruction {
  const height = numberOf(member(value, 'stackHeight'));
  const heights = height === undefined ? {} : { height };
  const program = textOf(member(value, 'programId'));
  const parsed = member(value, 'parsed');
  if (program !== undefined && parsed !== undefined) {
    const name = textOf(member(parsed, 'type'));
    const info = isJsonObject(parsed) ? member(parsed, 'info') : parsed;
    return { kind: 'parsed', program, ...(name === undefined ? {} : { name }), info, ...heights };
  }
  const data = textOf(member(value, 'data')) ?? '';
  const bytes = data.length > MAX_TEXT ? undefined : decodeBase58(data);
  // In jsonParsed an instruction nobody knew has addresses where others have indexes.
  const placeOf = (address: JsonValue | undefined): number =>
    accounts.findIndex((account) => account.address === address);
  return {
    kind: 'raw',
    program: program === undefined ? (numberOf(member(value, 'programIdIndex')) ?? -1) : placeOf(program),
    accounts: list(member(value, 'accounts')).map((account) =>
      typeof account === 'string' ? placeOf(account) : (numberOf(account) ?? -1),
    ),
    data: bytes ?? new Uint8Array(0),
    ...heights,
  };
}

function loadedOf(meta: JsonValue | undefined): LoadedAddresses {
  const loaded = member(meta, 'loadedAddresses');
  return { writable: texts(member(loaded, 'writable')), readonly: texts(member(loaded, 'readonly')) };
}

function metaOf(meta: JsonValue | undefined, accounts: readonly PartAccount[]): PartMeta | undefined {
  if (!isJsonObject(meta)) return undefined;
  return {
    before: list(member(meta, 'preBalances')).map((lamports) => integerOf(lamports)),
    after: list(member(meta, 'postBalances')).map((lamports) => integerOf(lamports)),
    ...logOf(member(meta, 'logMessages')),
    ...known({
      error: errorFromJson(member(meta, 'err')),
      fee: integerOf(member(meta, 'fee')),
      tokensBefore: holdingsOf(member(meta, 'preTokenBalances')),
      tokensAfter: holdingsOf(member(meta, 'postTokenBalances')),
      inner: innerOf(member(meta, 'innerInstructions'), accounts),
      computeUnits: integerOf(member(meta, 'computeUnitsConsumed')),
      returnData: returnOf(member(meta, 'returnData')),
    }),
  };
}

function logOf(value: JsonValue | undefined): Pick<PartMeta, 'logs' | 'unreadLines'> {
  const lines = isJsonArray(value) ? value.filter((line) => typeof line === 'string') : [];
  const unread = lines.length - MAX_LOG_LINES;
  return unread > 0 ? { logs: lines.slice(0, MAX_LOG_LINES), unreadLines: unread } : { logs: lines };
}

function innerOf(groups: JsonValue | undefined, accounts: readonly PartAccount[]): PartMeta['inner'] {
  if (!isJsonArray(groups)) return undefined;
  return list(groups).map((group) => ({
    index: numberOf(member(group, 'index')) ?? -1,
    instructions: list(member(group, 'instructions')).map((instruction) => instructionOf(instruction, accounts)),
  }));
}

/** Undefined where one cannot be read: the others are not all. */
function holdingsOf(values: JsonValue | undefined): readonly TokenHolding[] | undefined {
  if (!isJsonArray(values)) return undefined;
  const holdings = list(values).map(holdingOf);
  const read = holdings.filter((holding) => holding !== undefined);
  return read.length === values.length ? read : undefined;
}

function holdingOf(value: JsonValue): TokenHolding | undefined {
  const account = numberOf(member(value, 'accountIndex'));
  const mint = textOf(member(value, 'mint'));
  const owner = textOf(member(value, 'owner'));
  const amount = member(value, 'uiTokenAmount');
  const raw = textOf(member(amount, 'amount'));
  const decimals = numberOf(member(amount, 'decimals'));
  if (account === undefined || mint === undefined || decimals === undefined) return undefined;
  if (raw === undefined || !/^\d{1,20}$/.test(raw)) return undefined;
  return known({ account, mint, owner, amount: BigInt(raw), decimals: Math.min(decimals, 255) });
}

function returnOf(value: JsonValue | undefined): PartMeta['returnData'] {
  const program = textOf(member(value, 'programId'));
  const data = encodedText(member(value, 'data'));
  const bytes = data === undefined ? undefined : decodeBase64(data.text);
  return program === undefined || bytes === undefined ? undefined : { program, data: bytes };
}
