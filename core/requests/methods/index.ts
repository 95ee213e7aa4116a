// The face of the contract: every method, and look-ups by name.
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
import { SUBSCRIPTION_RECORDS } from './records/subscriptions';
import { TOKEN_METHODS } from './records/tokens';
import type { Programs } from '../../solana/decode/decoded';
import type { MethodRecord, RemovedMethod } from './types';
import { uniformMethod } from './uniform';

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
  ...SUBSCRIPTION_RECORDS,
];

const byName = new Map([...METHODS.map(withPacks), ...PACK_METHODS].map((record) => [record.name, record]));
const removedByName = new Map(REMOVED_METHODS.map((method) => [method.name, method]));

/** The methods known in one place: those of the standard, of the packs, and of the workspace's documents. */
export class MethodTable {
  #byName: ReadonlyMap<string, MethodRecord>;
  /** Those that were asked for, as the checks read them. */
  readonly #uniform = new Map<string, MethodRecord>();
  #all: readonly MethodRecord[] | undefined;
  #lastName: string | undefined;
  #last: MethodRecord | undefined;

  /** `custom`: of two with one name the first counts. `programs`: the IDLs at hand; undefined while none were read. */
  constructor(
    custom: readonly MethodRecord[] = [],
    readonly programs?: Programs,
  ) {
    this.#byName = custom.length === 0 ? byName : withCustom(custom);
  }

  /** The same methods with these IDLs. */
  withPrograms(programs: Programs): MethodTable {
    const table = new MethodTable([], programs);
    table.#byName = this.#byName;
    return table;
  }

  /** The standard's methods, those of the packs, then those that the documents add. */
  all(): readonly MethodRecord[] {
    return (this.#all ??= [...this.#byName.values()]);
  }

  named(name: string): MethodRecord | undefined {
    // Callers mostly ask for the same name again.
    if (name !== this.#lastName) {
      this.#last = this.#uniform.get(name) ?? this.#made(name);
      this.#lastName = name;
    }
    return this.#last;
  }

  #made(name: string): MethodRecord | undefined {
    const record = this.#byName.get(name);
    if (record === undefined) return undefined;
    const made = uniformMethod(record);
    this.#uniform.set(name, made);
    return made;
  }
}

function withCustom(custom: readonly MethodRecord[]): ReadonlyMap<string, MethodRecord> {
  const added = new Map<string, MethodRecord>();
  for (const record of custom) if (!added.has(record.name)) added.set(record.name, withStandard(record));
  return new Map([...byName, ...added]);
}

/** A document adds to a method of the standard, and takes the place of one of a pack. */
function withStandard(custom: MethodRecord): MethodRecord {
  const known = byName.get(custom.name);
  return known === undefined || known.pack !== undefined ? custom : extended(known, custom.params);
}

/** Where no document adds any. */
export const STANDARD_METHODS = new MethodTable();

export function removedMethodNamed(name: string): RemovedMethod | undefined {
  return removedByName.get(name);
}
