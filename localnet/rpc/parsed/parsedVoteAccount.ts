// Vote accounts of every version as `jsonParsed` shows them: all in the form of the newest, or for an older node in the
// form before collectors and commissions in hundredths of a percent.
import { encodeBase58 } from '../../../core/solana/encoding/base58';
import type { WireJson } from '../../api';
import type { AgaveLine } from '../../ledger/types';
import { Fields, NotParsed } from './parsedFields';

const PRIOR_VOTERS = 32;
const NOBODY = '11111111111111111111111111111111';
/** The commission of block revenue in versions that do not state it. */
const WHOLE_BPS = 10_000;
const BLS_KEY_BYTES = 48;

type Part = { readonly [key: string]: WireJson };

/** By the version's number. Between the second and the third, votes have learnt how late they landed. */
const READ: readonly ((fields: Fields, address: string) => Part)[] = [
  readOldest,
  (fields, address) => readMiddle(fields, address, false),
  (fields, address) => readMiddle(fields, address, true),
  readNewest,
];

export function parseVoteAccount(
  address: string,
  data: Uint8Array,
  line: AgaveLine,
): { readonly type: string; readonly info: WireJson } {
  const fields = new Fields(data);
  const read = READ[fields.u32()];
  if (read === undefined) throw new NotParsed();
  const info = read(fields, address);
  return { type: 'vote', info: line === '3.1' ? olderForm(info) : info };
}

/** Members that came with the newest version. */
const NEWER: ReadonlySet<string> = new Set([
  'inflationRewardsCollector',
  'inflationRewardsCommissionBps',
  'blockRevenueCollector',
  'blockRevenueCommissionBps',
  'pendingDelegatorRewards',
  'blsPubkeyCompressed',
]);

function olderForm({ votes, ...info }: Part): Part {
  const kept = Object.entries(info).filter(([name]) => !NEWER.has(name));
  return { ...Object.fromEntries(kept), votes: votes === undefined ? [] : withoutLatency(votes) };
}

const withoutLatency = (votes: WireJson): WireJson =>
  (votes as readonly Part[]).map(({ slot = 0, confirmationCount = 0 }) => ({ slot, confirmationCount }));

function readOldest(fields: Fields, address: string): Part {
  const nodePubkey = fields.key();
  const [authorizedVoter, epoch] = [fields.key(), fields.u64()];
  const priorVoters = priorVotersOf(fields, true);
  fields.u64();
  const [authorizedWithdrawer, commission] = [fields.key(), fields.u8()];
  return {
    nodePubkey,
    authorizedWithdrawer,
    ...beforeCollectors(address, nodePubkey, commission),
    ...votesOf(fields, false),
    authorizedVoters: [{ epoch, authorizedVoter }],
    priorVoters,
    ...endOf(fields),
  };
}

function readMiddle(fields: Fields, address: string, latency: boolean): Part {
  const [nodePubkey, authorizedWithdrawer, commission] = [fields.key(), fields.key(), fields.u8()];
  const votes = votesOf(fields, latency);
  const authorizedVoters = votersOf(fields);
  const priorVoters = priorVotersOf(fields, false);
  fields.u64();
  fields.u8();
  return {
    nodePubkey,
    authorizedWithdrawer,
    ...beforeCollectors(address, nodePubkey, commission),
    ...votes,
    authorizedVoters,
    priorVoters,
    ...endOf(fields),
  };
}

function readNewest(fields: Fields): Part {
  const [nodePubkey, authorizedWithdrawer] = [fields.key(), fields.key()];
  const [inflationRewardsCollector, blockRevenueCollector] = [fields.key(), fields.key()];
  const [inflationRewardsCommissionBps, blockRevenueCommissionBps] = [fields.u16(), fields.u16()];
  return {
    nodePubkey,
    authorizedWithdrawer,
    commission: Math.floor(inflationRewardsCommissionBps / 100),
    inflationRewardsCollector,
    inflationRewardsCommissionBps,
    blockRevenueCollector,
    blockRevenueCommissionBps,
    pendingDelegatorRewards: fields.u64().toString(),
    blsPubkeyCompressed: fields.option(() => encodeBase58(fields.bytes(BLS_KEY_BYTES))),
    ...votesOf(fields, true),
    authorizedVoters: votersOf(fields),
    priorVoters: [],
    ...endOf(fields),
  };
}

/** Collectors and commissions in the newest version's form, for an account of a version without them. */
const beforeCollectors = (address: string, node: string, commission: number): Part => ({
  commission,
  inflationRewardsCollector: address,
  inflationRewardsCommissionBps: commission * 100,
  blockRevenueCollector: node,
  blockRevenueCommissionBps: WHOLE_BPS,
  pendingDelegatorRewards: '0',
  blsPubkeyCompressed: null,
});

function votesOf(fields: Fields, latency: boolean): Part {
  const votes = fields.list(fields.u64(), latency ? 13 : 12, () => ({
    latency: latency ? fields.u8() : 0,
    slot: fields.u64(),
    confirmationCount: fields.u32(),
  }));
  return { votes, rootSlot: fields.option(() => fields.u64()) };
}

const votersOf = (fields: Fields): WireJson =>
  fields.list(fields.u64(), 40, () => ({ epoch: fields.u64(), authorizedVoter: fields.key() }));

function priorVotersOf(fields: Fields, withSlot: boolean): WireJson {
  const all = fields.list(PRIOR_VOTERS, 48, () => {
    const voter = {
      authorizedPubkey: fields.key(),
      epochOfLastAuthorizedSwitch: fields.u64(),
      targetEpoch: fields.u64(),
    };
    if (withSlot) fields.u64();
    return voter;
  });
  return all.filter(({ authorizedPubkey }) => authorizedPubkey !== NOBODY);
}

const endOf = (fields: Fields): Part => ({
  epochCredits: fields.list(fields.u64(), 24, () => ({
    epoch: fields.u64(),
    credits: fields.u64().toString(),
    previousCredits: fields.u64().toString(),
  })),
  lastTimestamp: { slot: fields.u64(), timestamp: fields.i64() },
});
