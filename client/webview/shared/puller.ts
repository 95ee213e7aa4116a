// Requests what the page shows, at most ten times a second, one request of a kind at a time, and not while the page is hidden.
// Callers only say what they want.

/** Between two rounds, in milliseconds. */
export const ROUND_MS = 100;
/** The same where motion is not wanted. */
export const CALM_ROUND_MS = 1_000;

export interface Pulled {
  /** Asks once; resolves with whether there is more to ask for at once. */
  readonly pull: () => Promise<boolean>;
  /** Rounds between two questions. */
  readonly every: number;
}

export class Puller {
  readonly #wanted = new Set<Pulled>();
  /** Those of the wanted that the user waits for. */
  readonly #urgent = new Set<Pulled>();
  readonly #asking = new Set<Pulled>();
  readonly #rests = new Map<Pulled, number>();
  #round: ReturnType<typeof setTimeout> | undefined;

  /** `isCalm`: rounds come slowly, but for what the user asked for. */
  constructor(private readonly isCalm: () => boolean) {
    document.addEventListener('visibilitychange', () => this.#plan(0));
  }

  /** Asks in the next round; `now` is for what the user did. */
  want(pulled: Pulled, now: 'now' | 'inTime' = 'inTime'): void {
    this.#wanted.add(pulled);
    if (now === 'now' && this.isCalm()) {
      this.#urgent.add(pulled);
      clearTimeout(this.#round);
      this.#round = undefined;
    }
    this.#plan();
  }

  #plan(ms = this.#urgent.size === 0 && this.isCalm() ? CALM_ROUND_MS : ROUND_MS): void {
    if (this.#round !== undefined || this.#wanted.size === 0) return;
    this.#round = setTimeout(() => this.#ask(), ms);
  }

  #ask(): void {
    this.#round = undefined;
    if (document.visibilityState === 'hidden') return;
    for (const pulled of [...this.#wanted]) {
      const rest = this.#rests.get(pulled) ?? 0;
      this.#rests.set(pulled, Math.max(0, rest - 1));
      if (rest > 0 || this.#asking.has(pulled)) continue;
      this.#rests.set(pulled, pulled.every - 1);
      this.#wanted.delete(pulled);
      this.#urgent.delete(pulled);
      this.#asking.add(pulled);
      void pulled.pull().then((hasMore) => {
        this.#asking.delete(pulled);
        if (hasMore) this.want(pulled);
        else this.#plan();
      });
    }
    this.#plan();
  }
}
