// Text for people on a terminal: colours only where they are wanted, nothing from outside that could steer it, and no more
// at a time than its reader takes.
import { StringDecoder } from 'node:string_decoder';
import { shortened } from '../core/solana/common/ends';
import { replaceUnseen } from '../core/solana/common/unseen';

/**
 * Commands that build servers read in a log: `##[…]`, `##vso[…]` and `##teamcity[…]` anywhere in a line, `::…::` at the
 * start of one. Nothing but what cannot be seen may come before; the runner's comparison ignores some of it. Looks back
 * from a colon only: from every blank, a run of blanks would cost its square.
 */
const COMMAND = /##(?=\w*\[)|:(?=:)(?<=^[^!-~\n]*:)/gm;

/**
 * Escapes control characters, ANSI sequences, what hides or turns text around, and what a build server would read as a
 * command; line feeds and tabs stay.
 */
export function escapeText(text: string): string {
  return escapeUnseen(text).replace(COMMAND, (found) => `${found.slice(0, -1)}${escaped(found.slice(-1))}`);
}

/** Longest line or message of a report. UTF-16 units */
export const LONGEST_MESSAGE = 4_000;

/** Escapes control characters and what hides or turns text around; line feeds and tabs stay. */
export const escapeUnseen = (text: string): string => replaceUnseen(text, escaped, '\n\t');

/** Every UTF-16 unit as `\uXXXX`. */
const escaped = (text: string): string =>
  Array.from({ length: text.length }, (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`).join('');

/**
 * JSON as a stream takes it: on a terminal with everything escaped that could steer it, which JSON can say inside its
 * strings; in the log of a build server without `#`, with which its commands begin; else exactly as it is.
 */
export function jsonFor({ isTTY }: { readonly isTTY?: boolean }, json: string): string {
  if (isTTY === true) return escapeText(json);
  return isBuildLog(process.env) ? withoutHashes(json) : json;
}

/** Variables that build servers set which look for commands in what a program writes. */
const BUILD_SERVERS = ['GITHUB_ACTIONS', 'TF_BUILD', 'TEAMCITY_VERSION'];

const isBuildLog = (environment: NodeJS.ProcessEnv): boolean =>
  BUILD_SERVERS.some((name) => (environment[name] ?? '') !== '');

/** Writes `#` as `\u0023`, the same to every reader of JSON. Not `##` alone: servers overlook what is unseen in between. */
const withoutHashes = (json: string): string => json.replaceAll('#', '\\u0023');

function pieceWithoutHashes(piece: string | Uint8Array): string | Uint8Array {
  if (typeof piece === 'string') return withoutHashes(piece);
  if (!piece.includes(0x23)) return piece;
  // One unit for each byte: what is not ASCII stays as it is.
  return Buffer.from(withoutHashes(Buffer.from(piece).toString('latin1')), 'latin1');
}

/** The same for a document in pieces, of which those as bytes are UTF-8. */
export async function* jsonPiecesFor(
  stream: { readonly isTTY?: boolean },
  pieces: AsyncIterable<string | Uint8Array>,
): AsyncGenerator<string | Uint8Array, void, undefined> {
  if (stream.isTTY !== true) {
    const isLog = isBuildLog(process.env);
    for await (const piece of pieces) yield isLog ? pieceWithoutHashes(piece) : piece;
    return;
  }
  // A character may lie in two pieces.
  const decoder = new StringDecoder('utf8');
  for await (const piece of pieces)
    yield escapeText(typeof piece === 'string' ? decoder.end() + piece : decoder.write(Buffer.from(piece)));
  yield escapeText(decoder.end());
}

/** The same on one line of at most `max` UTF-16 units. */
export function escapeLine(text: string, max = 500): string {
  return escapeText(shortened(text, max).replaceAll('\r', '').replaceAll('\n', '\\n').replaceAll('\t', ' '));
}

export interface Painter {
  readonly bad: (text: string) => string;
  readonly good: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly strong: (text: string) => string;
}

/**
 * Colours on a terminal, unless NO_COLOR is set (to anything) or the terminal is a dumb one. FORCE_COLOR (to anything but 0)
 * outranks both.
 */
export function painterFor(stream: { readonly isTTY?: boolean }, environment: NodeJS.ProcessEnv): Painter {
  const plain = (text: string): string => text;
  const forced = environment['FORCE_COLOR'] ?? '';
  const isTerminal = stream.isTTY === true && environment['TERM'] !== 'dumb';
  const wanted = forced === '' ? isTerminal && (environment['NO_COLOR'] ?? '') === '' : forced !== '0';
  if (!wanted) return { bad: plain, good: plain, dim: plain, strong: plain };
  const paint = (code: number) => (text: string) => `\u001b[${code}m${text}\u001b[0m`;
  return { bad: paint(31), good: paint(32), dim: paint(2), strong: paint(1) };
}

/** Resolves when the stream takes more, or nothing any more. */
export function untilDrained(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      stream.off('drain', done).off('error', done).off('close', done);
      resolve();
    };
    stream.on('drain', done).on('error', done).on('close', done);
  });
}
