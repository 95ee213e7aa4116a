// Bounds of a ledger's values, for all that come from outside.

/** The most bytes an account holds: MAX_PERMITTED_DATA_LENGTH of Solana. */
export const MAX_ACCOUNT_BYTES = 10 * 1024 * 1024;
/** The last slot that a ledger is brought to: far above every cluster's, and exact with all that is added to it. */
export const MAX_SLOT = 1_000_000_000_000;
/** The last moment that a ledger is brought to, in the year 5138. Unix seconds. */
export const MAX_UNIX_TIME = 99_999_999_999;

/** Whether a value is a slot that a ledger can be at. */
export const isSlot = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_SLOT;
