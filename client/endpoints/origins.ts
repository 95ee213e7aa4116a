// Which interfaces a key of a type speaks to, and their origins at an endpoint. Pure; opens nothing.
import type { KeyType } from '../../core/errors';
import { originOf } from '../../core/origin';
import type { EndpointProfile, Interface } from '../../core/profile';

/** The origins that a key was saved for, one per interface; an interface that is not listed gets no key. */
export type Origins = Readonly<Partial<Record<Interface, string>>>;

/** The interfaces each key type is for (service contract, "Authentication"); the RPC key also reads the usage. */
const INTERFACES: Readonly<Record<KeyType, readonly Interface[]>> = {
  rpc: ['rpc', 'ws', 'rest'],
  grpc: ['grpc'],
  swqos: ['rpc'],
};

/** The host and port of an origin, for people. */
export function hostOf(origin: string): string {
  return origin.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '');
}

/** The origins of all interfaces of an endpoint, each once. */
export function originsOf({ rpcUrl, wsUrl, grpcUrl, restUrl }: EndpointProfile): readonly string[] {
  const origins = [rpcUrl, wsUrl, grpcUrl, restUrl].flatMap((url) => originOf(url ?? '') ?? []);
  return [...new Set(origins)];
}

/** Every origin at which `profile` would use a key of `type`. */
export function originsFor(profile: EndpointProfile, type: KeyType): Origins {
  const urls: Readonly<Record<Interface, string | undefined>> = {
    rpc: profile.rpcUrl,
    ws: profile.wsUrl,
    grpc: profile.grpcUrl,
    rest: profile.restUrl,
  };
  const found = INTERFACES[type].flatMap((face) => {
    const origin = originOf(urls[face] ?? '');
    return origin === undefined ? [] : [[face, origin] as const];
  });
  return Object.fromEntries(found);
}
