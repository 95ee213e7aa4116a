// The ranges of time that usage is asked for, and how a user writes one of his own. Pure: the clock is handed in.

/** The ranges on offer, in seconds back from now. */
export const RANGES = { hour: 3_600, day: 86_400, week: 604_800, month: 2_592_000 } as const;
export type RangeName = keyof typeof RANGES;

/** Ends of a range, in Unix seconds. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export type UsageRange = { readonly kind: RangeName } | ({ readonly kind: 'custom' } & Span);

export const isRangeName = (name: unknown): name is RangeName =>
  typeof name === 'string' && Object.hasOwn(RANGES, name);

/** A range that was kept over a reload; undefined for anything else. */
export function readRange(value: unknown): UsageRange | undefined {
  if (typeof value !== 'object' || value === null || !('kind' in value)) return undefined;
  if (isRangeName(value.kind)) return { kind: value.kind };
  const { from, to } = value as { readonly from?: unknown; readonly to?: unknown };
  const isSpan = value.kind === 'custom' && typeof from === 'number' && typeof to === 'number' && from < to;
  return isSpan ? { kind: 'custom', from, to } : undefined;
}

/** `now`: Unix seconds. */
export const spanOf = (range: UsageRange, now: number): Span =>
  range.kind === 'custom' ? { from: range.from, to: range.to } : { from: now - RANGES[range.kind], to: now };

const DATE = /^\d{4}-\d{2}-\d{2}(?:[ T]\d{2}:\d{2}(?::\d{2})?)?Z?$/;
const BACK = /^(\d{1,4})\s*([mhdw])$/;
const UNITS: Readonly<Record<string, number>> = { m: 60, h: 3_600, d: 86_400, w: 604_800 };

/**
 * A moment as a user writes it: `2026-11-21`, `2026-11-21 14:30` in the time of this machine, with `Z` in UTC; `3d`
 * ago; `now`. Unix seconds; undefined where it is none.
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
