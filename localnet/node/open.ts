// The face of the ledger side: opens a ledger on LiteSVM and hands out what the service side needs of it.
import { createEngine } from '../rpc/engine';
import { createCheats } from '../ledger/cheats';
import { CONSENSUS, consensusOfLine, DEFAULT_CONSENSUS, NO_ALPENGLOW } from '../ledger/consensus';
import { Faucet } from '../ledger/wallets/faucet';
import { Fork } from '../ledger/fork';
import { genesisKeys, writeGenesis } from '../ledger/genesis/genesis';
import { byteSource } from '../ledger/wallets/keys';
import { Leader } from '../ledger/chain/leader';
import { loadNative } from '../ledger/engine/native';
import { MOVING_SYSVARS } from '../ledger/chain/sysvars';
import { LedgerInputError } from '../ledger/errors';
import { SlotClock } from '../ledger/chain/slotClock';
import { LedgerState } from '../ledger/state';
import type { Troubles } from '../ledger/types';
import type { Ledger, LedgerOptions } from '../ledger/ledger';
import { Voter } from '../ledger/chain/votes';

export { EngineUnavailableError, ForkError, LedgerInputError } from '../ledger/errors';
export type { Fork, ForkSource } from '../ledger/fork';
export type { FetchedAccount } from '../ledger/saved';
export { knownFeatures } from '../ledger/engine/features';
export { readLookupTable } from '../ledger/accounts/lookupTables';
export { codeAddressOf, withoutSlot } from '../ledger/accounts/programs';
export { versionOf, versionsOf } from '../ledger/release';
export type * from '../ledger/types';
export type * from '../ledger/ledger';

const DEFAULT_SLOTS_PER_EPOCH = 432_000;
const DEFAULT_SCAN_MS = 30_000;

/**
 * Opens a ledger. Rejects with EngineUnavailableError where the engine has no binary, with LedgerInputError where the line of
 * Agave does not know the consensus; the messages are for people.
 */
export async function openLedger(options: LedgerOptions = {}): Promise<Ledger> {
  const native = await loadNative();
  const ofLine = consensusOfLine(options.agave);
  const consensus = options.consensus ?? ofLine ?? DEFAULT_CONSENSUS;
  if (ofLine !== undefined && ofLine !== consensus) throw new LedgerInputError(NO_ALPENGLOW);
  const rules = CONSENSUS[consensus];
  const slotMs = options.slotMs ?? rules.slotMs;
  const finalityLag =
    consensus === 'alpenglow' ? rules.finalityLag : Math.max(2, options.finalityLag ?? rules.finalityLag);
  const lamportsPerByte = options.lamportsPerByte ?? rules.lamportsPerByte;
  const { genesisSlot, sourceFeatures } = options;
  const chain = { consensus, slotMs, finalityLag, lamportsPerByte, sourceFeatures, genesisSlot };
  const bytes = byteSource(options.seed);
  const features = options.features ?? { off: [] };
  const state = new LedgerState({
    native,
    bytes: options.hashSeed === undefined ? bytes : byteSource(options.hashSeed),
    ...chain,
    features,
    slotsPerEpoch: options.slotsPerEpoch ?? DEFAULT_SLOTS_PER_EPOCH,
    limits: options.limits,
    agave: options.agave ?? rules.agave,
    // A ledger that is continued has its blocks already.
    startSlot: options.saved === undefined ? (options.startSlot ?? finalityLag + 2) : 0,
    now: options.now ?? Date.now,
  });
  const keys = genesisKeys(bytes, options.faucetSeed);
  const { wallet, faucet, identity, vote, stake } = keys;
  const voter = new Voter(identity, vote.address, vote);
  state.adopt(options.fetched ?? []);
  await writeGenesis(state, keys, options);
  state.begin(voter, options.votes === true && consensus === 'tower');
  if (options.saved === undefined) state.start();
  else resume(state, options.saved);
  if (options.journal !== undefined) state.keep(options.journal);
  if (options.fork !== undefined) state.fork = new Fork(state, options.fork);

  let troubles: Troubles = { stall: () => 0, fork: () => 'kept' };
  const leader = new Leader(state, { ...rules, slotMs }, () => troubles, options.instant);
  // Blocks that were final when they were saved still are.
  if (options.saved !== undefined) leader.finalizeOnRequest();
  const clock = new SlotClock(
    slotMs,
    () => leader.nextSlot(),
    () => troubles.stall(),
  );
  const cheats = createCheats(state, { clock, leader }, bytes);
  const faucetWallet = new Faucet(state, faucet);
  const engine = createEngine({
    state,
    leader,
    faucet: faucetWallet,
    identity: identity.address,
    vote: vote.address,
    gates: options.gates,
    untilInclusive: options.untilInclusive ?? true,
    listEncoding: options.listEncoding ?? 'base64',
    scanMs: options.scanMs ?? DEFAULT_SCAN_MS,
  });
  if (options.paused !== true) clock.start();
  return {
    rpc: engine,
    fork: state.fork,
    cheats,
    wallet,
    validator: { identity, vote, stake, faucet },
    events: state,
    view: (commitment) => state.view(commitment),
    release: state.release,
    unknownFeatures: features.off.filter((address) => !state.svm.knownFeatures.includes(address)),
    genesisHash: state.genesisHash,
    moving: MOVING_SYSVARS,
    vote: consensus === 'tower' ? (block) => voter.vote(block) : undefined,
    signedAirdrop: (address, lamports, blockhash) => faucetWallet.signed(address, lamports, blockhash),
    finalizeOnRequest: () => leader.finalizeOnRequest(),
    chain: { ...chain, genesisSlot: state.certificate?.block.slot },
    saved: () => state.saved(),
    accounts: () => state.accounts.entries(),
    troubledBy: (next) => {
      troubles = next;
      clock.endStall();
    },
    close: () => {
      cheats.traffic(0);
      clock.stop();
      leader.clear();
      // Closing the open slot keeps the transactions that ran in it.
      if (options.journal !== undefined) state.nextSlot();
      engine.close();
    },
  };
}

/** Anybody may have written the file: each fault in it is reported in one sentence. */
function resume(state: LedgerState, saved: NonNullable<LedgerOptions['saved']>): void {
  try {
    state.resume(saved);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new LedgerInputError(
      `The ledger cannot be continued from what was saved: ${why}. Move the state file away to start over.`,
    );
  }
}
