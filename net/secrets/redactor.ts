// Redacts keys that a service may echo in its answers. Works on chunks of any size, so that a body streamed to a file is
// redacted on the way.
import { redact, redactCut, SecretPatterns } from '../../core/service/redaction/redact';
import { StreamRedactor } from '../../core/service/redaction/stream';
import type { Secret } from '../../core/service/keys/secret';
import { perObject } from '../../core/solana/common/perObject';

/** Compiled once per lease, not once per request. */
const patternsOf = perObject((secret: Secret) => new SecretPatterns([secret.reveal()]));

export class Redactor {
  readonly #patterns: SecretPatterns;
  #stream: StreamRedactor | undefined;

  constructor(secrets: readonly Secret[]) {
    const [only] = secrets;
    this.#patterns =
      secrets.length === 1 && only !== undefined
        ? patternsOf(only)
        : new SecretPatterns(secrets.map((secret) => secret.reveal()));
  }

  /** A whole text: a header, a message, a small body. */
  text(text: string): string {
    return redact(text, this.#patterns);
  }

  /** The beginning of a text whose rest was dropped, without a partial key at its end. */
  cutText(text: string): string {
    return redactCut(text, this.#patterns);
  }

  /** Returns the bytes that are decided; the rest waits for the next chunk or `end`. */
  push(piece: Buffer): Buffer {
    this.#stream ??= new StreamRedactor(this.#patterns);
    return bufferOf(this.#stream.push(piece));
  }

  end(): Buffer {
    const rest = this.#stream?.end() ?? new Uint8Array();
    this.#stream = undefined;
    return bufferOf(rest);
  }
}

const bufferOf = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
