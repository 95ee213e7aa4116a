// One gRPC call over node:http2. Knows neither descriptors nor keys beyond the headers it sends.
import http2, { type ClientHttp2Session, type ClientHttp2Stream, type IncomingHttpHeaders } from 'node:http2';
import type { ServiceError } from '../../core/service/errors';
import { unescaped } from '../../core/service/providers/urlText';
import { frame, FrameReader, type TakeFrame } from '../../proto/frames';
import { failureOf } from '../failures';
import type { HeaderPairs } from '../target/headers';
import { checkFrame } from './bounds';
import { ownHeaders, timeoutText, type Ending, type GrpcExchange, type GrpcRequest } from './client';
import { lostError, notHttp2Error, resetError } from './resets';
import { offeredEncodings, unpackerOf, type Unpacker } from './unpack';

/** Bytes read of a refusal's body. */
const MAX_REFUSAL = 64 * 1024;
const { constants } = http2;

export class Http2Exchange implements GrpcExchange {
  readonly ended: Promise<Ending>;
  readonly #stream: ClientHttp2Stream;
  readonly #reader: FrameReader;
  #settle: (ending: Ending) => void = () => undefined;
  #isSettled = false;
  #httpStatus = 0;
  #headers: HeaderPairs = [];
  #code: number | undefined;
  /** Set if the service uses the compression that was offered. */
  #unpack: Unpacker | undefined;
  #message = '';
  /** The body of a response that is not gRPC. */
  #refusal: Buffer[] | undefined;
  #refusalBytes = 0;

  /** `isForeign`: the peer of this session has sent something other than HTTP/2. */
  constructor(
    session: ClientHttp2Session,
    private readonly request: GrpcRequest,
    private readonly isForeign: () => boolean,
  ) {
    this.ended = new Promise((resolve) => (this.#settle = resolve));
    this.#reader = new FrameReader(checkFrame(request.host, () => this.#unpack !== undefined));
    this.#stream = session.request(headersOf(request), { endStream: false });
    this.#stream
      .on('response', (headers) => this.#onResponse(headers))
      .on('trailers', (trailers: IncomingHttpHeaders) => this.#onTrailers(trailers))
      .on('data', (chunk: Buffer) => this.#onData(chunk))
      // If both arrive in one frame, 'trailers' follows 'end'.
      .on('end', () => setImmediate(() => this.#finish()))
      .on('error', (error) => this.#lose(error))
      .on('close', () => this.#finish());
  }

  send(message: Uint8Array): void {
    if (!this.#isSettled && this.#stream.writable) this.#stream.write(frame(message));
  }

  pause(): void {
    this.#stream.pause();
  }

  resume(): void {
    this.#stream.resume();
  }

  halfClose(): void {
    this.#stream.end();
  }

  cancel(error: ServiceError): void {
    this.#end({ kind: 'lost', error, isUntouched: false });
    this.#stream.close(constants.NGHTTP2_CANCEL);
  }

  #onResponse(headers: IncomingHttpHeaders): void {
    this.#httpStatus = Number(headers[':status'] ?? 0);
    this.#headers = this.#pairs(headers);
    const type = headers['content-type'] ?? '';
    if (this.#httpStatus !== 200 || !type.startsWith('application/grpc')) {
      this.#refusal = [];
      return;
    }
    this.#readStatus(headers);
    const encoding = headers['grpc-encoding'];
    if (typeof encoding === 'string')
      this.#unpack = unpackerOf(encoding, offeredEncodings(this.request.headers), this.request.host);
    this.request.onHeaders?.();
  }

  #onTrailers(trailers: IncomingHttpHeaders): void {
    this.#headers = [...this.#headers, ...this.#pairs(trailers)];
    this.#readStatus(trailers);
  }

  #readStatus(headers: IncomingHttpHeaders): void {
    const code = headers['grpc-status'];
    if (typeof code !== 'string') return;
    // A status that is not a number is UNKNOWN (gRPC over HTTP/2, "Responses").
    this.#code = /^\d{1,9}$/.test(code) ? Number(code) : 2;
    const message = headers['grpc-message'];
    this.#message = typeof message === 'string' ? this.request.redactor.text(unescaped(message)) : '';
  }

  #onData(chunk: Buffer): void {
    if (this.#isSettled) return;
    if (this.#refusal !== undefined) {
      this.#refusal.push(chunk);
      this.#refusalBytes += chunk.length;
      if (this.#refusalBytes > MAX_REFUSAL) this.#finish();
      return;
    }
    try {
      this.#reader.read(chunk, this.#unpack === undefined ? this.request.take : this.#takePacked);
    } catch (error) {
      this.cancel(failureOf(error, this.request.host));
    }
  }

  readonly #takePacked: TakeFrame = (bytes, start, end, isCompressed) => {
    const message = isCompressed ? this.#unpack?.(bytes.subarray(start, end)) : undefined;
    if (message === undefined) this.request.take(bytes, start, end);
    else this.request.take(message, 0, message.length);
  };

  #finish(): void {
    const [httpStatus, headers, code] = [this.#httpStatus, this.#headers, this.#code];
    if (this.#refusal !== undefined) {
      const { redactor } = this.request;
      const body = Buffer.concat(this.#refusal).toString('utf8', 0, MAX_REFUSAL);
      const text = this.#refusalBytes > MAX_REFUSAL ? redactor.cutText(body) : redactor.text(body);
      this.#end({ kind: 'http', httpStatus, headers, text });
    } else if (code === undefined || (code === 0 && !this.#reader.isEmpty)) this.#lose(undefined);
    else this.#end({ kind: 'status', httpStatus, headers, code, message: this.#message });
    if (!this.#stream.closed) this.#stream.close(constants.NGHTTP2_NO_ERROR);
  }

  #lose(thrown: unknown): void {
    const { host } = this.request;
    const rst = this.#stream.rstCode ?? 0;
    const isUntouched = rst === constants.NGHTTP2_REFUSED_STREAM;
    const error = this.isForeign()
      ? notHttp2Error(host)
      : (resetError(rst, host) ?? (thrown === undefined ? lostError(host) : failureOf(thrown, host)));
    this.#end({ kind: 'lost', error, isUntouched });
  }

  #end(ending: Ending): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    this.#settle(ending);
  }

  #pairs(headers: IncomingHttpHeaders): HeaderPairs {
    const { redactor } = this.request;
    return Object.entries(headers).flatMap(([name, value]) =>
      name.startsWith(':') || value === undefined
        ? []
        : [value].flat().map((text) => [name, redactor.text(text)] as const),
    );
  }
}

function headersOf({ url, authorized, headers, deadlineMs }: GrpcRequest): http2.OutgoingHttpHeaders {
  return {
    ':method': 'POST',
    ':scheme': url.protocol.slice(0, -1),
    ':authority': url.host,
    ':path': authorized.path,
    'content-type': 'application/grpc',
    te: 'trailers',
    'grpc-accept-encoding': offeredEncodings(headers).join(','),
    ...(deadlineMs === undefined ? {} : { 'grpc-timeout': timeoutText(deadlineMs) }),
    ...Object.fromEntries(ownHeaders(headers)),
    ...Object.fromEntries(authorized.headers),
    // A key stays out of the compression tables of both sides.
    [http2.sensitiveHeaders]: authorized.headers.map(([name]) => name),
  };
}
