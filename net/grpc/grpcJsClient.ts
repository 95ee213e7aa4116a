// Executes calls with grpc-js: its sockets, TLS with our authorities, the user's http proxy. Everything the library reports
// ends here.
import type { ServiceError } from '../../core/service/errors';
import { inTime } from '../aborts';
import type { ConnectSettings } from '../api';
import type { Connect } from '../connect/connect';
import { failureOf, RefusedAnswer } from '../failures';
import type { HeaderPairs } from '../target/headers';
import { hostPlace, type HostPlace } from '../connect/place';
import { proxyFor } from '../connect/proxy';
import type { Trust } from '../connect/trust';
import { MAX_GRPC_MESSAGE, unreadableError, WINDOW } from './bounds';
import {
  IDLE_MS,
  ownHeaders,
  timeoutText,
  type Ending,
  type GrpcConnection,
  type GrpcExchange,
  type GrpcRequest,
  type OpenConnection,
} from './client';
import type * as Library from './grpcJsLibrary';
import { endingOf } from './grpcJsStatus';
import { whyUnreachable } from './http2Client';
import { lostError } from './resets';

/** After this long without a byte the library pings the peer, and gives it up after as long again. ms */
const KEEP_ALIVE_MS = 20_000;
/** Bound of a diagnosis of a failed connection. ms */
const DIAGNOSIS_MS = 10_000;

type Call = Library.ClientDuplexStream<Buffer, Buffer>;

export interface GrpcJsParts {
  readonly settings: ConnectSettings;
  readonly trust: Trust;
  /** Diagnoses failed connections. */
  readonly connect: Connect;
}

/** Opens connections of grpc-js; each connects with its first call. */
export const grpcJsClient =
  (parts: GrpcJsParts): OpenConnection =>
  async (url) =>
    new GrpcJsConnection(await import('./grpcJsLibrary'), url, parts);

class GrpcJsConnection implements GrpcConnection {
  readonly retired: Promise<void>;
  readonly #client: Library.Client;
  readonly #exchanges = new Set<GrpcJsExchange>();
  #retire: () => void = () => undefined;

  constructor(
    private readonly library: typeof Library,
    private readonly url: URL,
    private readonly parts: GrpcJsParts,
  ) {
    const place = hostPlace(url);
    this.retired = new Promise((resolve) => (this.#retire = resolve));
    const { ChannelCredentials } = library;
    const credentials = place.tls
      ? // Explicit: the environment could turn the check off otherwise (NODE_TLS_REJECT_UNAUTHORIZED).
        ChannelCredentials.createFromSecureContext(parts.trust(), { rejectUnauthorized: true })
      : ChannelCredentials.createInsecure();
    const { target, options } = routeOf(place, parts.settings);
    this.#client = new library.Client(target, credentials, {
      ...BOUNDS,
      ...options,
      'grpc.default_authority': url.host,
    });
  }

  start(request: GrpcRequest): GrpcExchange {
    const metadata = this.#metadataOf(request);
    const call: Call = this.#client.makeBidiStreamRequest(request.authorized.path, asIs, asIs, metadata);
    const exchange = new GrpcJsExchange(call, request, (signal) => this.#diagnose(signal));
    this.#exchanges.add(exchange);
    void exchange.ended.then(() => this.#exchanges.delete(exchange));
    return exchange;
  }

  destroy(): void {
    const host = this.url.host;
    for (const exchange of this.#exchanges) exchange.cancel(lostError(host));
    this.#retire();
    this.#client.close();
  }

  /** A channel that failed waits before it connects again; the next call gets a new one. */
  async #diagnose(signal: AbortSignal): Promise<ServiceError> {
    this.#retire();
    this.#client.close();
    return whyUnreachable(this.url, this.parts.connect, signal);
  }

  #metadataOf({ headers, authorized, deadlineMs }: GrpcRequest): Library.Metadata {
    const metadata = new this.library.Metadata();
    // Not the library's deadline: net ends the call itself, and says so in its words.
    if (deadlineMs !== undefined) metadata.set('grpc-timeout', timeoutText(deadlineMs));
    for (const [name, value] of [...ownHeaders(headers), ...authorized.headers]) {
      try {
        metadata.set(name, name.endsWith('-bin') ? Buffer.from(value, 'base64') : value);
      } catch {
        throw new RefusedAnswer({
          kind: 'invalidRequest',
          message: `The header ${name} cannot be sent as gRPC metadata.`,
          hint: 'Use letters, digits, "-", "_" and "." in its name, and printable ASCII in its value.',
        });
      }
    }
    return metadata;
  }
}

const asIs = (bytes: Buffer): Buffer => bytes;

const BOUNDS: Library.ChannelOptions = {
  'grpc.max_receive_message_length': MAX_GRPC_MESSAGE,
  'grpc-node.flow_control_window': WINDOW,
  'grpc.keepalive_time_ms': KEEP_ALIVE_MS,
  'grpc.keepalive_timeout_ms': KEEP_ALIVE_MS,
  'grpc.client_idle_timeout_ms': IDLE_MS,
  // Ignores the environment's proxies and service configs from DNS.
  'grpc.enable_http_proxy': 0,
  'grpc.service_config_disable_resolution': 1,
  'grpc.enable_channelz': 0,
  'grpc.use_local_subchannel_pool': 1,
};

/** The library's destination: the place, or the proxy with the place to tunnel to. */
function routeOf(
  place: HostPlace,
  settings: ConnectSettings,
): { readonly target: string; readonly options: Library.ChannelOptions } {
  const target = targetText(place);
  const proxy = proxyFor(place, settings.proxy);
  if (proxy === undefined) return { target, options: {} };
  const credentials = proxy.credentials?.reveal();
  return {
    target: targetText(hostPlace(new URL(proxy.url))),
    options: {
      'grpc.http_connect_target': target,
      ...(credentials === undefined ? {} : { 'grpc.http_connect_creds': credentials }),
    },
  };
}

const targetText = ({ host, port }: HostPlace): string => `dns:${host.includes(':') ? `[${host}]` : host}:${port}`;

class GrpcJsExchange implements GrpcExchange {
  readonly ended: Promise<Ending>;
  readonly #diagnosing = new AbortController();
  #settle: (ending: Ending) => void = () => undefined;
  #isSettled = false;
  #hasEnded = false;
  #headers: HeaderPairs = [];
  #hasHeaders = false;
  #status: Library.StatusObject | undefined;

