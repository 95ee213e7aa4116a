// One HTTP/2 connection to a gRPC service, over the one kind of socket net knows (connect.ts): TLS, authorities and
// proxies are the same as for every transport. Knows no keys and no messages.
import http2, { type ClientHttp2Session } from 'node:http2';
import type { TLSSocket } from 'node:tls';
import type { Connect } from '../connect';
import { Refusal } from '../failures';
import { shownHost } from '../target';

/** Bytes a service may send before it hears that they were taken; measured: below 1 MB a fast stream waits for us. */
const WINDOW = 1024 * 1024;
/** Names and values of one answer's headers, at most. */
const MAX_HEADERS = 64;
/** Bytes of one answer's headers, at most. */
const MAX_HEADER_BYTES = 32 * 1024;

/** Connections on which no settings came yet; true: something else did. */
const STRANGE = new WeakMap<ClientHttp2Session, () => boolean>();

/** True where the other side answered, but not with HTTP/2. */
export const isStrange = (session: ClientHttp2Session): boolean => STRANGE.get(session)?.() === true;

/** An open connection. Throws what the connection threw, or a Refusal where the other side speaks no HTTP/2. */
export async function openSession(url: URL, connect: Connect, signal: AbortSignal): Promise<ClientHttp2Session> {
  const isTls = url.protocol === 'https:';
  const place = {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (isTls ? 443 : 80) : Number(url.port),
    tls: isTls,
    alpn: ['h2'],
  };
  const socket = await connect(place, signal);
  if (isTls && (socket as TLSSocket).alpnProtocol !== 'h2') {
    socket.destroy();
    throw new Refusal({
      kind: 'protocol',
      message: `${shownHost(url)} does not offer HTTP/2, which gRPC needs.`,
      hint: 'Check grpcUrl in the endpoint profile.',
    });
  }
  const session = http2.connect(url.origin, {
    createConnection: () => socket,
    settings: { enablePush: false, initialWindowSize: WINDOW, maxHeaderListSize: MAX_HEADER_BYTES },
    maxHeaderListPairs: MAX_HEADERS,
    maxReservedRemoteStreams: 0,
  });
  // Each call on it hears of the error itself; a session without one has nobody left to tell.
  session.on('error', () => undefined);
  session.once('connect', () => session.setLocalWindowSize(WINDOW));
  // The first thing an HTTP/2 server says are its settings (RFC 9113, 3.4).
  STRANGE.set(session, () => socket.bytesRead > 0);
  session.once('remoteSettings', () => STRANGE.delete(session));
  return session;
}

/** Idle connections are closed after this time, in milliseconds. */
const IDLE_MS = 60_000;

/** The connections of unary calls, one per origin, opened when first used and again after it ended. */
export class Sessions {
  private readonly open = new Map<string, Promise<ClientHttp2Session>>();
  private readonly closing = new AbortController();

  constructor(private readonly connect: Connect) {}

  get(url: URL): Promise<ClientHttp2Session> {
    const { origin } = url;
    const known = this.open.get(origin);
    if (known !== undefined) return known;
    const opening = openSession(url, this.connect, this.closing.signal);
    this.open.set(origin, opening);
    const forget = (): void => {
      if (this.open.get(origin) === opening) this.open.delete(origin);
    };
    opening.then((session) => {
      session.once('close', forget).once('goaway', forget).once('error', forget);
      session.setTimeout(IDLE_MS, () => {
        forget();
        session.close();
      });
    }, forget);
    return opening;
  }

  /** Gives up a connection that did not answer: the next call opens another one. */
  drop(url: URL, session: ClientHttp2Session): void {
    this.open.delete(url.origin);
    session.destroy();
  }

  async close(): Promise<void> {
    this.closing.abort();
    const open = [...this.open.values()];
    this.open.clear();
    for (const opening of open) (await opening.catch(() => undefined))?.destroy();
  }
}
