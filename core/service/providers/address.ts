// Reads an endpoint from one of its addresses, as a user pastes it: every interface that the address implies, and its key
// apart. An unknown address keeps what was pasted and nothing else. Pure; a key leaves here as a `Secret` alone.
import type { AuthForm } from '../keys/authForm';
import type { KeyType } from '../errors';
import { looksLikeKey } from '../keys/keyNames';
import { originOf } from '../profiles/origin';
import { URL_OF, type EndpointProfile, type Interface } from '../profiles/profile';
import { Secret } from '../keys/secret';
import { filledUrl, matchAddress, matchedUrl, type AddressMatch } from './match';
import { isStandIn, keysInUrl, type KeyInUrl } from './keyPlaces';
import type { Provider } from './types';
import { unescaped, plainUser, hasKeyPlace, withoutKeyPlace } from './urlText';

export interface AddressReading {
  /** A suggested name for the endpoint. */
  readonly name: string;
  readonly profile: Omit<EndpointProfile, 'name'>;
  /** The interface whose address was pasted. */
  readonly slot: Interface;
  /** Undefined for an address of no known provider. */
  readonly provider?: Provider;
  /** The key that was in the address. */
  readonly key?: { readonly type: KeyType; readonly secret: Secret };
}

const SCHEMES: Readonly<Record<string, { readonly slot: Interface; readonly as: string }>> = {
  http: { slot: 'rpc', as: 'http' },
  https: { slot: 'rpc', as: 'https' },
  ws: { slot: 'ws', as: 'ws' },
  wss: { slot: 'ws', as: 'wss' },
  grpc: { slot: 'grpc', as: 'http' },
  grpcs: { slot: 'grpc', as: 'https' },
};

/** The type of key that opens an interface. */
export const KEY_TYPE_OF: Readonly<Record<Interface, KeyType>> = {
  rpc: 'rpc',
  ws: 'rpc',
  grpc: 'grpc',
  rest: 'rpc',
  swqos: 'swqos',
};

const HERE = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::|\/|$)/i;
/** Words with a number or a version between them: `solana-mainnet-archive-2`. */
const SLUG = /^(?:[a-z]+|v?\d{1,2})(?:[-_.](?:[a-z]+|v?\d{1,2}))*$/i;
const STREAMS = /^(?:grpc|geyser|yellowstone)[.-]/i;

/** The endpoint with a sender's address for its priority sends, and the way their key travels. */
export function withSender(endpoint: EndpointProfile, { profile }: AddressReading): EndpointProfile {
  const forms = { ...endpoint.auth, swqos: profile.auth?.swqos };
  const auth = Object.fromEntries(Object.entries(forms).filter(([, form]) => form !== undefined));
  const others = Object.fromEntries(Object.entries(endpoint).filter(([member]) => member !== 'auth'));
  return {
    ...others,
    name: endpoint.name,
    ...(profile.swqosUrl !== undefined && { swqosUrl: profile.swqosUrl }),
    ...(Object.keys(auth).length > 0 && { auth }),
  };
}

/** Undefined for a text that is not an address. */
export function readAddress(text: string): AddressReading | undefined {
  const given = text.trim();
  if (/\s/.test(given)) return undefined;
  const [, scheme, rest = ''] = /^(?:([a-z][a-z0-9+.-]*):\/\/)?(.*)$/is.exec(given) ?? [];
  const kind = SCHEMES[scheme?.toLowerCase() ?? (HERE.test(given) ? 'http' : 'https')];
  const whole = `${kind?.as ?? ''}://${rest}`;
  if (kind === undefined || !URL.canParse(whole)) return undefined;
  const { hostname, host } = new URL(whole);
  if (hostname === '') return undefined;
  const { url, found } = withPlace(whole, kind.slot === 'grpc' || STREAMS.test(hostname));
  const user = found?.kind === 'user' ? 'basic' : undefined;
  const match = kind.slot === 'grpc' ? matchAddress(url, 'grpc') : matchAddress(url);
  const slot = match?.slot ?? (STREAMS.test(hostname) && kind.slot === 'rpc' ? 'grpc' : kind.slot);
  const profile = match === undefined ? unknown(slot, url, found) : known(match, url, user);
  const type = match?.provider.hasOneKey === true ? 'rpc' : KEY_TYPE_OF[slot];
  const secret = found === undefined || isStandIn(found.text) ? undefined : new Secret(storedKey(found));
  return {
    name: match === undefined || match.provider.id === 'hosted' ? host : nameOf(match, host),
    profile,
    slot,
    ...(match !== undefined && { provider: match.provider }),
    ...(secret !== undefined && { key: { type, secret } }),
  };
}

