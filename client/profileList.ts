// The endpoint profiles of a window as one list: the user's, the workspace's, the local service's. Pure. A profile read
// from outside is taken apart member by member; nothing unknown passes, and no key ever stands in one.
import { isPlanName } from '../core/limits';
import type { EndpointProfile, PlacedProfile } from '../core/profile';

const URLS = ['rpcUrl', 'wsUrl', 'grpcUrl', 'restUrl', 'dashboardUrl'] as const;
const INTERFACES = ['rpc', 'ws', 'grpc', 'rest', 'swqos'] as const;
const AUTH_FORM = /^(none|bearer|query|path|header:[!#$%&'*+.^_`|~0-9A-Za-z-]+)$/;

/** The profiles in what a setting or a file holds; entries without a name are left out. */
export function readProfiles(value: unknown): readonly EndpointProfile[] {
  return Array.isArray(value) ? value.flatMap((entry) => readProfile(entry) ?? []) : [];
}

function readProfile(value: unknown): EndpointProfile | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const raw = value as Readonly<Record<string, unknown>>;
  const name = raw['name'];
  if (typeof name !== 'string' || name.trim() === '') return undefined;
  const urls = URLS.flatMap((key) => {
    const url = raw[key];
    return typeof url === 'string' && url !== '' ? [[key, url] as const] : [];
  });
  const plan = raw['plan'];
  const variables = raw['variables'];
  const auth = readAuth(raw['auth']);
  return {
    name: name.trim(),
    ...Object.fromEntries(urls),
    ...(typeof plan === 'string' && isPlanName(plan) && { plan }),
    ...(isObject(variables) && { variables }),
    ...(auth !== undefined && { auth }),
  };
}

function readAuth(value: unknown): EndpointProfile['auth'] | undefined {
  if (!isObject(value)) return undefined;
  const forms = INTERFACES.flatMap((key) => {
    const form = value[key];
    return typeof form === 'string' && AUTH_FORM.test(form) ? [[key, form] as const] : [];
  });
  return Object.fromEntries(forms);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Where two bear one name, the first source keeps it: the user's, the local service's, then the workspace's as `name (workspace)`. */
export function mergeProfiles(
  user: readonly EndpointProfile[],
  local: EndpointProfile | undefined,
  workspace: readonly EndpointProfile[],
): readonly PlacedProfile[] {
  const taken = new Set<string>();
  const place = (profile: EndpointProfile, source: PlacedProfile['source']): PlacedProfile => {
    const name = taken.has(profile.name) ? `${profile.name} (${source})` : profile.name;
    taken.add(name);
    return { profile: { ...profile, name }, source };
  };
  return [
    ...user.map((profile) => place(profile, 'user')),
    ...(local === undefined ? [] : [place(local, 'local')]),
    ...workspace.map((profile) => place(profile, 'workspace')),
  ];
}

/**
 * The active profile's name: what the setting says, else what the workspace's file says. Where neither names one it is the
 * local service, else the first. One that is named and not there leaves none: what was meant for it, a transaction for the
 * local ledger among it, goes to no other.
 */
export function activeName(
  profiles: readonly PlacedProfile[],
  setting: string | undefined,
  file: string | undefined,
): string | undefined {
  const named = chosenName(setting, file);
  if (named !== undefined) return profiles.some(({ profile }) => profile.name === named) ? named : undefined;
  const fallback = profiles.find(({ source }) => source === 'local') ?? profiles[0];
  return fallback?.profile.name;
}

/** The name that was chosen, whether it is there or not; undefined where nobody chose. */
export const chosenName = (setting: string | undefined, file: string | undefined): string | undefined =>
  [setting, file].find((name) => name !== undefined && name !== '');
