// Turns what undici, Node and zlib throw into ServiceErrors. Their messages carry URLs, addresses and certificates'
// fields, so only their codes are read; no thrown error leaves this room.
import type { ServiceError } from '../core/service/errors';
import { ProxyFailed, ProxyRefused } from './connect/proxy';

/** Thrown inside net when an answer breaks a bound or the protocol; contains the finished error. */
export class RefusedAnswer extends Error {
  constructor(readonly error: ServiceError) {
    super(error.kind);
  }
}

export const CANCELLED: ServiceError = { kind: 'cancelled', message: 'Cancelled.' };

export const timedOut = (host: string, afterMs: number): ServiceError => ({
  kind: 'timeout',
  afterMs,
  message: `${host} did not answer within ${afterMs / 1000} s.`,
  hint: 'Narrow the request with filters, or allow more time with @timeout.',
});

interface ErrorText {
  readonly kind: 'network' | 'tls' | 'protocol';
  /** Follows the host's name. */
  readonly message: string;
  readonly hint?: string;
}

const network = (message: string, hint: string): ErrorText => ({ kind: 'network', message, hint });
const tls = (message: string, hint = TLS_HINT): ErrorText => ({ kind: 'tls', message, hint });
const protocol = (message: string): ErrorText => ({ kind: 'protocol', message, hint: 'Check that the URL is right.' });

const TLS_HINT = 'Do not continue unless you know why; a private authority can be added in your user settings.';
const LOST = network('closed the connection before its answer was complete', 'Try again.');
const UNREACHABLE = network(
  'cannot be reached from this network',
  'Check the network, the VPN and the proxy settings.',
);
const SLOW = network('did not take the connection in time', 'Check the host, the port and the proxy settings.');
const UNTRUSTED = tls('shows a certificate of an authority that is not trusted here');
const SELF_SIGNED = tls('shows a self-signed certificate');
const GARBAGE = protocol('does not speak HTTP properly');
const COMPRESSED = protocol('sent a compressed body that cannot be unpacked');

/** By error code, in the words of people. */
const CODES: Readonly<Record<string, ErrorText>> = {
  ECONNREFUSED: network('refuses connections', 'Check that the service runs there, and the port.'),
  ENOTFOUND: network('is not a known host name', 'Check the spelling of the host, and the network.'),
  EAI_AGAIN: network('could not be looked up just now', 'Check the network, then try again.'),
  EHOSTUNREACH: UNREACHABLE,
  ENETUNREACH: UNREACHABLE,
  EADDRNOTAVAIL: UNREACHABLE,
  ECONNRESET: LOST,
  ECONNABORTED: LOST,
  EPIPE: LOST,
  UND_ERR_SOCKET: LOST,
  ETIMEDOUT: SLOW,
  CONNECT_TIMEOUT: SLOW,
  UND_ERR_CONNECT_TIMEOUT: SLOW,
  EMFILE: network('cannot be connected: too many open files on this machine', 'Close other connections and try again.'),
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: LOST,
  UND_ERR_HEADERS_OVERFLOW: protocol('sent headers that are too large'),
  HPE_HEADER_OVERFLOW: protocol('sent headers that are too large'),
  HPE_INVALID_EOF_STATE: LOST,
  Z_BUF_ERROR: LOST,
  Z_DATA_ERROR: COMPRESSED,
  SELF_SIGNED_CERT_IN_CHAIN: SELF_SIGNED,
  DEPTH_ZERO_SELF_SIGNED_CERT: SELF_SIGNED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  CERT_UNTRUSTED: UNTRUSTED,
  CERT_HAS_EXPIRED: tls('shows a certificate that has expired', 'The service must renew it; check your clock, too.'),
  CERT_NOT_YET_VALID: tls('shows a certificate that is not valid yet', 'Check the clock of this machine.'),
  CERT_REVOKED: tls('shows a certificate that was revoked'),
  ERR_TLS_CERT_ALTNAME_INVALID: tls(
    'shows a certificate for another name',
    'Check the host name; never continue to a host that shows the certificate of another.',
  ),
  WS_ERR_UNSUPPORTED_MESSAGE_LENGTH: protocol('sent a message that is too large'),
  EPROTO: tls('does not speak TLS as it should', 'Check the scheme and the port: https needs a TLS port.'),
};

