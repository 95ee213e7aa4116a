// Where the IDLs hold that programs published: at the service they were fetched from.
import type { EndpointProfile } from '../../core/profile';

/** The origin of the endpoint's JSON-RPC, whatever the transport; undefined where it has none. */
export function idlOrigin({ rpcUrl }: EndpointProfile): string | undefined {
  return rpcUrl === undefined || !URL.canParse(rpcUrl) ? undefined : new URL(rpcUrl).origin;
}
