// Text from outside as it may be shown: characters that draw nothing themselves but change the text around them, or hide
// in it, are written out. Pure.

/** Control and format characters but line ends and tabs: directions of writing, zero widths, escapes. */
const HIDDEN = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}]/gu;

/** The same text with each such character as JSON would escape it, for example `\u202e`. */
export function visible(text: string): string {
  return text.replace(HIDDEN, (character) =>
    Array.from({ length: character.length }, (_, at) => character.charCodeAt(at))
      .map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
      .join(''),
  );
}
