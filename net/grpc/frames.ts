// gRPC's framing of messages: one byte that says whether it is compressed, four bytes of length, the message. Bounded.
import { Refusal } from '../failures';

/** Bytes of one message from a service; a block with its transactions and accounts fits. */
export const MAX_MESSAGE = 64 * 1024 * 1024;
const HEAD = 5;

/** A message as it goes out, uncompressed. */
export function frame(message: Uint8Array): Buffer {
  const framed = Buffer.allocUnsafe(HEAD + message.length);
  framed[0] = 0;
  framed.writeUInt32BE(message.length, 1);
  framed.set(message, HEAD);
  return framed;
}

/** Cuts what comes into messages. Pieces of a large one are joined once. */
export class FrameReader {
  private pieces: Buffer[] = [];
  private length = 0;
  private needed = HEAD;

  constructor(private readonly host: string) {}

  /** The messages that these bytes complete; each is a copy of its own or a view of `chunk`. Throws Refusal. */
  read(chunk: Buffer): readonly Buffer[] {
    this.pieces.push(chunk);
    this.length += chunk.length;
    const messages: Buffer[] = [];
    while (this.length >= this.needed) {
      const [first] = this.pieces;
      const bytes = this.pieces.length === 1 && first !== undefined ? first : Buffer.concat(this.pieces);
      const size = bytes.readUInt32BE(1);
      this.refuse(bytes[0] ?? 0, size);
      if (bytes.length < HEAD + size) {
        this.pieces = [bytes];
        this.needed = HEAD + size;
        break;
      }
      messages.push(bytes.subarray(HEAD, HEAD + size));
      const rest = bytes.subarray(HEAD + size);
      this.pieces = rest.length === 0 ? [] : [rest];
      this.length = rest.length;
      this.needed = HEAD;
    }
    return messages;
  }

  /** True between two messages: a call may end well only there. */
  get isEmpty(): boolean {
    return this.length === 0;
  }

  private refuse(compressed: number, size: number): void {
    const what =
      compressed !== 0
        ? 'sent a compressed message that was not asked for'
        : size > MAX_MESSAGE
          ? `sent a message of ${size} bytes, above the bound of ${MAX_MESSAGE}`
          : undefined;
    if (what === undefined) return;
    throw new Refusal({
      kind: 'protocol',
      message: `${this.host} ${what}.`,
      hint: compressed !== 0 ? 'Check that grpcUrl is a gRPC service.' : 'Narrow the request with filters.',
    });
  }
}
