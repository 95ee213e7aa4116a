// Where a key is to be stored: its type, the endpoint it is shown under, and exactly the origins it may go to. Pure.
import { trailingRun } from '../../core/solana/common/ends';
import { isAuthForm } from '../../core/service/keys/authForm';
import type { KeyType } from '../../core/service/errors';
import { originOf } from '../../core/service/profiles/origin';
import type { EndpointProfile, Interface, KeyQuery, KeyWay, PlacedProfile } from '../../core/service/profiles/profile';
import { waysOf } from '../../core/service/providers/forms';
import { keysInUrl } from '../../core/service/providers/keyPlaces';
import { wayAt } from '../../core/service/providers/ways';
import type { KeyRecord } from './keyRecord';
import { hostOf, originsFor, type Origins } from '../profiles/origins';

export interface KeyUse {
  readonly type: KeyType;
  /** The endpoint it is shown under. */
  readonly profile: string;
  readonly origins: Origins;
  /** How the key travels there; of a project's endpoint only what the table of providers says. */
  readonly ways: NonNullable<KeyRecord['ways']>;
  /** The endpoint at which a key for these origins can be tried; none for a host that only a request line names. */
  readonly tried?: EndpointProfile;
}

/** Every place of an endpoint at which a key of the type is used. */
export function keyUses({ profile, source }: PlacedProfile, type: KeyType): KeyUse {
  const origins = originsFor(profile, type);
  return {
    type,
    profile: profile.name,
    origins: source === 'workspace' ? ofOneHost(origins) : origins,
    ways: waysOf({ profile, source }),
    tried: profile,
  };
}

/** The place that a request went to, or would go to: what is answered to *Add Key for This Host*. */
export function placeFor(
  placed: PlacedProfile | undefined,
  { type, profile, origin, interface: face }: KeyQuery,
): KeyUse {
  const whole = placed === undefined ? undefined : keyUses(placed, type);
  if (whole?.origins[face] === origin) return whole;
  // Another host than the endpoint's, which the file or the project names: that one alone.
  const way = wayAt(face, `${origin}/`);
  const ways = way === undefined || way.auth === 'none' || way.auth === 'bearer' ? {} : { [face]: way };
  return { type, profile, origins: { [face]: origin }, ways };
}

/**
 * The place with the way in which a file has the key, for a host that only its request line names: neither a profile nor
 * the table of providers says how it travels there. `line` is the file's, with the key from `start` to `end`.
 */
export function placeAsWritten(place: KeyUse, line: string, { start, end }: Span): KeyUse {
  const [face, ...more] = Object.keys(place.origins) as Interface[];
  if (face === undefined || more.length > 0 || place.tried !== undefined || place.ways[face] !== undefined)
    return place;
  const way = wayWritten(line, { start, end });
  return way === undefined ? place : { ...place, ways: { [face]: way } };
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** In a URL: its path or a parameter. Else a header; Authorization says itself how it is written. */
function wayWritten(line: string, { start, end }: Span): KeyWay | undefined {
  const urlStart = start - trailingRun(line.slice(0, start), /\S/).length;
  const [url = ''] = /^\S*/.exec(line.slice(urlStart)) ?? [];
  const header = /^([^\s:"@#]+):\s/.exec(line)?.[1];
  if (header !== undefined && !/^authorization$/i.test(header)) return formOf(`header:${header}`);
  if (!URL.canParse(url) || url.includes('{{')) return undefined;
  const key = keysInUrl(url).find((one) => one.start === start - urlStart);
  if (key?.kind === 'query') return formOf(`query:${key.name}`);
  if (key?.kind !== 'path') return undefined;
  return { auth: 'path', url: url.slice(0, key.start) + '{key}' + url.slice(end - urlStart) };
}

const formOf = (text: string): KeyWay | undefined => (isAuthForm(text) ? { auth: text } : undefined);

/** A project says which hosts an endpoint has; a key given for one of them goes to no other. */
function ofOneHost(origins: Origins): Origins {
  const faces: readonly Interface[] = ['rpc', 'ws', 'grpc', 'rest', 'swqos'];
  const first = faces.map((face) => origins[face]).find((origin) => origin !== undefined);
  const host = hostOf(first ?? '');
  return Object.fromEntries(Object.entries(origins).filter(([, origin]) => hostOf(origin) === host));
}

/** The hosts of a place, each once. */
export const hostsOf = (origins: Origins): readonly string[] => [...new Set(Object.values(origins).map(hostOf))];

/** A question for a key as an argument of a command: from anyone, so that each part is looked at. */
export function readQuery(value: unknown): KeyQuery | undefined {
  if (typeof value !== 'object' || value === null || !('key' in value)) return undefined;
  const { key } = value;
  if (typeof key !== 'object' || key === null) return undefined;
  const { type, profile, origin, interface: face } = key as Readonly<Record<string, unknown>>;
  const isFace = face === 'rpc' || face === 'ws' || face === 'grpc' || face === 'rest' || face === 'swqos';
  const isType = type === 'rpc' || type === 'grpc' || type === 'swqos';
  if (!isFace || !isType || typeof profile !== 'string' || typeof origin !== 'string') return undefined;
  return originOf(origin) === origin ? { type, profile, origin, interface: face } : undefined;
}
