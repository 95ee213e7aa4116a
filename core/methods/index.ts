// The face of the contract: every method, and look-ups by name.
import { customMethods } from './custom';
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

const byName = new Map(METHODS.map((record) => [record.name, record]));
const removedByName = new Map(REMOVED.map((method) => [method.name, method]));

/** The contract's methods, then those that documents of the workspace add. */
export function allMethods(): readonly MethodRecord[] {
  const { records } = customMethods();
  return records.length === 0 ? METHODS : [...METHODS, ...records.filter(({ name }) => !byName.has(name))];
}

export function methodNamed(name: string): MethodRecord | undefined {
  return byName.get(name) ?? customMethods().byName.get(name);
}

export function removedMethodNamed(name: string): RemovedMethod | undefined {
  return removedByName.get(name);
}
