// Reads the log of an error in a program that is built with Anchor: its name and message, the account or the line of
// the source it is about, the two values that were compared. The program chooses the words: they may say anything.

export interface OwnWords {
  readonly number: number;
  readonly name: string;
  readonly message: string;
  /** As the program's source names it. */
  readonly account?: string;
  /** A file with a line: `programs/vault/src/lib.rs:42`. */
  readonly place?: string;
  /** The two values that were compared. */
  readonly left?: string;
  readonly right?: string;
}

const LOG = 'Program log: ';
const ERROR =
  /^(?:Anchor|Program)Error (?:occurred|thrown in (.{1,200}:\d{1,7})|caused by account: (.{1,100}?))\. Error Code: (\w{1,100})\. Error Number: (\d{1,10})\. Error Message: (.*)$/s;
/** Longer messages and values are cut. UTF-16 units. */
const MAX_TEXT = 200;

/** `lines`: those of the call that failed. */
export function ownWords(lines: readonly string[]): OwnWords | undefined {
  const texts = lines.map((line) => (line.startsWith(LOG) ? line.slice(LOG.length) : ''));
  const at = texts.findLastIndex((text) => ERROR.test(text));
  const [, place, account, name, number, message] = ERROR.exec(texts[at] ?? '') ?? [];
  if (name === undefined || message === undefined) return undefined;
  const after = texts.slice(at + 1);
  const [left, right] = [valueOf(after, 'Left:'), valueOf(after, 'Right:')];
  return {
    number: Number(number),
    name,
    message: message.replace(/\.$/, '').slice(0, MAX_TEXT),
    ...(account !== undefined && { account }),
    ...(place !== undefined && { place }),
    ...(left !== undefined && right !== undefined && { left, right }),
  };
}

/** Behind its title, or, for a key, in the next line. */
function valueOf(texts: readonly string[], title: string): string | undefined {
  const at = texts.findIndex((text) => text.startsWith(title));
  const own = texts[at]?.slice(title.length).trim();
  return (own === '' ? texts[at + 1] : own)?.slice(0, MAX_TEXT);
}
