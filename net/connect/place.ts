// Where a socket goes.

/** `host` is a name or an address without brackets. */
export interface HostPlace {
  readonly host: string;
  readonly port: number;
  readonly tls: boolean;
  /** Protocols offered in the TLS handshake, such as `http/1.1` or `h2`. */
  readonly alpn?: readonly string[];
}

const ENCRYPTED = new Set(['https:', 'wss:']);

/** The place of a URL of HTTP or WebSocket, in the clear or over TLS. */
export function hostPlace(url: Pick<URL, 'protocol' | 'hostname' | 'port'>, alpn?: readonly string[]): HostPlace {
  const tls = ENCRYPTED.has(url.protocol);
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (tls ? 443 : 80) : Number(url.port),
    tls,
    ...(alpn === undefined ? {} : { alpn }),
  };
}
