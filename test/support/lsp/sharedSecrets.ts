// The editor's secret storage as several windows share it: each is notified of a change.
type Listener = (event: { readonly key: string }) => unknown;

export class SharedSecrets {
  readonly #items = new Map<string, string>();
  readonly #listeners = new Set<Listener>();
  /** Writes are refused, as by a keyring that is locked. */
  failing = false;

  /** All that is stored. */
  texts(): readonly string[] {
    return [...this.#items.values()];
  }

  get(key: string): Promise<string | undefined> {
    return Promise.resolve(this.#items.get(key));
  }

  store(key: string, value: string): Promise<void> {
    if (this.failing) return Promise.reject(new Error('locked'));
    this.#items.set(key, value);
    this.#tell(key);
    return Promise.resolve();
  }

  delete(key: string): Promise<void> {
    this.#items.delete(key);
    this.#tell(key);
    return Promise.resolve();
  }

  readonly onDidChange = (listener: Listener): { dispose(): void } => {
    this.#listeners.add(listener);
    return { dispose: () => void this.#listeners.delete(listener) };
  };

  #tell(key: string): void {
    for (const listener of this.#listeners) listener({ key });
  }
}
