// Keeps the server up to date about the window: the state it starts with, and every change after that. A change while it
// starts is sent as soon as it runs.

export class WindowUpdates<State> {
  readonly #read: () => State;
  readonly #sender: () => ((state: State) => void) | undefined;
  #isStale = false;

  /**
   * @param read the state of the window as it is now
   * @param sender sends a state to the server; undefined while none runs
   */
  constructor(read: () => State, sender: () => ((state: State) => void) | undefined) {
    this.#read = read;
    this.#sender = sender;
  }

  /** The state for a server that is starting. */
  initial(): State {
    this.#isStale = false;
    return this.#read();
  }

  changed(): void {
    const send = this.#sender();
    this.#isStale = send === undefined;
    send?.(this.#read());
  }

  serverRuns(): void {
    if (this.#isStale) this.changed();
  }
}
