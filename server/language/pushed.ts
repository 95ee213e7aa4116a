// Diagnostics for editors that do not ask for them. Changes in quick succession are bundled: only the text after the last
// one is described.
/** A file is described once it has not changed for this long. Milliseconds. */
const PAUSE_MS = 150;

export class PushedDiagnostics {
  readonly #waiting = new Map<string, NodeJS.Timeout>();

  constructor(private readonly publish: (uri: string) => void) {}

  /** Publishes a file's diagnostics once it has settled. */
  soon(uri: string): void {
    clearTimeout(this.#waiting.get(uri));
    const timer = setTimeout(() => this.now(uri), PAUSE_MS);
    this.#waiting.set(uri, timer.unref());
  }

  /** Publishes at once: the file was opened or closed. */
  now(uri: string): void {
    clearTimeout(this.#waiting.get(uri));
    this.#waiting.delete(uri);
    this.publish(uri);
  }
}
