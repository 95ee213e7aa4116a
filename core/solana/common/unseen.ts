// Characters that show nothing or move the text around them: one class for every place that shows text. Pure.

/**
 * Controls, line separators, halves of a surrogate pair, and what Unicode says is not to be drawn by itself: bidi marks,
 * zero-width characters, selectors of a variant, tags. The selector and the joiner inside an emoji are not among them.
 */
const UNSEEN =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb](?<!\p{Extended_Pictographic}\ufe0f|\ufe0f(?=\u20e3)|\u200d(?=\p{Extended_Pictographic}))/gu;

/** The text with each of them replaced, apart from those in `kept`. */
export const replaceUnseen = (text: string, replacement: (char: string) => string, kept = ''): string =>
  text.replace(UNSEEN, (char) => (kept.includes(char) ? char : replacement(char)));

/** The text with a sign in place of each of them, lines and tabs included unless they are kept. */
export const withoutUnseen = (text: string, keepsLines = false): string =>
  replaceUnseen(text, () => '\ufffd', keepsLines ? '\n\t' : '');
