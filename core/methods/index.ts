// The face of the contract: look-ups by name.
import type { MethodRecord, RemovedMethod } from './types';

/** Every method, in the order of docs/methods.md. */
export const METHODS: readonly MethodRecord[] = [];

const byName = new Map<string, MethodRecord>(METHODS.map((record) => [record.name, record]));

export function methodNamed(name: string): MethodRecord | undefined {
  return byName.get(name);
}

/** Names that nodes no longer serve. */
export const REMOVED: readonly RemovedMethod[] = [];

const removedByName = new Map<string, RemovedMethod>(REMOVED.map((method) => [method.name, method]));

export function removedMethodNamed(name: string): RemovedMethod | undefined {
  return removedByName.get(name);
}
