// The data of vote accounts (version 3 on the wire, which tools call V4): read, and written with the votes of the ledger's
// one node as of a block. Reads no other version.
import { encodeBase58, decodeBase58 } from '../../../core/values/encoding/base58';
import { VOTE_PROGRAM } from './addresses';
import type { AccountState } from '../types';

/** Bytes of a vote account. */
export const VOTE_ACCOUNT_BYTES = 3762;
/** Votes that a vote account holds before the oldest one becomes its root. */
export const MAX_VOTES = 31;

const VERSION = 3;
const NODE = 4;
const REVENUE_COLLECTOR = 100;
const COMMISSION_BPS = 132;
const BLS_KEY = 144;
const BLS_KEY_BYTES = 48;
const VOTE_BYTES = 13;
const VOTER_BYTES = 40;
const CREDITS_BYTES = 24;

/** Credits of one epoch: at its end, or so far, and at its beginning. */
export interface EpochCredits {
  readonly epoch: number;
  readonly credits: number;
  readonly previous: number;
}

/** What a node has voted. */
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
  readonly votes: number;
  readonly voters: number;
  readonly credits: number;
}

/** `undefined` for what is no vote account that has been set up, or one of another version. */
export function readVoteState({ owner, data }: AccountState): VoteState | undefined {
  const layout = owner === VOTE_PROGRAM ? layoutOf(data) : undefined;
  if (layout === undefined) return undefined;
  const view = viewOf(data);
  const count = u64(view, layout.votes);
  const root = layout.votes + 8 + count * VOTE_BYTES;
  const credits = Array.from({ length: u64(view, layout.credits) }, (_, index) => {
    const at = layout.credits + 8 + index * CREDITS_BYTES;
    return { epoch: u64(view, at), credits: u64(view, at + 8), previous: u64(view, at + 16) };
  });
  return {
    node: encodeBase58(data.subarray(NODE, NODE + 32)),
    commissionBps: view.getUint16(COMMISSION_BPS, true),
    revenueCollector: encodeBase58(data.subarray(REVENUE_COLLECTOR, REVENUE_COLLECTOR + 32)),
    lastVote: count === 0 ? 0 : u64(view, root - VOTE_BYTES + 1),
    root: data[root] === 1 ? u64(view, root + 1) : 0,
    credits,
  };
}

/** The account with these votes in place of its own; as it is where it is no vote account of the version known here. */
export function withVotes(account: AccountState, votes: Votes): AccountState {
  const layout = account.owner === VOTE_PROGRAM ? layoutOf(account.data) : undefined;
  if (layout === undefined) return account;
  const parts = [
    account.data.subarray(0, layout.votes),
    ...votesBytes(votes),
    account.data.subarray(layout.voters, layout.credits),
    words(votes.credits.length, ...votes.credits.flatMap(({ epoch, credits, previous }) => [epoch, credits, previous])),
    words(votes.slots.at(-1) ?? 0, votes.timestamp),
  ];
  const data = new Uint8Array(account.data.length);
  let at = 0;
  for (const part of parts) {
    data.set(part, at);
    at += part.length;
  }
  return { ...account, data };
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
    if (data.length < VOTE_ACCOUNT_BYTES || view.getUint32(0, true) !== VERSION) return undefined;
    const votes = BLS_KEY + 1 + (data[BLS_KEY] === 1 ? BLS_KEY_BYTES : 0);
    const root = votes + 8 + u64(view, votes) * VOTE_BYTES;
    const voters = root + 1 + (data[root] === 1 ? 8 : 0);
    const credits = voters + 8 + u64(view, voters) * VOTER_BYTES;
    const end = credits + 8 + u64(view, credits) * CREDITS_BYTES + 16;
    return end <= data.length ? { votes, voters, credits } : undefined;
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
  return [
    words(slots.length),
    ...votes,
    ...(root === undefined ? [Uint8Array.of(0)] : [Uint8Array.of(1), words(root)]),
  ];
}

function words(...values: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(values.length * 8);
  values.forEach((value, index) => viewOf(bytes).setBigUint64(index * 8, BigInt(value), true));
  return bytes;
}

function u64(view: DataView, at: number): number {
  return Number(view.getBigUint64(at, true));
}

function viewOf(data: Uint8Array): DataView {
  return new DataView(data.buffer, data.byteOffset, data.byteLength);
}
