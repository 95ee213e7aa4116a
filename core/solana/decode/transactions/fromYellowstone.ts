// The parts of a transaction as Yellowstone sends it: the bytes of a SubscribeUpdateTransactionInfo, read without the
// protobuf runtime. Field numbers are those of proto/geyser.proto and proto/solana-storage.proto.
import { encodeBase58 } from '../../encoding/base58';
import { known } from '../../common/known';
import type { Instruction, Message, WireResult } from '../../wire/transactionTypes';
import { errorFromBincode } from './failure';
import { partsFromWire, rawInstruction } from './fromWire';
import { readMessage, type WireMessage } from './protobuf';
import type { LoadedAddresses, PartMeta, TokenHolding, TransactionParts } from './parts';

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
export function partsFromYellowstone(bytes: Uint8Array, hasRun: boolean): WireResult<TransactionParts> {
  const info = readMessage(bytes);
  const transaction = info?.message(INFO.transaction);
  const message = transaction?.message(TRANSACTION.message);
  if (info === undefined || transaction === undefined || message === undefined) {
    return { ok: false, reason: 'these bytes are no transaction update' };
  }
  const meta = hasRun ? info.message(INFO.meta) : undefined;
  const signatures = transaction.all(TRANSACTION.signatures);
  const read = {
    message: messageOf(message),
    signatures: signatures.length > 0 ? signatures : info.all(INFO.signature),
  };
  const parts = partsFromWire(read, loadedOf(info, meta, hasRun));
  return { ok: true, value: { ...parts, ...(meta !== undefined && { meta: metaOf(meta) }) } };
}

function messageOf(message: WireMessage): Message {
  const header = message.message(MESSAGE.header);
  return {
    ...versionOf(message),
    requiredSignatures: header?.count(HEADER.signatures) ?? 0,
    readonlySigned: header?.count(HEADER.readonlySigned) ?? 0,
    readonlyUnsigned: header?.count(HEADER.readonlyUnsigned) ?? 0,
    accountKeys: message.all(MESSAGE.accountKeys),
    blockhash: message.bytes(MESSAGE.blockhash),
    instructions: message.messages(MESSAGE.instructions).map(instructionOf),
    lookups: message.messages(MESSAGE.lookups).map((lookup) => ({
      table: lookup.bytes(LOOKUP.table),
      writable: lookup.bytes(LOOKUP.writable),
      readonly: lookup.bytes(LOOKUP.readonly),
    })),
  };
}

/** Version 1 is the one with a configuration; `versioned` is set for it, too, and is looked at afterwards. */
function versionOf(message: WireMessage): Pick<Message, 'version' | 'config'> {
  const config = message.message(MESSAGE.config);
  if (config === undefined) return { version: message.number(MESSAGE.versioned) === 1n ? 0 : 'legacy' };
  const integer = (field: number): number | undefined => numberOf(config.number(field));
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

const numberOf = (value: bigint | undefined): number | undefined => (value === undefined ? undefined : Number(value));

const instructionOf = (instruction: WireMessage): Instruction => ({
  program: instruction.count(INSTRUCTION.program),
  accounts: instruction.bytes(INSTRUCTION.accounts),
  data: instruction.bytes(INSTRUCTION.data),
});

function metaOf(meta: WireMessage): PartMeta {
  const error = meta.message(META.error);
  const returned = meta.message(META.returnData);
  const inner = meta.messages(META.inner).map((calls) => ({
    index: calls.count(INNER.index),
    instructions: calls
      .messages(INNER.instructions)
      .map((call) => rawInstruction(instructionOf(call), numberOf(call.number(INSTRUCTION.height)))),
  }));
  return {
    fee: meta.number(META.fee) ?? 0n,
    before: meta.numbers(META.before),
    after: meta.numbers(META.after),
    tokensBefore: meta.messages(META.tokensBefore).flatMap(holdingOf),
    tokensAfter: meta.messages(META.tokensAfter).flatMap(holdingOf),
    logs: meta.texts(META.logs),
    ...known({
      error: error && errorFromBincode(error.bytes(ERROR.bytes)),
      inner: meta.number(META.innerIsUnknown) === 1n ? undefined : inner,
      computeUnits: meta.number(META.computeUnits),
      returnData: returned && {
        program: encodeBase58(returned.bytes(RETURN.program)),
        data: returned.bytes(RETURN.data),
      },
    }),
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
      account: token.count(TOKEN.account),
      mint,
      ...(owner === undefined || owner === '' ? {} : { owner }),
      amount: BigInt(raw),
      decimals: Math.min(amount?.count(AMOUNT.decimals) ?? 0, 255),
    },
  ];
}