/** The key as it is stored: without the escapes of a URL, a user name always with a colon behind it. */
export const storedKey = ({ kind, text }: KeyInUrl): string => (kind === 'user' ? plainUser(text) : unescaped(text));

/** The address with `{key}` in place of its first key, and without any further one. */
function withPlace(text: string, isStream: boolean): { readonly url: string; readonly found: KeyInUrl | undefined } {
  const keys = keysInUrl(
    text,
    (segment) => !SLUG.test(segment) && (looksLikeKey(segment) || (isStream && segment.length >= 20)),
  );
  const standIn = keys.length === 0 ? standInOf(text) : undefined;
  const [found = standIn] = keys;
  let url = text;
  for (const key of [...(standIn === undefined ? keys : [standIn])].reverse())
    url = `${url.slice(0, key.start)}${key === found && key.kind !== 'user' ? '{key}' : ''}${url.slice(key.end)}`;
  return { url, found };
}

/** The place that documentation marks in the path of an unknown host: `/v2/YOUR_API_KEY`. */
function standInOf(text: string): KeyInUrl | undefined {
  return keysInUrl(text, isStandIn).find(({ text: own }) => isStandIn(own));
}

function known(match: AddressMatch, url: string, user: AuthForm | undefined): AddressReading['profile'] {
  const isPlain = /^(?:http|ws):/.test(url);
  const urls: Partial<Record<(typeof URL_OF)[Interface], string>> = {};
  const auth: Partial<Record<Interface, AuthForm>> = {};
  for (const slot of ['rpc', 'ws', 'grpc', 'rest', 'swqos'] as const) {
    const address = match.form.addresses[slot];
    if (address === undefined) continue;
    const filled = slot === match.slot ? matchedUrl(match) : filledUrl(address, match);
    if (filled === undefined) continue;
    const isUsers = user !== undefined && slot !== 'grpc' && hasKeyPlace(filled);
    // The service takes its key as Bearer as well: it need not be in the URL.
    const made = isUsers || address.auth === 'bearer' ? withoutKeyPlace(filled) : filled;
    urls[URL_OF[slot]] = isPlain ? made.replace(/^(http|ws)s:/, '$1:') : made;
    const form = user !== undefined && (isUsers || address.auth === 'bearer') ? user : address.auth;
    // Bearer is what a profile means that says nothing.
    if (form !== undefined && form !== 'bearer' && !hasKeyPlace(made)) auth[slot] = form;
  }
  return { ...urls, ...(Object.keys(auth).length > 0 && { auth }) };
}

function unknown(slot: Interface, url: string, found: KeyInUrl | undefined): AddressReading['profile'] {
  const member = URL_OF[slot];
  if (found?.kind === 'user') return { [member]: url, auth: { [slot]: 'basic' } };
  if (slot !== 'grpc') return { [member]: url };
  // A gRPC call has its own path: a key goes in its metadata, or in its query where the address says so.
  if (found === undefined) return { grpcUrl: url.replace(/\/$/, '') };
  const isQuery = found.kind === 'query' && found.name === 'api_key';
  return { grpcUrl: originOf(url) ?? url, auth: { grpc: isQuery ? 'query' : 'header:x-token' } };
}

function nameOf({ provider, form }: AddressMatch, host: string): string {
  if (provider.id === 'validator') return host;
  return form.cluster === undefined ? provider.name : `${provider.name} ${form.cluster}`;
}
