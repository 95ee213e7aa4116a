// JSON lets any character be written as an escape, and some services write `/` and `+` so: a key that is looked for must
// be found under them, too. Changes no JSON value.

/** An escape of a printable ASCII character. A pair of backslashes is matched first, so that none of it begins one. */
const ESCAPE = /\\(?:\\|\/|u00[2-7][0-9a-f])/gi;

/** True where `unescaped` might change something; a cheap question to ask of every piece of an answer. */
export const hasEscapes = (text: string | Buffer): boolean => text.includes('\\u00') || text.includes('\\/');

/** The same JSON with `\/` and `\u00XX` written as the character, but for those that must be escaped in a string. */
export function unescaped(json: string): string {
  return json.replace(ESCAPE, (escape) => {
    if (escape === '\\\\') return escape;
    const char = escape === '\\/' ? '/' : String.fromCharCode(Number.parseInt(escape.slice(2), 16));
    return char === '"' || char === '\\' || char === '\x7f' ? escape : char;
  });
}

const BACKSLASH = 0x5c;
const LONGEST_OPEN = '\\u00X'.length;

/** Length of an escape at the end of `bytes` whose rest has not come yet. */
export function openEscape(bytes: Buffer): number {
  const at = bytes.lastIndexOf(BACKSLASH);
  const length = bytes.length - at;
  if (at === -1 || length > LONGEST_OPEN || !/^\\(?:u[0-9a-f]{0,3})?$/i.test(bytes.toString('latin1', at))) return 0;
  let run = 1;
  while (bytes[at - run] === BACKSLASH) run++;
  // Of an even run of backslashes the last one is the second of a pair.
  return run % 2 === 1 ? length : 0;
}
