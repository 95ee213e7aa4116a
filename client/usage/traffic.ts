// Requests sent from this window, by endpoint and origin, for the status bar and the Usage view.
import { PLANS } from '../../core/service/profiles/planLimits';
import { originsOf } from '../profiles/origins';
import type { EndpointProfile } from '../../core/service/profiles/profile';
import type { TrafficParams } from '../../protocol/lsp';

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
    const name = nameOf(counts.profile, counts.origin);
    const before = this.#counts.get(name);
    const isNew = counts.throttled > (before?.throttled ?? 0);
    const throttledAt = isNew ? this.now() : before?.throttledAt;
    this.#counts.set(name, { ...counts, ...(throttledAt !== undefined && { throttledAt }) });
  }

  /** A new server counts from the beginning. */
  clear(): void {
    this.#counts.clear();
  }

  /** The traffic to the endpoint's own origins, without a file's URLs on other hosts; undefined before the first request. */
  of(profile: EndpointProfile): TrafficView | undefined {
    const counted = originsOf(profile).flatMap((origin) => this.#counts.get(nameOf(profile.name, origin)) ?? []);
    if (counted.length === 0) return undefined;
    const sum = (count: 'lastSecond' | 'sent' | 'throttled'): number =>
      counted.reduce((total, one) => total + one[count], 0);
    const lastSecond = sum('lastSecond');
    const limit = profile.plan === undefined ? undefined : PLANS[profile.plan].rps;
    const since = this.now() - THROTTLED_SHOWN_MS;
    return {
      lastSecond,
      sent: sum('sent'),
      throttled: sum('throttled'),
      ...(limit !== undefined && { limit, left: Math.max(0, limit - lastSecond) }),
      isThrottled: counted.some(({ throttledAt }) => throttledAt !== undefined && throttledAt > since),
    };
  }
}

const nameOf = (profile: string, origin: string): string => `${origin} ${profile}`;
