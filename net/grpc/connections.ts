// The connections that unary calls share: one per origin, opened when first used and replaced when it takes no more calls.
import type { GrpcConnection, OpenConnection } from './client';

export class SharedConnections {
  readonly #open = new Map<string, Promise<GrpcConnection>>();
  readonly #closing = new AbortController();

  constructor(private readonly connect: OpenConnection) {}

  /** Throws the error of opening. */
  get(url: URL): Promise<GrpcConnection> {
    const { origin } = url;
    const known = this.#open.get(origin);
    if (known !== undefined) return known;
    const opening = this.connect(url, 'calls', this.#closing.signal);
    this.#open.set(origin, opening);
    const forget = (): void => {
      if (this.#open.get(origin) === opening) this.#open.delete(origin);
    };
    opening.then((connection) => void connection.retired.then(forget), forget);
    return opening;
  }

  /** Gives up a connection that did not answer: the next call opens another one. */
  drop(url: URL, connection: GrpcConnection): void {
    this.#open.delete(url.origin);
    connection.destroy();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    const open = [...this.#open.values()];
    this.#open.clear();
    for (const opening of open) (await opening.catch(() => undefined))?.destroy();
  }
}
