// The parts of a transaction as Yellowstone sends it: the bytes of a SubscribeUpdateTransactionInfo, read without the
// protobuf runtime. Field numbers are those of proto/geyser.proto and proto/solana-storage.proto.
import { encodeBase58 } from '../../encoding/base58';
import { known } from '../../common/known';
import type { WireResult } from '../../wire/transactionTypes';
import { errorFromBincode } from './failure';
import { readMessage, type WireMessage } from './protobuf';
import {
  partAccounts,
  type LoadedAddresses,
  type PartAccount,
  type PartInstruction,
  type PartMeta,
  type TokenHolding,
  type TransactionParts,
} from './parts';

export const INFO = { signature: 1, transaction: 3, meta: 4 } as const;
/** Before execution there is no meta: its field contains the addresses from lookup tables. */
const DESHRED = { loadedWritable: 4, loadedReadonly: 5 } as const;
export const TRANSACTION = { signatures: 1, message: 2 } as const;
export const MESSAGE = {
  header: 1,
  accountKeys: 2,
  blockhash: 3,
  instructions: 4,
  versioned: 5,
  lookups: 6,
  config: 7,
} as const;
const CONFIG = { priorityFee: 1, computeUnitLimit: 2, loadedAccountsDataSizeLimit: 3, heapSize: 4 } as const;
const HEADER = { signatures: 1, readonlySigned: 2, readonlyUnsigned: 3 } as const;
const LOOKUP = { table: 1, writable: 2, readonly: 3 } as const;
export const INSTRUCTION = { program: 1, accounts: 2, data: 3, height: 4 } as const;
export const INNER = { index: 1, instructions: 2 } as const;
export const META = {
  error: 1,
  fee: 2,
  before: 3,
  after: 4,
  inner: 5,
  logs: 6,
  tokensBefore: 7,
  tokensAfter: 8,
  innerIsUnknown: 10,
  loadedWritable: 12,
  loadedReadonly: 13,
  returnData: 14,
  computeUnits: 16,
} as const;
const TOKEN = { account: 1, mint: 2, amount: 3, owner: 4 } as const;
const AMOUNT = { decimals: 2, raw: 3 } as const;
const RETURN = { program: 1, data: 2 } as const;
export const ERROR = { bytes: 1 } as const;

/** `hasRun`: false for the `SubscribeUpdateDeshredTransactionInfo` of a transaction that nobody has run yet. */
export function partsFromYellowstone(bytes: Uint8Array, hasRun = true): WireResult<TransactionParts> {
  const info = readMessage(bytes);
  const transaction = info?.message(INFO.transaction);
  const message = transaction?.message(TRANSACTION.message);
  if (info === undefined || transaction === undefined || message === undefined) {
    return { ok: false, reason: 'these bytes are no transaction update' };
  }
  const meta = hasRun ? info.message(INFO.meta) : undefined;
  const signatures = transaction.all(TRANSACTION.signatures).map(encodeBase58);
  const signed = signatures.length > 0 ? signatures : info.all(INFO.signature).map(encodeBase58);
  return {
    ok: true,
    value: {
      ...versionOf(message),
      signatures: signed,
      blockhash: encodeBase58(message.bytes(MESSAGE.blockhash)),
      accounts: accountsOf(message, loadedOf(info, meta, hasRun)),
      instructions: message.messages(MESSAGE.instructions).map((instruction) => instructionOf(instruction, 1)),
      ...(meta === undefined ? {} : { meta: metaOf(meta) }),
    },
  };
}

/** Version 1 is the one with a configuration; `versioned` is set for it, too, and is looked at afterwards. */
function versionOf(message: WireMessage): Pick<TransactionParts, 'version' | 'config'> {
  const config = message.message(MESSAGE.config);
  if (config === undefined) return { version: message.number(MESSAGE.versioned) === 1n ? 0 : 'legacy' };
  const integer = (field: number): number | undefined => {
    const value = config.number(field);
    return value === undefined ? undefined : Number(value);
  };
  return {
    version: 1,
    config: known({
      priorityFee: config.number(CONFIG.priorityFee),
      computeUnitLimit: integer(CONFIG.computeUnitLimit),
      loadedAccountsDataSizeLimit: integer(CONFIG.loadedAccountsDataSizeLimit),
      heapSize: integer(CONFIG.heapSize),
    }),
  };
}

