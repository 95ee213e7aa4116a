// Questions over a channel, each answered by its number.

export class Calls<Answer> {
  readonly #waiting = new Map<number, (answer: Answer | undefined) => void>();
  #last = 0;

  /** Undefined once `signal` is aborted, or after `end`. */
  ask(send: (call: number) => void, signal?: AbortSignal): Promise<Answer | undefined> {
    const call = ++this.#last;
    return new Promise((resolve) => {
      const done = (answer: Answer | undefined): void => {
        this.#waiting.delete(call);
        signal?.removeEventListener('abort', abort);
        resolve(answer);
      };
      const abort = (): void => done(undefined);
      signal?.addEventListener('abort', abort);
      this.#waiting.set(call, done);
      send(call);
    });
  }

  /** An answer came; undefined: there is none. */
  answer(call: number, answer: Answer | undefined): void {
    this.#waiting.get(call)?.(answer);
  }

  /** No answer comes any more. */
  end(): void {
    for (const done of [...this.#waiting.values()]) done(undefined);
  }
}
