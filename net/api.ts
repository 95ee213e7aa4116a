// The face of the wire: where a request goes, which key goes with it, and the two verbs. Types only; the code that
// opens sockets is loaded on first use through transports.ts.
import type { KeyType, Result, ServiceError } from '../core/errors';
import type { AuthForm } from '../core/authForm';
import type { Interface, KeyQuery, KeyWay, PlacedProfile } from '../core/profile';
import type { Part } from '../core/response/outline';
import type { BodyFile, Exchange, PreparedRequest } from '../core/run/model';
import type { Secret } from '../core/secret';
import type { JsonValue } from '../core/values/json/json';

/** A place to send to, settled before any key is asked for. */
export interface Target {
  readonly profile: PlacedProfile;
  readonly interface: Interface;
  /** The URL without any key; under the form `path` its place is still written `{key}`. */
  readonly url: URL;
  /** Scheme, host and port, as `URL.origin` writes them. */
  readonly origin: string;
  /** How the key travels; `none` where no stored key goes: the profile says so, or the file brings its own. */
  readonly auth: AuthForm;
  readonly keyType: KeyType;
  /** The URL of a project says `{key}`, and `url` does not: only the way that the key was saved with can place it. */
  readonly needsPlace?: true;
  /** The URL as it was written, for a request without a key: `url` has the place that the provider's table adds. */
  readonly keylessUrl?: URL;
  /** The URL is the file's own: it is asked without a key where none is stored for its origin. */
  readonly isKeyOptional?: true;
  /** A second key that goes along: the RPC key beside the SWQoS key (docs/local-service.md, "Keys"). */
  readonly beside?: { readonly auth: AuthForm; readonly keyType: KeyType };
}

/** A key for one run or one connect. */
export interface KeyLease {
  readonly secret: Secret;
  readonly keyId?: string;
  readonly label: string;
  /** How it travels, as it was saved: counts where the profile is not the user's. */
  readonly way?: KeyWay;
}

/** A key with the way it travels. */
export interface AttachedKey {
  readonly lease: KeyLease;
  readonly auth: AuthForm;
  /** The URL with the key's place, where it is not the target's own. */
  readonly placed?: URL;
}

export type KeyAnswer =
  | { readonly kind: 'lease'; readonly lease: KeyLease }
  /** No key is stored for exactly this origin: the request is refused, the user reads "no key for HOST". */
  | { readonly kind: 'none' };

/** Who holds the keys: the client's vault over IPC in the editor, the environment in a terminal. */
export interface KeyPort {
  key(query: KeyQuery, signal: AbortSignal): Promise<KeyAnswer>;
}

export type WaitReason = 'rateLimit' | 'retry';

export interface CallOptions {
  readonly signal: AbortSignal;
  /** Where a body above `inlineBytes` goes; absent: such a body is refused above `maxBytes`. */
  readonly spillFile?: () => string;
  /** Told once of a body that becomes a large one, or may: it can be read from then on while it grows. */
  readonly onGrow?: (body: GrowingBody) => void;
  /** Told as a body that is no small one comes in: its bytes on the wire so far, and of all of it where the service says so. */
  readonly onBytes?: (bytes: number, total: number | undefined) => void;
  readonly inlineBytes?: number;
  readonly maxBytes?: number;
  /** Adds the request's head without keys to its exchange, for showing. HTTP only. */
  readonly wantsSent?: true;
  /** Told when a retry or the plan's limit makes the call wait. */
  readonly onWait?: (reason: WaitReason, ms: number) => void;
}

/** A large body while it streams in. */
export interface GrowingBody {
  readonly file: BodyFile;
  /** The index as far as the bytes have come. */
  readonly root: () => Part | undefined;
}

export interface OpenOptions {
  /** Ends the opening, and later the subscription, at once. */
  readonly signal: AbortSignal;
  readonly onWait?: (reason: WaitReason, ms: number) => void;
}

