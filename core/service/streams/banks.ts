// Abandoned banks of the slots in one stream. A slot may have several banks, of which one is confirmed; updates of the
// others never happened. Requires slot updates in the same stream. Bank ids are local to a server: banks are compared
// within one connection only.
import type { ShapeColumn, Shape } from './shape';

/** An abandoned bank. */
export interface Abandoned {
  readonly slot: number;
  /** Its digits; absent if the server names no banks and the whole slot is dead. */
  readonly bank?: string;
  /** The slot's confirmed bank; absent if the slot is dead. */
  readonly confirmed?: string;
  /** Its updates in this stream so far. */
  readonly updates: number;
  /** The leader cleared it: the block continues on another parent. */
  readonly isCleared?: boolean;
}

/** The machine-readable form: slots and banks as digits. */
export const abandonedJson = ({ slot, bank, confirmed, updates }: Abandoned) => ({
  slot: String(slot),
  ...(bank === undefined ? {} : { bankId: bank }),
  ...(confirmed === undefined ? {} : { confirmedBankId: confirmed }),
  updates,
});

/** One line for people. */
export function abandonedText({ slot, bank, confirmed, updates, isCleared = false }: Abandoned): string {
  const what = bank === undefined ? `slot ${slot}` : `bank ${bank} of slot ${slot}`;
  const gone = isCleared ? 'was cleared' : 'is dead';
  const why = confirmed === undefined ? gone : `was given up: bank ${confirmed} is confirmed`;
  return `${what} ${why}; updates that no longer count: ${updates}`;
}

/** Slots whose banks are followed, and slots with a bank that was given up that are remembered. */
const MAX_SLOTS = 512;
const MAX_ABANDONED = 10_000;
/** In place of a bank where the server names none. */
const NO_BANK = '';
/** The value of the field `fate`. */
const ABANDONED = 'abandoned';
const CONFIRMED = new Set(['confirmed', 'finalized']);
const COLUMN: ShapeColumn = { field: 'fate', title: 'Fate', align: 'start' };

interface SlotBanks {
  readonly updates: Map<string, number>;
  confirmed?: string;
}

export class Banks {
  /** Updates of abandoned banks. */
  count = 0;
  readonly #followed = new Map<number, SlotBanks>();
  readonly #abandoned = new Map<number, Set<string>>();
  #isAlone = true;

  /** `shape`: the messages without the fate of their banks. */
  constructor(private readonly shape: Shape) {}

  /** A connection opened. `isAlone` false: two send at once, so the server of a bank id is unknown. */
  connected(isAlone: boolean): void {
    this.#followed.clear();
    this.#isAlone = isAlone;
  }

  /** The ledger is another one: its slots have other banks. */
  clear(): void {
    this.#followed.clear();
    this.#abandoned.clear();
  }

  /** Takes a message of the stream; returns the banks it shows to be abandoned, usually none. */
  take(bytes: Uint8Array, start: number, end: number): readonly Abandoned[] {
    const { shape } = this;
    if (shape.hearsOfSlots !== true || !this.#isAlone) return NONE;
    const slot = shape.slot(bytes, start, end);
    if (Number.isNaN(slot)) return NONE;
    const kind = shape.value('kind', bytes, start, end);
    if (kind === 'entryUpdateParent') {
      const cleared = String(shape.value('clearedBank', bytes, start, end));
      return this.#abandon(slot, [cleared]).map((bank) => ({ ...bank, isCleared: true }));
    }
    const bank = bankText(shape, bytes, start, end);
    const of = this.#slot(slot);
    of.updates.set(bank, (of.updates.get(bank) ?? 0) + 1);
    if (this.#isAbandoned(slot, bank)) this.count++;
    else if (of.confirmed !== undefined && bank !== NO_BANK && bank !== of.confirmed)
      return this.#abandon(slot, [bank]);
    return kind === 'slot' ? this.#status(slot, bank, String(shape.value('status', bytes, start, end))) : NONE;
  }

  /** Whether the bank of this message was abandoned. */
  readonly holdsAbandoned = (bytes: Uint8Array, start: number, end: number): boolean => {
    if (this.#abandoned.size === 0) return false;
    const { shape } = this;
    return this.#isAbandoned(shape.slot(bytes, start, end), bankText(shape, bytes, start, end));
  };

  /** The messages' shape with the field `fate`. */
  with(shape: Shape): Shape {
    if (shape.hearsOfSlots !== true) return shape;
    const value: Shape['value'] = (field, bytes, start, end) => {
      if (field !== COLUMN.field) return shape.value(field, bytes, start, end);
      return this.holdsAbandoned(bytes, start, end) ? ABANDONED : undefined;
    };
    const others = shape.columns.filter(({ field }) => field !== COLUMN.field);
    return {
      ...shape,
      columns: [...others, COLUMN],
      fields: new Map([...shape.fields, [COLUMN.field, 'text']]),
      value,
    };
  }

  #isAbandoned(slot: number, bank: string): boolean {
    return this.#abandoned.get(slot)?.has(bank) === true;
  }

  #status(slot: number, bank: string, status: string): readonly Abandoned[] {
    const of = this.#slot(slot);
    if (status === 'dead') return this.#abandon(slot, bank === NO_BANK ? [...of.updates.keys()] : [bank]);
    if (!CONFIRMED.has(status) || bank === NO_BANK) return NONE;
    of.confirmed = bank;
    return this.#abandon(
      slot,
      [...of.updates.keys()].filter((other) => other !== bank && other !== NO_BANK),
    );
  }

  #abandon(slot: number, banks: readonly string[]): readonly Abandoned[] {
    const { confirmed, updates } = this.#slot(slot);
    const known = this.#abandoned.get(slot) ?? new Set<string>();
    const fresh = banks.filter((bank) => !known.has(bank));
    if (fresh.length === 0) return NONE;
    for (const bank of fresh) known.add(bank);
    this.#abandoned.set(slot, known);
    forgetOldest(this.#abandoned, MAX_ABANDONED);
    return fresh.map((bank) => {
      const count = updates.get(bank) ?? 0;
      this.count += count;
      return {
        slot,
        updates: count,
        ...(bank !== NO_BANK && { bank }),
        ...(confirmed !== undefined && confirmed !== bank && { confirmed }),
      };
    });
  }

  #slot(slot: number): SlotBanks {
    let of = this.#followed.get(slot);
    if (of === undefined) {
      this.#followed.set(slot, (of = { updates: new Map() }));
      forgetOldest(this.#followed, MAX_SLOTS);
    }
    return of;
  }
}

const NONE: readonly Abandoned[] = [];

function bankText(shape: Shape, bytes: Uint8Array, start: number, end: number): string {
  const bank = shape.value('bank', bytes, start, end);
  return bank === undefined ? NO_BANK : String(bank);
}

function forgetOldest(map: Map<number, unknown>, most: number): void {
  const [oldest] = map.keys();
  if (map.size > most && oldest !== undefined) map.delete(oldest);
}
