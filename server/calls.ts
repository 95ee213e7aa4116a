// Questions over a channel, each answered by its number.

export class Calls<Answer> {
  readonly #waiting = new Map<number, (answer: Answer | undefined) => void>();
  #last = 0;

  /** Undefined once `signal` is aborted, or after `end`; nothing is sent if it was aborted before. */
  ask(send: (call: number) => void, signal?: AbortSignal): Promise<Answer | undefined> {
    return new Promise((resolve) => {
      if (signal?.aborted === true) return resolve(undefined);
      const call = ++this.#last;
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
