// When a key that keeps hammering past its plan is suspended, and for how long. Never reads a clock.

/** Refusals above this multiple of the plan's rate, kept up for SUSTAINED_MS, suspend the key. */
const EXCESS = 3;
const SUSTAINED_MS = 10_000;
/** A pause this long between two refusals ends the burst. */
const PAUSE_MS = 2_000;
const FIRST_MS = 30_000;
const LONGEST_MS = 600_000;
/** After this long without a suspension the next one is short again. */
const FORGIVEN_MS = 600_000;
const SECONDS = SUSTAINED_MS / 1000;

/** A suspension as saved between two runs. Unix milliseconds. */
export interface SavedSuspension {
  readonly until: number;
  readonly lastMs: number;
  readonly byHand: boolean;
}

/** As Retry-After counts: never 0. */
export const wholeSeconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1000));

export class KeySuspension {
  #saved: SavedSuspension = { until: 0, lastMs: 0, byHand: false };
  #burstStart = 0;
  #lastRefusal = Number.NEGATIVE_INFINITY;
  /** Refusals of each of the last ten seconds, by second modulo ten. */
  readonly #counts = new Uint32Array(SECONDS);
  readonly #seconds = new Float64Array(SECONDS).fill(-1);

  /** `onChange` is called each time a suspension begins (true) or is lifted (false). */
  constructor(private readonly onChange: (suspended: boolean) => void = () => undefined) {}

  /** Milliseconds until the key works again; 0 if it does now. A manual suspension shows the first step until lifted. */
  remaining(now: number): number {
    const { byHand, until } = this.#saved;
    return byHand ? FIRST_MS : Math.max(0, until - now);
  }

  /** As `remaining`, in whole seconds. */
  wholeSeconds(now: number): number {
    return wholeSeconds(this.remaining(now));
  }

  /** Notes `count` requests refused together on a plan of `rps`; suspends the key when that has gone on for too long. */
  refused(count: number, rps: number, now: number): void {
    if (now - this.#lastRefusal > PAUSE_MS) this.#burstStart = now;
    this.#lastRefusal = now;
    const second = Math.floor(now / 1000);
    const slot = second % SECONDS;
    if (this.#seconds[slot] !== second) {
      this.#seconds[slot] = second;
      this.#counts[slot] = 0;
    }
    this.#counts[slot] = (this.#counts[slot] ?? 0) + count;
    const sustained = now - this.#burstStart >= SUSTAINED_MS;
    if (sustained && this.#refusals(second) > EXCESS * rps * SECONDS) this.#suspend(now);
  }

  suspendByHand(): void {
    this.#saved = { ...this.#saved, byHand: true };
    this.onChange(true);
  }

  lift(): void {
    this.#saved = { ...this.#saved, until: 0, byHand: false };
    this.#forgetBurst();
    this.onChange(false);
  }

  get saved(): SavedSuspension {
    return this.#saved;
  }

  load(saved: SavedSuspension): void {
    this.#saved = saved;
  }

  #suspend(now: number): void {
    const { until, lastMs, byHand } = this.#saved;
    const forgiven = lastMs === 0 || now - until > FORGIVEN_MS;
    const ms = forgiven ? FIRST_MS : Math.min(LONGEST_MS, lastMs * 2);
    this.#saved = { until: now + ms, lastMs: ms, byHand };
    this.#forgetBurst();
    this.onChange(true);
  }

  #refusals(second: number): number {
    let sum = 0;
    for (let slot = 0; slot < SECONDS; slot++) {
      if ((this.#seconds[slot] ?? -1) > second - SECONDS) sum += this.#counts[slot] ?? 0;
    }
    return sum;
  }

  #forgetBurst(): void {
    this.#lastRefusal = Number.NEGATIVE_INFINITY;
    this.#seconds.fill(-1);
  }
}