function loadedOf(info: WireMessage, meta: WireMessage | undefined, hasRun: boolean): LoadedAddresses {
  const [from, { loadedWritable, loadedReadonly }] = hasRun ? [meta, META] : [info, DESHRED];
  const keys = (field: number): readonly string[] => from?.all(field).map(encodeBase58) ?? [];
  return { writable: keys(loadedWritable), readonly: keys(loadedReadonly) };
}

function accountsOf(message: WireMessage, loaded: LoadedAddresses): readonly PartAccount[] {
  const header = message.message(MESSAGE.header);
  const count = (field: number): number => Number(header?.number(field) ?? 0n);
  const lookups = message.messages(MESSAGE.lookups);
  const tablesOf = (field: number): readonly string[] =>
    lookups.flatMap((lookup) => Array.from(lookup.bytes(field), () => encodeBase58(lookup.bytes(LOOKUP.table))));
  return partAccounts(
    {
      keys: message.all(MESSAGE.accountKeys).map(encodeBase58),
      signers: count(HEADER.signatures),
      readonlySigned: count(HEADER.readonlySigned),
      readonlyUnsigned: count(HEADER.readonlyUnsigned),
      tables: { writable: tablesOf(LOOKUP.writable), readonly: tablesOf(LOOKUP.readonly) },
    },
    loaded,
  );
}

function instructionOf(instruction: WireMessage, height?: number): PartInstruction {
  const said = instruction.number(INSTRUCTION.height);
  const heights = height === undefined ? (said === undefined ? {} : { height: Number(said) }) : { height };
  return {
    kind: 'raw',
    program: Number(instruction.number(INSTRUCTION.program) ?? 0n),
    accounts: [...instruction.bytes(INSTRUCTION.accounts)],
    data: instruction.bytes(INSTRUCTION.data),
    ...heights,
  };
}

function metaOf(meta: WireMessage): PartMeta {
  const error = meta.message(META.error);
  const computeUnits = meta.number(META.computeUnits);
  const returned = meta.message(META.returnData);
  return {
    ...(error === undefined ? {} : { error: errorFromBincode(error.bytes(ERROR.bytes)) }),
    fee: meta.number(META.fee) ?? 0n,
    before: meta.numbers(META.before),
    after: meta.numbers(META.after),
    tokensBefore: meta.messages(META.tokensBefore).flatMap(holdingOf),
    tokensAfter: meta.messages(META.tokensAfter).flatMap(holdingOf),
    ...(meta.number(META.innerIsUnknown) === 1n
      ? {}
      : {
          inner: meta.messages(META.inner).map((inner) => ({
            index: Number(inner.number(INNER.index) ?? 0n),
            instructions: inner.messages(INNER.instructions).map((instruction) => instructionOf(instruction)),
          })),
        }),
    logs: meta.texts(META.logs),
    ...(computeUnits === undefined ? {} : { computeUnits }),
    ...(returned === undefined
      ? {}
      : { returnData: { program: encodeBase58(returned.bytes(RETURN.program)), data: returned.bytes(RETURN.data) } }),
  };
}

function holdingOf(token: WireMessage): readonly TokenHolding[] {
  const amount = token.message(TOKEN.amount);
  const [mint = ''] = token.texts(TOKEN.mint);
  const [owner] = token.texts(TOKEN.owner);
  const [raw = '0'] = amount?.texts(AMOUNT.raw) ?? [];
  if (!/^\d{1,20}$/.test(raw)) return [];
  return [
    {
      account: Number(token.number(TOKEN.account) ?? 0n),
      mint,
      ...(owner === undefined || owner === '' ? {} : { owner }),
      amount: BigInt(raw),
      decimals: Math.min(Number(amount?.number(AMOUNT.decimals) ?? 0n), 255),
    },
  ];
}
