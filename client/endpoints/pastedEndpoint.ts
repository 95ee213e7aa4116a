// An endpoint from any of its addresses, as a user pastes one: keys in it are taken out, the other interfaces guessed from
// the service's own paths. Pure; a key leaves here as a `Secret` alone.
import type { KeyType } from '../../core/errors';
import type { EndpointProfile } from '../../core/profile';
import { looksLikeKey, namesKey } from '../../core/keyNames';
import { Secret } from '../../core/secret';

export interface PastedEndpoint {
  /** What the endpoint may be called. */
  readonly name: string;
  readonly profile: Omit<EndpointProfile, 'name'>;
  /** The key that stood in the address. */
  readonly key?: { readonly type: KeyType; readonly secret: Secret };
}

/** Paths of the hosted service (service contract, "Endpoints"). gRPC and usage have none of their own. */
const PATHS = { http: '/sol', ws: '/ws/sol' } as const;

/** The port of a validator of one's own; its socket listens on the next one. */
const VALIDATOR_PORT = '8899';

const SCHEMES: Readonly<Record<string, 'http' | 'ws' | 'grpc'>> = {
  'http:': 'http',
  'https:': 'http',
  'ws:': 'ws',
  'wss:': 'ws',
  'grpc:': 'grpc',
  'grpcs:': 'grpc',
};

/** Undefined for a text that is no address, or one with a user name in it. */
export function readPasted(text: string): PastedEndpoint | undefined {
  const given = text.trim();
  const isNamed = /^[a-z][a-z0-9+.-]*:\/\//i.test(given);
  const isHere = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::|\/|$)/i.test(given);
  const whole = isNamed ? given : `${isHere ? 'http' : 'https'}://${given}`;
  if (!URL.canParse(whole) || /\s/.test(given)) return undefined;
  const url = new URL(whole);
  const kind = SCHEMES[url.protocol];
  if (kind === undefined || url.hostname === '' || url.username !== '' || url.password !== '') return undefined;
  const isSecure = ['https:', 'wss:', 'grpcs:'].includes(url.protocol);
  const found = withoutKey(url);
  const isGrpc = kind === 'grpc' || /^(?:grpc|geyser|yellowstone)[.-]/i.test(url.hostname);
  const type: KeyType = isGrpc ? 'grpc' : 'rpc';
  return {
    name: url.host,
    profile: isGrpc ? grpcProfile(url, isSecure || kind === 'http') : profileOf(url, isSecure, found),
    ...(found !== undefined && { key: { type, secret: found.secret } }),
  };
}

interface FoundKey {
  readonly secret: Secret;
  /** True where the service takes its key nowhere else: the address keeps the place. */
  readonly isPlace: boolean;
  readonly path: string;
  readonly query: string;
}

function withoutKey(url: URL): FoundKey | undefined {
  const parameter = [...url.searchParams].find(([name, value]) => namesKey(name, 'query') && value !== '');
  if (parameter !== undefined) {
    const [name, value] = parameter;
    // The contract's own parameter can be left out: the key goes in the header as well.
    const isPlace = name !== 'api_key';
    const rest = [...url.searchParams]
      .filter(([other]) => other !== name)
      .map(([key, text]) => `${key}=${encodeURIComponent(text)}`);
    const query = [...rest, ...(isPlace ? [`${name}={key}`] : [])].join('&');
    return { secret: new Secret(value), isPlace, path: url.pathname, query };
  }
  const segment = url.pathname.split('/').find((part) => looksLikeKey(part));
  if (segment === undefined) return undefined;
  return {
    secret: new Secret(decodeURIComponent(segment)),
    isPlace: true,
    path: url.pathname.replace(segment, '{key}'),
    query: url.searchParams.toString(),
  };
}

function grpcProfile(url: URL, isSecure: boolean): PastedEndpoint['profile'] {
  return { grpcUrl: `${isSecure ? 'https' : 'http'}://${url.host}` };
}

function profileOf(url: URL, isSecure: boolean, found: FoundKey | undefined): PastedEndpoint['profile'] {
  const http = isSecure ? 'https' : 'http';
  const ws = isSecure ? 'wss' : 'ws';
  const query = found === undefined ? url.search.slice(1) : found.query;
  const ask = query === '' ? '' : `?${query}`;
  if (url.port === VALIDATOR_PORT)
    return {
      rpcUrl: `${http}://${url.host}/`,
      wsUrl: `${ws}://${url.hostname}:${Number(VALIDATOR_PORT) + 1}/`,
      auth: { rpc: 'none', ws: 'none' },
    };
  const path = found?.path ?? url.pathname;
  const bare = path.replace(/\/+$/, '');
  const isOfService = ['', PATHS.http, PATHS.ws].includes(bare);
  const base = `${http}://${url.host}`;
  return {
    rpcUrl: `${base}${isOfService ? PATHS.http : path}${ask}`,
    wsUrl: `${ws}://${url.host}${isOfService ? PATHS.ws : path}${ask}`,
    // Others have their streams and their usage elsewhere, or nowhere.
    ...(isOfService && { grpcUrl: base, restUrl: base }),
    ...(found?.isPlace === true && { auth: { rpc: 'path', ws: 'path' } }),
  };
}
