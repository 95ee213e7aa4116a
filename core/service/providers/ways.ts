// How a key travels to an address, where no profile of the user says it, and which address takes bundles: by the
// provider's table. Pure.
import type { EndpointProfile, Interface, KeyWay } from '../profiles/profile';
import { isLoopback } from '../profiles/origin';
import { matchAddress, matchedUrl } from './match';
import { hasKeyPlace } from './urlText';

/** Undefined if the provider is unknown or may use any host. */
export function wayAt(slot: Interface, url: string): Required<KeyWay> | undefined {
  const match = matchAddress(url, slot);
  const address = match?.form.addresses[slot];
  if (match === undefined || address === undefined || match.values.has('host')) return undefined;
  const filled = matchedUrl(match);
  if (filled === undefined) return undefined;
  if (address.auth !== undefined) return { auth: address.auth, url };
  return hasKeyPlace(filled) ? { auth: 'path', url: withScheme(filled, url) } : { auth: 'none', url };
}

/** The scheme of `like`: nothing is asked over another one than was written. */
function withScheme(url: string, like: string): string {
  const scheme = /^[a-z][a-z0-9+.-]*:/i.exec(like)?.[0] ?? 'https:';
  return url.replace(/^[a-z]+:/, scheme);
}

/** False for unknown URLs and for a sender, which only lands transactions. */
export const answersRpc = (url: string): boolean =>
  matchAddress(url, 'rpc') !== undefined || (URL.canParse(url) && isLoopback(new URL(url)));

/** True where the provider of the RPC address opens the gRPC address with the same key. */
export function hasOneKey({ rpcUrl, grpcUrl }: EndpointProfile): boolean {
  const rpc = rpcUrl === undefined ? undefined : matchAddress(rpcUrl, 'rpc')?.provider;
  return rpc?.hasOneKey === true && grpcUrl !== undefined && matchAddress(grpcUrl, 'grpc')?.provider === rpc;
}

/** True for an origin of gRPC that the provider opens with its RPC key. */
export const takesRpcKey = (grpcOrigin: string): boolean =>
  matchAddress(grpcOrigin, 'grpc')?.provider.hasOneKey === true;

/** True where the RPC address is a known provider's that has no address for the usage of its keys. */
export function servesNoUsage({ rpcUrl }: EndpointProfile): boolean {
  const provider = rpcUrl === undefined ? undefined : matchAddress(rpcUrl, 'rpc')?.provider;
  return provider?.forms.every(({ addresses }) => addresses.rest === undefined) === true;
}

const BUNDLE_METHODS: ReadonlySet<string> = new Set(['sendBundle', 'getBundleStatuses', 'getInflightBundleStatuses']);

export const isBundleMethod = (method: string): boolean => BUNDLE_METHODS.has(method);

/** The address for bundles of the sender at `url`, with its query; undefined where that sender takes none. */
export function bundleUrl(url: string): string | undefined {
  const paths = matchAddress(url, 'swqos')?.provider.bundles;
  return paths && url.replace(paths.instead, paths.path);
}
