// One HTTP answer as a value, and the way it is written: with a length where it is small, in chunks with backpressure
// where it is not. Never sends a CORS header.
import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { WireJson } from '../api';
import { wireChunks } from '../wireJson';

export interface HttpReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Default `application/json`. */
  readonly contentType?: string;
  /** Text, or pieces of it that are made while they are written. */
  readonly body: string | Iterable<string> | AsyncIterable<string>;
}

export function json(status: number, value: WireJson, headers: Readonly<Record<string, string>> = {}): HttpReply {
  return { status, headers, body: wireChunks(value) };
}

/** An error of the REST and admin interfaces: `{"error":{"code":STATUS,"message"}}`. */
export function restError(status: number, message: string, headers: Readonly<Record<string, string>> = {}): HttpReply {
  return json(status, { error: { code: status, message } }, headers);
}

export function methodNotAllowed(allow: string): HttpReply {
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

/** Writes the answer, whole ones at once; ends quietly when the client goes away. */
export function deliver(response: ServerResponse, answer: HttpReply): Promise<void> | undefined {
  if (typeof answer.body !== 'string') return deliverChunks(response, answer, answer.body);
  if (answer.body !== '') writeWhole(response, answer, answer.body);
  else {
    writeHead(response, answer);
    response.end();
  }
  return undefined;
}

async function deliverChunks(
  response: ServerResponse,
  answer: HttpReply,
  body: Exclude<HttpReply['body'], string>,
): Promise<void> {
  const chunks = iteratorOf(body);
  const first = await chunks.next();
  let held = first.done === true ? '' : first.value;
  // Holds one chunk back until it is known whether it is the last: a single chunk is sent with its length.
  let next = first.done === true ? first : await chunks.next();
  if (next.done === true) {
    writeWhole(response, answer, held);
    return;
  }
  writeHead(response, answer);
  for (; next.done !== true; next = await chunks.next()) {
    if (!response.write(held) && !(await drained(response))) {
      await chunks.return?.();
      return;
    }
    held = next.value;
    await nextTurn();
  }
  response.end(held);
}

export function writeHead(response: ServerResponse, answer: HttpReply): void {
  response.statusCode = answer.status;
  for (const [name, value] of Object.entries(headersOf(answer))) response.setHeader(name, value);
}

/** Head and body at once, which Node writes without keeping the headers for later. */
function writeWhole(response: ServerResponse, answer: HttpReply, text: string): void {
  const { contentType, headers } = answer;
  const list = contentType === undefined && !isAnyCommon(headers) ? [...JSON_HEADERS] : undefined;
  if (list === undefined) {
    response.writeHead(answer.status, { ...headersOf(answer), 'content-length': Buffer.byteLength(text) });
  } else {
    for (const name in headers) list.push(name, headers[name] ?? '');
    list.push('content-length', String(Buffer.byteLength(text)));
    response.writeHead(answer.status, list);
  }
  response.end(text);
}

const headersOf = ({ contentType = 'application/json', headers }: HttpReply): Readonly<Record<string, string>> => ({
  ...COMMON_HEADERS,
  'content-type': contentType,
  ...headers,
});

/** As a list, which Node writes as it is: without an object in between, a fifth less of what a small answer costs. */
const JSON_HEADERS = Object.entries(headersOf({ status: 200, body: '' })).flat();
const isCommon = (name: string): boolean => JSON_HEADERS.includes(name.toLowerCase());

function isAnyCommon(headers: HttpReply['headers']): boolean {
  for (const name in headers) if (isCommon(name)) return true;
  return false;
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

const iteratorOf = (chunks: Iterable<string> | AsyncIterable<string>): Iterator<string> | AsyncIterator<string> =>
  Symbol.iterator in chunks ? chunks[Symbol.iterator]() : chunks[Symbol.asyncIterator]();
