// Keeps the server up to date about the window: the state it starts with, and every change after that. A change while it
// starts is sent as soon as it runs.

export class WindowUpdates<State> {
  #sender: () => ((state: State) => void) | undefined = () => undefined;
  #isStale = false;

  /** @param read the state of the window as it is now */
  constructor(private readonly read: () => State) {}

  /** @param sender sends a state to the server; undefined while none runs */
  connect(sender: () => ((state: State) => void) | undefined): void {
    this.#sender = sender;
  }

  /** The state for a server that is starting. */
  initial(): State {
    this.#isStale = false;
    return this.read();
  }

  changed(): void {
    const send = this.#sender();
    this.#isStale = send === undefined;
    send?.(this.read());
  }

  serverRuns(): void {
    if (this.#isStale) this.changed();
  }
}
