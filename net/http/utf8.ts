// Checks that bytes arriving in pieces are UTF-8, without making a string of them.
import { isUtf8 } from 'node:buffer';

export class Utf8Check {
  #tail: Buffer = Buffer.alloc(0);

  /** False as soon as the bytes cannot be UTF-8, no matter what follows. */
  push(piece: Buffer): boolean {
    const bytes = this.#tail.length === 0 ? piece : Buffer.concat([this.#tail, piece]);
    const cut = completeEnd(bytes);
    this.#tail = Buffer.from(bytes.subarray(cut));
    return isUtf8(bytes.subarray(0, cut));
  }

  /** False if the last character is incomplete. */
  end(): boolean {
    return this.#tail.length === 0;
  }
}

/** End of the last complete character: a sequence that starts in the last three bytes may be incomplete. */
export function completeEnd(bytes: Uint8Array): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) break;
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 0;
    if (needed > back) return bytes.length - back;
    if (needed > 0) break;
  }
  return bytes.length;
}
