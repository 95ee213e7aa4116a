// How the supply grows: the parameters that a validator for tests begins with, and the rates at a slot.

/** Yearly rates; the terms are in years. */
export const INFLATION = { foundation: 0.05, foundationTerm: 7, initial: 0.08, taper: 0.15, terminal: 0.015 } as const;

/** At 64 ticks of 6.25 ms a slot, whatever a slot takes here. */
const SLOTS_PER_YEAR = (365.242_199 * 24 * 60 * 60 * 1000) / (64 * 6.25);

interface InflationRates {
  readonly total: number;
  readonly validator: number;
  readonly foundation: number;
}

/** How long so many slots take, in years. */
export function yearsOf(slots: number): number {
  return slots / SLOTS_PER_YEAR;
}

/** The yearly rates in the epoch that begins with a slot. */
export function inflationAt(slot: number): InflationRates {
  const year = yearsOf(slot);
  const total = Math.max(INFLATION.initial * (1 - INFLATION.taper) ** year, INFLATION.terminal);
  const foundation = year < INFLATION.foundationTerm ? total * INFLATION.foundation : 0;
  return { total, validator: total - foundation, foundation };
}
