// The requests about a service's usage and keys, over LSP between client and server. No key ever crosses here.
import { RequestType0 } from 'vscode-jsonrpc';
import type { KeyType, ServiceError } from '../core/service/errors';
import type { ListedKey, Usage } from '../core/service/usage';
import { CheckedRequest } from './messages';

export const usage = new CheckedRequest<UsageParams, UsageResult>('solanaRpc/usage', {
  from: 'number?',
  to: 'number?',
  keyId: 'string?',
});
export interface UsageParams {
  /** Unix seconds. */
  readonly from?: number;
  readonly to?: number;
  readonly keyId?: string;
}
export type UsageResult =
  | ({ readonly kind: 'loaded' } & Usage)
  | { readonly kind: 'failed'; readonly error: ServiceError };

/** The usage of a range in parts, for a time axis: each is asked for by itself, one after the other, within the plan. */
export const usageParts = new CheckedRequest<UsagePartsParams, UsagePartsResult>('solanaRpc/usageParts', {
  spans: 'array',
  keyId: 'string?',
});
export interface UsagePartsParams {
  /** Unix seconds, both ends inclusive; at most `MOST_PARTS`. */
  readonly spans: readonly { readonly from: number; readonly to: number }[];
  readonly keyId?: string;
}
/** Its ends as they were asked for, both inclusive. */
export type UsagePart = Omit<Usage, 'keyId'>;
export type UsagePartsResult =
  | { readonly kind: 'loaded'; readonly parts: readonly UsagePart[] }
  /** `parts`: those received before. */
  | { readonly kind: 'failed'; readonly error: ServiceError; readonly parts: readonly UsagePart[] };

/** The account's keys, if the service lists them. */
export const usageKeys = new RequestType0<UsageKeysResult, void>('solanaRpc/usageKeys');
export type UsageKeysResult =
  | { readonly kind: 'listed'; readonly keys: readonly ListedKey[] }
  | { readonly kind: 'failed'; readonly error: ServiceError };

/** Tries a key that is not stored yet, or is; `candidate` is a one-time handle known to the client's broker. */
export const testKey = new CheckedRequest<TestKeyParams, TestKeyResult>('solanaRpc/testKey', {
  profile: 'string',
  type: 'string',
  candidate: 'string?',
  label: 'string?',
});
export interface TestKeyParams {
  readonly profile: string;
  readonly type: KeyType;
  readonly candidate?: string;
  readonly label?: string;
}
export type TestKeyResult =
  | { readonly kind: 'accepted' }
  /** `actual`: the type the key turned out to be of, where the service took it for another one. */
  | { readonly kind: 'refused'; readonly error: ServiceError; readonly actual?: KeyType };

/** Local service: the server talks to /local for the client, which opens no socket. The new key travels over IPC. */
export const rotateLocalKey = new CheckedRequest<RotateLocalKeyParams, RotateLocalKeyResult>(
  'solanaRpc/rotateLocalKey',
  { adminUrl: 'string', keyId: 'string' },
);
export interface RotateLocalKeyParams {
  /** Of the ready line; loopback only. */
  readonly adminUrl: string;
  readonly keyId: string;
}
export type RotateLocalKeyResult =
  | { readonly kind: 'rotated'; readonly handle: string }
  | { readonly kind: 'refused'; readonly error: ServiceError };
