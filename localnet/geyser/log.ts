// Turns the ledger's events into updates per commitment, hands them to the streams and keeps the last slots of them for
// replays. Bounded in slots and in bytes of account data; knows no filter.
import type { Consensus } from '../ledger/consensus';
import type { LedgerBlock, Commitment, LedgerEvent } from '../ledger/types';
import type { Ledger } from '../ledger/ledger';
import { Emission, STATUS_OF, type AccountWrite, type SlotStatusName, type Update } from './emission';

/** Slots that a replay can go back. */
const SLOTS_KEPT = 150;
/** Bytes that the kept slots may hold: account data, of which each write has its own, and the updates themselves. */
const BYTES_KEPT = 48 * 1024 * 1024;
/** Approximate size of an update without account data; transactions are held by the ledger's history. */
const UPDATE_BYTES = 512;

type Levels = readonly Commitment[];
const EVERY: Levels = ['processed', 'confirmed', 'finalized'];
/** One list for all updates of a level: thousands of them are kept. */
const ONLY: Readonly<Record<Commitment, Levels>> = {
  processed: ['processed'],
  confirmed: ['confirmed'],
  finalized: ['finalized'],
};

interface Kept {
  readonly order: number;
  readonly levels: Levels;
  readonly update: Update;
}

interface KeptSlot {
  updates: Kept[];
  /** The last write of each account; a later write of the same account takes its place at the end. */
  readonly writes: Map<string, AccountWrite>;
  /** The updates made when the slot's block closes. */
  closing: readonly Update[];
  bytes: number;
}

/** Takes what happens at its commitment. */
export type Listener = (emission: Emission) => void;

export class UpdateLog {
  readonly #slots = new Map<number, KeptSlot>();
  readonly #listeners = new Set<{ readonly level: () => Commitment; readonly take: Listener }>();
  #bytes = 0;
  #order = 0;

  /** `now` is Unix milliseconds. */
  constructor(
    private readonly now: () => number,
    private readonly consensus: Consensus,
  ) {}

