// Where a stream was away: what is known of it, and how it is told in JSON.

/** Slots where they are known: the newest before it, and the oldest after it, which comes with the first update. */
export interface Missing {
  readonly fromSlot: number | undefined;
  readonly toSlot?: number | undefined;
  /** Whether the service told what was missed. */
  readonly isFilled: boolean;
  readonly reason: string;
}

/** A gap as it is told: slots as their digits. */
export const gapJson = ({ fromSlot, toSlot, isFilled, reason }: Missing) => ({
  ...(fromSlot === undefined ? {} : { fromSlot: String(fromSlot) }),
  ...(toSlot === undefined ? {} : { toSlot: String(toSlot) }),
  isFilled,
  reason,
});