/** By prefix of the code, for families of codes. */
const PREFIXES: readonly (readonly [string, ErrorText])[] = [
  ['HPE_', GARBAGE],
  ['ERR_HTTP2_', protocol('does not speak HTTP/2, which gRPC needs, as it should')],
  ['WS_ERR_', protocol('sent what breaks the WebSocket protocol')],
  ['ERR_SSL_', tls('does not speak TLS as it should', 'Check the scheme and the port: https needs a TLS port.')],
  ['ERR_TLS_', tls('does not speak TLS as it should', 'Check the scheme and the port: https needs a TLS port.')],
  ['CERT_', tls('shows a certificate that does not verify')],
  ['Z_', COMPRESSED],
  ['ERR_BROTLI', COMPRESSED],
  ['ERR__ERROR_', COMPRESSED],
];

const CHECK_PROXY = 'Check the proxy settings.';

/** The ServiceError for a thrown error. `host` as shown to people. */
export function failureOf(thrown: unknown, host: string): ServiceError {
  const found = chain(thrown);
  const failed = found.find((error) => error instanceof ProxyFailed);
  if (failed === undefined) return errorIn(found, host) ?? lost(host);
  const error = errorIn(chain(failed.cause), 'The proxy') ?? lost('the proxy');
  return error.kind === 'tls' ? error : { ...error, hint: CHECK_PROXY };
}

const lost = (place: string): ServiceError => ({
  kind: 'network',
  message: `The connection to ${place} failed.`,
  hint: 'Try again.',
});

/** The first known error, with `subject` (a host, or the proxy) as the one that failed. */
function errorIn(found: readonly object[], subject: string): ServiceError | undefined {
  for (const error of found) {
    if (error instanceof RefusedAnswer) return error.error;
    if (error instanceof ProxyRefused) return proxyError(error.status);
    const code = codeOf(error);
    if (code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT')
      return { kind: 'network', code, message: `${subject} stopped sending.`, hint: 'Try again.' };
    const known = code === undefined ? undefined : lookUp(code);
    if (code === undefined || known === undefined) continue;
    const text = { message: `${subject} ${known.message}.`, ...(known.hint === undefined ? {} : { hint: known.hint }) };
    return known.kind === 'protocol' ? { kind: 'protocol', ...text } : { kind: known.kind, code, ...text };
  }
  return undefined;
}

function lookUp(code: string): ErrorText | undefined {
  return Object.hasOwn(CODES, code) ? CODES[code] : PREFIXES.find(([prefix]) => code.startsWith(prefix))?.[1];
}

function proxyError(status: number): ServiceError {
  if (status === 407)
    return {
      kind: 'network',
      code: 'PROXY_REFUSED',
      message: 'The proxy asks for a user name and password.',
      hint: 'Set them for the proxy in your user settings.',
    };
  return {
    kind: 'network',
    code: 'PROXY_REFUSED',
    message: `The proxy did not open the connection (HTTP ${status}).`,
    hint: CHECK_PROXY,
  };
}

/** The error with its aggregated errors and causes; bounded, since causes may be cyclic. */
function chain(thrown: unknown): readonly object[] {
  const found: object[] = [];
  const open: unknown[] = [thrown];
  while (open.length > 0 && found.length < 16) {
    const error = open.shift();
    if (typeof error !== 'object' || error === null || found.includes(error)) continue;
    found.push(error);
    if (error instanceof AggregateError) open.push(...(error.errors as readonly unknown[]));
    if ('cause' in error) open.push(error.cause);
  }
  return found;
}

function codeOf(error: object): string | undefined {
  const code = 'code' in error ? error.code : undefined;
  if (typeof code === 'string' && /^[A-Z0-9_]{1,60}$/.test(code)) return code;
  // undici's parser leaves the code out of most of its errors.
  return error instanceof Error && error.name === 'HTTPParserError' ? 'HPE_INVALID' : undefined;
}
