// One gRPC call on a connection: the request headers out, messages both ways, and one ending, whatever happens. Knows
// neither descriptors nor keys beyond the headers it is handed.
import http2, { type ClientHttp2Session, type ClientHttp2Stream, type IncomingHttpHeaders } from 'node:http2';
import type { ServiceError } from '../../core/errors';
import type { TakeMessage } from '../api';
import type { Dressed } from '../auth';
import { failureOf } from '../failures';
import type { HeaderPairs } from '../headers';
import type { Redactor } from '../redactor';
import { frame, FrameReader } from './frames';
import { isStrange } from './session';
import { decodedMessage } from './status';

export type Ending =
  /** The service said how it went. */
  | {
      readonly kind: 'status';
      readonly httpStatus: number;
      readonly headers: HeaderPairs;
      readonly code: number;
      readonly message: string;
    }
  /** An HTTP answer that is no gRPC: a gateway's, mostly. */
  | { readonly kind: 'http'; readonly httpStatus: number; readonly headers: HeaderPairs; readonly text: string }
  /** `isUntouched`: the service did not look at it, so that it may be asked again. */
  | { readonly kind: 'lost'; readonly error: ServiceError; readonly isUntouched: boolean };

export interface Outgoing {
  readonly session: ClientHttp2Session;
  readonly url: URL;
  readonly host: string;
  /** Holds keys. */
  readonly dressed: Dressed;
  /** The file's own, in lower case. */
  readonly headers: HeaderPairs;
  /** Told to the service as its deadline, in milliseconds; undefined: none, a stream has no end. */
  readonly deadlineMs?: number;
  readonly redactor: Redactor;
  readonly take: TakeMessage;
  readonly onHeaders?: () => void;
}

/** Of the body of a refusal no more than this is read, in bytes. */
const MAX_REFUSAL = 64 * 1024;
const { constants } = http2;

export class GrpcExchange {
  readonly ended: Promise<Ending>;
  private readonly stream: ClientHttp2Stream;
  private readonly reader: FrameReader;
  private settle: (ending: Ending) => void = () => undefined;
  private isSettled = false;
  private httpStatus = 0;
  private headers: HeaderPairs = [];
  private code: number | undefined;
  private message = '';
  /** The body of an answer that is no gRPC. */
  private refusal: Buffer[] | undefined;
  private refusalBytes = 0;

  constructor(private readonly out: Outgoing) {
    this.ended = new Promise((resolve) => (this.settle = resolve));
    this.reader = new FrameReader(out.host);
    this.stream = out.session.request(headersOf(out), { endStream: false });
    this.stream
      .on('response', (headers) => this.onResponse(headers))
      .on('trailers', (trailers: IncomingHttpHeaders) => this.onTrailers(trailers))
      .on('data', (chunk: Buffer) => this.onData(chunk))
      // The trailers are told behind the end where both come in one frame.
      .on('end', () => setImmediate(() => this.finish()))
      .on('error', (error) => this.lose(error))
      .on('close', () => this.finish());
  }

  send(message: Uint8Array): void {
    if (!this.isSettled && this.stream.writable) this.stream.write(frame(message));
  }

  /** Reads no further until `resume`: the service hears that nothing was taken and stops, too (HTTP/2 flow control). */
  pause(): void {
    this.stream.pause();
  }

  resume(): void {
    this.stream.resume();
  }

  /** Nothing more is sent. */
  half(): void {
    this.stream.end();
  }

  /** Ends the call at once, on the wire too. */
  cancel(error: ServiceError): void {
    this.end({ kind: 'lost', error, isUntouched: false });
    this.stream.close(constants.NGHTTP2_CANCEL);
  }

  private onResponse(headers: IncomingHttpHeaders): void {
    this.httpStatus = Number(headers[':status'] ?? 0);
    this.headers = this.pairs(headers);
    const type = headers['content-type'] ?? '';
    if (this.httpStatus !== 200 || !type.startsWith('application/grpc')) {
      this.refusal = [];
      return;
    }
    this.readStatus(headers);
    this.out.onHeaders?.();
  }

  private onTrailers(trailers: IncomingHttpHeaders): void {
    this.headers = [...this.headers, ...this.pairs(trailers)];
    this.readStatus(trailers);
  }

