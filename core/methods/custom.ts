// The methods that documents of the workspace add to the contract's. One set per process, since a process serves one
// workspace: it is put in place by the shell that read the documents. A method of the contract is never replaced.
import type { MethodRecord } from './types';

interface CustomMethods {
  readonly records: readonly MethodRecord[];
  readonly byName: ReadonlyMap<string, MethodRecord>;
}

let current: CustomMethods = { records: [], byName: new Map() };

/** Puts these in place of the ones before; of two with one name the first counts. */
export function useCustomMethods(records: readonly MethodRecord[]): void {
  const byName = new Map<string, MethodRecord>();
  for (const record of records) if (!byName.has(record.name)) byName.set(record.name, record);
  current = { records: [...byName.values()], byName };
}

/** The same object while nothing changed: what was found out with other methods does not hold any more. */
export const customMethods = (): CustomMethods => current;
