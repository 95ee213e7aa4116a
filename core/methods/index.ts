// The face of the contract: every method, and look-ups by name.
import { customMethods } from './custom';
import { extended, PACK_METHODS, withPacks } from './packs/packs';
import { ACCOUNT_METHODS } from './records/accounts';
import { BLOCK_METHODS } from './records/blocks';
import { CLUSTER_METHODS } from './records/cluster';
import { ECONOMICS_METHODS } from './records/economics';
import { HISTORY_METHODS } from './records/history';
import { NODE_METHODS } from './records/node';
import { PROGRAM_METHODS } from './records/programs';
import { REMOVED_METHODS } from './records/removed';
import { SENDING_METHODS } from './records/sending';
import { SUBSCRIPTION_METHODS } from './records/subscriptions';
import { TOKEN_METHODS } from './records/tokens';
import type { MethodRecord, RemovedMethod } from './types';

/** Every method, in the order of docs/methods.md. */
export const METHODS: readonly MethodRecord[] = [
  ...ACCOUNT_METHODS,
  ...TOKEN_METHODS,
  ...PROGRAM_METHODS,
  ...HISTORY_METHODS,
  ...SENDING_METHODS,
  ...BLOCK_METHODS,
  ...CLUSTER_METHODS,
  ...ECONOMICS_METHODS,
  ...NODE_METHODS,
  ...SUBSCRIPTION_METHODS,
];

/** Names that nodes no longer serve. */
export const REMOVED: readonly RemovedMethod[] = REMOVED_METHODS;

const byName = new Map([...METHODS.map(withPacks), ...PACK_METHODS].map((record) => [record.name, record]));
const removedByName = new Map(REMOVED.map((method) => [method.name, method]));
/** By the record of a document: the method of the standard or of a pack with what the document adds to it. */
const merged = new WeakMap<MethodRecord, MethodRecord>();

/** The standard's methods, those of the packs, then those that documents of the workspace add. */
export function allMethods(): readonly MethodRecord[] {
  const known = [...byName.keys(), ...customMethods().byName.keys()];
  return [...new Set(known)].flatMap((name) => methodNamed(name) ?? []);
}

/** A document of the workspace adds to a method of the standard, and takes the place of one of a pack. */
export function methodNamed(name: string): MethodRecord | undefined {
  const known = byName.get(name);
  const custom = customMethods().byName.get(name);
  if (custom === undefined || known === undefined) return known ?? custom;
  if (known.pack !== undefined) return custom;
  const before = merged.get(custom);
  if (before !== undefined) return before;
  const record = extended(known, custom.params);
  merged.set(custom, record);
  return record;
}

export function removedMethodNamed(name: string): RemovedMethod | undefined {
  return removedByName.get(name);
}
