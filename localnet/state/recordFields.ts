// The fields of every record of a state file, as records.ts has their types.
import { KEY_TYPES, type KeyType, type SavedKey } from '../keys/keyring';
import { PLANS, type PlanName } from '../keys/plans';
import { MAX_ACCOUNT_BYTES } from '../ledger/bounds';
import { CONSENSUS, type Consensus, type LedgerChain } from '../ledger/consensus';
import { instructionErrorNames, transactionErrorNames } from '../ledger/errorTable';
import type { FetchedAccount, SavedBlock, SavedChange, SavedTransaction } from '../ledger/saved';
import type {
  AccountState,
  InnerInstruction,
  InstructionError,
  Reward,
  TokenBalance,
  TransactionError,
  TransactionMeta,
} from '../ledger/types';
import type { SavedMinute } from '../keys/meter';
import {
  address,
  bytes,
  count,
  digest,
  either,
  list,
  milliseconds,
  nullable,
  object,
  oneMember,
  oneOf,
  optional,
  signature,
  text,
  time,
  tuple,
  u64,
  upTo,
  variant,
  yesOrNo,
} from './fields';
import type { Origin, StateRecord } from './records';

/** The most bytes of a transaction of version 1. */
const MAX_WIRE = 4_096;
/** Accounts, instructions and places in a transaction are counted in one byte. */
const byte = upTo(255);
const MAX_DATA = 10 * 1024;

const accountState = object<AccountState>({
  lamports: u64,
  owner: address,
  data: bytes(MAX_ACCOUNT_BYTES),
  executable: yesOrNo,
  rentEpoch: u64,
});

const accountChanges = list(tuple<readonly [string, AccountState | undefined]>(address, optional(accountState)));

const instructionError = either<InstructionError, InstructionError>(
  oneOf(instructionErrorNames),
  either(object({ Custom: upTo(2 ** 32 - 1) }), object({ BorshIoError: text })),
);

const transactionError = either<TransactionError, TransactionError>(
  oneOf(transactionErrorNames),
  oneMember(
    transactionErrorNames,
    either(
      byte,
      either(object({ account_index: byte }), tuple<readonly [number, InstructionError]>(byte, instructionError)),
    ),
  ),
);

const tokenBalances = list(
  object<TokenBalance>({
    accountIndex: byte,
    mint: address,
    owner: address,
    programId: address,
    amount: u64,
    decimals: byte,
  }),
);

const innerInstruction = object<InnerInstruction>({
  programIdIndex: byte,
  accounts: bytes(MAX_DATA),
  data: bytes(MAX_DATA),
  stackHeight: byte,
});

const meta = object<TransactionMeta>({
  err: nullable(transactionError),
  fee: u64,
  preBalances: list(u64),
  postBalances: list(u64),
  preTokenBalances: tokenBalances,
  postTokenBalances: tokenBalances,
  logMessages: list(text),
  innerInstructions: list(object({ index: byte, instructions: list(innerInstruction) })),
  loadedAddresses: object({ writable: list(address), readonly: list(address) }),
  computeUnitsConsumed: u64,
  costUnits: optional(u64),
  returnData: nullable(object({ programId: address, data: bytes(MAX_DATA) })),
});

const reward = object<Reward>({
  kind: oneOf(['Fee', 'Staking', 'Voting']),
  address,
  lamports: u64,
  postBalance: u64,
  commissionBps: optional(upTo(10_000)),
});

const block = object<SavedBlock>({
  slot: count,
  parentSlot: count,
  height: count,
  blockhash: address,
  previousBlockhash: address,
  blockTime: count,
  epochStartTime: count,
  transactions: list(object<SavedTransaction>({ wire: bytes(MAX_WIRE), meta })),
  transactionCount: count,
  rewards: optional(list(reward)),
  rewardPartitions: optional(count),
  vote: optional(
    object<NonNullable<SavedBlock['vote']>>({
      voted: object({ slot: count, blockhash: address, blockTime: count }),
      signature,
      balances: list(u64),
    }),
  ),
});

const change = variant<'kind', SavedChange>('kind', {
  fetched: object({
    accounts: list(
      tuple<readonly [string, FetchedAccount]>(address, object({ slot: count, account: optional(accountState) })),
    ),
  }),
  accounts: object({ accounts: accountChanges }),
  past: object({ block }),
  block: object({ block, accounts: accountChanges, timeOffset: count, writes: count }),
});

const chain = object<LedgerChain>({
  consensus: oneOf(namesOf<Consensus>(CONSENSUS)),
  slotMs: milliseconds,
  finalityLag: count,
  lamportsPerByte: u64,
  sourceFeatures: optional(list(address)),
  genesisSlot: optional(count),
});

const origin = object<Origin>({
  seed: text,
  hashSeed: optional(text),
  keySeed: optional(text),
  mark: optional(text),
  chain: optional(chain),
  firstKeys: object<Readonly<Record<KeyType, number>>>({ rpc: count, grpc: count, swqos: count }),
});

const key = object<SavedKey>({
  keyId: text,
  type: oneOf(namesOf<KeyType>(KEY_TYPES)),
  label: text,
  plan: oneOf(namesOf<PlanName>(PLANS)),
  createdAt: time,
  lastUsedAt: nullable(time),
  revoked: yesOrNo,
  digest,
  suspension: object({ until: time, lastMs: time, byHand: yesOrNo }),
});

const minute = object<SavedMinute>({
  keyId: text,
  minute: count,
  methods: list(tuple<readonly [string, number, number]>(text, count, count)),
});

/** Checks a record; its `examples` have every field of every kind. */
export const RECORD = variant<'part', StateRecord>('part', {
  origin: object({ origin }),
  ledger: object({ change }),
  key: object({ key }),
  usage: object({ minutes: list(minute) }),
});

/** One record of each kind of change of the ledger. */
export const CHANGES: readonly StateRecord[] = change.examples.map((example) => ({ part: 'ledger', change: example }));

function namesOf<Name extends string>(table: Readonly<Record<Name, unknown>>): readonly Name[] {
  return Object.keys(table) as Name[];
}
