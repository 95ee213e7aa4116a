// Endpoint profiles: where an endpoint's interfaces are and how a key travels there. Never a key.
import type { KeyType } from './errors';
import type { PlanName } from './limits';

/** How a key is passed: the Authorization header, the api_key query parameter, a header by name, in the path, or not at all. */
export type AuthForm = 'none' | 'bearer' | 'query' | 'path' | `header:${string}`;

export type Interface = 'rpc' | 'ws' | 'grpc' | 'rest';

/** URLs are complete and used as they are; `restUrl` is the base of `/v1/usage`. */
export interface EndpointProfile {
  readonly name: string;
  readonly rpcUrl?: string;
  readonly wsUrl?: string;
  readonly grpcUrl?: string;
  readonly restUrl?: string;
  readonly dashboardUrl?: string;
  readonly plan?: PlanName;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly auth?: Readonly<Partial<Record<Interface | 'swqos', AuthForm>>>;
}

/** Who wrote a profile: only a user's own (settings, commands, command line) may say how a stored key is passed. */
export type ProfileSource = 'user' | 'workspace' | 'local';

export interface PlacedProfile {
  readonly profile: EndpointProfile;
  readonly source: ProfileSource;
}

/** One stored key must fit exactly this: type, profile name and origin (scheme, host, port). */
export interface KeyQuery {
  readonly type: KeyType;
  readonly profile: string;
  readonly origin: string;
  readonly interface: Interface;
  readonly label?: string;
}
