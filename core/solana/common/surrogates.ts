// Halves of characters: UTF-16 allows them alone, and no encoding of UTF-8 or of a URL has one. Reads text, changes none.

const HALF = /\p{Surrogate}/u;
const HALVES = /\p{Surrogate}/gu;

export const holdsHalf = (text: string): boolean => HALF.test(text);

/** The text with U+FFFD for each half. */
export const withoutHalves = (text: string): string => text.replaceAll(HALVES, '\ufffd');
