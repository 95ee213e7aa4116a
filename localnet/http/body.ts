// Reads request bodies within bounds: each has a cap, and all that are being read share a budget.
import type { IncomingMessage } from 'node:http';

export type Body =
  | { readonly kind: 'text'; readonly text: string }
  /** Longer than the cap, or the budget is spent: the connection must be closed after the answer. */
  | { readonly kind: 'refused'; readonly status: 413 | 503; readonly message: string }
  /** The client went away. */
  | { readonly kind: 'gone' };

/** Bytes of bodies being read at one time, over all connections. */
const BUDGET = 64 * 1024 * 1024;
/** Bytes beyond the cap that are read for nothing. */
const DROPPED = 32 * 1024 * 1024;
const BUSY: Body = { kind: 'refused', status: 503, message: 'Too many large requests at once' };

export class BodyReader {
  #held = 0;

  /**
   * The body as UTF-8 text, `cap` bytes at most. What comes beyond the cap is read and dropped, so that the client gets
   * to see the answer; a body that goes on for more than DROPPED bytes is left unread.
   */
  async read(request: IncomingMessage, cap: number): Promise<Body> {
    const tooLarge: Body = { kind: 'refused', status: 413, message: `The body is larger than ${cap} bytes` };
    if (Number(request.headers['content-length'] ?? 0) > cap + DROPPED) return tooLarge;
    let parts: Buffer[] = [];
    let held = 0;
    let size = 0;
    let refusal: Body | undefined;
    try {
      // The default iterator would destroy the connection, and the answer with it, when left early.
      for await (const part of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
        size += part.length;
        if (size > cap + DROPPED) break;
        if (size > cap) refusal ??= tooLarge;
        else if (this.#held + part.length > BUDGET) refusal ??= BUSY;
        if (refusal !== undefined) {
          parts = [];
          continue;
        }
        held += part.length;
        this.#held += part.length;
        parts.push(part);
      }
    } catch {
      return { kind: 'gone' };
    } finally {
      this.#held -= held;
    }
    return refusal ?? { kind: 'text', text: Buffer.concat(parts).toString('utf8') };
  }
}

/** True for `application/json`, with or without parameters. */
export function isJsonContent(request: IncomingMessage): boolean {
  const type = request.headers['content-type'] ?? '';
  return type.split(';', 1)[0]?.trim().toLowerCase() === 'application/json';
}
