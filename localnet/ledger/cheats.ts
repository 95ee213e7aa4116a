// The admin interface's hand on the ledger: money from nowhere, accounts at will, time at will. Edits hold at every
// commitment at once, so that a test need not wait for finality before it sees its own set-up.
import { isPublicKey } from '../../core/solana/chain/keys';
import { newAccount } from './accounts/accounts';
import { SYSTEM_PROGRAM, U64_MAX } from './accounts/addresses';
import { isSlot, MAX_ACCOUNT_BYTES, MAX_SLOT, MAX_UNIX_TIME } from './bounds';
import { LedgerInputError } from './errors';
import type { Leader } from './chain/leader';
import { profileOf } from './engine/profile';
import type { SlotClock } from './chain/slotClock';
import { Snapshots } from './snapshots';
import type { LedgerState } from './state';
import { MAX_TRAFFIC, SampleTraffic } from './wallets/traffic';
import type { AccountPatch, AccountState, Cheats } from './types';

/** More slots in one call than this would block the process for seconds. */
const MAX_STEPS = 10_000;

/** The parts that advance slots. */
interface Movers {
  readonly clock: SlotClock;
  readonly leader: Leader;
}

export function createCheats(
  state: LedgerState,
  { clock, leader }: Movers,
  bytes: (name: string) => Uint8Array,
): Cheats {
  const traffic = new SampleTraffic(state, bytes);
  const snapshots = new Snapshots(state);
  const current = (address: string): AccountState => {
    if (!isPublicKey(address)) throw new LedgerInputError(`"${address}" is not an address.`);
    return state.accounts.get(address) ?? newAccount(SYSTEM_PROGRAM, 0n);
  };
  const setAccount = (address: string, patch: AccountPatch): void => {
    if (patch.owner !== undefined) current(patch.owner);
    const account = { ...current(address), ...patch };
    if (account.lamports < 0n || account.lamports > U64_MAX)
      throw new LedgerInputError('lamports must fit into 64 bits.');
    if (account.rentEpoch < 0n || account.rentEpoch > U64_MAX)
      throw new LedgerInputError('rentEpoch must fit into 64 bits.');
    requireFitting(account.data);
    accepted(() => state.overwrite(address, account.lamports === 0n ? undefined : account));
  };
  return {
    rent: state.rent,
    setAccount,
    fund: (address, lamports) => setAccount(address, { lamports: current(address).lamports + lamports }),
    nextSlot: (count = 1) => {
      if (!Number.isSafeInteger(count) || count < 1 || count > MAX_STEPS)
        throw new LedgerInputError(`The number of slots must be 1 to ${MAX_STEPS}.`);
      for (let i = 0; i < count; i++) leader.nextSlot();
    },
    pauseClock: () => clock.stop(),
    resumeClock: () => clock.start(),
    timeTravel: (to) => travel(state, to),
    traffic: (perSecond) => {
      if (!Number.isFinite(perSecond) || perSecond < 0 || perSecond > MAX_TRAFFIC)
        throw new LedgerInputError(`Traffic is 0 to ${MAX_TRAFFIC} transfers per second.`);
      traffic.set(perSecond);
    },
    loadProgram: (address, elf) => {
      current(address);
      requireFitting(elf);
      accepted(() => state.loadProgram(address, elf));
    },
    finalize: () => leader.finalize(),
    profile: (signature) => {
      const record = state.history.find(signature);
      if (record === undefined) throw new LedgerInputError('No transaction with this signature is kept.');
      return profileOf(record.meta.logMessages);
    },
    snapshot: (name) => snapshots.take(name),
    snapshots: () => snapshots.names(),
    restore: (name) => snapshots.restore(name),
    reset: () => snapshots.reset(),
  };
}

function requireFitting(data: Uint8Array): void {
  if (data.length > MAX_ACCOUNT_BYTES)
    throw new LedgerInputError(`An account holds up to ${MAX_ACCOUNT_BYTES} bytes, and this is ${data.length}.`);
}

/** The engine throws its own exception for sysvars and programs whose bytes are invalid. */
function accepted(write: () => void): void {
  try {
    write();
  } catch {
    throw new LedgerInputError('The engine refuses this account: its data is not what its owner keeps there.');
  }
}

function travel(state: LedgerState, to: Parameters<Cheats['timeTravel']>[0]): void {
  const here = state.chain.open.slot;
  const slot = to.slot ?? (to.epoch === undefined ? undefined : to.epoch * state.slotsPerEpoch);
  if (slot === undefined && to.timestamp === undefined)
    throw new LedgerInputError('Say where to: a slot, an epoch or a timestamp.');
  if (slot !== undefined) {
    if (slot > MAX_SLOT) throw new LedgerInputError(`Time travel goes up to slot ${MAX_SLOT}.`);
    if (!isSlot(slot) || slot <= here)
      throw new LedgerInputError(`Time travel goes forward only: the ledger is at slot ${here}.`);
  }
  if (to.timestamp !== undefined) {
    const now = state.unixTime();
    if (to.timestamp > MAX_UNIX_TIME) throw new LedgerInputError(`Time travel goes up to Unix time ${MAX_UNIX_TIME}.`);
    if (!Number.isInteger(to.timestamp) || to.timestamp < now)
      throw new LedgerInputError(`Time travel goes forward only: the ledger is at Unix time ${now}.`);
    state.addTime(to.timestamp - now);
  }
  state.skipTo(slot ?? here + 1);
}
