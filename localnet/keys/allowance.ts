// The remaining allowance of one key: its plan's two buckets and its suspension. Every transport asks here before it works.
import { PLANS, type PlanName } from './plans';
import { TokenBucket } from './bucket';
import { KeySuspension, wholeSeconds } from './suspension';

/** The cost of a request: a send counts among the requests too. A batch of n costs n. */
export interface AllowanceCost {
  readonly requests: number;
  readonly sends: number;
}

/** The state of the bucket that governs the answer, for the `x-ratelimit-*` headers. */
export interface RateState {
  /** Requests (or sends) per second of the plan. */
  readonly limit: number;
  /** Whole requests left. */
  readonly remaining: number;
  /** Seconds until the bucket is full again, rounded up. */
  readonly resetSeconds: number;
}

export type Verdict =
  | { readonly kind: 'granted' }
  | { readonly kind: 'limited'; readonly rate: RateState; readonly retryAfterSeconds: number; readonly message: string }
  | { readonly kind: 'suspended'; readonly retryAfterSeconds: number };

/** The spending limit of a payer. */
export interface Purse {
  /** Answers whether `cost` may be spent now and, when it may not, notes the refusal. Takes nothing: `spend` does. */
  ask(cost: AllowanceCost, now: number): Verdict;
  /** Takes the cost; what is left, where it is bounded. */
  spend(cost: AllowanceCost, now: number): RateState | undefined;
}

/** Where there is no plan. */
export const UNBOUNDED: Purse = { ask: () => ({ kind: 'granted' }), spend: () => undefined };

export class Allowance implements Purse {
  readonly suspension: KeySuspension;
  #requests: TokenBucket;
  #sends: TokenBucket;

  constructor(
    private currentPlan: PlanName,
    now: number,
    /** Called with true when a suspension begins, with false for every other change. */
    private readonly onChange: (suspended: boolean) => void = () => undefined,
  ) {
    this.suspension = new KeySuspension(onChange);
    [this.#requests, this.#sends] = buckets(currentPlan, now);
  }

  get plan(): PlanName {
    return this.currentPlan;
  }

  /** A new plan starts with full buckets. */
  changePlan(plan: PlanName, now: number): void {
    this.currentPlan = plan;
    [this.#requests, this.#sends] = buckets(plan, now);
    this.onChange(false);
  }

  ask(cost: AllowanceCost, now: number): Verdict {
    const suspendedMs = this.suspension.remaining(now);
    if (suspendedMs > 0) return { kind: 'suspended', retryAfterSeconds: wholeSeconds(suspendedMs) };
    if (!this.#requests.has(cost.requests, now)) return this.#limited(this.#requests, cost.requests, 'requests/s', now);
    if (!this.#sends.has(cost.sends, now)) return this.#limited(this.#sends, cost.sends, 'sendTransaction/s', now);
    return { kind: 'granted' };
  }

  spend(cost: AllowanceCost, now: number): RateState {
    this.#requests.spend(cost.requests);
    this.#sends.spend(cost.sends);
    return this.#rate(cost.sends > 0 ? this.#sends : this.#requests, now);
  }

  #limited(bucket: TokenBucket, count: number, unit: string, now: number): Verdict {
    const { rps } = PLANS[this.currentPlan];
    this.suspension.refused(count, rps, now);
    const tooMany = count > bucket.capacity ? `; a batch of ${count} can never pass` : '';
    return {
      kind: 'limited',
      rate: this.#rate(bucket, now),
      retryAfterSeconds: wholeSeconds(bucket.waitFor(count, now)),
      message: `Too Many Requests: ${bucket.capacity} ${unit} allowed on plan ${this.currentPlan}${tooMany}`,
    };
  }

  #rate(bucket: TokenBucket, now: number): RateState {
    return {
      limit: bucket.capacity,
      remaining: bucket.remaining(now),
      resetSeconds: Math.ceil(bucket.waitFor(bucket.capacity, now) / 1000),
    };
  }
}

function buckets(plan: PlanName, now: number): [TokenBucket, TokenBucket] {
  const { rps, sendPerSecond } = PLANS[plan];
  return [new TokenBucket(rps, now), new TokenBucket(sendPerSecond, now)];
}
