// Keeps requests within the plan: two buckets per key, one for every request and one for sendTransaction. A spent token
// returns one second later, so that no interval of one second has more requests than the plan allows.
import type { PlanLimits } from '../core/service/profiles/planLimits';
import { orAborted } from './aborts';
import type { NetClock } from './api';

/** Time until a spent token returns, in milliseconds: a second, plus a margin for jitter on the way to the service. */
const WINDOW_MS = 1_020;

export class Bucket {
  /** When each token returns, oldest first from `next` on. */
  readonly #back: number[];
  #next = 0;
  #line: Promise<void> = Promise.resolve();
  #waiting = 0;

  constructor(
    private readonly tokens: number,
    private readonly clock: NetClock,
  ) {
    this.#back = new Array<number>(tokens).fill(-Infinity);
  }

  /** Resolves when `cost` tokens are spent, first come, first served. Rejects with the signal's reason. */
  async take(cost: number, signal: AbortSignal, onWait: (ms: number) => void): Promise<void> {
    if (this.#waiting === 0 && this.#delay(cost) <= 0) {
      this.#spend(cost);
      return;
    }
    const before = this.#line;
    let leave = (): void => undefined;
    const left = new Promise<void>((resolve) => (leave = resolve));
    this.#line = before.then(() => left);
    this.#waiting++;
    try {
      onWait(Math.max(0, this.#delay(cost)));
      await orAborted(before, signal);
      for (let ms = this.#delay(cost); ms > 0; ms = this.#delay(cost)) await this.clock.sleep(Math.ceil(ms), signal);
      this.#spend(cost);
    } finally {
      this.#waiting--;
      leave();
    }
  }

  /** Milliseconds until `cost` tokens are available; a batch above the plan's rate waits for all tokens. */
  #delay(cost: number): number {
    const last = this.#back[(this.#next + Math.min(cost, this.tokens) - 1) % this.tokens] ?? -Infinity;
    return last - this.clock.now();
  }

  /** A batch above the plan's rate takes tokens for as many seconds as it costs. */
  #spend(cost: number): void {
    const now = this.clock.now();
    for (let n = 0; n < cost; n++) {
      this.#back[this.#next] = now + WINDOW_MS * (1 + Math.floor(n / this.tokens));
      this.#next = (this.#next + 1) % this.tokens;
    }
  }
}

/** The cost of a request: n for a batch of n, and its sendTransaction calls once more from their own bucket. */
export interface PlanCost {
  readonly requests: number;
  readonly sends: number;
}

/** The account whose tokens a request takes. */
export interface PacedKey {
  /** A name of the key that does not reveal it. */
  readonly name: string;
  readonly limits: PlanLimits;
}

interface Pair {
  readonly limits: PlanLimits;
  readonly all: Bucket;
  readonly sends: Bucket;
}

/** The buckets of all keys. */
export class Pacer {
  readonly #pairs = new Map<string, Pair>();

  constructor(private readonly clock: NetClock) {}

  /** Resolves when a request of this cost may leave under `key`. */
  async take(key: PacedKey, cost: PlanCost, signal: AbortSignal, onWait: (ms: number) => void): Promise<void> {
    const pair = this.#pairOf(key);
    if (cost.sends > 0) await pair.sends.take(cost.sends, signal, onWait);
    await pair.all.take(cost.requests, signal, onWait);
  }

  #pairOf({ name, limits }: PacedKey): Pair {
    const known = this.#pairs.get(name);
    if (known !== undefined && known.limits === limits) return known;
    const { rps, sendPerSecond } = limits;
    const pair = { limits, all: new Bucket(rps, this.clock), sends: new Bucket(sendPerSecond, this.clock) };
    this.#pairs.set(name, pair);
    return pair;
  }
}
