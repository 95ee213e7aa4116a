// Endpoint profiles: where an endpoint's interfaces are and how a key travels there. Never a key.
import type { AuthForm } from '../keys/authForm';
import type { KeyType } from '../errors';
import type { PlanName } from './planLimits';
import { isJsonObject, parseJson, type JsonValue } from '../../solana/json/json';

export type Interface = 'rpc' | 'ws' | 'grpc' | 'rest' | 'swqos';

/** The profile of the local service. */
export const LOCAL_PROFILE = 'local';

/** The member of a profile that has the URL of an interface. */
export const URL_OF = {
  rpc: 'rpcUrl',
  ws: 'wsUrl',
  grpc: 'grpcUrl',
  rest: 'restUrl',
  swqos: 'swqosUrl',
} as const satisfies Readonly<Record<Interface, keyof EndpointProfile>>;

/** Compressions that an endpoint may use for gRPC stream messages, named as in `grpc-accept-encoding`; or `none`. */
export const GRPC_COMPRESSIONS = ['none', 'gzip', 'zstd'] as const;
export type GrpcCompression = (typeof GRPC_COMPRESSIONS)[number];

/**
 * URLs are complete and used as they are, with `{key}` where a key goes into one; `restUrl` is the base of `/v1/usage`.
 * Without `swqosUrl` priority sends go to `rpcUrl`.
 */
export interface EndpointProfile {
  readonly name: string;
  readonly rpcUrl?: string;
  readonly wsUrl?: string;
  readonly grpcUrl?: string;
  readonly restUrl?: string;
  readonly swqosUrl?: string;
  readonly dashboardUrl?: string;
  readonly plan?: PlanName;
  /** Method packs that it serves, by name (core/requests/methods/packs); names that are not known count for nothing. */
  readonly packs?: readonly string[];
  /** Default: none. The header `grpc-accept-encoding` of a request outranks it. */
  readonly grpcCompression?: GrpcCompression;
  /** A JSON object as text: crosses processes and bundles with every digit. Read with `variablesOf`. */
  readonly variables?: string;
  readonly auth?: Readonly<Partial<Record<Interface, AuthForm>>>;
  /** Of the local service: changes when it begins with a new ledger, which knows none of the old transactions. */
  readonly ledger?: string;
}

/** Who wrote a profile: only a user's own (settings, commands, command line) may say how a stored key is passed. */
export type ProfileSource = 'user' | 'workspace' | 'local';

/** A mistake in a profile, for people. Never repeats a value: it may be a key in the wrong place. */
export interface ProfileFault {
  /** Names the member, such as `auth.rpc`. */
  readonly message: string;
  readonly hint: string;
  /** The settings hold a number that the editor rounded: writing them back would keep the rounded one. */
  readonly isRounded?: true;
}

export interface PlacedProfile {
  readonly profile: EndpointProfile;
  readonly source: ProfileSource;
  /** Why nothing is sent to it; absent from a sound profile. */
  readonly fault?: ProfileFault;
}

/**
 * How a stored key travels to an interface, as it was when the key was saved; a workspace has no say in it. `url` has the
 * `{key}` of the form `path`.
 */
export interface KeyWay {
  readonly auth: AuthForm;
  readonly url?: string;
}

/** One stored key must fit exactly this: type, profile name and origin (scheme, host, port). */
export interface KeyQuery {
  readonly type: KeyType;
  readonly profile: string;
  readonly origin: string;
  readonly interface: Interface;
  readonly label?: string;
}

/** An environment of a project: variables, and the endpoint that goes with them. */
export interface Environment {
  readonly name: string;
  readonly endpoint?: string;
  /** A JSON object as text, as in a profile. */
  readonly variables: string;
}

/** The variables of a profile, with their digits. */
export const variablesOf = (placed: Pick<PlacedProfile, 'profile'> | undefined): ReadonlyMap<string, JsonValue> =>
  variablesIn(placed?.profile.variables);

/** Variables as they cross processes; none where there is no text. */
export function variablesIn(text: string | undefined): ReadonlyMap<string, JsonValue> {
  const variables = text === undefined ? undefined : parseJson(text);
  return new Map(isJsonObject(variables) ? Object.entries(variables) : []);
}