  /** `diagnose` finds out why no connection was made. */
  constructor(
    private readonly call: Call,
    private readonly request: GrpcRequest,
    private readonly diagnose: (signal: AbortSignal) => Promise<ServiceError>,
  ) {
    this.ended = new Promise((resolve) => (this.#settle = resolve));
    call
      .on('metadata', (metadata: Library.Metadata) => this.#onHeaders(metadata))
      .on('data', (message: Buffer) => this.#onMessage(message))
      .on('end', () => {
        this.#hasEnded = true;
        this.#finish();
      })
      .on('status', (status: Library.StatusObject) => {
        this.#status = status;
        this.#finish();
      })
      // 'status' follows with the same content.
      .on('error', () => undefined);
  }

  send(message: Uint8Array): void {
    if (!this.#isSettled && this.call.writable)
      this.call.write(Buffer.from(message.buffer, message.byteOffset, message.length));
  }

  pause(): void {
    this.call.pause();
  }

  resume(): void {
    this.call.resume();
  }

  halfClose(): void {
    this.call.end();
  }

  cancel(error: ServiceError): void {
    this.#end({ kind: 'lost', error, isUntouched: false });
    this.#diagnosing.abort();
    this.call.cancel();
  }

  #onMessage(message: Buffer): void {
    if (this.#isSettled) return;
    try {
      this.request.take(message, 0, message.length);
    } catch (error) {
      this.cancel(failureOf(error, this.request.host));
    }
  }

  #onHeaders(metadata: Library.Metadata): void {
    this.#hasHeaders = true;
    this.#headers = this.#pairs(metadata);
    const type = this.#headers.find(([name]) => name === 'content-type')?.[1] ?? '';
    if (type.startsWith('application/grpc')) this.request.onHeaders?.();
  }

  /** Once all messages were handed over, or the call has failed. */
  #finish(): void {
    const status = this.#status;
    if (status === undefined || this.#isSettled) return;
    const code: number = status.code;
    if (code === 0 && !this.#hasEnded) return;
    const { host, redactor } = this.request;
    // Despite its types, the library reports no details for a message that it could not decompress.
    const details: string | undefined = status.details;
    if (details === undefined) {
      this.#end({ kind: 'lost', error: unreadableError(host), isUntouched: false });
      return;
    }
    const message = redactor.text(details);
    const headers = [...this.#headers, ...this.#pairs(status.metadata)];
    const read = endingOf({ code, details: message, headers, hasHeaders: this.#hasHeaders }, host);
    if (read.kind !== 'unreachable') {
      this.#end(read);
      return;
    }
    const limits = { ms: DIAGNOSIS_MS, signal: this.#diagnosing.signal };
    void inTime(limits, this.diagnose).then((error) => this.#end({ kind: 'lost', error, isUntouched: false }));
  }

  #end(ending: Ending): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    this.#settle(ending);
  }

  #pairs(metadata: Library.Metadata): HeaderPairs {
    const { redactor } = this.request;
    return Object.entries(metadata.toHttp2Headers()).flatMap(([name, value]) =>
      [value].flat().flatMap((text) => (text === undefined ? [] : [[name, redactor.text(String(text))] as const])),
    );
  }
}
