// The HTTP/2 client of direct streams: connections over the sockets of connect.ts, so that TLS, authorities and proxies are
// the same as for every transport. Knows no keys and no messages.
import http2, { type ClientHttp2Session } from 'node:http2';
import type { TLSSocket } from 'node:tls';
import type { ServiceError } from '../../core/service/errors';
import type { Connect } from '../connect/connect';
import { failureOf, RefusedAnswer } from '../failures';
import { hostPlace } from '../connect/place';
import { shownHost } from '../target/target';
import { WINDOW } from './bounds';
import { IDLE_MS, type GrpcConnection, type OpenConnection } from './client';
import { Http2Exchange } from './http2Exchange';
import { lostError, notHttp2Error } from './resets';

/** Names and values of one answer's headers, at most. */
const MAX_HEADERS = 64;
/** Bytes of one answer's headers, at most. */
const MAX_HEADER_BYTES = 32 * 1024;
/** How long a reachable peer may take for its HTTP/2 settings while a failure is diagnosed. ms */
const SETTINGS_MS = 2_000;

/** An HTTP/2 session; `isForeign` is true once the peer has sent something other than HTTP/2. */
interface Session {
  readonly session: ClientHttp2Session;
  readonly isForeign: () => boolean;
}

async function openSession(url: URL, connect: Connect, signal: AbortSignal): Promise<Session> {
  const place = hostPlace(url, ['h2']);
  const socket = await connect(place, signal);
  if (place.tls && (socket as TLSSocket).alpnProtocol !== 'h2') {
    socket.destroy();
    throw new RefusedAnswer({
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
  // Each call on it receives the error itself; without this listener a session without calls would throw it.
  session.on('error', () => undefined);
  session.once('connect', () => session.setLocalWindowSize(WINDOW));
  // An HTTP/2 server starts with its settings (RFC 9113, section 3.4).
  let hasSettings = false;
  session.once('remoteSettings', () => (hasSettings = true));
  return { session, isForeign: () => !hasSettings && socket.bytesRead > 0 };
}

/** Opens connections of the HTTP/2 client. */
export const http2Client =
  (connect: Connect): OpenConnection =>
  async (url, purpose, signal): Promise<GrpcConnection> => {
    const { session, isForeign } = await openSession(url, connect, signal);
    const retired = new Promise<void>((resolve) => {
      const retire = (): void => resolve();
      session.once('close', retire).once('goaway', retire).once('error', retire);
      if (purpose === 'calls')
        session.setTimeout(IDLE_MS, () => {
          retire();
          session.close();
        });
    });
    return {
      retired,
      start: (request) => new Http2Exchange(session, request, isForeign),
      ping: (heard) => {
        session.ping((error: Error | null) => {
          if (error === null) heard();
        });
      },
      destroy: () => session.destroy(),
    };
  };

/** Opens one more connection to learn why grpc-js, which reports failures as text only, could not. */
export async function whyUnreachable(url: URL, connect: Connect, signal: AbortSignal): Promise<ServiceError> {
  const host = shownHost(url);
  try {
    const { session, isForeign } = await openSession(url, connect, signal);
    const error = await new Promise<ServiceError>((resolve) => {
      const settle = (): void => resolve(isForeign() ? notHttp2Error(host) : lostError(host));
      session.once('remoteSettings', settle).once('close', settle).once('error', settle);
      session.setTimeout(SETTINGS_MS, settle);
    });
    session.destroy();
    return error;
  } catch (error) {
    return failureOf(error, host);
  }
}
