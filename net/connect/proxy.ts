// The way through the user's HTTP proxy: which places it is for, and the CONNECT tunnel. The proxy learns host and port,
// never a request or a key.
import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import type { ProxySettings } from '../api';
import { hostPlace, type HostPlace } from './place';
import { trusted } from './trust';

/** The proxy did not open a tunnel. */
export class ProxyRefused extends Error {
  readonly code = 'PROXY_REFUSED';
  constructor(readonly status: number) {
    super(`The proxy answered ${status}.`);
  }
}

/** No connection to the proxy, or no proper answer from it; `cause` says why. */
export class ProxyFailed extends Error {
  constructor(cause: Error) {
    super('The proxy failed.', { cause });
  }
}

/** The proxy for a place; undefined where it is reached directly. */
export function proxyFor(place: HostPlace, settings: ProxySettings | undefined): ProxySettings | undefined {
  return settings === undefined || isDirect(place, settings.noProxy) ? undefined : settings;
}

function isDirect(place: HostPlace, noProxy: readonly string[]): boolean {
  const host = place.host.toLowerCase();
  if (host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host)) return true;
  return noProxy.some((rule) => {
    const [name, port] = placeIn(rule.trim().toLowerCase());
    if (port !== undefined && Number(port) !== place.port) return false;
    if (name === '') return rule.trim().startsWith('*');
    return name.startsWith('.') ? host.endsWith(name) || host === name.slice(1) : host === name;
  });
}

/** Host and port of a rule; an IPv6 address with a port has brackets. */
function placeIn(rule: string): readonly [name: string, port: string | undefined] {
  const [, address, addressPort] = /^\[?([0-9a-f.]*:[0-9a-f.]*:[0-9a-f:.]*)(?:\]:(\d+)|\])?$/.exec(rule) ?? [];
  if (address !== undefined) return [address, addressPort];
  const [, name = '', port] = /^\*?(.*?)(?::(\d+))?$/.exec(rule) ?? [];
  return [name, port];
}

/** Asks the proxy for a tunnel to the place; the socket is then as good as a direct one. Throws ProxyRefused or ProxyFailed. */
export function tunnel(
  place: HostPlace,
  proxy: ProxySettings,
  signal: AbortSignal,
  extraCa: readonly string[],
): Promise<net.Socket> {
  const url = new URL(proxy.url);
  const host = place.host.includes(':') ? `[${place.host}]` : place.host;
  const at = hostPlace(url);
  const authorization = authorizationOf(proxy);
  const options: https.RequestOptions = {
    method: 'CONNECT',
    host: at.host,
    // Explicit: Node would take it from the Host header, which names the target. An IP address is not a server name (RFC 6066).
    servername: net.isIP(at.host) === 0 ? at.host : '',
    port: at.port,
    path: `${host}:${place.port}`,
    agent: false,
    signal,
    headers: {
      host: `${host}:${place.port}`,
      ...(authorization === undefined ? {} : { 'proxy-authorization': authorization }),
    },
  };
  return new Promise((resolve, reject) => {
    const request = at.tls
      ? https.request({ ...options, ...trusted(extraCa), rejectUnauthorized: true })
      : http.request(options);
    // Emitted for any answer to a CONNECT, including one with a body.
    request.on('connect', (response, socket: net.Socket, head: Buffer) => {
      const status = response.statusCode ?? 0;
      if (status >= 200 && status < 300) {
        if (head.length > 0) socket.unshift(head);
        resolve(socket);
        return;
      }
      socket.destroy();
      reject(new ProxyRefused(status));
    });
    request.on('error', (error) => reject(signal.aborted ? error : new ProxyFailed(error)));
    request.end();
  });
}

function authorizationOf({ authorization, credentials }: ProxySettings): string | undefined {
  if (authorization !== undefined) return authorization.reveal();
  const user = credentials?.reveal();
  return user === undefined ? undefined : `Basic ${Buffer.from(user, 'utf8').toString('base64')}`;
}