  private readStatus(headers: IncomingHttpHeaders): void {
    const code = headers['grpc-status'];
    if (typeof code !== 'string') return;
    // What is no number is UNKNOWN (gRPC over HTTP/2, "Responses").
    this.code = /^\d{1,9}$/.test(code) ? Number(code) : 2;
    const message = headers['grpc-message'];
    this.message = typeof message === 'string' ? this.out.redactor.text(decodedMessage(message)) : '';
  }

  private onData(chunk: Buffer): void {
    if (this.isSettled) return;
    if (this.refusal !== undefined) {
      this.refusal.push(chunk);
      this.refusalBytes += chunk.length;
      if (this.refusalBytes > MAX_REFUSAL) this.finish();
      return;
    }
    try {
      this.reader.read(chunk, this.out.take);
    } catch (error) {
      this.cancel(failureOf(error, this.out.host));
    }
  }

  private finish(): void {
    const { httpStatus, headers, code, message } = this;
    if (this.refusal !== undefined) {
      const text = this.out.redactor.text(Buffer.concat(this.refusal).toString('utf8', 0, MAX_REFUSAL));
      this.end({ kind: 'http', httpStatus, headers, text });
    } else if (code === undefined || (code === 0 && !this.reader.isEmpty)) this.lose(undefined);
    else this.end({ kind: 'status', httpStatus, headers, code, message });
    if (!this.stream.closed) this.stream.close(constants.NGHTTP2_NO_ERROR);
  }

  private lose(error: unknown): void {
    const { host } = this.out;
    const rst = this.stream.rstCode ?? 0;
    const isUntouched = rst === constants.NGHTTP2_REFUSED_STREAM;
    const read = isStrange(this.out.session)
      ? failureOf(NO_HTTP2, host)
      : (RESETS[rst]?.(host) ?? failureOf(error ?? LOST, host));
    this.end({ kind: 'lost', error: read, isUntouched });
  }

  private end(ending: Ending): void {
    if (this.isSettled) return;
    this.isSettled = true;
    this.settle(ending);
  }

  private pairs(headers: IncomingHttpHeaders): HeaderPairs {
    const { redactor } = this.out;
    return Object.entries(headers).flatMap(([name, value]) =>
      name.startsWith(':') || value === undefined
        ? []
        : [value].flat().map((text) => [name, redactor.text(text)] as const),
    );
  }
}

/** Read as a connection that ended too early. */
const LOST = { code: 'ECONNRESET' };
/** Read as bytes that are no HTTP/2. */
const NO_HTTP2 = { code: 'ERR_HTTP2_ERROR' };

const network =
  (what: string) =>
  (host: string): ServiceError => ({
    kind: 'network',
    message: `${host} ${what}.`,
    hint: 'Try again in a moment.',
  });

/** What the reset of a call says (RFC 9113, 7), where it says more than that the call is over. */
const RESETS: Readonly<Record<number, ((host: string) => ServiceError) | undefined>> = {
  [constants.NGHTTP2_REFUSED_STREAM]: network('takes no more calls on this connection'),
  [constants.NGHTTP2_ENHANCE_YOUR_CALM]: network('says that too much is asked of it'),
  [constants.NGHTTP2_CANCEL]: network('gave the call up'),
  [constants.NGHTTP2_INTERNAL_ERROR]: network('met an error of its own'),
};

function headersOf({ url, dressed, headers, deadlineMs }: Outgoing): http2.OutgoingHttpHeaders {
  const own = headers.filter(([name]) => !name.startsWith('grpc-') && name !== 'content-type');
  return {
    ':method': 'POST',
    ':scheme': url.protocol.slice(0, -1),
    ':authority': url.host,
    ':path': dressed.path,
    'content-type': 'application/grpc',
    te: 'trailers',
    'grpc-accept-encoding': 'identity',
    ...(deadlineMs === undefined ? {} : { 'grpc-timeout': timeoutText(deadlineMs) }),
    ...Object.fromEntries(own),
    ...Object.fromEntries(dressed.headers),
    // A key stays out of the compression tables of both sides.
    [http2.sensitiveHeaders]: dressed.headers.map(([name]) => name),
  };
}

/** At most eight digits (gRPC over HTTP/2, "Requests"). */
const timeoutText = (ms: number): string =>
  ms < 1e8 ? `${Math.max(1, Math.ceil(ms))}m` : `${Math.min(99_999_999, Math.ceil(ms / 1000))}S`;
