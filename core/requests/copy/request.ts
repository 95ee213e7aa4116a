// A request as the writers for other tools see it: its address, its exact body, and the environment variables that hold
// its keys. Never a key itself.
import type { Transport } from '../document/model';
import { keyPlacement, type AuthForm, type KeyPlacement } from '../../service/keys/authForm';
import type { MethodRecord } from '../methods/types';
import type { JsonValue } from '../../solana/json/json';

/** The tools that a request can be copied for. */
export type CopyForm = 'curl' | 'kit' | 'web3' | 'wscat' | 'websocat' | 'grpcurl';

/** How a key travels, and the variable that holds it. */
export interface CopyKey {
  readonly auth: Exclude<AuthForm, 'none'>;
  readonly variable: string;
}

/** One call of the body. */
export interface CopyCall {
  readonly method: string;
  /** Undefined where the method is not known. */
  readonly record: MethodRecord | undefined;
  readonly params: JsonValue | undefined;
}

export interface CopyRequest {
  readonly transport: Transport;
  /** Where it goes, complete; for GRPC the address of the service. */
  readonly url: string;
  /** The JSON-RPC interface of the same endpoint, for clients that want it in addition to the WebSocket. */
  readonly httpUrl?: string;
  /** From the file; those that would carry a key are left out. */
  readonly headers: readonly (readonly [string, string])[];
  /** The exact body; of a GRPC call the message. */
  /** Variables that are the number of a variable of the environment that has their name. */
  readonly numbers?: ReadonlySet<string>;
  readonly body: string;
  /** Of a JSON-RPC body, in order. */
  readonly calls: readonly CopyCall[];
  readonly isBatch: boolean;
  /** Of GRPC: `package.Service/Method`, and whether messages come until one of the two ends it. */
  readonly call?: { readonly path: string; readonly isStream: boolean };
  readonly keys: readonly CopyKey[];
}

/** The request in another tool's words, or why it cannot be said there. */
export type CopiedRequest =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'refused'; readonly reason: string };

export const refused = (reason: string): CopiedRequest => ({ kind: 'refused', reason });

/** The header of a key and its scheme there; undefined where it travels in the URL. */
export function headerOf(auth: CopyKey['auth']): Extract<KeyPlacement, { readonly kind: 'header' }> | undefined {
  const place = keyPlacement(auth);
  return place?.kind === 'header' ? place : undefined;
}

/** The query parameter of a key; undefined where it travels elsewhere. */
export function parameterOf(auth: CopyKey['auth']): string | undefined {
  const place = keyPlacement(auth);
  return place?.kind === 'query' ? place.name : undefined;
}
