// The base58 or base64 text around a place in a line, as long as a signature or a transaction. The editor's own search for
// words looks at 500 characters on each side, and cuts what is longer.

export interface EncodedText {
  readonly text: string;
  /** UTF-16 units from the beginning of the line. */
  readonly start: number;
}

const ENCODED = /[A-Za-z0-9+/]{64,16384}={0,2}/g;
const WHOLE = new RegExp(`^(?:${ENCODED.source})$`);

/** The encoded text at `character` (UTF-16 units); undefined if there isn't any. */
export function encodedAt(line: string, character: number): EncodedText | undefined {
  for (const { 0: text, index } of line.matchAll(ENCODED))
    if (index <= character && character <= index + text.length) return { text, start: index };
  return undefined;
}

/** The first encoded text in a selection; line breaks inside it are removed. */
export function encodedIn(selected: string): string | undefined {
  const joined = selected.replace(/\s+/g, '');
  if (WHOLE.test(joined)) return joined;
  const [first] = selected.match(ENCODED) ?? [];
  return first;
}
