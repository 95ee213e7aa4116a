// What was sent from this window, by endpoint, as the server tells it: for the status bar and the Usage view. Counts only.
import { PLANS, type PlanName } from '../core/limits';
import type { TrafficParams } from '../protocol/lsp';

/** For how long a 429 is shown, in milliseconds. */
export const THROTTLED_SHOWN_MS = 30_000;

export interface TrafficView {
  readonly lastSecond: number;
  readonly sent: number;
  readonly throttled: number;
  /** Requests per second of the plan, and how many of them are left in this second; absent without a plan. */
  readonly limit?: number;
  readonly left?: number;
  /** A request came back with 429 a short while ago. */
  readonly isThrottled: boolean;
}

interface Counted extends TrafficParams {
  /** Unix ms of the last 429. */
  readonly throttledAt?: number;
}

export class TrafficCounts {
  readonly #counts = new Map<string, Counted>();

  constructor(private readonly now: () => number) {}

  take(counts: TrafficParams): void {
    const before = this.#counts.get(counts.profile);
    const isNew = counts.throttled > (before?.throttled ?? 0);
    const throttledAt = isNew ? this.now() : before?.throttledAt;
    this.#counts.set(counts.profile, { ...counts, ...(throttledAt !== undefined && { throttledAt }) });
  }

  /** A new server counts from the beginning. */
  clear(): void {
    this.#counts.clear();
  }

  /** Undefined where nothing was sent yet. */
  of(profile: string, plan: PlanName | undefined): TrafficView | undefined {
    const counted = this.#counts.get(profile);
    if (counted === undefined) return undefined;
    const { lastSecond, sent, throttled, throttledAt } = counted;
    const limit = plan === undefined ? undefined : PLANS[plan].rps;
    return {
      lastSecond,
      sent,
      throttled,
      ...(limit !== undefined && { limit, left: Math.max(0, limit - lastSecond) }),
      isThrottled: throttledAt !== undefined && this.now() - throttledAt < THROTTLED_SHOWN_MS,
    };
  }
}
