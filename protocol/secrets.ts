// The only messages that carry secrets: over Node's IPC channel between the client's key broker and the server (I3).
// Nothing here is ever logged. A request is answered once, by id; the order against LSP messages means nothing.
import type { KeyQuery, KeyWay } from '../core/service/profiles/profile';
import type { ProxyUser } from './lsp';

/** The user's credentials for the proxy of the editor's settings, at exactly this URL; without one, the environment's. */
export interface ProxyQuestion {
  readonly url?: string;
  readonly as: ProxyUser;
}

/** Server to client. */
export type SecretRequest =
  | { readonly kind: 'key'; readonly id: number; readonly query: KeyQuery }
  /** A key being added or rotated, by its one-time handle; bound to the origin it is tried at. */
  | { readonly kind: 'candidate'; readonly id: number; readonly handle: string; readonly origin: string }
  | { readonly kind: 'wallet'; readonly id: number; readonly profile: string }
  /** The text of a keypair file that the user's own settings name. */
  | { readonly kind: 'keypair'; readonly id: number; readonly name: string }
  | ({ readonly kind: 'proxy'; readonly id: number } & ProxyQuestion)
  /** The local service's admin token, for /local at exactly this origin. */
  | { readonly kind: 'adminToken'; readonly id: number; readonly origin: string };

/** Server to client, unasked: the local service made a new key in place of an old one; the LSP answer names `handle`. */
export interface SecretDelivery {
  readonly kind: 'delivery';
  readonly handle: string;
  readonly keyId: string;
  readonly secret: string;
}

export type FromServer = SecretRequest | SecretDelivery;

export type SecretDenial = 'none' | 'untrusted' | 'originMismatch' | 'unreadable';

/** Client to server. */
export type SecretReply =
  | {
      readonly kind: 'granted';
      readonly id: number;
      readonly secret: string;
      readonly keyId?: string;
      readonly label: string;
      /** How the key travels to the interface that was asked for, if the key was saved with it. */
      readonly way?: KeyWay;
    }
  | { readonly kind: 'denied'; readonly id: number; readonly reason: SecretDenial }
  /** Leases for this origin and type are dropped at once: the key was rotated or removed. */
  | { readonly kind: 'revoke'; readonly origin: string; readonly type: KeyQuery['type'] };
