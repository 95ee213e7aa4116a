// One HTTP exchange at a time over a pool per origin: POST or GET, within its time and size, cancelled at once, never
// redirected, never repeated. Everything undici throws ends here.
import { Readable } from 'node:stream';
import { Pool, type Dispatcher } from 'undici';
import { failed, ok, type Result, type ServiceError } from '../core/errors';
import type { Exchange } from '../core/run/model';
import type { NetClock } from './api';
import { judge, type Answer } from './answer';
import { ACCEPT_ENCODING, readBody, type BodyLimits, type ReadBody } from './body';
import type { Connect } from './connect';
import { CANCELLED, failureOf, timedOut } from './failures';
import type { HeaderPairs } from './headers';
import { orAborted } from './rate';
import type { Redactor } from './redactor';

/** Connections per origin; further requests wait for one. */
const CONNECTIONS = 64;
/** Longest silence before the headers and inside the body, in milliseconds; the request's own time may end sooner. */
const SILENCE_MS = 300_000;

/** What leaves; `path` and `headers` hold keys. */
export interface Outgoing {
  readonly origin: string;
  readonly host: string;
  readonly path: string;
  readonly headers: HeaderPairs;
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly body?: string;
  /** The ids to be answered; undefined where the answer is no JSON-RPC. */
  readonly ids?: readonly string[];
  readonly isBatch: boolean;
  /** True where the body was meant to reach the ledger: then it is known whether any of it was written. */
  readonly isSend: boolean;
  readonly timeoutMs: number;
  readonly limits: BodyLimits;
  readonly redactor: Redactor;
}

export interface Outcome {
  readonly result: Result<Exchange>;
  /** The request may have reached the service. */
  readonly written: boolean;
}

export class HttpsLane {
  private readonly pools = new Map<string, Pool>();
  private readonly closing = new AbortController();

  constructor(
    private readonly connect: Connect,
    private readonly clock: NetClock,
  ) {}

  /** Sends once. Every failure is a value. */
  async exchange(out: Outgoing, signal: AbortSignal): Promise<Outcome> {
    const state = { written: false, timedOut: false };
    if (signal.aborted) return { result: failed(CANCELLED), written: false };
    const stop = new AbortController();
    const onAbort = (): void => stop.abort();
    signal.addEventListener('abort', onAbort, { once: true });
    const timer = setTimeout(() => {
      state.timedOut = true;
      stop.abort();
    }, out.timeoutMs);
    const since = this.clock.now();
    try {
      const exchange = await orAborted(this.send(out, stop.signal, since, state), stop.signal);
      return { result: ok(exchange), written: true };
    } catch (error) {
      const reason = state.timedOut ? timedOut(out.host, out.timeoutMs) : undefined;
      const told: ServiceError = signal.aborted ? CANCELLED : (reason ?? failureOf(error, out.host));
      return { result: failed(told), written: state.written };
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    }
  }

  async close(): Promise<void> {
    this.closing.abort();
    const pools = [...this.pools.values()];
    this.pools.clear();
    await Promise.all(pools.map((pool) => pool.destroy()));
  }

  private async send(
    out: Outgoing,
    signal: AbortSignal,
    since: number,
    state: { written: boolean },
  ): Promise<Exchange> {
    const response = await this.poolOf(out.origin).request({
      method: out.method,
      path: out.path,
      headers: out.headers.concat([['accept-encoding', ACCEPT_ENCODING]], lengthOf(out)).flat(),
      body: bodyOf(out, state),
      signal,
    });
    const headers = pairsOf(response, out.redactor);
    const read = await readBody(
      response.body,
      headers.find(([name]) => name === 'content-encoding')?.[1],
      out.limits,
      out.redactor,
      Math.max(1, out.ids?.length ?? 1),
    );
    return exchangeOf(out, response.statusCode, headers, read, this.clock.now() - since, this.clock.unixMs());
  }

  private poolOf(origin: string): Pool {
    const known = this.pools.get(origin);
    if (known !== undefined) return known;
    const pool = new Pool(origin, {
      connections: CONNECTIONS,
      headersTimeout: SILENCE_MS,
      bodyTimeout: SILENCE_MS,
      connect: (options, callback) => {
        const isTls = options.protocol === 'https:';
        const place = {
          host: options.hostname.replace(/^\[|\]$/g, ''),
          port: options.port === '' ? (isTls ? 443 : 80) : Number(options.port),
          tls: isTls,
        };
        this.connect(place, this.closing.signal).then(
          (socket) => callback(null, socket),
          (error: unknown) => callback(error instanceof Error ? error : new Error('No connection.'), null),
        );
      },
    });
    this.pools.set(origin, pool);
    return pool;
  }
}

/** A body whose first byte is noticed: only for sends, since it is slower than a plain text. */
function bodyOf(out: Outgoing, state: { written: boolean }): string | Readable | null {
  const { body } = out;
  if (body === undefined || !out.isSend) return body ?? null;
  return new Readable({
    read() {
      state.written = true;
      this.push(body, 'utf8');
      this.push(null);
    },
  });
}

function lengthOf(out: Outgoing): HeaderPairs {
  if (out.body === undefined || !out.isSend) return [];
  return [['content-length', String(Buffer.byteLength(out.body, 'utf8'))]];
}

function pairsOf(response: Dispatcher.ResponseData, redactor: Redactor): HeaderPairs {
  return Object.entries(response.headers).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value ?? '']).map((text) => [name, redactor.text(text)] as const),
  );
}

function exchangeOf(
  out: Outgoing,
  httpStatus: number,
  headers: HeaderPairs,
  read: ReadBody,
  durationMs: number,
  unixMs: number,
): Exchange {
  const answer: Answer = {
    httpStatus,
    headers,
    text: read.text,
    host: out.host,
    unixMs,
    ...(out.ids === undefined ? {} : { envelope: isJson(read) ? read.envelope : { kind: 'malformed' as const } }),
  };
  const error = judge(answer, out.ids ?? [], out.isBatch);
  return {
    httpStatus,
    headers,
    body: read.body,
    bytes: read.bytes,
    durationMs,
    ...(error === undefined ? {} : { error }),
  };
}

/** A text is parsed as a whole; of a file the envelope is what is known. */
function isJson(read: ReadBody): boolean {
  if (read.body.kind === 'file' || read.envelope.kind === 'malformed') return true;
  try {
    JSON.parse(read.body.text);
    return true;
  } catch {
    return false;
  }
}
