// The face of the wire: where a request goes, which key goes with it, and the two verbs. Types only; the code that
// opens sockets is loaded on first use through transports.ts.
import type { KeyType, Result, ServiceError } from '../core/service/errors';
import type { AuthForm } from '../core/service/keys/authForm';
import type { Interface, KeyQuery, KeyWay, PlacedProfile } from '../core/service/profiles/profile';
import type { BytePart } from '../core/service/response/outline';
import type { BodyFile, Exchange, PreparedRequest } from '../core/requests/run/model';
import type { Secret } from '../core/service/keys/secret';
import type { JsonValue } from '../core/solana/json/json';

/** A place to send to, settled before any key is asked for. */
export interface SendTarget {
  readonly profile: PlacedProfile;
  readonly interface: Interface;
  /** The URL without any key; under the form `path` its place is still written `{key}`. */
  readonly url: URL;
  /** Scheme, host and port, as `URL.origin` writes them. */
  readonly origin: string;
  /** How the key is sent; `none` if no stored key is: the profile says so, or the file contains its own. */
  readonly auth: AuthForm;
  readonly keyType: KeyType;
  /** The URL of a project says `{key}`, and `url` does not: only the way that the key was saved with can place it. */
  readonly needsPlace?: true;
  /** The URL as it was written, for a request without a key: `url` has the place that the provider's table adds. */
  readonly keylessUrl?: URL;
  /** The URL is the file's own: without a stored key for its origin, requests are sent without one. */
  readonly isKeyOptional?: true;
  /** `@auth none`: no key goes with the request, neither a stored one nor one of the file. */
  readonly isKeyless?: true;
  /** A second key, sent too: the RPC key with the SWQoS key (docs/local-service.md, "Keys"). */
  readonly beside?: { readonly auth: AuthForm; readonly keyType: KeyType };
}

/** A key for one run or one connect. */
export interface KeyLease {
  readonly secret: Secret;
  readonly keyId?: string;
  readonly label: string;
  /** How it is sent, as saved: used if the profile is not the user's. */
  readonly way?: KeyWay;
}

/** A key with the way it travels. */
export interface AttachedKey {
  readonly lease: KeyLease;
  readonly auth: AuthForm;
  /** The URL with the key's place, if it differs from the target's. */
  readonly placed?: URL;
}

export type KeyAnswer =
  | { readonly kind: 'lease'; readonly lease: KeyLease }
  /** No key is stored for exactly this origin: the request is refused, the user reads "no key for HOST". */
  | { readonly kind: 'none' };

/** The source of keys: the client's vault over IPC in the editor, the environment in a terminal. */
export interface KeyPort {
  key(query: KeyQuery, signal: AbortSignal): Promise<KeyAnswer>;
}

export type WaitReason = 'rateLimit' | 'retry';

export interface CallOptions {
  readonly signal: AbortSignal;
  /** Stores a body above `inlineBytes`; without it, a body above `maxBytes` is refused. */
  readonly spillFile?: () => string;
  /** Called once when a body is, or may become, large: readable from then on while it grows. */
  readonly onGrow?: (body: GrowingBody) => void;
  /** Progress of a body that is not small: bytes received so far, and the total if the service announces it. */
  readonly onBytes?: (bytes: number, total: number | undefined) => void;
  readonly inlineBytes?: number;
  readonly maxBytes?: number;
  /** Adds the request's head without keys to its exchange, for showing. HTTP only. */
  readonly wantsSent?: true;
  /** Called when a retry or the plan's limit delays the call. */
  readonly onWait?: (reason: WaitReason, ms: number) => void;
}

/** A large body while it streams in. */
export interface GrowingBody {
  readonly file: BodyFile;
  /** The index of the bytes received so far. */
  readonly root: () => BytePart | undefined;
}

export interface OpenOptions {
  /** Ends the opening, and later the subscription, at once. */
  readonly signal: AbortSignal;
  readonly onWait?: (reason: WaitReason, ms: number) => void;
}

/** A confirmed subscription with a dedicated connection. Its queue is bounded; the oldest messages are dropped first. */
export interface Subscription {
  /** Each notification's `params.result`, exact digits, until the end. One reader. */
  messages(): AsyncIterable<JsonValue>;
  /** Messages that went unread because too many waited. */
  readonly dropped: number;
  /** Why it ended by itself; undefined while it lives, after `close`, and where the service ended it as announced. */
  readonly error: ServiceError | undefined;
  /** Unsubscribes and closes. */
  close(): Promise<void>;
}

/**
 * Takes a message in place. The next messages of the same array follow in later calls with other offsets; its bytes are
 * valid until a call with another array.
 */
export type TakeMessage = (bytes: Buffer, start: number, end: number) => void;

