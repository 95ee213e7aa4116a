// A key's record without its secret, and the reader of the key index. Pure; holds no secret.
import type { KeyType } from '../../core/service/errors';
import type { Interface, KeyWay } from '../../core/service/profiles/profile';
import { oneOf, record, text } from '../../protocol/shapes';
import type { Origins } from '../profiles/origins';

/** The service's last verdict on a key; times in Unix milliseconds. */
export type KeyVerdict =
  | { readonly kind: 'untested' }
  | { readonly kind: 'active' }
  | { readonly kind: 'rejected' }
  | { readonly kind: 'wrongType' }
  | { readonly kind: 'suspended'; readonly until?: number }
  /** Its secret is gone from the storage: another window removed it, or the system's keyring did. */
  | { readonly kind: 'removed' };

/** A key without its secret. */
export interface KeyRecord {
  readonly id: string;
  readonly type: KeyType;
  readonly label: string;
  /** The profile it was added for; for showing and for choosing between several that fit. */
  readonly profile: string;
  readonly origins: Origins;
  /** How it travels there, where that is not Bearer; absent from keys that were saved before it was kept. */
  readonly ways?: Readonly<Partial<Record<Interface, KeyWay>>>;
  /** The service's own name of the key. */
  readonly keyId?: string;
  readonly state: KeyVerdict;
  readonly lastUsed?: number;
  /** The user chose it among the keys of its type at its profile. */
  readonly chosen?: boolean;
}

export type NewKey = Omit<KeyRecord, 'id' | 'state' | 'lastUsed'> & { readonly state?: KeyVerdict };

/** True for keys of which one at a time is used: those of one type at one profile. */
export const areRivals = (a: KeyRecord, b: KeyRecord): boolean =>
  a.id !== b.id && a.type === b.type && a.profile === b.profile;

/** The key among its rivals that requests go out with where a file names none: the chosen one, else the first. */
export function preferred(records: readonly KeyRecord[]): KeyRecord | undefined {
  return records.find(({ chosen }) => chosen === true) ?? records[0];
}

/** The records of an index; none where it cannot be read: the keys are added again then. */
export function readIndex(text: string | undefined): readonly KeyRecord[] {
  if (text === undefined) return [];
  try {
    const index: unknown = JSON.parse(text);
    return Array.isArray(index) ? index.filter(isRecord) : [];
  } catch {
    return [];
  }
}

const type = oneOf('rpc', 'grpc', 'swqos');
const entry = record({ id: 'string', type, label: text(Infinity), profile: 'string', origins: 'object' });
const isRecord = (value: unknown): value is KeyRecord => entry(value) !== undefined;
