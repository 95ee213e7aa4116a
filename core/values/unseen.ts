// Characters that show nothing or move the text around them. Pure.

/** Controls, bidi marks, zero-width ones, selectors of a variant, line separators, tags, halves of a surrogate pair. */
export const UNSEEN =
  /[\0-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\p{Surrogate}]|[\u{e0000}-\u{e0fff}]/gu;

/**
 * The text with a sign in place of each of them, lines and tabs included unless they are kept. That an emoji is to be
 * drawn in colour needs no sign.
 */
export const withoutUnseen = (text: string, keepsLines = false): string =>
  text
    .replaceAll('\ufe0f', '')
    .replace(UNSEEN, (char) => (keepsLines && (char === '\n' || char === '\t') ? char : '\ufffd'));
