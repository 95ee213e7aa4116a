// Keys that are written out in an endpoint profile: each is taken out of its URL, with the way in which it travels put in
// its place. Pure; what becomes of the keys is the caller's matter.
import { isAuthForm, type AuthForm } from '../keys/authForm';
import type { KeyType } from '../errors';
import { originOf } from '../profiles/origin';
import { URL_OF, type EndpointProfile, type Interface } from '../profiles/profile';
import { Secret } from '../keys/secret';
import { KEY_TYPE_OF, storedKey } from './address';
import { keysInUrl, type KeyInUrl } from './keyPlaces';
import { hasOneKey } from './ways';

/** A key and the interfaces whose URLs had it, all of one type. */
export interface ProfileKey {
  readonly type: KeyType;
  readonly faces: readonly Interface[];
  readonly secret: Secret;
}

export interface TakenOut {
  /** The URLs that had a key, and `auth` as a whole. */
  readonly changes: Pick<EndpointProfile, (typeof URL_OF)[Interface] | 'auth'>;
  readonly keys: readonly ProfileKey[];
  /** URLs with several keys: which of them counts is for their writer to say. */
  readonly left: readonly Interface[];
}

const FACES = Object.keys(URL_OF) as readonly Interface[];

/** True where a URL of the profile has a key: nothing is sent there (see `keysInUrl`). */
export const holdsKeys = (profile: EndpointProfile): boolean =>
  FACES.some((face) => keysInUrl(profile[URL_OF[face]] ?? '').length > 0);

export function takenOut(profile: EndpointProfile): TakenOut {
  const urls: Partial<Record<(typeof URL_OF)[Interface], string>> = {};
  const auth: Partial<Record<Interface, AuthForm>> = { ...profile.auth };
  const keys: (ProfileKey & { readonly faces: Interface[] })[] = [];
  const left: Interface[] = [];
  for (const face of FACES) {
    const url = profile[URL_OF[face]] ?? '';
    const [key, ...more] = keysInUrl(url);
    if (key === undefined) continue;
    if (more.length > 0) {
      left.push(face);
      continue;
    }
    const moved = withoutKey(url, key, face, auth[face]);
    urls[URL_OF[face]] = moved.url;
    if (moved.auth === undefined) delete auth[face];
    else auth[face] = moved.auth;
    const secret = new Secret(storedKey(key));
    const type = face === 'grpc' && hasOneKey(profile) ? 'rpc' : KEY_TYPE_OF[face];
    const known = keys.find((one) => one.type === type && one.secret.equals(secret));
    if (known === undefined) keys.push({ type, faces: [face], secret });
    else known.faces.push(face);
  }
  const hasForms = profile.auth !== undefined || Object.keys(auth).length > 0;
  return { changes: { ...urls, ...(hasForms && { auth }) }, keys, left };
}

interface Moved {
  readonly url: string;
  /** Undefined: as the URL says. */
  readonly auth: AuthForm | undefined;
}

function withoutKey(url: string, key: KeyInUrl, face: Interface, stated: AuthForm | undefined): Moved {
  const cut = (place: string): string => url.slice(0, key.start) + place + url.slice(key.end);
  if (key.kind === 'user') return { url: cut(''), auth: 'basic' };
  if (face !== 'grpc') return { url: cut('{key}'), auth: undefined };
  // The path of a gRPC call is fixed: its key goes into the metadata, or into a parameter that the address names.
  const usual = stated === undefined || stated === 'none' || stated === 'path';
  const form = key.kind === 'query' ? `query:${key.name ?? ''}` : 'header:x-token';
  return { url: originOf(url) ?? url, auth: usual && isAuthForm(form) ? form : (stated ?? 'header:x-token') };
}
