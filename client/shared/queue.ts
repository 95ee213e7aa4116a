// Works that must not overlap: each begins once the one before it has ended, however it ended.

export class Queue {
  #last: Promise<unknown> = Promise.resolve();

  /** Resolves or rejects as the work does. */
  add<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }
}
