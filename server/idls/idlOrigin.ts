// The scope of published IDLs: the service they were fetched from.
import type { EndpointProfile } from '../../core/service/profiles/profile';

/** The origin of the endpoint's JSON-RPC, for any transport; undefined if it has none. */
export function idlOrigin({ rpcUrl }: EndpointProfile): string | undefined {
  return rpcUrl === undefined || !URL.canParse(rpcUrl) ? undefined : new URL(rpcUrl).origin;
}
