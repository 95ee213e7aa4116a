// The data of stake accounts as far as the ledger asks: who it is delegated to, since when, what it was paid for, and until
// when it is locked.
import { decodeBase58, encodeBase58 } from '../../../core/solana/encoding/base58';
import { STAKE_PROGRAM, U64_MAX } from './addresses';
import type { AccountState } from '../types';
import { viewOf } from '../../../core/solana/encoding/bytes';

const STAKE_ACCOUNT_BYTES = 200;
const INITIALIZED = 1;
const DELEGATED = 2;
/** The rate at which stake warms up and cools down, as nodes write it into each delegation. */
const WARMUP_RATE = 0.25;

export interface Delegation {
  readonly voter: string;
  readonly lamports: bigint;
  /** U64_MAX for stake of genesis, which never had to warm up. */
  readonly activationEpoch: bigint;
  /** U64_MAX while it is not being taken back. */
  readonly deactivationEpoch: bigint;
  /** The vote account's credits that it was paid for. */
  readonly credits: bigint;
}

/** The delegation; `undefined` if the account is not a delegated stake account. */
export function readDelegation({ owner, data }: AccountState): Delegation | undefined {
  if (owner !== STAKE_PROGRAM || data.length < STAKE_ACCOUNT_BYTES) return undefined;
  const view = viewOf(data);
  if (view.getUint32(0, true) !== DELEGATED) return undefined;
  return {
    voter: encodeBase58(data.subarray(124, 156)),
    lamports: view.getBigUint64(156, true),
    activationEpoch: view.getBigUint64(164, true),
    deactivationEpoch: view.getBigUint64(172, true),
    credits: view.getBigUint64(188, true),
  };
}

/** The account with a reward among its delegated lamports, paid for these credits; as it is where it is no longer delegated. */
export function withReward(account: AccountState, lamports: bigint, credits: bigint): AccountState {
  const delegation = readDelegation(account);
  if (delegation === undefined) return account;
  const data = Uint8Array.from(account.data);
  viewOf(data).setBigUint64(156, delegation.lamports + lamports, true);
  viewOf(data).setBigUint64(188, credits, true);
  return { ...account, data };
}

/** The lamports that count in an epoch: stake counts from the epoch after its delegation to the one it is taken back in. */
export function effectiveStake({ lamports, activationEpoch, deactivationEpoch }: Delegation, epoch: number): bigint {
  const now = BigInt(epoch);
  if (activationEpoch === deactivationEpoch && activationEpoch !== U64_MAX) return 0n;
  const started = activationEpoch === U64_MAX || activationEpoch < now;
  return started && now <= deactivationEpoch ? lamports : 0n;
}

/** True for stake whose lockup is in force, at a time in Unix seconds, or that one of these addresses may withdraw. */
export function isLocked(
  { owner, data }: AccountState,
  { epoch, time }: { readonly epoch: number; readonly time: number },
  withdrawers: ReadonlySet<string>,
): boolean {
  if (owner !== STAKE_PROGRAM || data.length < STAKE_ACCOUNT_BYTES) return false;
  const view = viewOf(data);
  const state = view.getUint32(0, true);
  if (state !== INITIALIZED && state !== DELEGATED) return false;
  if (view.getBigInt64(76, true) > BigInt(time) || view.getBigUint64(84, true) > BigInt(epoch)) return true;
  return withdrawers.has(encodeBase58(data.subarray(44, 76)));
}

/** Stake of genesis: `lamports` are all that its account has, `rent` is what an account of so many bytes must keep. */
interface GenesisStake {
  readonly voter: string;
  readonly lamports: bigint;
  readonly rent: (bytes: number) => bigint;
}

/** The data of an account that is its own staker and withdrawer, its lamports delegated since before the first epoch. */
export function genesisStakeData(address: string, { voter, lamports, rent }: GenesisStake): Uint8Array {
  const reserve = rent(STAKE_ACCOUNT_BYTES);
  const data = new Uint8Array(STAKE_ACCOUNT_BYTES);
  const view = viewOf(data);
  const own = decodeBase58(address) ?? [];
  view.setUint32(0, DELEGATED, true);
  view.setBigUint64(4, reserve, true);
  data.set(own, 12);
  data.set(own, 44);
  data.set(decodeBase58(voter) ?? [], 124);
  view.setBigUint64(156, lamports - reserve, true);
  view.setBigUint64(164, U64_MAX, true);
  view.setBigUint64(172, U64_MAX, true);
  view.setFloat64(180, WARMUP_RATE, true);
  return data;
}
