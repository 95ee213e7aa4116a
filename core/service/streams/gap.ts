// A gap in a stream: what is known of it, and its JSON form.

/** The newest slot before it and the oldest after it, if known; the latter arrives with the first update. */
export interface Missing {
  readonly fromSlot: number | undefined;
  readonly toSlot?: number | undefined;
  /** Whether the service replayed what was missed. */
  readonly isFilled: boolean;
  readonly reason: string;
}

/** The JSON form of a gap, with slots as strings of digits. */
export const gapJson = ({ fromSlot, toSlot, isFilled, reason }: Missing) => ({
  ...(fromSlot === undefined ? {} : { fromSlot: String(fromSlot) }),
  ...(toSlot === undefined ? {} : { toSlot: String(toSlot) }),
  isFilled,
  reason,
});
