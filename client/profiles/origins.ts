// Which interfaces a key of a type speaks to, and their origins at an endpoint. Pure; opens nothing.
import type { KeyType } from '../../core/service/errors';
import { originOf } from '../../core/service/profiles/origin';
import { URL_OF, type EndpointProfile, type Interface } from '../../core/service/profiles/profile';
import { urlMember } from '../../core/service/providers/forms';
import { hasOneKey } from '../../core/service/providers/ways';

/** The origins that a key was saved for, one per interface; an interface that is not listed gets no key. */
export type Origins = Readonly<Partial<Record<Interface, string>>>;

/** The interfaces each key type is for (docs/local-service.md, "Keys"); the RPC key also reads the usage. */
const INTERFACES: Readonly<Record<KeyType, readonly Interface[]>> = {
  rpc: ['rpc', 'ws', 'rest'],
  grpc: ['grpc'],
  swqos: ['swqos'],
};

/** The host and port of an origin, for people. */
export function hostOf(origin: string): string {
  return origin.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '');
}

/** The origins of all interfaces of an endpoint, each once. */
export function originsOf(profile: EndpointProfile): readonly string[] {
  const origins = Object.values(URL_OF).flatMap((member) => originOf(profile[member] ?? '') ?? []);
  return [...new Set(origins)];
}

/**
 * Every origin at which `profile` would use a key of `type`. Without a separate sender, a SWQoS key goes to the RPC address.
 */
export function originsFor(profile: EndpointProfile, type: KeyType): Origins {
  const faces = type === 'rpc' && hasOneKey(profile) ? [...INTERFACES.rpc, ...INTERFACES.grpc] : INTERFACES[type];
  const found = faces.flatMap((face) => {
    const member = urlMember(face, profile);
    const origin = originOf(profile[member] ?? '');
    return origin === undefined ? [] : [[member === 'rpcUrl' ? 'rpc' : face, origin] as const];
  });
  return Object.fromEntries(found);
}

/** False where every interface is known to take no key. */
export const needsKey = (profile: EndpointProfile): boolean =>
  (['rpc', 'ws', 'grpc', 'swqos'] as const).some(
    (face) => profile[URL_OF[face]] !== undefined && profile.auth?.[face] !== 'none',
  );
