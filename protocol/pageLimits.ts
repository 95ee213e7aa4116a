// Limits of the pages' messages, in UTF-16 units unless said otherwise. Separate from the shapes: pages bundle no shapes.

/** A text that a page of a stream or of a transaction may have copied. */
export const MAX_COPIED = 1_000_000;
/** A filter of a stream. */
export const MAX_FILTER = 2_000;
/** Rows of a stream that one request asks for. */
export const MAX_ROWS = 500;
/** The text that a response is searched for, or its table filtered by. */
export const MAX_NEEDLE = 500;
/** A text that is given as a transaction. */
export const MAX_GIVEN = 20_000_000;
/** A longer text of a transaction is not kept over a reload of the window. */
export const MAX_KEPT_TEXT = 200_000;
