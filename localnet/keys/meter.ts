// Counts requests per key, method and minute, for the usage REST API. Bounded: names the service does not know share one
// row, and minutes older than RETENTION_MINUTES are dropped.

export interface MethodUsage {
  readonly method: string;
  /** Requests in the range. */
  readonly count: number;
  /** Those of them that were answered with an error: a JSON-RPC error, or a 4xx after authentication. */
  readonly errors: number;
}

/** The row of requests that name no known method. */
export const OTHER_METHODS = '(other)';

/** One key's minute between two runs: minutes since the epoch, and per method its count and errors. */
export interface SavedMinute {
  readonly keyId: string;
  readonly minute: number;
  readonly methods: readonly (readonly [method: string, count: number, errors: number])[];
}

/** 31 days. */
const RETENTION_MINUTES = 31 * 24 * 60;

interface Count {
  count: number;
  errors: number;
}

/** Method names come from outside: a Map holds `__proto__` and `constructor` as plain names. */
type Minute = Map<string, Count>;

export class UsageMeter {
  readonly #minutesOf = new Map<string, Map<number, Minute>>();

  /** The minutes that were counted in since they were last taken. */
  #touched = new Map<Minute, { readonly keyId: string; readonly minute: number }>();

  constructor(
    private readonly known: ReadonlySet<string>,
    private readonly now: () => number,
  ) {}

  /** Counts one request of the key. `method` is what the client wrote, `undefined` where it wrote none. */
  record(keyId: string, method: string | undefined, failed: boolean): void {
    const name = method !== undefined && this.known.has(method) ? method : OTHER_METHODS;
    const minute = Math.floor(this.now() / 60_000);
    let minutes = this.#minutesOf.get(keyId);
    if (minutes === undefined) this.#minutesOf.set(keyId, (minutes = new Map<number, Minute>()));
    let counts = minutes.get(minute);
    if (counts === undefined) {
      minutes.set(minute, (counts = new Map<string, Count>()));
      for (const old of minutes.keys()) if (old < minute - RETENTION_MINUTES) minutes.delete(old);
    }
    const entry = counts.get(name) ?? { count: 0, errors: 0 };
    counts.set(name, entry);
    entry.count++;
    if (failed) entry.errors++;
    if (!this.#touched.has(counts)) this.#touched.set(counts, { keyId, minute });
  }

  /** The rows of the minutes that touch `from`..`to` (Unix seconds, both inclusive), most used first; all keys when none is named. */
  read(from: number, to: number, keyId?: string): readonly MethodUsage[] {
    const sums = new Map<string, Count>();
    const of =
      keyId === undefined ? [...this.#minutesOf.values()] : [this.#minutesOf.get(keyId) ?? new Map<number, Minute>()];
    const [first, last] = [Math.floor(from / 60), Math.floor(to / 60)];
    for (const minutes of of) {
      for (const [minute, counts] of minutes) {
        if (minute < first || minute > last) continue;
        for (const [method, { count, errors }] of counts) {
          const sum = sums.get(method) ?? { count: 0, errors: 0 };
          sums.set(method, { count: sum.count + count, errors: sum.errors + errors });
        }
      }
    }
    return [...sums]
      .map(([method, sum]) => ({ method, ...sum }))
      .sort((a, b) => b.count - a.count || (a.method < b.method ? -1 : 1));
  }

  /** The minutes that changed since the last call, whole. */
  takeChanges(): readonly SavedMinute[] {
    const touched = [...this.#touched.values()];
    this.#touched = new Map();
    return touched.flatMap(({ keyId, minute }) => {
      const counts = this.#minutesOf.get(keyId)?.get(minute);
      return counts === undefined ? [] : [savedMinute(keyId, minute, counts)];
    });
  }

  /** Every minute that is kept. */
  saved(): readonly SavedMinute[] {
    return [...this.#minutesOf].flatMap(([keyId, minutes]) =>
      [...minutes].map(([minute, counts]) => savedMinute(keyId, minute, counts)),
    );
  }

  /** Puts a minute back as it was. */
  load({ keyId, minute, methods }: SavedMinute): void {
    const minutes = this.#minutesOf.get(keyId) ?? new Map<number, Minute>();
    this.#minutesOf.set(keyId, minutes);
    minutes.set(minute, new Map(methods.map(([method, count, errors]) => [method, { count, errors }])));
  }

  /** Drops what is kept of keys that are no longer listed. */
  keepOnly(keyIds: ReadonlySet<string>): void {
    for (const keyId of this.#minutesOf.keys()) if (!keyIds.has(keyId)) this.#minutesOf.delete(keyId);
  }
}

function savedMinute(keyId: string, minute: number, counts: Minute): SavedMinute {
  return { keyId, minute, methods: [...counts].map(([method, { count, errors }]) => [method, count, errors]) };
}
