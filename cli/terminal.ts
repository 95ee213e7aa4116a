// Text for people on a terminal: colours only where they are wanted, nothing from outside that could steer it, and no more
// at a time than its reader takes.
import { StringDecoder } from 'node:string_decoder';

const CONTROL =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]|\udb40[\udc00-\udfff]/g;

/** Escapes control characters, ANSI sequences and what hides or turns text around; line feeds and tabs stay. */
export function escapeText(text: string): string {
  return text.replace(CONTROL, (found) =>
    Array.from({ length: found.length }, (_, at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, '0')}`).join(
      '',
    ),
  );
}

/**
 * JSON as a stream takes it: on a terminal with everything escaped that could steer it, which JSON can say inside its
 * strings; in a pipe or a file exactly as it is.
 */
export const jsonFor = ({ isTTY }: { readonly isTTY?: boolean }, json: string): string =>
  isTTY === true ? escapeText(json) : json;

/** The same for a document in pieces, of which those as bytes are UTF-8. */
export async function* jsonPiecesFor(
  stream: { readonly isTTY?: boolean },
  pieces: AsyncIterable<string | Uint8Array>,
): AsyncGenerator<string | Uint8Array, void, undefined> {
  if (stream.isTTY !== true) {
    yield* pieces;
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
  const short = text.length > max ? `${text.slice(0, max - 1)}…` : text;
  return escapeText(short.replaceAll('\r', '').replaceAll('\n', '\\n').replaceAll('\t', ' '));
}

export interface Painter {
  readonly bad: (text: string) => string;
  readonly good: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly strong: (text: string) => string;
}

/** Colours on a terminal, unless NO_COLOR is set (to anything) or the terminal is a dumb one. */
export function painterFor(stream: { readonly isTTY?: boolean }, environment: NodeJS.ProcessEnv): Painter {
  const plain = (text: string): string => text;
  const wanted = stream.isTTY === true && (environment['NO_COLOR'] ?? '') === '' && environment['TERM'] !== 'dumb';
  if (!wanted) return { bad: plain, good: plain, dim: plain, strong: plain };
  const paint = (code: number) => (text: string) => `\u001b[${code}m${text}\u001b[0m`;
  return { bad: paint(31), good: paint(32), dim: paint(2), strong: paint(1) };
}

/** Resolves when the stream takes more, or nothing any more. */
export function drained(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      stream.off('drain', done).off('error', done).off('close', done);
      resolve();
    };
    stream.on('drain', done).on('error', done).on('close', done);
  });
}