/** A confirmed subscription over a connection of its own. Messages wait, bounded; the oldest go first. */
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
 * Takes a message where it lies. The same array comes again, from further on, while other messages lie in it; its bytes
 * are theirs only until another array comes.
 */
export type TakeMessage = (bytes: Buffer, start: number, end: number) => void;

export interface RawOptions extends OpenOptions {
  /** Called with each update of a gRPC stream as it came, or with each whole notification of a WebSocket. */
  readonly take: TakeMessage;
  /** Another subscription on the same WebSocket, told apart; one that is refused is left out. */
  readonly beside?: { readonly request: PreparedRequest; readonly take: TakeMessage };
}

/**
 * A confirmed stream whose messages are handed on as bytes: nothing is parsed, kept or cleaned of keys. What is made of
 * them and shown or written goes through `redact`.
 */
export interface RawStream {
  /** Resolves once nothing more comes. */
  readonly ended: Promise<void>;
  /** Why it ended by itself; undefined while it lives, after `close`, and where the service ended it as announced. */
  readonly error: ServiceError | undefined;
  /** Reads no further, so that the service has to wait; `resume` goes on. */
  pause(): void;
  resume(): void;
  /**
   * True once what the service wrote before it answered a question of now was handed on, or the service has closed the
   * stream properly; false where the connection was lost. A paused stream hands on nothing.
   */
  drained(): Promise<boolean>;
  /** A text without the keys that this stream was opened with. */
  redact(text: string): string;
  /** Unsubscribes and closes. */
  close(): Promise<void>;
}

/** What a user may set about the way to the network; never read from a workspace. */
export interface ConnectSettings {
  /** Certificates (PEM) trusted beside the system's. */
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

/** Requests that left, or came back with 429, counted as the plan counts them: a batch of n is n. */
export interface Traffic {
  /** The profile's name. */
  readonly profile: string;
  /** Where the request went: a file's own URL may be of another host than the profile's. */
  readonly origin: string;
  readonly sent: number;
  readonly throttled: number;
}

export interface NetOptions {
  readonly keys: KeyPort;
  /** Told of every try of a request. */
  readonly onTraffic?: (traffic: Traffic) => void;
  readonly connect?: ConnectSettings;
  /** Asked before each request: whether to stay within the plan the profile names. Default: yes. */
  readonly respectPlan?: () => boolean;
  readonly clock?: NetClock;
  /** 0 <= n < 1, for the backoff's jitter. */
  readonly random?: () => number;
  /** The gRPC client of every call, for tests and benchmarks; default: the one that suits the call. */
  readonly grpcClient?: GrpcClientName;
  /** Which keys are suspended, shared with others who send with them; default: what is found out here alone. */
  readonly suspensions?: KeyWatch;
}

/** The transports, one instance per shell; holds the pools and the token buckets. */
export interface Net {
  /** One JSON-RPC request, or over HTTP a batch. A refusal is an Exchange with `error`; no answer at all a failed Result. */
  call(target: Target, request: PreparedRequest, options: CallOptions): Promise<Result<Exchange>>;
  /** GET on the REST interface; `path` begins with "/v1/". */
  get(target: Target, path: string, options: CallOptions): Promise<Result<Exchange>>;
  /** Subscribes over a WebSocket; the service has confirmed it when this resolves. */
  open(target: Target, request: PreparedRequest, options: OpenOptions): Promise<Result<Subscription>>;
  /** Subscribes over a WebSocket or gRPC; messages are handed on as bytes, some of them before this resolves. */
  openRaw(target: Target, request: PreparedRequest, options: RawOptions): Promise<Result<RawStream>>;
  close(): Promise<void>;
}

/** Who executes a gRPC call (grpc/client.ts decides). */
export type GrpcClientName = 'grpc-js' | 'http2';
/** What the transports ask before they send with keys, the first of which pays, and tell after it. */
export interface KeyWatch {
  refusal(target: Target, attached: readonly AttachedKey[]): ServiceError | undefined;
  note(target: Target, attached: readonly AttachedKey[], error: ServiceError | undefined): void;
}
