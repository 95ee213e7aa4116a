// How the supply grows: the parameters that a validator for tests begins with, and the rates at a slot.

/** Yearly rates; the terms are in years. */
export const INFLATION = { foundation: 0.05, foundationTerm: 7, initial: 0.08, taper: 0.15, terminal: 0.015 } as const;

const MS_PER_YEAR = 365.242_199 * 24 * 60 * 60 * 1000;

interface InflationRates {
  readonly total: number;
  readonly validator: number;
  readonly foundation: number;
}

/** How long so many slots take, in years: at the slot time of the consensus, which may differ from that of this ledger. */
export function yearsOf(slots: number, slotMs: number): number {
  return (slots * slotMs) / MS_PER_YEAR;
}

/** The yearly rates in the epoch that begins with a slot. */
export function inflationAt(slot: number, slotMs: number): InflationRates {
  const year = yearsOf(slot, slotMs);
  const total = Math.max(INFLATION.initial * (1 - INFLATION.taper) ** year, INFLATION.terminal);
  const foundation = year < INFLATION.foundationTerm ? total * INFLATION.foundation : 0;
  return { total, validator: total - foundation, foundation };
}
