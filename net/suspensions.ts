// Keys that the service has suspended, until the time it stated: nothing leaves with them before. Where it stated none, the
// next request asks. Holds keys as `Secret` alone.
import type { ServiceError } from '../core/errors';
import type { Secret } from '../core/secret';
import type { NetClock, Target } from './api';
import type { Worn } from './auth';
import { shownHost } from './target';

interface Suspended {
  readonly origin: string;
  readonly secret: Secret;
  /** Milliseconds since the epoch. */
  readonly until: number;
}

/** More keys are in nobody's hands; the oldest is forgotten, and the service refuses it again. */
const MAX_KEPT = 100;

export class Suspensions {
  private kept: readonly Suspended[] = [];

  constructor(private readonly clock: Pick<NetClock, 'unixMs'>) {}

  /** Notes what the service said of the key that pays, which is the first. */
  note({ origin }: Target, [payer]: readonly Worn[], error: ServiceError | undefined): void {
    if (payer === undefined || error?.kind !== 'suspended' || error.retryAfterMs === undefined) return;
    const { secret } = payer.lease;
    const others = this.kept.filter((one) => one.origin !== origin || !one.secret.equals(secret));
    const until = this.clock.unixMs() + error.retryAfterMs;
    this.kept = [...others, { origin, secret, until }].slice(-MAX_KEPT);
  }

  /** The refusal of a request while its key is suspended there; a key that took its place goes. */
  refusal({ origin, url }: Target, [payer]: readonly Worn[]): ServiceError | undefined {
    if (payer === undefined || this.kept.length === 0) return undefined;
    const now = this.clock.unixMs();
    this.kept = this.kept.filter(({ until }) => until > now);
    const found = this.kept.find((one) => one.origin === origin && one.secret.equals(payer.lease.secret));
    if (found === undefined) return undefined;
    const retryAfterMs = found.until - now;
    return {
      kind: 'suspended',
      retryAfterMs,
      message: `${shownHost(url)} has suspended the key for another ${Math.ceil(retryAfterMs / 1_000)} s; nothing was sent.`,
      hint: 'Wait until then, or use another key; bursts far above the plan lead to this.',
    };
  }
}