export interface RawOptions extends OpenOptions {
  /** Called with each raw update of a gRPC stream, or each whole notification of a WebSocket. */
  readonly take: TakeMessage;
  /** Receives the messages of another subscription on the same WebSocket; if that is refused, it is left out. */
  readonly beside?: { readonly request: PreparedRequest; readonly take: TakeMessage };
}

/**
 * A confirmed stream whose messages are passed on as bytes: nothing is parsed, kept or redacted. Text made from them must
 * pass through `redact` before it is shown or written.
 */
export interface RawStream {
  /** Resolves after the last message. */
  readonly ended: Promise<void>;
  /** Why it ended by itself; undefined while it lives, after `close`, and where the service ended it as announced. */
  readonly error: ServiceError | undefined;
  /** Stops reading, which makes the service wait; `resume` continues. */
  pause(): void;
  resume(): void;
  /**
   * Resolves with true once everything that the service wrote before answering a request sent now was passed on, or the
   * service has closed the stream properly; with false if the connection was lost. A paused stream passes on nothing.
   */
  drained(): Promise<boolean>;
  /** A text without the keys that this stream was opened with. */
  redact(text: string): string;
  /** Unsubscribes and closes. */
  close(): Promise<void>;
}

/** The user's settings for network connections; never read from a workspace. */
export interface ConnectSettings {
  /** Certificates (PEM) trusted in addition to the system's. */
  readonly extraCa?: readonly string[];
  readonly proxy?: ProxySettings;
}

export interface ProxySettings {
  /** `http://HOST:PORT` or `https://HOST:PORT`; a user name and password in it are not used. */
  readonly url: string;
  /** `user:password` for Basic authentication at the proxy. */
  readonly credentials?: Secret;
  /** The whole value of Proxy-Authorization, in place of `credentials`. */
  readonly authorization?: Secret;
  /** Hosts reached directly: `host`, `.suffix`, `host:port`, `*`. Loopback always is. */
  readonly noProxy: readonly string[];
}

/** Time as the transports see it; tests pass their own. */
export interface NetClock {
  /** Milliseconds, monotonic. */
  now(): number;
  /** Milliseconds since the epoch. */
  unixMs(): number;
  /** Rejects with the signal's reason as soon as it is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** Requests sent, or answered with 429, as the plan counts them: a batch of n is n. */
export interface Traffic {
  /** The profile's name. */
  readonly profile: string;
  /** The request's destination: a file's own URL may have another host than the profile's. */
  readonly origin: string;
  readonly sent: number;
  readonly throttled: number;
}

export interface NetOptions {
  readonly keys: KeyPort;
  /** Called for every attempt of a request. */
  readonly onTraffic?: (traffic: Traffic) => void;
  readonly connect?: ConnectSettings;
  /** Asked before each request: whether to stay within the plan the profile names. Default: yes. */
  readonly respectPlan?: () => boolean;
  readonly clock?: NetClock;
  /** 0 <= n < 1, for the backoff's jitter. */
  readonly random?: () => number;
  /** The gRPC client of every call, for tests and benchmarks; default: the one that suits the call. */
  readonly grpcClient?: GrpcClientName;
  /** Suspended keys, shared with other senders; by default each instance learns of them on its own. */
  readonly suspensions?: KeyWatch;
}

/** The transports, one instance per shell; holds the pools and the token buckets. */
export interface Net {
  /** One JSON-RPC request, or over HTTP a batch. A refusal is an Exchange with `error`; no answer at all a failed Result. */
  call(target: SendTarget, request: PreparedRequest, options: CallOptions): Promise<Result<Exchange>>;
  /** GET on the REST interface; `path` begins with "/v1/". */
  get(target: SendTarget, path: string, options: CallOptions): Promise<Result<Exchange>>;
  /** Subscribes over a WebSocket; the service has confirmed it when this resolves. */
  open(target: SendTarget, request: PreparedRequest, options: OpenOptions): Promise<Result<Subscription>>;
  /** Subscribes over a WebSocket or gRPC; messages are handed on as bytes, some of them before this resolves. */
  openRaw(target: SendTarget, request: PreparedRequest, options: RawOptions): Promise<Result<RawStream>>;
  close(): Promise<void>;
}

/** Who executes a gRPC call (grpc/client.ts decides). */
export type GrpcClientName = 'grpc-js' | 'http2';
/** Accounting of requests with keys: checked before sending and reported to afterwards. The first key pays. */
export interface KeyWatch {
  refusal(target: SendTarget, attached: readonly AttachedKey[]): ServiceError | undefined;
  note(target: SendTarget, attached: readonly AttachedKey[], error: ServiceError | undefined): void;
}
