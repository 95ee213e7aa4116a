// The interface of both gRPC clients, and the choice between them: grpc-js, or the HTTP/2 client for direct streams and
// for what grpc-js cannot do.
import { isIP } from 'node:net';
import type { ServiceError } from '../../core/service/errors';
import type { GrpcClientName, ProxySettings, TakeMessage } from '../api';
import type { AuthorizedRequest } from '../auth/auth';
import type { HeaderPairs } from '../target/headers';
import type { HostPlace } from '../connect/place';
import type { Redactor } from '../secrets/redactor';

export interface GrpcRequest {
  readonly url: URL;
  /** As shown to people. */
  readonly host: string;
  /** Holds keys. */
  readonly authorized: AuthorizedRequest;
  /** The file's own, in lower case. */
  readonly headers: HeaderPairs;
  /** Sent as `grpc-timeout`, in milliseconds; undefined for a stream, which has no end. */
  readonly deadlineMs?: number;
  readonly redactor: Redactor;
  /** A Refusal that it throws ends the call at once, on the wire too. */
  readonly take: TakeMessage;
  readonly onHeaders?: () => void;
}

/** How a call ended. */
export type Ending =
  /** With a gRPC status. */
  | {
      readonly kind: 'status';
      readonly httpStatus: number;
      readonly headers: HeaderPairs;
      readonly code: number;
      readonly message: string;
    }
  /** With an HTTP response that is not gRPC, usually a gateway's. grpc-js does not hand over its `text`. */
  | { readonly kind: 'http'; readonly httpStatus: number; readonly headers: HeaderPairs; readonly text: string }
  /** Without a response. `isUntouched`: the service never processed it, so that it may be sent again. */
  | { readonly kind: 'lost'; readonly error: ServiceError; readonly isUntouched: boolean };

/** One call: messages both ways and exactly one ending. */
export interface GrpcExchange {
  readonly ended: Promise<Ending>;
  send(message: Uint8Array): void;
  /** Stops reading; the service has to wait, too (HTTP/2 flow control). */
  pause(): void;
  resume(): void;
  /** Half-closes the call: no more messages are sent. */
  halfClose(): void;
  /** Ends the call at once, on the wire too. */
  cancel(error: ServiceError): void;
}

export interface GrpcConnection {
  /** Throws RefusedAnswer for headers that this client cannot send. */
  start(request: GrpcRequest): GrpcExchange;
  /** Calls `heard` when the peer answers an HTTP/2 ping; absent if the client watches the connection itself. */
  readonly ping?: (heard: () => void) => void;
  /** Resolves when it takes no more calls. */
  readonly retired: Promise<void>;
  /** Ends it and its calls. */
  destroy(): void;
}

/** A connection is for the unary calls to an origin, then closed when idle, or for one stream. */
export type Purpose = 'calls' | 'stream';

/** Opens a connection to an origin. Throws the connection's error, or a RefusedAnswer. */
export type OpenConnection = (url: URL, purpose: Purpose, signal: AbortSignal) => Promise<GrpcConnection>;

/** Idle connections for calls are closed after this time. ms */
export const IDLE_MS = 60_000;

/** The properties that choose the client. */
export interface GrpcRoute {
  readonly isStream: boolean;
  /** Compression that the file accepts, by the names of `grpc-accept-encoding`. */
  readonly encodings: readonly string[];
  readonly place: HostPlace;
  /** The proxy that `place` is reached through. */
  readonly proxy: ProxySettings | undefined;
}

/** Encodings that grpc-js unpacks. */
const BY_GRPC_JS: ReadonlySet<string> = new Set(['gzip', 'deflate']);

/** The client for a call. */
export function clientFor({ isStream, encodings, place, proxy }: GrpcRoute): GrpcClientName {
  // grpc-js tunnels through http proxies only, and names itself to them by user and password alone.
  if (proxy !== undefined && (new URL(proxy.url).protocol !== 'http:' || proxy.authorization !== undefined))
    return 'http2';
  // grpc-js would send the address as the server name, which RFC 6066 forbids.
  if (place.tls && isIP(place.host) !== 0) return 'http2';
  if (!isStream) return 'grpc-js';
  // grpc-js cannot unpack it.
  if (encodings.includes('zstd')) return 'http2';
  // A direct stream: several times as fast without the library's work on each message.
  return proxy === undefined && !encodings.some((encoding) => BY_GRPC_JS.has(encoding)) ? 'http2' : 'grpc-js';
}

/** Headers of the file that go along; the others are gRPC's. */
export const ownHeaders = (headers: HeaderPairs): HeaderPairs =>
  headers.filter(([name]) => !name.startsWith('grpc-') && name !== 'content-type');

/** `grpc-timeout`: at most eight digits (gRPC over HTTP/2, "Requests"). */
export const timeoutText = (ms: number): string =>
  ms < 1e8 ? `${Math.max(1, Math.ceil(ms))}m` : `${Math.min(99_999_999, Math.ceil(ms / 1000))}S`;
