// Keeps web pages out of a service on loopback: a page that rebinds its name to 127.0.0.1, and a page of another site.
// Where no key is asked for, pages that are served from this machine may come in.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

const LOOPBACK_NAMES = ['127.0.0.1', 'localhost', '[::1]'];

/** Why a request with several Host headers is refused with 400 (RFC 9112, 3.2): Node keeps the first and drops the others. */
export function hostRefusal({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): string | undefined {
  const hosts = rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === 'host');
  return hosts.length > 1 ? 'A request has one Host header' : undefined;
}

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

/**
 * As `browserRefusal`, for the interfaces without keys: pages from any port of this machine may call them, as the front
 * end of a project under development does. `anyHost` where the port is open to every interface.
 */
export function openRefusal(headers: IncomingHttpHeaders, port: number, anyHost = false): string | undefined {
  const { origin } = headers;
  if (anyHost) return anywhereRefusal(headers);
  if (origin === undefined || !isLocalOrigin(origin)) return browserRefusal(headers, port, false);
  return isOwnAuthority(headers.host, port)
    ? undefined
    : 'The Host header must be a loopback name with the port of this service';
}

/** Containers and other machines call by any name. Programs send no Origin; of pages only those of this machine come in. */
function anywhereRefusal({ origin, 'sec-fetch-site': site }: IncomingHttpHeaders): string | undefined {
  if (origin !== undefined && !isLocalOrigin(origin)) return 'Requests from other origins are refused';
  return origin === undefined && (site === 'cross-site' || site === 'same-site')
    ? 'Requests from other sites are refused'
    : undefined;
}

/** True for the origin of a page that is served from a loopback name, on any port. */
function isLocalOrigin(origin: string): boolean {
  if (!URL.canParse(origin)) return false;
  const { protocol, hostname } = new URL(origin);
  return (protocol === 'http:' || protocol === 'https:') && LOOPBACK_NAMES.includes(hostname);
}

/** The Host that was let in last: most requests come with the same. */
let last: { readonly host: string; readonly port: number } | undefined;

function isOwnAuthority(host: string | undefined, port: number): boolean {
  if (host === undefined) return false;
  if (last?.host === host && last.port === port) return true;
  if (!isOwnName(host, port)) return false;
  last = { host, port };
  return true;
}

function isOwnName(host: string, port: number): boolean {
  const own = host.toLowerCase();
  return LOOPBACK_NAMES.some((name) => own === `${name}:${port}` || (port === 80 && own === name));
}

function isOwnOrigin(origin: string, port: number): boolean {
  return origin.startsWith('http://') && isOwnAuthority(origin.slice('http://'.length), port);
}
