// How the keys of a kind of request travel: what the user's profile says, else the provider's table, else the default of
// the hosted service. One answer for requests, copies and the terminal. Pure.
import { sharePlace, type AuthForm } from '../keys/authForm';
import { URL_OF, type EndpointProfile, type Interface, type KeyWay, type PlacedProfile } from '../profiles/profile';
import { hasKeyPlace, withoutKeyPlace } from './urlText';
import { wayAt } from './ways';

/** The forms of the hosted service (docs/providers.md, "The hosted service"). */
const DEFAULTS: Readonly<Record<Interface, AuthForm>> = {
  rpc: 'bearer',
  ws: 'bearer',
  grpc: 'bearer',
  rest: 'bearer',
  swqos: 'query',
};

/** The member with the URL for a kind of request. Without a sender, priority sends use the RPC address. */
export const urlMember = (slot: Interface, profile: EndpointProfile | undefined): (typeof URL_OF)[Interface] =>
  slot === 'swqos' && profile?.swqosUrl === undefined ? 'rpcUrl' : URL_OF[slot];

/** A profile's own key form for an interface, from `auth` or a `{key}` in its URL. A workspace may only say `none`. */
export function statedForm({ profile, source }: PlacedProfile, slot: Interface): AuthForm | undefined {
  const stated = profile.auth?.[slot];
  if (source === 'workspace') return stated === 'none' ? stated : undefined;
  return stated ?? (hasKeyPlace(profile[URL_OF[slot]] ?? '') ? 'path' : undefined);
}

export interface KeyForms {
  readonly auth: AuthForm;
  /** Of the RPC key that goes along with a SWQoS key. */
  readonly beside?: AuthForm;
  /** The URL, with `{key}` where the provider's table says that the key goes there. */
  readonly url: string;
}

/** `url`: the request's own, or the profile's. */
export function keyForms(placed: PlacedProfile, slot: Interface, url: string): KeyForms {
  // A sender that is known has its own form; any other URL is an RPC address that lands with priority.
  const isSender = placed.profile.swqosUrl !== undefined || wayAt('swqos', url) !== undefined;
  if (slot === 'swqos' && !isSender) return prioritySend(placed, url);
  const stated = statedForm(placed, slot);
  if (stated !== undefined && (stated !== 'path' || hasKeyPlace(url))) return { auth: stated, url };
  const way = wayAt(slot, url);
  if (stated === 'path') return { auth: stated, url: way?.auth === 'path' ? way.url : url };
  return way ?? { auth: DEFAULTS[slot], url };
}

/** A priority send to the RPC address, as the hosted service takes it: the SWQoS key together with the RPC key. */
function prioritySend(placed: PlacedProfile, url: string): KeyForms {
  const rpc = keyForms(placed, 'rpc', url);
  const stated = statedForm(placed, 'swqos');
  if (rpc.auth === 'none' && stated === undefined) return { auth: 'none', url };
  // The two keys cannot share one place: where the RPC key is in the query, the SWQoS key goes as Bearer by default.
  const auth = stated ?? (sharePlace(rpc.auth, DEFAULTS.swqos) ? 'bearer' : DEFAULTS.swqos);
  const both = auth === 'path' || rpc.auth === 'path' ? rpc.url : url;
  // Said to be the same on purpose, or no key at all: the SWQoS key then goes alone.
  if (sharePlace(auth, rpc.auth) || auth === 'none' || rpc.auth === 'none') return { auth, url: both };
  return { auth, beside: rpc.auth, url: both };
}

/** The profile for one who needs no key: every interface without one, and no `{key}` in a URL. */
export function withoutKeyPlaces(profile: EndpointProfile): EndpointProfile {
  const faces = (Object.keys(URL_OF) as readonly Interface[]).filter((face) => profile[URL_OF[face]] !== undefined);
  const urls = faces.map((face) => [URL_OF[face], withoutKeyPlace(profile[URL_OF[face]] ?? '')] as const);
  const auth = faces.map((face) => [face, 'none' as const] as const);
  return { ...profile, ...Object.fromEntries(urls), auth: Object.fromEntries(auth) };
}

/** How a key that is saved for a profile travels from then on, per interface; Bearer need not be kept. */
export function waysOf(placed: PlacedProfile): Readonly<Partial<Record<Interface, KeyWay>>> {
  const faces = Object.keys(URL_OF) as readonly Interface[];
  const ways = faces.flatMap((face) => {
    const url = placed.profile[URL_OF[face]];
    if (url === undefined) return [];
    const { auth, url: placedUrl } = keyForms(placed, face, url);
    if (auth === 'bearer' || auth === 'none') return [];
    return [[face, auth === 'path' ? { auth, url: placedUrl } : { auth }] as const];
  });
  return Object.fromEntries(ways);
}
