// HTTP exchanges over a pool per origin: POST or GET, within their time and size, cancelled at once, never redirected,
// never repeated. Everything undici throws ends here.
import Pool from 'undici/lib/dispatcher/pool.js';
import { failed } from '../../core/service/errors';
import type { NetClock } from '../api';
import { ACCEPT_ENCODING } from './body';
import type { Connect } from '../connect/connect';
import { hostPlace } from '../connect/place';
import { CANCELLED } from '../failures';
import { HttpExchange, type ExchangeOutcome, type OutgoingRequest } from './httpExchange';

/** Connections per origin; further requests wait for one. */
const CONNECTIONS = 64;
/** Longest silence before the headers and inside the body, in milliseconds; the request's own time may end sooner. */
const SILENCE_MS = 300_000;

export class HttpClient {
  readonly #pools = new Map<string, Pool>();
  readonly #closing = new AbortController();

  constructor(
    private readonly connect: Connect,
    private readonly clock: NetClock,
  ) {}

  /** Sends once. Every failure is a value. */
  exchange(out: OutgoingRequest, signal: AbortSignal): Promise<ExchangeOutcome> {
    if (signal.aborted) return Promise.resolve({ result: failed(CANCELLED), written: false });
    return new Promise((resolve) => {
      const exchange = new HttpExchange(out, this.clock, signal, resolve);
      const { method, path } = out;
      this.#poolOf(out.origin).dispatch({ method, path, headers: headersOf(out), body: exchange.body() }, exchange);
    });
  }

  async close(): Promise<void> {
    this.#closing.abort();
    const pools = [...this.#pools.values()];
    this.#pools.clear();
    await Promise.all(pools.map((pool) => pool.destroy()));
  }

  #poolOf(origin: string): Pool {
    const known = this.#pools.get(origin);
    if (known !== undefined) return known;
    const pool = new Pool(origin, {
      connections: CONNECTIONS,
      headersTimeout: SILENCE_MS,
      bodyTimeout: SILENCE_MS,
      connect: (options, callback) => {
        this.connect(hostPlace(options), this.#closing.signal).then(
          (socket) => callback(null, socket),
          (error: unknown) => callback(error instanceof Error ? error : new Error('No connection.'), null),
        );
      },
    });
    this.#pools.set(origin, pool);
    return pool;
  }
}

/** Names and values in turn, as undici takes them. */
function headersOf({ headers, body, isSend }: OutgoingRequest): string[] {
  const flat = ['accept-encoding', ACCEPT_ENCODING];
  for (const [name, value] of headers) flat.push(name, value);
  // The length of a stream body is unknown.
  if (body !== undefined && isSend) flat.push('content-length', String(Buffer.byteLength(body, 'utf8')));
  return flat;
}
