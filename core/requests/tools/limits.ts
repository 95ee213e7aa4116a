// Bounds of what tools take and answer. UTF-16 units.

/** A request file, or the data of an account. */
export const MAX_TEXT = 1_000_000;
export const MAX_TOOL_NAME = 200;
/** A transaction has at most 4,096 bytes, in base58 some 5,600 characters. */
export const MAX_TRANSACTION = 20_000;
/** All that a model is shown of one answer. */
export const MAX_ANSWER = 40_000;
