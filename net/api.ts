// The face of the wire: where a request goes, which key goes with it, and the two verbs. Types only; the code that
// opens sockets is loaded on first use through transports.ts.
import type { KeyType, Result } from '../core/errors';
import type { AuthForm, Interface, KeyQuery, PlacedProfile } from '../core/profile';
import type { Exchange, PreparedRequest } from '../core/run/model';
import type { Secret } from '../core/secret';

/** A place to send to, settled before any key is asked for. */
export interface Target {
  readonly profile: PlacedProfile;
  readonly interface: Interface;
  /** The URL without any key. */
  readonly url: URL;
  /** Scheme, host and port, as `URL.origin` writes them. */
  readonly origin: string;
  readonly auth: AuthForm;
  readonly keyType: KeyType;
}

/** A key for one run or one connect. */
export interface KeyLease {
  readonly secret: Secret;
  readonly keyId?: string;
  readonly label: string;
}

export type KeyAnswer =
  | { readonly kind: 'lease'; readonly lease: KeyLease }
  /** No key is stored for exactly this origin: the request is refused, the user reads "no key for HOST". */
  | { readonly kind: 'none' };

/** Who holds the keys: the client's vault over IPC in the editor, the environment in a terminal. */
export interface KeyPort {
  key(query: KeyQuery, signal: AbortSignal): Promise<KeyAnswer>;
}

export interface CallOptions {
  readonly signal: AbortSignal;
  /** Where a body above `inlineBytes` goes; absent: such a body is refused above `maxBytes`. */
  readonly spillFile?: () => string;
  readonly inlineBytes?: number;
  readonly maxBytes?: number;
  /** Told when a retry or the plan's limit makes the call wait. */
  readonly onWait?: (reason: 'rateLimit' | 'retry', ms: number) => void;
}

/** The transports, one instance per shell; holds the pools and the token buckets. */
export interface Net {
  call(target: Target, request: PreparedRequest, options: CallOptions): Promise<Result<Exchange>>;
  /** GET on the REST interface; `path` begins with "/v1/". */
  get(target: Target, path: string, options: CallOptions): Promise<Result<Exchange>>;
  close(): Promise<void>;
}
