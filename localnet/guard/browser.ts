// Keeps web pages out of a service on loopback: a page that rebinds its name to 127.0.0.1, and a page of another site.
// Sends no CORS headers, ever; a preflight is refused.
import type { IncomingHttpHeaders } from 'node:http';

const LOOPBACK_NAMES = ['127.0.0.1', 'localhost', '[::1]'];

/**
 * Why a request is refused, or `undefined`. `port` is the one the service listens on. The Host must be a loopback name
 * with that port. An Origin must be this service; without an Origin a browser's Sec-Fetch-Site must not say another site,
 * but for opening the dashboard from a link (`navigation`).
 */
export function browserRefusal(headers: IncomingHttpHeaders, port: number, navigation: boolean): string | undefined {
  if (!isOwnAuthority(headers.host, port))
    return 'The Host header must be a loopback name with the port of this service';
  const { origin } = headers;
  if (origin !== undefined && !isOwnOrigin(origin, port)) return 'Requests from other origins are refused';
  const site = headers['sec-fetch-site'];
  const fromAnotherSite = site === 'cross-site' || site === 'same-site';
  const opens = navigation && headers['sec-fetch-mode'] === 'navigate';
  return fromAnotherSite && !opens ? 'Requests from other sites are refused' : undefined;
}

function isOwnAuthority(host: string | undefined, port: number): boolean {
  return (
    host !== undefined &&
    LOOPBACK_NAMES.some(
      (name) => host.toLowerCase() === `${name}:${port}` || (port === 80 && host.toLowerCase() === name),
    )
  );
}

function isOwnOrigin(origin: string, port: number): boolean {
  return origin.startsWith('http://') && isOwnAuthority(origin.slice('http://'.length), port);
}
