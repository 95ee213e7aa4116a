// A secret that cannot be printed, serialised or cloned by accident. `reveal()` is called only where a key meets the
// wire or the vault (ARCHITECTURE.md, I3); a test greps for it.

const REDACTED = '[redacted]';
const INSPECT = Symbol.for('nodejs.util.inspect.custom');

export class Secret {
  // A private field is invisible to inspect, JSON, structuredClone and postMessage.
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** The secret itself. Callers: net's transports, server/keys, the stream worker's key port, client/keyVault. */
  reveal(): string {
    return this.#text;
  }

  equals(other: Secret): boolean {
    return this.#text === other.#text;
  }

  toString(): string {
    return REDACTED;
  }

  toJSON(): string {
    return REDACTED;
  }

  [Symbol.toPrimitive](): string {
    return REDACTED;
  }

  [INSPECT](): string {
    return REDACTED;
  }
}
