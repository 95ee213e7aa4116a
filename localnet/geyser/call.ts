// One gRPC call as a stream of HTTP/2: reads messages, writes messages, ends with a status. Knows no method.
import type { IncomingHttpHeaders, OutgoingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import { ACCEPTED_ENCODINGS, frameHeader, MessageReader } from './framing';
import { GrpcFailure, statusHeaders, type Status } from './status';

const CONTENT_TYPE = 'application/grpc';

export class Call {
  private ended = false;
  private status: Status = { code: 'OK', message: '' };

  constructor(
    private readonly stream: ServerHttp2Stream,
    readonly headers: IncomingHttpHeaders,
  ) {
    // A client that goes away resets the stream; 'close' follows and is what counts.
    stream.on('error', () => undefined);
  }

  /** True once a status has been sent or the client has gone. */
  get over(): boolean {
    return this.ended || this.stream.destroyed;
  }

  /** Hears of the end of the call, whoever ended it. */
  onClose(listener: () => void): void {
    this.stream.once('close', listener);
  }

  /** Calls `onMessage` for each message and `onEnd` when the client has sent its last; a bad message ends the call. */
  read(onMessage: (message: Uint8Array) => void, onEnd: () => void): void {
    const guarded = (work: () => void): void => {
      if (this.over) return;
      try {
        work();
      } catch (error) {
        this.end(statusOf(error));
      }
    };
    let reader: MessageReader | undefined;
    this.stream.on('data', (chunk: Buffer) =>
      guarded(() => {
        reader ??= new MessageReader(text(this.headers['grpc-encoding']));
        for (const message of reader.read(chunk)) if (!this.over) onMessage(message);
      }),
    );
    this.stream.on('end', () => guarded(onEnd));
  }

  /** Sends the headers now: clients wait for them before they call a stream open. */
  open(): void {
    this.stream.on('wantTrailers', () => this.stream.sendTrailers(statusHeaders(this.status)));
    this.stream.respond(
      { ':status': 200, 'content-type': CONTENT_TYPE, 'grpc-accept-encoding': ACCEPTED_ENCODINGS },
      { waitForTrailers: true },
    );
  }

  /** True while the client should catch up before more is written. */
  get blocked(): boolean {
    return this.over || this.stream.writableNeedDrain;
  }

  /** Writes a message given in parts, which are not copied. */
  write(parts: readonly Uint8Array[]): void {
    if (this.over) return;
    this.stream.cork();
    this.stream.write(frameHeader(parts.reduce((sum, part) => sum + part.length, 0)));
    for (const part of parts) this.stream.write(part);
    this.stream.uncork();
  }

  onDrain(listener: () => void): void {
    this.stream.on('drain', listener);
  }

  /** Breaks the connection that carries the call. */
  breakConnection(): void {
    this.ended = true;
    this.stream.session?.destroy();
  }

  /** Answers with an HTTP status and no status of gRPC's, as a gateway does. */
  endAsGateway(status: number, headers: OutgoingHttpHeaders, body: string): void {
    if (this.over) return;
    this.ended = true;
    this.stream.resume();
    this.stream.respond({ ...headers, ':status': status });
    this.stream.end(body);
  }

  /** Ends the call. What was written before still arrives before the status. */
  end(status: Status): void {
    if (this.over) return;
    this.ended = true;
    this.status = status;
    this.stream.resume();
    if (this.stream.headersSent) this.stream.end();
    else
      this.stream.respond(
        { ':status': 200, 'content-type': CONTENT_TYPE, ...statusHeaders(status) },
        { endStream: true },
      );
  }
}

/** The status of an exception: a failure's own, else a mistake of ours, whose details go to the log alone. */
export function statusOf(error: unknown): Status {
  if (error instanceof GrpcFailure) return { code: error.code, message: error.message };
  const known = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`A gRPC call failed: ${known}\n`);
  return { code: 'INTERNAL', message: 'The service failed; its log tells why' };
}

/** A header that counts once; its first value where it came twice. */
export function text(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}
