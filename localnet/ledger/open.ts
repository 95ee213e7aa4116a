// The face of the ledger side: opens a ledger on LiteSVM and hands out what the service side needs of it.
import { createEngine } from '../rpc/engine';
import { LAMPORTS_PER_SOL, SYSTEM_PROGRAM, U64_MAX } from './addresses';
import { createCheats } from './cheats';
import { Faucet } from './faucet';
import { byteSource, keypairFromSeed } from './keys';
import { Leader } from './leader';
import { loadNative } from './native';
import { SlotClock } from './slotClock';
import { LedgerState } from './state';
import { LedgerInputError } from './errors';
import type { AccountState, Ledger, LedgerOptions, Troubles } from './types';
import { Voter } from './votes';

export { EngineUnavailableError, LedgerInputError } from './errors';
export type * from './types';

const DEFAULT_SLOT_MS = 400;
const DEFAULT_FINALITY_LAG = 31;
const DEFAULT_SLOTS_PER_EPOCH = 432_000;
const DEFAULT_SCAN_MS = 30_000;
const WALLET_SOL = 1000n;
const FAUCET_SOL = 500_000_000n;

/** Opens a ledger. Rejects with EngineUnavailableError where the engine has no binary; its message is for people. */
export async function openLedger(options: LedgerOptions = {}): Promise<Ledger> {
  const native = await loadNative();
  const slotMs = options.slotMs ?? DEFAULT_SLOT_MS;
  const finalityLag = Math.max(2, options.finalityLag ?? DEFAULT_FINALITY_LAG);
  const bytes = byteSource(options.seed);
  const state = new LedgerState({
    native,
    bytes,
    finalityLag,
    slotsPerEpoch: options.slotsPerEpoch ?? DEFAULT_SLOTS_PER_EPOCH,
    startSlot: options.startSlot ?? finalityLag + 2,
    now: options.now ?? Date.now,
  });
  const wallet = keypairFromSeed(bytes('wallet'));
  const faucet = keypairFromSeed(bytes('faucet'));
  const identity = keypairFromSeed(bytes('identity'));
  const voter = new Voter(identity, keypairFromSeed(bytes('vote account')).address);
  const fundAtGenesis = (address: string, lamports: bigint): void =>
    state.overwrite(address, {
      lamports,
      owner: SYSTEM_PROGRAM,
      data: new Uint8Array(),
      executable: false,
      rentEpoch: U64_MAX,
    });
  fundAtGenesis(wallet.address, WALLET_SOL * LAMPORTS_PER_SOL);
  fundAtGenesis(faucet.address, FAUCET_SOL * LAMPORTS_PER_SOL);

  for (const [address, account] of options.accounts ?? []) importAccount(state, address, account);
  state.begin();
  if (options.saved !== undefined) state.resume(options.saved);
  if (options.journal !== undefined) state.keep(options.journal);

  let troubles: Troubles = { stall: () => 0, fork: () => false };
  const leader = new Leader(state, slotMs, () => troubles);
  const clock = new SlotClock(
    slotMs,
    () => leader.nextSlot(),
    () => troubles.stall(),
  );
  const cheats = createCheats(state, { clock, leader }, bytes);
  const engine = createEngine({
    state,
    leader,
    faucet: new Faucet(state, faucet),
    identity: identity.address,
    untilInclusive: options.untilInclusive ?? true,
    scanMs: options.scanMs ?? DEFAULT_SCAN_MS,
  });
  if (options.paused !== true) clock.start();
  return {
    rpc: engine,
    cheats,
    wallet: { address: wallet.address, secretKey: wallet.secretKey },
    events: state,
    view: (commitment) => state.view(commitment),
    vote: (block) => voter.vote(block),
    slotMs,
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
      // What ran in the open slot is kept with its block.
      if (options.journal !== undefined) state.nextSlot();
      engine.close();
    },
  };
}

/** Throws LedgerInputError for an account that the engine refuses. */
function importAccount(state: LedgerState, address: string, account: AccountState): void {
  try {
    state.overwrite(address, account);
  } catch {
    throw new LedgerInputError(
      `The engine refuses the account ${address}: its data is not what its owner keeps there.`,
    );
  }
}
