// Reads request bodies within bounds: each has a cap, and all that are being read share a budget.
import type { IncomingMessage } from 'node:http';

export type RequestBody =
  | { readonly kind: 'text'; readonly text: string }
  /** Longer than the cap, or the budget is spent: the connection must be closed after the answer. */
  | { readonly kind: 'refused'; readonly status: 413 | 503; readonly message: string }
  /** The client went away. */
  | { readonly kind: 'gone' };

/** Bytes of bodies being read at one time, over all connections. */
const BUDGET = 64 * 1024 * 1024;
/** Bytes beyond the cap that are read for nothing. */
const DROPPED = 32 * 1024 * 1024;
const GONE: RequestBody = { kind: 'gone' };
const BUSY: RequestBody = { kind: 'refused', status: 503, message: 'Too many large requests at once' };

export class BodyReader {
  #held = 0;

  /**
   * The body as UTF-8 text, `cap` bytes at most. Bytes beyond the cap are read and dropped, so that the client gets
   * to see the answer; after DROPPED such bytes the rest is left unread.
   */
  read(request: IncomingMessage, cap: number): Promise<RequestBody> {
    if (Number(request.headers['content-length'] ?? 0) > cap + DROPPED) return Promise.resolve(tooLarge(cap));
    if (request.destroyed) return Promise.resolve(GONE);
    return new Promise((resolve) => {
      let parts: Buffer[] = [];
      let held = 0;
      let size = 0;
      let refusal: RequestBody | undefined;
      let isDone = false;
      const take = (part: Buffer): void => {
        if (isDone) return;
        size += part.length;
        if (size > cap) refusal ??= tooLarge(cap);
        else if (this.#held + part.length > BUDGET) refusal ??= BUSY;
        if (refusal === undefined) {
          held += part.length;
          this.#held += part.length;
          parts.push(part);
          return;
        }
        parts = [];
        if (size <= cap + DROPPED) return;
        request.pause();
        done(refusal);
      };
      const end = (): void =>
        done(
          refusal ?? { kind: 'text', text: (parts.length === 1 ? parts[0] : Buffer.concat(parts))?.toString() ?? '' },
        );
      const gone = (): void => done(GONE);
      // The listeners stay: taking them away costs as much as a small call does, and the request goes with them.
      const done = (body: RequestBody): void => {
        if (isDone) return;
        isDone = true;
        this.#held -= held;
        held = 0;
        resolve(body);
      };
      request.on('data', take).on('end', end).on('error', gone).on('close', gone);
    });
  }
}

const tooLarge = (cap: number): RequestBody => ({
  kind: 'refused',
  status: 413,
  message: `The body is larger than ${cap} bytes`,
});

/** True for `application/json`, with or without parameters. */
export function isJsonContent(request: IncomingMessage): boolean {
  const type = request.headers['content-type'] ?? '';
  if (type === 'application/json') return true;
  return type.split(';', 1)[0]?.trim().toLowerCase() === 'application/json';
}
