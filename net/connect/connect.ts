// Opens the one kind of socket every transport uses: TCP or TLS, direct or through the user's CONNECT proxy. Certificates
// are always checked; there is no way to turn that off.
import net from 'node:net';
import tls from 'node:tls';
import { inTime } from '../aborts';
import type { ConnectSettings } from '../api';
import type { HostPlace } from './place';
import { proxyFor, tunnel } from './proxy';
import { createTrust, type Trust } from './trust';

export type Connect = (place: HostPlace, signal: AbortSignal) => Promise<net.Socket>;

/** A connection that was not there in time; its `code` is read like those of Node's socket errors. */
export class ConnectTimeout extends Error {
  readonly code = 'CONNECT_TIMEOUT';
}

/** Milliseconds until a connection, including its TLS handshake, must be established. */
const CONNECT_MS = 10_000;
/** After this long without a byte the system asks whether the other side is still there, in milliseconds. */
const KEEP_ALIVE_MS = 30_000;

/** The proxy is read with each new connection; certificates once. `connectMs` is for tests that cannot wait so long. */
export function createConnect(
  settings: ConnectSettings = {},
  trust: Trust = createTrust(settings.extraCa),
  connectMs = CONNECT_MS,
): Connect {
  // A second connection to the same place takes up the first one's TLS session: a round trip less.
  const sessions = new Map<string, Buffer>();

  const open = async (place: HostPlace, limit: AbortSignal): Promise<net.Socket> => {
    const proxy = proxyFor(place, settings.proxy);
    const raw = proxy === undefined ? undefined : await tunnel(place, proxy, limit, settings.extraCa ?? []);
    const socket = place.tls ? secure(place, raw, trust(), sessions) : (raw ?? plain(place));
    socket.setNoDelay(true).setKeepAlive(true, KEEP_ALIVE_MS);
    if (place.tls || raw === undefined) await ready(socket, place.tls ? 'secureConnect' : 'connect', limit);
    return socket;
  };
  return (place, signal) =>
    inTime({ ms: connectMs, signal }, async (limit) => {
      try {
        return await open(place, limit);
      } catch (error) {
        if (limit.aborted && !signal.aborted) throw new ConnectTimeout('No connection in time.');
        throw error;
      }
    });
}

const plain = (place: HostPlace): net.Socket => net.connect({ host: place.host, port: place.port });

function secure(
  place: HostPlace,
  raw: net.Socket | undefined,
  secureContext: tls.SecureContext,
  sessions: Map<string, Buffer>,
): tls.TLSSocket {
  const name = `${place.host}:${place.port}`;
  const session = sessions.get(name);
  const socket = tls.connect({
    host: place.host,
    port: place.port,
    // It has the lowest version of TLS, too.
    secureContext,
    // Said outright: the environment could turn it off otherwise (NODE_TLS_REJECT_UNAUTHORIZED).
    rejectUnauthorized: true,
    ALPNProtocols: [...(place.alpn ?? ['http/1.1'])],
    // An IP address is not a server name (RFC 6066); it is still compared with the certificate.
    ...(net.isIP(place.host) === 0 ? { servername: place.host } : {}),
    ...(raw === undefined ? {} : { socket: raw }),
    ...(session === undefined ? {} : { session }),
  });
  socket.on('session', (next) => sessions.set(name, next));
  return socket;
}

function ready(socket: net.Socket, event: 'connect' | 'secureConnect', signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void): void => {
      socket.off(event, onReady).off('error', onError).off('close', onClose);
      signal.removeEventListener('abort', onAbort);
      act();
    };
    const fail = (error: Error): void =>
      settle(() => {
        socket.on('error', () => undefined).destroy();
        reject(error);
      });
    const onReady = (): void => settle(resolve);
    const onError = (error: Error): void => fail(error);
    const onClose = (): void => fail(Object.assign(new Error('Closed before it was open.'), { code: 'ECONNRESET' }));
    const onAbort = (): void => fail(new Error('The connection was given up.'));
    if (signal.aborted) {
      onAbort();
      return;
    }
    socket.on(event, onReady).on('error', onError).on('close', onClose);
    signal.addEventListener('abort', onAbort, { once: true });
  });
}
