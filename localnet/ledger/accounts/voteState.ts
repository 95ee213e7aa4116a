// The data of vote accounts: read in the versions that nodes read (1 to 3 on the wire, which tools call V1_14_11, V3 and V4),
// and written in the newest with the votes of the ledger's one node as of a block.
import { encodeBase58, decodeBase58 } from '../../../core/solana/encoding/base58';
import { VOTE_PROGRAM } from './addresses';
import type { AccountState } from '../types';
import { viewOf } from '../../../core/solana/encoding/bytes';

/** Bytes of a vote account. */
export const VOTE_ACCOUNT_BYTES = 3762;
/** Votes that a vote account holds before the oldest one becomes its root. */
export const MAX_VOTES = 31;

const VERSION = 3;
/** The oldest version that is read: its votes have no latency in front. */
const WITHOUT_LATENCY = 1;
const NODE = 4;
const REVENUE_COLLECTOR = 100;
const COMMISSION_BPS = 132;
/** Before the newest version, a percentage of one byte; the votes follow. */
const COMMISSION = 68;
const BLS_KEY = 144;
const BLS_KEY_BYTES = 48;
/** A slot and its confirmations; in a vote behind one byte of latency. */
const LOCKOUT_BYTES = 12;
const VOTE_BYTES = LOCKOUT_BYTES + 1;
const VOTER_BYTES = 40;
const CREDITS_BYTES = 24;
/** Before the newest version, 32 earlier voters with two epochs each, the place in them, and whether they are empty. */
const PRIOR_VOTERS_BYTES = 32 * 48 + 9;

/** Credits of one epoch: at its end, or so far, and at its beginning. */
export interface EpochCredits {
  readonly epoch: number;
  readonly credits: number;
  readonly previous: number;
}

/** The votes of a node. */
export interface Votes {
  /** Oldest first. */
  readonly slots: readonly number[];
  readonly root: number | undefined;
  readonly credits: readonly EpochCredits[];
  /** Unix seconds of the newest vote. */
  readonly timestamp: number;
}

export interface VoteState {
  readonly node: string;
  /** Hundredths of a percent. */
  readonly commissionBps: number;
  /** Who gets the fees of the blocks that its node leads. */
  readonly revenueCollector: string;
  /** 0 before the first. */
  readonly lastVote: number;
  /** 0 before the first. */
  readonly root: number;
  readonly credits: readonly EpochCredits[];
}

/** Where the changing parts of the data begin and end. */
interface Layout {
  readonly isNewest: boolean;
  readonly votes: number;
  readonly root: number;
  readonly voters: number;
  readonly credits: number;
}

/** `undefined` for anything but a vote account that has been set up, in a version that nodes read. */
export function readVoteState({ owner, data }: AccountState): VoteState | undefined {
  const layout = owner === VOTE_PROGRAM ? layoutOf(data) : undefined;
  if (layout === undefined) return undefined;
  const view = viewOf(data);
  const count = u64(view, layout.votes);
  const credits = Array.from({ length: u64(view, layout.credits) }, (_, index) => {
    const at = layout.credits + 8 + index * CREDITS_BYTES;
    return { epoch: u64(view, at), credits: u64(view, at + 8), previous: u64(view, at + 16) };
  });
  const { isNewest, root } = layout;
  const key = (at: number): string => encodeBase58(data.subarray(at, at + 32));
  return {
    node: key(NODE),
    commissionBps: isNewest ? view.getUint16(COMMISSION_BPS, true) : view.getUint8(COMMISSION) * 100,
    revenueCollector: key(isNewest ? REVENUE_COLLECTOR : NODE),
    lastVote: count === 0 ? 0 : u64(view, root - LOCKOUT_BYTES),
    root: data[root] === 1 ? u64(view, root + 1) : 0,
    credits,
  };
}

/** The account with these votes; unchanged unless it is a vote account of the newest version. */
export function withVotes(account: AccountState, votes: Votes): AccountState {
  const layout = account.owner === VOTE_PROGRAM ? layoutOf(account.data) : undefined;
  if (layout?.isNewest !== true || account.data.length < VOTE_ACCOUNT_BYTES) return account;
  const parts = [
    account.data.subarray(0, layout.votes),
    ...votesBytes(votes),
    account.data.subarray(layout.voters, layout.credits),
    u64s(votes.credits.length, ...votes.credits.flatMap(({ epoch, credits, previous }) => [epoch, credits, previous])),
    u64s(votes.slots.at(-1) ?? 0, votes.timestamp),
  ];
  return { ...account, data: new Uint8Array(Buffer.concat(parts, account.data.length)) };
}

/** The data of a new account whose node votes and withdraws for itself with the account's own key. */
export function newVoteData(node: string, voteAddress: string): Uint8Array {
  const key = decodeBase58(voteAddress) ?? [];
  const data = new Uint8Array(VOTE_ACCOUNT_BYTES);
  const view = viewOf(data);
  view.setUint32(0, VERSION, true);
  data.set(decodeBase58(node) ?? [], NODE);
  // The withdrawer, and the collectors of inflation rewards and of block revenue.
  for (const at of [NODE + 32, NODE + 64, NODE + 96]) data.set(key, at);
  // No key for votes of another kind, no votes, no root; one voter, from epoch 0 on.
  const voters = BLS_KEY + 1 + 8 + 1;
  view.setBigUint64(voters, 1n, true);
  data.set(key, voters + 16);
  return data;
}

function layoutOf(data: Uint8Array): Layout | undefined {
  const view = viewOf(data);
  try {
    const version = view.getUint32(0, true);
    if (version < WITHOUT_LATENCY || version > VERSION) return undefined;
    const isNewest = version === VERSION;
    const blsKey = data[BLS_KEY] === 1 ? BLS_KEY_BYTES : 0;
    const votes = isNewest ? BLS_KEY + 1 + blsKey : COMMISSION + 1;
    const root = votes + 8 + u64(view, votes) * (version === WITHOUT_LATENCY ? LOCKOUT_BYTES : VOTE_BYTES);
    const voters = root + 1 + (data[root] === 1 ? 8 : 0);
    const credits = voters + 8 + u64(view, voters) * VOTER_BYTES + (isNewest ? 0 : PRIOR_VOTERS_BYTES);
    const end = credits + 8 + u64(view, credits) * CREDITS_BYTES + 16;
    return end <= data.length ? { isNewest, votes, root, voters, credits } : undefined;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** How many votes, each with its latency of one slot and its depth, then the root. */
function votesBytes({ slots, root }: Votes): Uint8Array[] {
  const votes = slots.map((slot, index) => {
    const bytes = new Uint8Array(VOTE_BYTES);
    bytes[0] = 1;
    viewOf(bytes).setBigUint64(1, BigInt(slot), true);
    viewOf(bytes).setUint32(9, slots.length - index, true);
    return bytes;
  });
  return [u64s(slots.length), ...votes, ...(root === undefined ? [Uint8Array.of(0)] : [Uint8Array.of(1), u64s(root)])];
}

/** Numbers of eight bytes each. */
export function u64s(...values: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(values.length * 8);
  values.forEach((value, index) => viewOf(bytes).setBigUint64(index * 8, BigInt(value), true));
  return bytes;
}

function u64(view: DataView, at: number): number {
  return Number(view.getBigUint64(at, true));
}
