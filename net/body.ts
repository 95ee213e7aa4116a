// Reads a response's body as bytes: unpacks, bounds, cleans of keys, checks UTF-8, reads the JSON-RPC envelope, and keeps
// it as text or, above a bound, streams it into a file. Never holds more than the bound in memory.
import { isUtf8 } from 'node:buffer';
import { pipeline, type Readable, type Transform } from 'node:stream';
import zlib from 'node:zlib';
import type { BodyText } from '../core/run/model';
import type { GrowingBody } from './api';
import { BodyWriter } from './bodyFile';
import { EnvelopeScanner, type Envelope } from './envelope';
import { Refusal } from './failures';
import type { Redactor } from './redactor';
import { completeEnd, Utf8Check } from './utf8';

/** Bodies up to this many bytes are kept as text. */
export const INLINE_BYTES = 8 * 1024 * 1024;
/** Largest decoded body in memory where no file may take it. */
export const MAX_MEMORY_BYTES = 64 * 1024 * 1024;
/** Largest decoded body in a file. */
export const MAX_FILE_BYTES = 1024 * 1024 * 1024;
/** Bytes of a body in a file that are kept as text, too. */
const HEAD_BYTES = 64 * 1024;

export interface BodyLimits {
  readonly inlineBytes: number;
  readonly maxBytes: number;
  readonly spillFile?: () => string;
  readonly onSpill?: (body: GrowingBody) => void;
}

export interface ReadBody {
  readonly body: BodyText;
  /** Bytes of the decoded body as it came. */
  readonly bytes: number;
  readonly envelope: Envelope;
  /** The text, or its start. */
  readonly text: string;
}

const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: () => zlib.createGunzip(),
  'x-gzip': () => zlib.createGunzip(),
  deflate: () => zlib.createInflate(),
  br: () => zlib.createBrotliDecompress(),
};

export const ACCEPT_ENCODING = 'gzip, deflate, br';

const refuse = (message: string, hint: string): Refusal => new Refusal({ kind: 'protocol', message, hint });

/** Reads to the end. Throws Refusal, or what the connection threw; a file begun is then removed. */
export async function readBody(
  source: Readable,
  encoding: string | undefined,
  limits: BodyLimits,
  redactor: Redactor,
  maxEntries: number,
): Promise<ReadBody> {
  const kept = new Keeper(limits);
  const scanner = new EnvelopeScanner(maxEntries);
  const utf8 = new Utf8Check();
  const take = async (piece: Buffer): Promise<void> => {
    if (piece.length === 0) return;
    if (!utf8.push(piece)) throw NOT_TEXT();
    scanner.push(piece);
    await kept.add(piece);
  };
  let bytes = 0;
  try {
    for await (const chunk of decoded(source, encoding)) {
      bytes += chunk.length;
      if (bytes > limits.maxBytes)
        throw refuse(
          `The answer is larger than ${size(limits.maxBytes)}.`,
          'Narrow the request with filters or a dataSlice.',
        );
      await take(redactor.push(chunk));
    }
    await take(redactor.end());
    if (!utf8.end()) throw NOT_TEXT();
    const body = await kept.finish();
    return { body, bytes, envelope: scanner.end(), text: body.kind === 'text' ? body.text : body.head };
  } catch (error) {
    await kept.discard();
    throw error;
  } finally {
    source.on('error', () => undefined).destroy();
  }
}

/** A small body that came whole and unpacked: judged as `readBody` would, without a stream between. Throws Refusal. */
export function readWhole(bytes: Buffer, redactor: Redactor, maxEntries: number): ReadBody {
  const said = bytes.toString('utf8');
  // Bytes that are no UTF-8 become U+FFFD, which an honest text may hold, too.
  if (said.includes('\ufffd') && !isUtf8(bytes)) throw NOT_TEXT();
  const text = redactor.text(said);
  const scanner = new EnvelopeScanner(maxEntries);
  scanner.push(text === said ? bytes : Buffer.from(text, 'utf8'));
  return { body: { kind: 'text', text }, bytes: bytes.length, envelope: scanner.end(), text };
}

const NOT_TEXT = (): Refusal => refuse('The answer is not UTF-8 text.', 'Check that the URL is a JSON-RPC endpoint.');

/** True where the body is the text itself. */
export const isPlain = (encoding: string | undefined): boolean => /^\s*(?:identity\s*)?$/i.test(encoding ?? '');

function decoded(source: Readable, encoding: string | undefined): AsyncIterable<Buffer> {
  if (isPlain(encoding)) return source;
  const name = encoding?.trim().toLowerCase() ?? '';
  const decoder = Object.hasOwn(DECODERS, name) ? DECODERS[name]?.() : undefined;
  if (decoder === undefined) throw refuse('The answer is compressed in a way that was not asked for.', 'Try again.');
  // The error reaches the reader of the decoder; nothing is left for the callback.
  return pipeline(source, decoder, () => undefined);
}

function size(bytes: number): string {
  const MIB = 1024 * 1024;
  return bytes >= MIB ? `${Math.floor(bytes / MIB)} MB` : `${Math.ceil(bytes / 1024)} kB`;
}

const notWritten = (): never => {
  throw refuse(
    'The answer could not be written to disk.',
    'Check the free space and the rights of the storage folder.',
  );
};

/** Holds the body: in memory, and from the bound on in a file. */
class Keeper {
  private parts: Buffer[] = [];
  private held = 0;
  private head = '';
  private writer: BodyWriter | undefined;

  constructor(private readonly limits: BodyLimits) {}

  async add(piece: Buffer): Promise<void> {
    if (this.writer !== undefined) {
      await this.writer.add(piece).catch(notWritten);
      return;
    }
    this.parts.push(piece);
    this.held += piece.length;
    if (this.limits.spillFile === undefined || this.held <= this.limits.inlineBytes) return;
    const writer = await BodyWriter.create(this.limits.spillFile()).catch(notWritten);
    this.writer = writer;
    const start = Buffer.concat(this.parts).subarray(0, HEAD_BYTES);
    this.head = start.toString('utf8', 0, completeEnd(start));
    const { parts } = this;
    this.parts = [];
    for (const part of parts) await writer.add(part).catch(notWritten);
    this.limits.onSpill?.({ file: writer.file, root: () => writer.root });
  }

  async finish(): Promise<BodyText> {
    const { writer } = this;
    if (writer === undefined) {
      const [first] = this.parts;
      const whole = this.parts.length === 1 && first !== undefined ? first : Buffer.concat(this.parts);
      return { kind: 'text', text: whole.toString('utf8') };
    }
    await writer.finish().catch(notWritten);
    const { file, root } = writer;
    return { kind: 'file', file, bytes: file.bytes, head: this.head, outline: root };
  }

  async discard(): Promise<void> {
    const { writer } = this;
    this.writer = undefined;
    this.parts = [];
    await writer?.discard();
  }
}
