// Vote accounts of every version as `jsonParsed` shows them: all in the form of the newest, or for an older node in the
// form before collectors and commissions in hundredths of a percent.
import { VOTE_VERSIONS } from '../../../core/solana/layouts/voteAccount';
import type { AgaveLine } from '../../ledger/types';
import type { Info } from './parsedCursor';
import { Fields, NotParsed, type Parsed } from './parsedFields';
import { parsedRows } from './parsedLayout';

/** The commission of block revenue in versions that do not state it. */
const WHOLE_BPS = 10_000;

export function parseVoteAccount(address: string, data: Uint8Array, line: AgaveLine): Parsed {
  const fields = new Fields(data);
  const version = VOTE_VERSIONS[fields.u32()];
  if (version === undefined) throw new NotParsed();
  const read = parsedRows(fields, version.rows);
  const { nodePubkey, authorizedWithdrawer, inflationRewardsCommissionBps: bps } = read;
  const commission = typeof bps === 'number' ? Math.floor(bps / 100) : read.commission;
  const head = { nodePubkey, authorizedWithdrawer, commission };
  const tail = {
    rootSlot: read.rootSlot,
    authorizedVoters: read.authorizedVoters ?? [
      { epoch: read.authorizedVoterEpoch, authorizedVoter: read.authorizedVoter },
    ],
    priorVoters: read.priorVoters ?? [],
    epochCredits: read.epochCredits,
    lastTimestamp: read.lastTimestamp,
  };
  const votes = read.votes as readonly Info[];
  if (line === '3.1') {
    const withoutLatency = votes.map(({ slot, confirmationCount }) => ({ slot, confirmationCount }));
    return { type: 'vote', info: { ...head, ...tail, votes: withoutLatency } };
  }
  const info = {
    ...head,
    inflationRewardsCollector: read.inflationRewardsCollector ?? address,
    inflationRewardsCommissionBps: bps ?? Number(commission) * 100,
    blockRevenueCollector: read.blockRevenueCollector ?? nodePubkey,
    blockRevenueCommissionBps: read.blockRevenueCommissionBps ?? WHOLE_BPS,
    pendingDelegatorRewards: read.pendingDelegatorRewards ?? '0',
    blsPubkeyCompressed: read.blsPubkeyCompressed ?? null,
    votes: votes.map(({ latency = 0, slot, confirmationCount }) => ({ latency, slot, confirmationCount })),
    ...tail,
  };
  return { type: 'vote', info };
}
