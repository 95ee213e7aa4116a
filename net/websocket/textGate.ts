// Fast path between a socket and ws: extracts whole text messages in place from the socket's chunks and leaves everything
// else to ws: the handshake, signs of life, and all that follows a close, a message in fragments or a broken rule.
//
// Why: ws alone, with its views, events and stream, took more time per message than all further processing (bench P9).
import { isUtf8 } from 'node:buffer';
import { Duplex } from 'node:stream';
import type { TakeMessage } from '../api';
import { PartialMessage } from '../../proto/partialMessage';

/** Largest message, in bytes: an account has up to 10 MiB, 14 MiB as base64. */
export const MAX_TEXT_MESSAGE = 32 * 1024 * 1024;

/** The first byte of a frame (RFC 6455, 5.2): its last one, no extension, and the opcode. */
const TEXT = 0x81;
const PING = 0x89;
const PONG = 0x8a;
/** The second byte: a length, or a marker that the next two or eight bytes contain it. Larger if the frame is masked. */
const LENGTH_16 = 126;
const LENGTH_64 = 127;
/** In place of a size: ws has to judge the frame. */
const NOT_OURS = -1;

type Done = (error?: Error | null) => void;

export class TextGate extends Duplex {
  /** Receives the texts; before it is set they go to ws too. */
  onText: TakeMessage | undefined;
  /** True while frames are tracked; otherwise everything goes to ws. */
  #isFollowing = false;
  readonly #partial = new PartialMessage();

  constructor(private readonly wire: Duplex) {
    super();
    wire.on('data', (chunk: Buffer) => {
      if (this.#isFollowing) this.#cut(chunk);
      else this.#pass(chunk);
    });
    wire.on('end', () => this.push(null));
    wire.on('error', (error) => this.destroy(error));
    wire.on('close', () => this.destroy());
  }

  /** The handshake is complete and consumed: only frames follow. */
  follow(): void {
    // The service has sent part of a frame already: ws continues alone.
    this.#isFollowing = this.readableLength === 0;
  }

  override pause(): this {
    this.wire.pause();
    return super.pause();
  }

  override resume(): this {
    this.wire.resume();
    return super.resume();
  }

  override _read(): void {
    if (!this.isPaused()) this.wire.resume();
  }

  override _write(chunk: Buffer, _: BufferEncoding, done: Done): void {
    this.wire.write(chunk, done);
  }

  override _writev(pieces: readonly { readonly chunk: Buffer }[], done: Done): void {
    this.wire.write(Buffer.concat(pieces.map(({ chunk }) => chunk)), done);
  }

  override _final(done: Done): void {
    this.wire.end(done);
  }

  override _destroy(error: Error | null, done: Done): void {
    this.wire.destroy();
    done(error);
  }

  #pass(bytes: Buffer): void {
    if (bytes.length > 0 && !this.push(bytes)) this.wire.pause();
  }

  #cut(chunk: Buffer): void {
    const partial = this.#partial;
    let at = 0;
    while (partial.held > 0) {
      const size = sizeAt(partial.bytes, 0, partial.held);
      const count = Math.min(size - partial.held, chunk.length - at);
      if (size === NOT_OURS || size === partial.held) {
        const frame = partial.take();
        // ws may keep the bytes for a while, but the array is reused.
        if (size === NOT_OURS || !this.#handOn(frame, 0, size)) {
          this.#leave(Buffer.from(frame), chunk.subarray(at));
          return;
        }
      } else if (count === 0) return;
      else {
        partial.add(chunk, at, count, size);
        at += count;
      }
    }
    while (at < chunk.length) {
      const size = sizeAt(chunk, at, chunk.length - at);
      if (at + size > chunk.length) {
        partial.add(chunk, at, chunk.length - at, size);
        return;
      }
      if (size === NOT_OURS || !this.#handOn(chunk, at, at + size)) {
        this.#leave(chunk.subarray(at));
        return;
      }
      at += size;
    }
  }

  /** A whole frame. False: ws has to judge it. */
  #handOn(bytes: Buffer, start: number, end: number): boolean {
    if (bytes[start] !== TEXT || this.onText === undefined) {
      this.#pass(Buffer.from(bytes.subarray(start, end)));
      return true;
    }
    const from = start + headSize(bytes[start + 1] ?? 0);
    if (!isUtf8(new Uint8Array(bytes.buffer, bytes.byteOffset + from, end - from))) return false;
    this.onText(bytes, from, end);
    return true;
  }

  /** From this frame on everything goes to ws. */
  #leave(...pieces: readonly Buffer[]): void {
    this.#isFollowing = false;
    for (const piece of pieces) this.#pass(piece);
  }
}

/** Size of the frame as known from its first `count` bytes: more than `count` while it is incomplete. */
function sizeAt(bytes: Buffer, at: number, count: number): number {
  const first = bytes[at] ?? 0;
  if (first !== TEXT && first !== PING && first !== PONG) return NOT_OURS;
  if (count < 2) return 2;
  const second = bytes[at + 1] ?? 0;
  if (second < LENGTH_16) return 2 + second;
  if (first !== TEXT || second > LENGTH_64) return NOT_OURS;
  const head = headSize(second);
  if (count < head) return head;
  const length = second === LENGTH_16 ? bytes.readUInt16BE(at + 2) : Number(bytes.readBigUInt64BE(at + 2));
  return length > MAX_TEXT_MESSAGE ? NOT_OURS : head + length;
}

function headSize(second: number): number {
  if (second < LENGTH_16) return 2;
  return second === LENGTH_16 ? 4 : 10;
}
