// One HTTP answer as a value, and the way it is written: with a length where it is small, in chunks with backpressure
// where it is not. Never sends a CORS header.
import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { WireJson } from '../api';
import { wireChunks } from '../wireJson';

export interface Answer {
  readonly status: number;
  /** The status where only making the body tells it; asked when its first piece is there. */
  readonly lateStatus?: () => number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Default `application/json`. */
  readonly contentType?: string;
  /** Text, or pieces of it that are made while they are written. */
  readonly body: string | Iterable<string> | AsyncIterable<string>;
}

export function json(status: number, value: WireJson, headers: Readonly<Record<string, string>> = {}): Answer {
  return { status, headers, body: wireChunks(value) };
}

/** An error of the REST and admin interfaces: `{"error":{"code":STATUS,"message"}}`. */
export function restError(status: number, message: string, headers: Readonly<Record<string, string>> = {}): Answer {
  return json(status, { error: { code: status, message } }, headers);
}

export function methodNotAllowed(allow: string): Answer {
  return restError(405, `Use ${allow}`, { allow });
}

/** A reader that takes nothing for this long is cut off. */
const STALLED_MS = 30_000;

const COMMON_HEADERS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
} as const;

/** Writes the answer; ends quietly when the client goes away. */
export async function deliver(response: ServerResponse, answer: Answer): Promise<void> {
  writeHead(response, answer);
  if (typeof answer.body === 'string') {
    response.end(answer.body);
    return;
  }
  const chunks = toAsync(answer.body);
  const first = await chunks.next();
  if (answer.lateStatus !== undefined) response.statusCode = answer.lateStatus();
  if (first.done) {
    response.end();
    return;
  }
  // Holding one chunk back tells the last from the others: one that is both first and last goes out with its length.
  let held = first.value;
  for await (const chunk of chunks) {
    if (!response.write(held) && !(await drained(response))) return;
    held = chunk;
    await nextTurn();
  }
  response.end(held);
}

export function writeHead(response: ServerResponse, answer: Answer): void {
  response.statusCode = answer.status;
  const headers = { ...COMMON_HEADERS, 'content-type': answer.contentType ?? 'application/json', ...answer.headers };
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
}

/** Waits until more may be written; false when the client has gone, or takes nothing for too long. */
function drained(response: ServerResponse): Promise<boolean> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      response.off('drain', done).off('close', done);
      resolve(!response.destroyed);
    };
    const timer = setTimeout(() => response.destroy(), STALLED_MS);
    response.on('drain', done).on('close', done);
    if (response.destroyed) done();
  });
}

async function* toAsync(chunks: Iterable<string> | AsyncIterable<string>): AsyncGenerator<string, void, void> {
  yield* chunks;
}
