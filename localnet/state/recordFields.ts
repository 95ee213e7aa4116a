// The fields of every record of a state file, as records.ts has their types.
import { KEY_TYPE_NAMES, type KeyType, type SavedKey } from '../keys/keyring';
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
  TokenBalanceRecord,
  TransactionError,
  TransactionMeta,
} from '../ledger/types';
import type { SavedMinute } from '../keys/meter';
import {
  address,
  bytesField,
  countField,
  digest,
  eitherField,
  listField,
  milliseconds,
  nullable,
  objectField,
  oneMember,
  nameField,
  optionalField,
  signatureField,
  textField,
  time,
  tuple,
  u64Field,
  upToField,
  variant,
  yesOrNo,
} from './fields';
import type { LedgerOrigin, StateRecord } from './records';

/** The most bytes of a transaction of version 1. */
const MAX_WIRE = 4_096;
/** Accounts, instructions and places in a transaction are counted in one byte. */
const byte = upToField(255);
const MAX_DATA = 10 * 1024;

const accountState = objectField<AccountState>({
  lamports: u64Field,
  owner: address,
  data: bytesField(MAX_ACCOUNT_BYTES),
  executable: yesOrNo,
  rentEpoch: u64Field,
});

const accountChanges = listField(
  tuple<readonly [string, AccountState | undefined]>(address, optionalField(accountState)),
);

const instructionError = eitherField<InstructionError, InstructionError>(
  nameField(instructionErrorNames),
  eitherField(objectField({ Custom: upToField(2 ** 32 - 1) }), objectField({ BorshIoError: textField })),
);

const transactionError = eitherField<TransactionError, TransactionError>(
  nameField(transactionErrorNames),
  oneMember(
    transactionErrorNames,
    eitherField(
      byte,
      eitherField(
        objectField({ account_index: byte }),
        tuple<readonly [number, InstructionError]>(byte, instructionError),
      ),
    ),
  ),
);

const tokenBalances = listField(
  objectField<TokenBalanceRecord>({
    accountIndex: byte,
    mint: address,
    owner: address,
    programId: address,
    amount: u64Field,
    decimals: byte,
  }),
);

const innerInstruction = objectField<InnerInstruction>({
  programIdIndex: byte,
  accounts: bytesField(MAX_DATA),
  data: bytesField(MAX_DATA),
  stackHeight: byte,
});

const meta = objectField<TransactionMeta>({
  err: nullable(transactionError),
  fee: u64Field,
  preBalances: listField(u64Field),
  postBalances: listField(u64Field),
  preTokenBalances: tokenBalances,
  postTokenBalances: tokenBalances,
  logMessages: listField(textField),
  innerInstructions: listField(objectField({ index: byte, instructions: listField(innerInstruction) })),
  loadedAddresses: objectField({ writable: listField(address), readonly: listField(address) }),
  computeUnitsConsumed: u64Field,
  costUnits: optionalField(u64Field),
  returnData: nullable(objectField({ programId: address, data: bytesField(MAX_DATA) })),
});

const reward = objectField<Reward>({
  kind: nameField(['Fee', 'Staking', 'Voting']),
  address,
  lamports: u64Field,
  postBalance: u64Field,
  commissionBps: optionalField(upToField(10_000)),
});

const block = objectField<SavedBlock>({
  slot: countField,
  parentSlot: countField,
  height: countField,
  blockhash: address,
  previousBlockhash: address,
  blockTime: countField,
  epochStartTime: countField,
  transactions: listField(objectField<SavedTransaction>({ wire: bytesField(MAX_WIRE), meta })),
  transactionCount: countField,
  rewards: optionalField(listField(reward)),
  rewardPartitions: optionalField(countField),
  vote: optionalField(
    objectField<NonNullable<SavedBlock['vote']>>({
      voted: objectField({ slot: countField, blockhash: address, blockTime: countField }),
      signature: signatureField,
      balances: listField(u64Field),
    }),
  ),
});

const change = variant<'kind', SavedChange>('kind', {
  fetched: objectField({
    accounts: listField(
      tuple<readonly [string, FetchedAccount]>(
        address,
        objectField({ slot: countField, account: optionalField(accountState) }),
      ),
    ),
  }),
  accounts: objectField({ accounts: accountChanges }),
  past: objectField({ block }),
  block: objectField({ block, accounts: accountChanges, timeOffset: countField, writes: countField }),
});

const chain = objectField<LedgerChain>({
  consensus: nameField(namesOf<Consensus>(CONSENSUS)),
  slotMs: milliseconds,
  finalityLag: countField,
  lamportsPerByte: u64Field,
  sourceFeatures: optionalField(listField(address)),
  genesisSlot: optionalField(countField),
});

const origin = objectField<LedgerOrigin>({
  seed: textField,
  hashSeed: optionalField(textField),
  keySeed: optionalField(textField),
  mark: optionalField(textField),
  chain: optionalField(chain),
  firstKeys: objectField<Readonly<Record<KeyType, number>>>({ rpc: countField, grpc: countField, swqos: countField }),
});

const key = objectField<SavedKey>({
  keyId: textField,
  type: nameField(namesOf<KeyType>(KEY_TYPE_NAMES)),
  label: textField,
  plan: nameField(namesOf<PlanName>(PLANS)),
  createdAt: time,
  lastUsedAt: nullable(time),
  revoked: yesOrNo,
  digest,
  suspension: objectField({ until: time, lastMs: time, byHand: yesOrNo }),
});

const minute = objectField<SavedMinute>({
  keyId: textField,
  minute: countField,
  methods: listField(tuple<readonly [string, number, number]>(textField, countField, countField)),
});

/** Checks a record; its `examples` have every field of every kind. */
export const RECORD = variant<'part', StateRecord>('part', {
  origin: objectField({ origin }),
  ledger: objectField({ change }),
  key: objectField({ key }),
  usage: objectField({ minutes: listField(minute) }),
});

/** One record of each kind of change of the ledger. */
export const CHANGES: readonly StateRecord[] = change.examples.map((example) => ({ part: 'ledger', change: example }));

function namesOf<Name extends string>(table: Readonly<Record<Name, unknown>>): readonly Name[] {
  return Object.keys(table) as Name[];
}
