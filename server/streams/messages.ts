// Messages between the server's main thread and the worker that runs the streams: plain data. A key crosses once per
// connect, from main to worker, and is wrapped in a Secret there immediately.
import type { ServiceError } from '../../core/service/errors';
import type { KeyQuery, KeyWay, PlacedProfile } from '../../core/service/profiles/profile';
import type { PreparedRequest } from '../../core/requests/run/model';
import type { Until } from '../../core/requests/document/model';
import type { Suspension } from '../../net/auth/suspensions';
import type { KnownIdls } from '../../core/solana/decode/idl/registry';
import type * as protocol from '../../protocol/streams';

/** Everything a stream is opened with. */
export interface StreamPlan {
  readonly info: protocol.StreamInfo;
  readonly placed: PlacedProfile | undefined;
  readonly request: PreparedRequest;
  readonly until?: Until;
  /** The watched account: read once the stream is open. */
  readonly account?: string;
}

/** `draft`: the file that is written until the export is complete. */
export interface PlannedExport extends protocol.ExportStreamParams {
  readonly draft: string;
}

/** The parameters of each verb as the worker gets them. */
export interface Asks extends Omit<protocol.StreamVerbParams, 'openStream' | 'exportStream'> {
  readonly openStream: StreamPlan;
  readonly exportStream: PlannedExport;
}

/** The worker's answer to each verb. */
export interface Answers extends Omit<protocol.StreamVerbResults, 'openStream'> {
  readonly openStream: protocol.StreamTick;
}

/** A verb for the worker. */
export type AskMessage<V extends protocol.StreamVerb = protocol.StreamVerb> = {
  [K in V]: { readonly kind: 'ask'; readonly call: number; readonly verb: K; readonly ask: Asks[K] };
}[V];

export type ToWorker =
  | AskMessage
  /** The requested key; undefined if there is none. */
  | { readonly kind: 'key'; readonly call: number; readonly key: SentKey | undefined }
  /** Keys of this type and origin were stored, rotated or removed. */
  | { readonly kind: 'keysChanged'; readonly origin: string; readonly type: KeyQuery['type'] }
  /** Stops all streams, or those with these ids; `error` is the reason. */
  | { readonly kind: 'stopAll'; readonly error: ServiceError; readonly ids?: readonly string[] }
  | { readonly kind: 'settings'; readonly respectPlan: boolean }
  /** The proxy from the next connection on; undefined: none. */
  | { readonly kind: 'proxy'; readonly proxy: SentProxy | undefined }
  /** The programs known from now on. */
  | { readonly kind: 'idls'; readonly idls: KnownIdls }
  /** Learned by the other thread; contains no key. */
  | { readonly kind: 'suspension'; readonly suspension: Suspension }
  | { readonly kind: 'end' };

/** The worker's start-up data. */
export interface WorkerStart {
  /** With which both sides name suspended keys. */
  readonly salt: string;
}

export interface SentProxy {
  readonly url: string;
  readonly noProxy: readonly string[];
  /** `user:password`. */
  readonly credentials?: string;
  /** The whole value of Proxy-Authorization. */
  readonly authorization?: string;
}

export interface SentKey {
  readonly secret: string;
  readonly label: string;
  readonly keyId?: string;
  readonly way?: KeyWay;
}

export type FromWorker =
  | { readonly kind: 'tick'; readonly tick: protocol.StreamTick }
  | { readonly kind: 'answer'; readonly call: number; readonly answer: Answers[protocol.StreamVerb] | undefined }
  | { readonly kind: 'key'; readonly call: number; readonly query: KeyQuery }
  | { readonly kind: 'suspension'; readonly suspension: Suspension }
  | { readonly kind: 'ended' };
