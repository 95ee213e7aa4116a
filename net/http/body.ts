// Reads a response's body as bytes: unpacks, bounds, cleans of keys, checks UTF-8, reads the JSON-RPC envelope, and keeps
// it as text or, above a bound, streams it into a file. Never holds more than the bound in memory.
import { isUtf8 } from 'node:buffer';
import { rm } from 'node:fs/promises';
import { Writable, type Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import zlib from 'node:zlib';
import type { BytePart } from '../../core/service/response/outline';
import { TextBody } from '../../core/service/response/textBody';
import type { BodyText } from '../../core/requests/run/model';
import type { GrowingBody } from '../api';
import { BodyWriter } from './bodyFile';
import { EnvelopeScanner, type AnswerEnvelope } from './envelope';
import { RefusedAnswer } from '../failures';
import type { Redactor } from '../secrets/redactor';
import { completeEnd, Utf8Check } from './utf8';

/** Bodies up to this many bytes are kept as text. */
export const INLINE_BYTES = 8 * 1024 * 1024;
/** Largest decoded body without a file to store it. */
export const MAX_MEMORY_BYTES = 64 * 1024 * 1024;
/** Largest decoded body in a file. */
export const MAX_FILE_BYTES = 1024 * 1024 * 1024;
/** With a file to store it, a body can be paged after this many bytes. */
const SHOWN_FROM = 1024 * 1024;
/** Bytes of a body in a file that are kept as text, too. */
const HEAD_BYTES = 64 * 1024;
/** Bytes that may be queued for writing before the connection is paused. */
const WAITING_BYTES = 1024 * 1024;
/**
 * Bytes taken in before others get their turn. Node reads a fast connection up to 32 times, 2 MB, in one turn of its loop,
 * which held everything else up for 70 ms while this code was new to the engine.
 */
const TURN_BYTES = 256 * 1024;

export interface BodyLimits {
  readonly inlineBytes: number;
  readonly maxBytes: number;
  readonly spillFile?: (() => string) | undefined;
  readonly onGrow?: ((body: GrowingBody) => void) | undefined;
}

export interface ReadBody {
  readonly body: BodyText;
  /** Bytes of the decoded body. */
  readonly bytes: number;
  readonly envelope: AnswerEnvelope;
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

const refuse = (message: string, hint: string): RefusedAnswer => new RefusedAnswer({ kind: 'protocol', message, hint });

/** How a body is read. */
export interface BodyRules {
  readonly limits: BodyLimits;
  readonly redactor: Redactor;
  /** Entries of the JSON-RPC batch that are expected; 1 for a single answer. */
  readonly maxEntries: number;
}

/** Reads to the end. Throws RefusedAnswer, or the connection's error, after removing an unfinished file. */
export async function readWholeBody(
  source: Readable,
  encoding: string | undefined,
  rules: BodyRules,
): Promise<ReadBody> {
  const reader = new BodyReader(rules);
  try {
    const decoder = decoderOf(encoding);
    await pipeline(decoder === undefined ? [source, reader] : [source, decoder, reader]);
    return await reader.whole();
  } catch (error) {
    await reader.discard();
    throw error;
  } finally {
    source.on('error', () => undefined).destroy();
  }
}

/** Removes the stored part of an abandoned answer. */
export async function removeBody({ body }: ReadBody): Promise<void> {
  if (body.kind === 'file') await rm(body.file.path, { force: true }).catch(() => undefined);
}

/**
 * A small body received whole and uncompressed: judged like `readWholeBody`, without a stream. Throws RefusedAnswer.
 */
export function readWhole(bytes: Buffer, { redactor, maxEntries }: Omit<BodyRules, 'limits'>): ReadBody {
  const said = bytes.toString('utf8');
  // Bytes that are no UTF-8 become U+FFFD, which an honest text may hold, too.
  if (said.includes('\ufffd') && !isUtf8(bytes)) throw NOT_TEXT();
  const text = redactor.text(said);
  const scanner = new EnvelopeScanner(maxEntries);
  scanner.push(text === said ? bytes : Buffer.from(text, 'utf8'));
  return { body: new TextBody(text), bytes: bytes.length, envelope: scanner.end(), text };
}

const NOT_TEXT = (): RefusedAnswer =>
  refuse('The answer is not UTF-8 text.', 'Check that the URL is a JSON-RPC endpoint.');

/** Whether the body is the text itself. */
export const isPlain = (encoding: string | undefined): boolean => /^\s*(?:identity\s*)?$/i.test(encoding ?? '');

function decoderOf(encoding: string | undefined): Transform | undefined {
  if (isPlain(encoding)) return undefined;
  const name = encoding?.trim().toLowerCase() ?? '';
  const decoder = Object.hasOwn(DECODERS, name) ? DECODERS[name]?.() : undefined;
  if (decoder === undefined) throw refuse('The answer is compressed in a way that was not asked for.', 'Try again.');
  return decoder;
}

function size(bytes: number): string {
  const MIB = 1024 * 1024;
  return bytes >= MIB ? `${Math.floor(bytes / MIB)} MB` : `${Math.ceil(bytes / 1024)} kB`;
}

const tooLarge = (bytes: number): RefusedAnswer =>
  refuse(`The answer is larger than ${size(bytes)}.`, 'Narrow the request with filters or a dataSlice.');

const notWritten = (): never => {
  throw refuse(
    'The answer could not be written to disk.',
    'Check the free space and the rights of the storage folder.',
  );
};

/**
 * Consumes the decoded body: runs each check once over each chunk, then stores it. A sink rather than a loop over the
 * stream, which would copy chunks that arrived meanwhile into one.
 */
class BodyReader extends Writable {
  readonly #kept: Keeper;
  readonly #utf8 = new Utf8Check();
  #bytes = 0;
  /** Bytes of this turn. */
  #turn = 0;
  readonly #limits: BodyLimits;
  readonly #redactor: Redactor;

  constructor({ limits, redactor, maxEntries }: BodyRules) {
    super({ highWaterMark: WAITING_BYTES });
    this.#limits = limits;
    this.#redactor = redactor;
    this.#kept = new Keeper(limits, maxEntries);
  }

  override _write(chunk: Buffer, _: BufferEncoding, done: Done): void {
    settle(this.#inTurn(chunk.length, done), () => {
      this.#bytes += chunk.length;
      if (this.#bytes > this.#limits.maxBytes) throw tooLarge(this.#limits.maxBytes);
      return this.#take(this.#redactor.push(chunk));
    });
  }

  override _final(done: Done): void {
    settle(done, () => {
      const wait = this.#take(this.#redactor.end());
      if (!this.#utf8.end()) throw NOT_TEXT();
      return wait;
    });
  }

  /** After the end of the stream. */
  async whole(): Promise<ReadBody> {
    const { body, envelope } = await this.#kept.finish();
    return { body, bytes: this.#bytes, envelope, text: body.kind === 'text' ? body.text : body.head };
  }

  discard(): Promise<void> {
    return this.#kept.discard();
  }

  /** `done`, deferred to the next turn of the event loop if this one has taken enough. */
  #inTurn(bytes: number, done: Done): Done {
    this.#turn += bytes;
    if (this.#turn < TURN_BYTES) return done;
    this.#turn = 0;
    return (error) => void setImmediate(done, error);
  }

  #take(piece: Buffer): Promise<void> | undefined {
    if (piece.length === 0) return undefined;
    if (!this.#utf8.push(piece)) throw NOT_TEXT();
    return this.#kept.add(piece);
  }
}

type Done = (error?: Error | null) => void;

/** Most pieces need not wait: for those there is no promise. */
function settle(done: Done, work: () => Promise<void> | undefined): void {
  try {
    const wait = work();
    if (wait === undefined) done();
    else wait.then(() => done(), done);
  } catch (error) {
    done(error instanceof Error ? error : new Error('Unknown.'));
  }
}

/** Stores the body: in memory up to the bound, in a file above it. */
class Keeper {
  readonly #writer: BodyWriter;
  readonly #envelope: EnvelopeScanner;
  #bytes = 0;
  #head = '';
  #isShown = false;
  /** Going over to a file. */
  #moving: Promise<void> | undefined;

  constructor(
    private readonly limits: BodyLimits,
    maxEntries: number,
  ) {
    this.#envelope = new EnvelopeScanner(maxEntries);
    // From the first byte on: a later start would have to scan everything before it at once.
    this.#writer = new BodyWriter(limits.spillFile !== undefined);
  }

  /** Returns a promise if the next chunk has to wait. */
  add(piece: Buffer): Promise<void> | undefined {
    const { limits } = this;
    const writer = this.#writer;
    const passing = passingResult(writer.root);
    const wait = writer.add(piece)?.catch(notWritten);
    this.#readEnvelope(piece, passing);
    this.#bytes += piece.length;
    if (limits.spillFile === undefined || writer.isInFile) return wait;
    if (this.#bytes > Math.min(SHOWN_FROM, limits.inlineBytes) && !this.#isShown) {
      this.#isShown = true;
      limits.onGrow?.({ file: writer.file, root: () => writer.root });
    }
    if (this.#bytes <= limits.inlineBytes) return undefined;
    this.#moving = this.#toFile(limits.spillFile).catch(notWritten);
    return this.#moving;
  }

  async finish(): Promise<{ readonly body: BodyText; readonly envelope: AnswerEnvelope }> {
    const writer = this.#writer;
    const head = this.#head;
    const envelope = this.#envelope.end();
    if (!writer.isInFile) return { body: new TextBody(writer.text()), envelope };
    await writer.finish().catch(notWritten);
    const { file, root } = writer;
    return { body: { kind: 'file', file, bytes: file.bytes, head, outline: root }, envelope };
  }

  async discard(): Promise<void> {
    // A file that is just being made is there only then.
    await this.#moving?.catch(() => undefined);
    await this.#writer.discard();
  }

  /** A chunk inside a result that the index scans is not scanned twice: it contains nothing of the envelope. */
  #readEnvelope(piece: Buffer, passing: BytePart | undefined): void {
    if (passing === undefined) this.#envelope.push(piece);
    else if (passing.end !== undefined) this.#envelope.endResult(piece.subarray(passing.end - 1 - this.#bytes));
  }

  async #toFile(spillFile: () => string): Promise<void> {
    const path = spillFile();
    const writer = this.#writer;
    const start = Buffer.from(await writer.file.read(0, HEAD_BYTES));
    this.#head = start.toString('utf8', 0, completeEnd(start));
    await writer.toFile(path);
  }
}

/** The unfinished `result` of a single answer, if it has members or items. */
function passingResult(root: BytePart | undefined): BytePart | undefined {
  if (root?.kind !== 'object') return undefined;
  const member = root.members?.at(-1);
  const isPassing = member?.key === 'result' && member.end === undefined;
  return isPassing && (member.kind === 'array' || member.kind === 'object') ? member : undefined;
}
