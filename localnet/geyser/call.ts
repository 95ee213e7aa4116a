// One gRPC call as a stream of HTTP/2: reads messages, writes messages, ends with a status. Knows no method.
import { constants, type IncomingHttpHeaders, type OutgoingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import { setTimeout as pause } from 'node:timers/promises';
import { frame, FRAME_HEADER, frameHeader } from '../../proto/frames';
import { ACCEPTED_ENCODINGS, compressionFor, MessageReader, type ResponseCompression, type Framing } from './framing';
import { GrpcFailure, statusHeaders, type Status } from './status';

const CONTENT_TYPE = 'application/grpc';
/** How long a client may keep its half of a call open that has ended. */
const LINGER_MS = 5_000;

export class GeyserCall {
  #ended = false;
  #dripping = false;
  #compression: ResponseCompression | undefined;
  #status: Status = { code: 'OK', message: '' };
  #listeners: (() => void)[] = [];
  readonly #drained: (() => void)[] = [];

  constructor(
    private readonly stream: ServerHttp2Stream,
    readonly headers: IncomingHttpHeaders,
    private readonly framing: Framing,
  ) {
    // A client that goes away resets the stream; 'close' follows and is what counts.
    stream.on('error', () => undefined);
    stream.once('close', () => this.#finish());
  }

  /** True once a status has been sent or the client has gone. */
  get over(): boolean {
    // A stream that was reset is closed for a while before it is destroyed, and still reports its end.
    return this.#ended || this.stream.closed || this.stream.destroyed;
  }

  /** Calls `listener` once when either side ends the call. */
  onEnd(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Calls `onMessage` for each message and `onEnd` when the client has sent its last; a bad message ends the call. */
  read(onMessage: (message: Uint8Array) => void, onEnd: () => void): void {
    const guarded = (work: () => void): void => {
      if (this.over) return;
      try {
        work();
      } catch (error) {
        this.end(statusOfError(error));
      }
    };
    let reader: MessageReader | undefined;
    this.stream.on('data', (chunk: Buffer) =>
      guarded(() => {
        reader ??= new MessageReader(singleHeader(this.headers['grpc-encoding']), this.framing.partial);
        reader.read(chunk, (message) => {
          if (!this.over) onMessage(message);
        });
      }),
    );
    // A call may be made a while after it came: an empty one has ended by then, without a reader.
    if (this.stream.readableEnded) guarded(onEnd);
    else this.stream.on('end', () => guarded(onEnd));
    this.onEnd(() => reader?.clear());
  }

  /** Sends the headers now: clients wait for them before they call a stream open. */
  open(): void {
    this.stream.on('wantTrailers', () => {
      if (!this.stream.closed) this.stream.sendTrailers(statusHeaders(this.#status));
    });
    this.#compression = compressionFor(this.framing.compressions, singleHeader(this.headers['grpc-accept-encoding']));
    this.stream.respond(
      {
        ':status': 200,
        'content-type': CONTENT_TYPE,
        'grpc-accept-encoding': ACCEPTED_ENCODINGS,
        ...(this.#compression === undefined ? {} : { 'grpc-encoding': this.#compression.encoding }),
      },
      { waitForTrailers: true },
    );
  }

  /** True while the client should catch up before more is written. */
  get blocked(): boolean {
    return this.over || this.#dripping || this.stream.writableNeedDrain;
  }

  /** Writes a message given in parts, which are not copied; compressed as the call's headers say. */
  write(parts: readonly Uint8Array[]): void {
    if (this.over) return;
    const size = parts.reduce((sum, part) => sum + part.length, 0);
    const packed = this.#compression?.pack(parts, size);
    this.stream.cork();
    this.stream.write(frameHeader(packed?.length ?? size, packed !== undefined));
    for (const part of packed === undefined ? parts : [packed]) this.stream.write(part);
    this.stream.uncork();
  }

  /** Writes a message byte by byte, `ms` apart; nothing else may be written meanwhile. */
  async drip(parts: readonly Uint8Array[], ms: number): Promise<void> {
    this.#dripping = true;
    const body = Buffer.concat(parts);
    for (const byte of frame(body)) {
      if (this.over) break;
      this.stream.write(Uint8Array.of(byte));
      await pause(ms, undefined, { ref: false });
    }
    this.#dripping = false;
    for (const listener of this.#drained) listener();
  }

  /** Writes the first half of a message and breaks the call off. */
  writeHalf(parts: readonly Uint8Array[]): void {
    if (this.over) return;
    const body = Buffer.concat(parts);
    this.stream.write(frame(body).subarray(0, FRAME_HEADER + Math.floor(body.length / 2)), () =>
      this.stream.close(constants.NGHTTP2_INTERNAL_ERROR),
    );
    this.#finish();
  }

  /** Calls `listener` whenever more may be written. */
  onDrain(listener: () => void): void {
    this.#drained.push(listener);
    this.stream.on('drain', listener);
  }

  /** Says GOAWAY: the connection takes no new calls, and breaks after `ms` with those it has. */
  retireConnection(ms: number): void {
    const { session } = this.stream;
    session?.close();
    setTimeout(() => session?.destroy(), ms).unref();
  }

  /** Breaks the connection that carries the call. */
  breakConnection(): void {
    this.#finish();
    this.stream.session?.destroy();
  }

  /** Answers with an HTTP status and no status of gRPC's, as a gateway does. */
  endAsGateway(status: number, headers: OutgoingHttpHeaders, body: string): void {
    if (this.over) return;
    this.#finish();
    this.stream.respond({ ...headers, ':status': status });
    this.stream.end(body);
  }

  /** Ends the call. What was written before still arrives before the status. */
  end(status: Status): void {
    if (this.over) return;
    this.#status = status;
    this.#finish();
    if (this.stream.headersSent) this.stream.end();
    else
      this.stream.respond(
        { ':status': 200, 'content-type': CONTENT_TYPE, ...statusHeaders(status) },
        { endStream: true },
      );
  }

  /** Discards what the client still sends; a client that never stops is reset once it has its answer. */
  #finish(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.stream.resume();
    this.stream.once('finish', () => {
      setTimeout(() => this.stream.close(constants.NGHTTP2_NO_ERROR), LINGER_MS).unref();
    });
    for (const listener of this.#listeners) listener();
    this.#listeners = [];
  }
}

/** The status of an exception: that of a GrpcFailure, else an internal error, whose details go only to the log. */
export function statusOfError(error: unknown): Status {
  if (error instanceof GrpcFailure) return { code: error.code, message: error.message };
  const known = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`A gRPC call failed: ${known}\n`);
  return { code: 'INTERNAL', message: 'The service failed; see its log' };
}

/** A header that counts once; its first value where it came twice. */
export function singleHeader(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}
