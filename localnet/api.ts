// The seam inside the local service: the ledger side answers JSON-RPC calls and reports events (ledger/ledger.ts), the
// service side knows keys, plans and transports. The ledger side imports nothing of the service side.
import type { JsonValue } from '../core/solana/json/json';

/** A long string that is made while it is written. Its pieces need no escaping in JSON: base64, base58. */
export class WireText {
  constructor(readonly pieces: () => Iterable<string>) {}
}

/** A value that is JSON text already, in pieces that join to it. */
export class WireParts {
  constructor(readonly parts: readonly (string | WireText)[]) {}
}

/** JSON to be written: integers may be bigint, and leave as exact digits. */
export type WireJson =
  | null
  | boolean
  | string
  | number
  | bigint
  | WireText
  | WireParts
  | readonly WireJson[]
  | { readonly [key: string]: WireJson | undefined };

export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: WireJson;
}

export type RpcOutcome =
  | { readonly ok: true; readonly result: WireJson }
  | { readonly ok: false; readonly error: RpcError };

/** The fate of a transaction on its way to the leader. */
export type Route =
  /** Into the slot that is open. */
  | { readonly kind: 'open' }
  | { readonly kind: 'next-slot' }
  | { readonly kind: 'late'; readonly ms: number }
  /** Dropped on the way; the node may try again. */
  | { readonly kind: 'lost' };

/** The caller's properties that a call may depend on. */
export interface CallContext {
  /** True when a SWQoS key pays for the call. */
  readonly staked: boolean;
  /** Asked at each try to bring a transaction to the leader; left out where the way is free. */
  readonly route?: () => Route;
}

/** The ledger side. Never throws for what a client sent: a bad call is an `RpcError`. */
export interface RpcEngine {
  /** At once where nothing is waited for. `params` is undefined when the request left it out. An unknown method is -32601. */
  call(method: string, params: JsonValue | undefined, context: CallContext): RpcOutcome | Promise<RpcOutcome>;
  /** The names that `call` answers; usage counts any other name in one row. */
  readonly methods: ReadonlySet<string>;
}
