// The time ranges of usage requests, and how a user writes a custom one. Pure: the clock is passed in.

import { MOST_PARTS } from '../../core/service/profiles/planLimits';
import { kinds } from '../../protocol/shapes';

/** The ranges on offer, in seconds back from now. */
export const RANGES = { hour: 3_600, day: 86_400, week: 604_800, month: 2_592_000 } as const;
export type RangeName = keyof typeof RANGES;

/** Ends of a range, in Unix seconds. */
export interface RangeEnds {
  readonly from: number;
  readonly to: number;
}

export type ChosenRange = { readonly kind: RangeName } | ({ readonly kind: 'custom' } & RangeEnds);

export const isRangeName = (name: unknown): name is RangeName =>
  typeof name === 'string' && Object.hasOwn(RANGES, name);

/** A range that was kept over a reload; undefined for anything else. */
export function readKeptRange(value: unknown): ChosenRange | undefined {
  const range = keptRange(value);
  return range?.kind === 'custom' && range.from >= range.to ? undefined : range;
}

const keptRange = kinds({ hour: {}, day: {}, week: {}, month: {}, custom: { from: 'number', to: 'number' } });

/** `now`: Unix seconds. */
export const endsOf = (range: ChosenRange, now: number): RangeEnds =>
  range.kind === 'custom' ? { from: range.from, to: range.to } : { from: now - RANGES[range.kind], to: now };

/** How long the parts of a time axis are, in seconds. */
const LENGTHS = [60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 14_400, 21_600, 28_800, 43_200, 86_400, 172_800];
const DAY = 86_400;

/**
 * A range cut for a time axis, at whole minutes, hours or days of this machine's time. Each second is in one part.
 * `offset`: of that time from UTC, in seconds.
 */
export function partsOf({ from, to }: RangeEnds, offset: number): readonly RangeEnds[] {
  const indexOf = (second: number, length: number): number => Math.floor((second + offset) / length);
  const fits = (length: number): boolean => indexOf(to, length) - indexOf(from, length) < MOST_PARTS;
  const long = Math.ceil((to - from) / DAY / (MOST_PARTS - 1)) * DAY;
  const length = LENGTHS.find(fits) ?? Math.max(DAY, long);
  const starts = [from];
  for (let index = indexOf(from, length) + 1; index <= indexOf(to, length); index++)
    starts.push(index * length - offset);
  return starts.map((start, at) => ({ from: start, to: (starts[at + 1] ?? to + 1) - 1 }));
}

const DATE = /^\d{4}-\d{2}-\d{2}(?:[ T]\d{2}:\d{2}(?::\d{2})?)?Z?$/;
const BACK = /^(\d{1,4})\s*([mhdw])$/;
const UNITS: Readonly<Record<string, number>> = { m: 60, h: 3_600, d: 86_400, w: 604_800 };

/**
 * Parses a time as a user writes it: `2026-11-21`, `2026-11-21 14:30` in the time of this machine, with `Z` in UTC; `3d` ago;
 * `now`. Unix seconds; undefined if invalid.
 */
export function readMoment(text: string, now: number): number | undefined {
  const trimmed = text.trim();
  if (trimmed === 'now' || trimmed === '') return now;
  const back = BACK.exec(trimmed);
  if (back !== null) return now - Number(back[1]) * (UNITS[back[2] ?? ''] ?? 0);
  if (!DATE.test(trimmed)) return undefined;
  // A bare date is midnight here, and not in Greenwich.
  const ms = Date.parse(/[ T]/.test(trimmed) || trimmed.endsWith('Z') ? trimmed.replace(' ', 'T') : `${trimmed}T00:00`);
  return Number.isNaN(ms) ? undefined : Math.floor(ms / 1000);
}
