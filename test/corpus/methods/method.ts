// The row of a method, from which the tests of both sides read: calls that must pass and calls that must not, and what the
// local service answers. Written from the service contract and the public node API, and never from core/requests/methods or
// localnet/rpc, so that a mistake there is a failing test here.
import { need, type MethodFacts } from '../facts';
import type { Shape } from '../shapes';

/** Subjects of the calls, on the ledger of contract/open: addresses, signatures and hashes in base58, messages in base64. */
export interface Subjects {
  readonly wallet: string;
  /** Got money from the wallet. */
  readonly receiver: string;
  readonly mint: string;
  /** The wallet's account of `mint`, and who may spend from it. */
  readonly tokens: string;
  readonly delegate: string;
  readonly vote: string;
  /** A final transaction of the legacy format, and its slot. */
  readonly legacy: string;
  readonly slot: number;
  /** A final blockhash. */
  readonly blockhash: () => Promise<string>;
  /** A signed transfer on a final blockhash; new each time. */
  readonly transfer: () => Promise<string>;
  /** The message of such a transfer. */
  readonly message: () => Promise<string>;
}

export interface Method extends MethodFacts {
  /** Parameters in front of the config, with which it is called; absent if it is called without. */
  readonly given?: (subjects: Subjects) => readonly unknown[] | Promise<readonly unknown[]>;
  /** Members of the config with which it is called. */
  readonly options?: Readonly<Record<string, unknown>>;
  /** The result of that call. */
  readonly result?: Shape;
  /** The code with which the local service refuses it on purpose, in place of `result`. */
  readonly refused?: number;
  /** For subscriptions: the result of a notification, and parameters that are refused. */
  readonly notification?: Shape;
  readonly wrong?: readonly unknown[];
}

export const BASE64 = { encoding: 'base64' } as const;

/** A method of HTTP without parameters. */
export const bare = (name: string, result: Shape): Method => ({ name, on: 'http', params: [], result });

export const unsubscribe = (name: string): Method => ({ name, on: 'ws', params: [need('subscription', 'u64')] });

/** The members of the config; none where the method has no config. */
const fieldsOf = ({ params }: MethodFacts) => params.find(({ name }) => name === 'config')?.fields ?? [];

/** The member of the config that has the commitment, and its words; undefined for methods without. */
export const commitmentOf = (
  method: MethodFacts,
): { readonly key: string; readonly words: readonly string[] } | undefined =>
  fieldsOf(method).flatMap(({ name, words = [] }) =>
    name === 'commitment' || name === 'preflightCommitment' ? [{ key: name, words }] : [],
  )[0];

export const hasMinContextSlot = (method: MethodFacts): boolean =>
  fieldsOf(method).some(({ name }) => name === 'minContextSlot');
