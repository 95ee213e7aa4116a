// Durations as they are written: an integer with ms, s or m.

export const DURATION = /^(\d+)(ms|s|m)$/;

const UNIT_MS = new Map([
  ['ms', 1],
  ['s', 1000],
  ['m', 60_000],
]);

/** Milliseconds of a text that DURATION matches; 0 for any other. */
export function durationMs(text: string): number {
  const match = DURATION.exec(text);
  return Number(match?.[1] ?? 0) * (UNIT_MS.get(match?.[2] ?? '') ?? 0);
}

/** Milliseconds of a duration above zero; undefined for anything else. */
export function readDuration(text: string): number | undefined {
  const ms = durationMs(text);
  return ms > 0 && Number.isSafeInteger(ms) ? ms : undefined;
}