  get #isAlpenglow(): boolean {
    return this.consensus === 'alpenglow';
  }

  /** Follows the ledger; returns what ends it. */
  follow(ledger: Pick<Ledger, 'events'>): () => void {
    return ledger.events.on((event) => this.#take(event));
  }

  /** Starts at the ledger's open slot, of which nothing has been missed. */
  begin(openSlot: number): void {
    if (this.#slots.size === 0) this.#slotAt(openSlot);
  }

  /** Hands every update at `level()` to `take`; returns what ends it. */
  listen(level: () => Commitment, take: Listener): () => void {
    const listener = { level, take };
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The oldest slot that is kept whole; `undefined` before the first. */
  get firstSlot(): number | undefined {
    return this.#slots.keys().next().value;
  }

  /** The updates at a commitment since `slot`, in order, as of now. */
  since(slot: number, level: Commitment): readonly Update[] {
    const found: Kept[] = [];
    for (const [at, { updates }] of this.#slots) {
      if (at >= slot) for (const kept of updates) if (kept.levels.includes(level)) found.push(kept);
    }
    return found.sort((a, b) => a.order - b.order).map(({ update }) => update);
  }

  #take(event: LedgerEvent): void {
    switch (event.kind) {
      case 'account': {
        const kept = this.#slotAt(event.slot);
        kept.writes.delete(event.address);
        kept.writes.set(event.address, event);
        this.#count(kept, event.account?.data.length ?? 0);
        this.#emit(event.slot, ONLY.processed, event);
        return;
      }
      case 'transaction':
        this.#slotAt(event.record.slot);
        this.#emit(event.record.slot, ONLY.processed, event);
        return;
      case 'slot':
        this.#takeSlot(event);
        return;
      case 'dead':
        if (event.isReplaced) this.#takeReplaced(event);
        else this.#takeDead(event);
        return;
    }
  }

  #takeSlot({ slot, parent, status, block }: LedgerEvent & { kind: 'slot' }): void {
    const { bankId } = block;
    const announce = (is: SlotStatusName): void =>
      this.#emit(slot, EVERY, { kind: 'slot', slot, parent, status: is, bankId });
    /** Concerns no bank: a second one of the slot changes nothing. */
    const announceOnce = (is: SlotStatusName): void => {
      const isKnown = this.#slotAt(slot).updates.some(({ update }) => update.kind === 'slot' && update.status === is);
      if (!isKnown) this.#emit(slot, EVERY, { kind: 'slot', slot, parent, status: is });
    };
    switch (status) {
      case 'created':
        announceOnce('SLOT_FIRST_SHRED_RECEIVED');
        announce('SLOT_CREATED_BANK');
        return;
      case 'processed': {
        const kept = this.#slotAt(slot);
        kept.closing = this.#closingOf(block, kept);
        for (const update of kept.closing) this.#emit(slot, ONLY.processed, update);
        announceOnce('SLOT_COMPLETED');
        announce(STATUS_OF.processed);
        this.#forgetOld();
        return;
      }
      case 'confirmed':
      case 'finalized':
        if (status === 'confirmed') this.#dropOtherBanks(slot, bankId);
        for (const update of this.#contentOf(slot, block)) this.#emit(slot, ONLY[status], update);
        announce(STATUS_OF[status]);
        return;
    }
  }

  /** A replay repeats a lost slot's statuses and none of its content. */
  #takeDead({ slot, parent, bankId, reason }: LedgerEvent & { kind: 'dead' }): void {
    const kept = this.#slotAt(slot);
    kept.writes.clear();
    kept.closing = [];
    this.#keepOnly(kept, ({ kind }) => kind === 'slot');
    this.#emit(slot, EVERY, { kind: 'slot', slot, parent, bankId, status: 'SLOT_DEAD', deadError: reason });
  }

  /** Updates of the slot's first bank stay for replays until the second bank is confirmed. */
  #takeReplaced({ slot, bankId, parent, parentBlockhash }: LedgerEvent & { kind: 'dead' }): void {
    const kept = this.#slotAt(slot);
    if (this.#isAlpenglow)
      this.#emit(slot, ONLY.processed, { kind: 'entryUpdateParent', slot, bankId, parent, parentBlockhash });
    kept.writes.clear();
    kept.closing = [];
  }

  #dropOtherBanks(slot: number, bankId: number): void {
    const kept = this.#slots.get(slot);
    if (kept === undefined) return;
    const isOfBank = (update: Update): boolean => update.kind === 'slot' || bankOf(update) === bankId;
    if (!kept.updates.every(({ update }) => isOfBank(update))) this.#keepOnly(kept, isOfBank);
  }

  #keepOnly(kept: KeptSlot, isKept: (update: Update) => boolean): void {
    kept.updates = kept.updates.filter(({ update }) => isKept(update));
    const data = kept.updates.reduce(
      (sum, { update }) => sum + (update.kind === 'account' ? (update.account?.data.length ?? 0) : 0),
      0,
    );
    this.#count(kept, kept.updates.length * UPDATE_BYTES + data - kept.bytes);
  }

  /** A slot as sent above processed: the last write of each account, every transaction, the block. */
  #contentOf(slot: number, block: LedgerBlock): Update[] {
    const kept = this.#slots.get(slot);
    if (kept === undefined) return [];
    const { bankId } = block;
    const transactions = block.transactions.map((record): Update => ({ kind: 'transaction', record, bankId }));
    return [...kept.writes.values(), ...transactions, ...kept.closing];
  }

  #emit(slot: number, levels: Levels, update: Update): void {
    const kept = this.#slots.get(slot);
    if (kept !== undefined) {
      kept.updates.push({ order: this.#order++, levels, update });
      this.#count(kept, UPDATE_BYTES);
    }
    if (this.#listeners.size === 0) return;
    const emission = new Emission(update, this.now());
    for (const { level, take } of this.#listeners) if (levels.includes(level())) take(emission);
  }

  /** The block's meta comes last: clients take it as the end of the slot's content. */
  #closingOf(block: LedgerBlock, { writes }: KeptSlot): readonly Update[] {
    return [
      { kind: 'entry', block },
      ...(this.#isAlpenglow ? [{ kind: 'blockFooter', block } as const] : []),
      { kind: 'block', block, writes: [...writes.values()] },
      { kind: 'blockMeta', block },
    ];
  }

  #slotAt(slot: number): KeptSlot {
    let kept = this.#slots.get(slot);
    if (kept === undefined) this.#slots.set(slot, (kept = { updates: [], writes: new Map(), closing: [], bytes: 0 }));
    return kept;
  }

  #count(kept: KeptSlot, bytes: number): void {
    kept.bytes += bytes;
    this.#bytes += bytes;
  }

  #forgetOld(): void {
    for (const [slot, { bytes }] of this.#slots) {
      if (this.#slots.size <= 1 || (this.#slots.size <= SLOTS_KEPT && this.#bytes <= BYTES_KEPT)) return;
      this.#slots.delete(slot);
      this.#bytes -= bytes;
    }
  }
}

const bankOf = (update: Exclude<Update, { kind: 'slot' }>): number =>
  'block' in update ? update.block.bankId : update.bankId;
