// Account and instruction bytes for tests, written from the layouts and never by the decoders under test.

/** One part of the bytes: `[width, number]` little-endian (negative in two's complement), bytes as they are, or text. */
export type Part = readonly [bytes: 1 | 2 | 4 | 8 | 16, value: bigint | number] | Uint8Array | string;

export function layOut(...parts: readonly Part[]): Uint8Array<ArrayBuffer> {
  const whole = Buffer.concat(
    parts.map((part) => {
      if (typeof part === 'string') return Buffer.from(part);
      if (part instanceof Uint8Array) return part;
      const [width, value] = part;
      const bytes = Buffer.alloc(width);
      let left = BigInt.asUintN(width * 8, BigInt(value));
      for (let at = 0; at < width; at++, left >>= 8n) bytes[at] = Number(left & 255n);
      return bytes;
    }),
  );
  return Uint8Array.from(whole);
}

/** A key of 32 equal bytes. */
export const keyOf = (byte: number): Uint8Array => new Uint8Array(32).fill(byte);

/** Text behind its length in four bytes. */
export const borsh = (text: string): Uint8Array => layOut([4, Buffer.byteLength(text)], text);

/** The same, padded with zeros to so many bytes. */
export const padded = (text: string, size: number): Uint8Array =>
  layOut([4, size], Buffer.from(text.padEnd(size, '\0')));

/** A Token-2022 entry: type, length, value. */
export const extension = (type: number, value: Uint8Array): Uint8Array => layOut([2, type], [2, value.length], value);
