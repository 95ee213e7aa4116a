// Transactions, their outcome and their messages as answers show them, in every encoding.
import { encodeBase58 } from '../../../core/solana/encoding/base58';
import type { JsonValue } from '../../../core/solana/json/json';
import type { WireJson } from '../../api';
import type {
  AgaveLine,
  CompiledInstruction,
  TokenBalanceRecord,
  TransactionError,
  TransactionMeta,
  TransactionRecord,
} from '../../ledger/types';
import { isWritable } from '../../ledger/transaction/wire';
import type { DecodedMessage } from '../../ledger/transaction/wireTypes';
import { tokenAmount } from '../parsed/tokenAmount';
import { base64 } from './encode';
import { configOf, nameParam, optionalParam, u8Of } from './params';
import { invalidParams, RpcFailure } from '../failure';
import { parseInstruction } from '../parsed/parsedInstructions';

export type TransactionEncoding = 'json' | 'jsonParsed' | 'base58' | 'base64';

export interface TransactionFormat {
  readonly encoding: TransactionEncoding;
  /** The highest version the caller can read; `undefined` for legacy only. */
  readonly maxVersion: bigint | undefined;
  /** Whose shapes are wanted. */
  readonly line: AgaveLine;
}

const encodingName = nameParam<TransactionEncoding>(['json', 'jsonParsed', 'base58', 'base64']);

/** The config of a call that shows transactions; a bare encoding name is an old form of it. */
export function transactionFormatOf(value: JsonValue | undefined, line: AgaveLine): TransactionFormat {
  if (typeof value === 'string') return { encoding: encodingName(value), maxVersion: undefined, line };
  const config = configOf(value);
  const encoding = optionalParam(config, 'encoding', encodingName) ?? 'json';
  const maxVersion = optionalParam(config, 'maxSupportedTransactionVersion', u8Of);
  // Since 4.3: base58 cannot carry every transaction of version 1.
  if (line === '4.4' && encoding === 'base58' && maxVersion !== undefined && maxVersion > 0n)
    throw invalidParams('base58 encoding is not supported with maxSupportedTransactionVersion above 0; use base64');
  return { encoding, maxVersion, line };
}

/** {transaction, meta, version?}. Throws -32015 for a versioned transaction the caller cannot read. */
export function transactionWithMeta(
  record: TransactionRecord,
  { encoding, maxVersion, line }: TransactionFormat,
): { readonly [key: string]: WireJson } {
  const version = versionFor(record, maxVersion);
  return {
    meta: metaJson(record, encoding === 'jsonParsed', line),
    transaction: transactionJson(record, encoding, line),
    ...version,
  };
}

/** The form of getBlock with transactionDetails "accounts": who took part, and what it changed in balances. */
export function transactionAccounts(record: TransactionRecord, maxVersion: bigint | undefined): WireJson {
  const version = versionFor(record, maxVersion);
  const { meta } = record;
  return {
    meta: {
      err: meta.err,
      fee: meta.fee,
      postBalances: meta.postBalances,
      postTokenBalances: meta.postTokenBalances.map(tokenBalanceJson),
      preBalances: meta.preBalances,
      preTokenBalances: meta.preTokenBalances.map(tokenBalanceJson),
      status: statusJson(meta.err),
    },
    transaction: { accountKeys: parsedKeys(record), signatures: signaturesOf(record) },
    ...version,
  };
}

function versionFor(
  record: TransactionRecord,
  maxVersion: bigint | undefined,
): { readonly version?: 'legacy' | number } {
  const { version } = record.transaction.message;
  if (maxVersion === undefined && version === 'legacy') return {};
  if (!isSupported(version, maxVersion))
    throw new RpcFailure(
      -32015,
      `Transaction version (${version}) is not supported by the requesting client. Please try the request again with the following configuration parameter: "maxSupportedTransactionVersion": ${version}`,
    );
  return { version };
}

/** Whether a caller who asked for versions up to `most` can read this one; `undefined` is legacy only. */
export const isSupported = (version: DecodedMessage['version'], most: bigint | undefined): boolean =>
  version === 'legacy' || (most !== undefined && most >= version);

function transactionJson(record: TransactionRecord, encoding: TransactionEncoding, line: AgaveLine): WireJson {
  switch (encoding) {
    case 'base58':
      return [encodeBase58(record.wire), 'base58'];
    case 'base64':
      return [base64(record.wire), 'base64'];
    case 'json':
      return { message: messageJson(record.transaction.message, line), signatures: signaturesOf(record) };
    case 'jsonParsed':
      return { message: parsedMessageJson(record, line), signatures: signaturesOf(record) };
  }
}

function signaturesOf(record: TransactionRecord): string[] {
  return record.transaction.signatures.map(encodeBase58);
}

