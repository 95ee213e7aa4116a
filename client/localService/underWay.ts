// The operation in progress, which must finish before the next one: a start, a stop, a restart.

export class UnderWay {
  readonly #works = new Set<Promise<unknown>>();

  /** Does the work; `ended` waits for it, whether it succeeds or fails. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    const done = work();
    this.#works.add(done);
    try {
      return await done;
    } finally {
      this.#works.delete(done);
    }
  }

  /** Resolves once nothing is under way, also of what began meanwhile. */
  async ended(): Promise<void> {
    while (this.#works.size > 0) await Promise.allSettled(this.#works);
  }
}