/** Newer nodes give the height of what no other instruction called, too. */
const topHeight = (line: AgaveLine): number | null => (line === '3.1' ? null : 1);

function messageJson(message: DecodedMessage, line: AgaveLine): WireJson {
  return {
    accountKeys: message.staticKeys,
    header: {
      numReadonlySignedAccounts: message.numReadonlySigned,
      numReadonlyUnsignedAccounts: message.numReadonlyUnsigned,
      numRequiredSignatures: message.numRequiredSignatures,
    },
    instructions: message.instructions.map((instruction) => instructionJson(instruction, topHeight(line))),
    recentBlockhash: message.blockhash,
    ...lookupsJson(message),
    ...configJson(message),
  };
}

function parsedMessageJson(record: TransactionRecord, line: AgaveLine): WireJson {
  const { message } = record.transaction;
  return {
    accountKeys: parsedKeys(record),
    instructions: message.instructions.map((instruction) =>
      parseInstruction(instruction, record.accountKeys, { stackHeight: topHeight(line), line }),
    ),
    recentBlockhash: message.blockhash,
    ...lookupsJson(message),
    ...configJson(message),
  };
}

function lookupsJson(message: DecodedMessage): { readonly addressTableLookups?: WireJson } {
  if (message.version !== 0) return {};
  return {
    addressTableLookups: message.lookups.map(({ table, writableIndexes, readonlyIndexes }) => ({
      accountKey: table,
      readonlyIndexes: [...readonlyIndexes],
      writableIndexes: [...writableIndexes],
    })),
  };
}

/** Version 1 alone: all four values, null where one is not set. */
function configJson({ config }: DecodedMessage): { readonly transactionConfig?: WireJson } {
  if (config === undefined) return {};
  return {
    transactionConfig: {
      computeUnitLimit: config.computeUnitLimit ?? null,
      heapSize: config.heapSize ?? null,
      loadedAccountsDataSizeLimit: config.loadedAccountsDataSizeLimit ?? null,
      priorityFee: config.priorityFee ?? null,
    },
  };
}

/** Every account with its roles and where it came from. */
function parsedKeys({ transaction: { message }, accountKeys }: TransactionRecord): WireJson {
  return accountKeys.map((pubkey, index) => ({
    pubkey,
    signer: index < message.numRequiredSignatures,
    source: index < message.staticKeys.length ? 'transaction' : 'lookupTable',
    writable: isWritable(message, index),
  }));
}

function instructionJson(
  { programIdIndex, accounts, data }: CompiledInstruction,
  stackHeight: number | null,
): WireJson {
  return { accounts: [...accounts], data: encodeBase58(data), programIdIndex, stackHeight };
}

/** Inner instructions as indexes, or parsed when `keys` are given. */
export function innerInstructionsJson(
  inner: TransactionMeta['innerInstructions'],
  keys: readonly string[] | undefined,
  line: AgaveLine,
): WireJson {
  return inner.map(({ index, instructions }) => ({
    index,
    instructions: instructions.map((instruction) =>
      keys === undefined
        ? instructionJson(instruction, instruction.stackHeight)
        : parseInstruction(instruction, keys, { stackHeight: instruction.stackHeight, line }),
    ),
  }));
}

function metaJson({ meta, accountKeys }: TransactionRecord, parsed: boolean, line: AgaveLine): WireJson {
  return {
    computeUnitsConsumed: meta.computeUnitsConsumed,
    ...(meta.costUnits === undefined ? {} : { costUnits: meta.costUnits }),
    err: meta.err,
    fee: meta.fee,
    innerInstructions: innerInstructionsJson(meta.innerInstructions, parsed ? accountKeys : undefined, line),
    ...(parsed ? {} : { loadedAddresses: { ...meta.loadedAddresses } }),
    logMessages: meta.logMessages,
    postBalances: meta.postBalances,
    postTokenBalances: meta.postTokenBalances.map(tokenBalanceJson),
    preBalances: meta.preBalances,
    preTokenBalances: meta.preTokenBalances.map(tokenBalanceJson),
    ...(meta.returnData === null ? {} : { returnData: returnDataJson(meta.returnData) }),
    rewards: [],
    status: statusJson(meta.err),
  };
}

export function returnDataJson({ programId, data }: NonNullable<TransactionMeta['returnData']>): WireJson {
  return { data: [base64(data), 'base64'], programId };
}

export function tokenBalanceJson(balance: TokenBalanceRecord): WireJson {
  return {
    accountIndex: balance.accountIndex,
    mint: balance.mint,
    owner: balance.owner,
    programId: balance.programId,
    uiTokenAmount: tokenAmount(balance.amount, balance.decimals),
  };
}

/** The older form of the outcome, which some clients still read. */
export function statusJson(err: TransactionError | null): WireJson {
  return err === null ? { Ok: null } : { Err: err };
}
