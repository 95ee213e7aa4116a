// Which endpoint of a window is active. Pure; the list itself is made by core/service/profiles/profileReader.ts.
import type { PlacedProfile } from '../../core/service/profiles/profile';

/**
 * The active profile's name: the one chosen in the window or by the setting, else by the workspace's file, else the local
 * service, else the first. If the chosen one does not exist, none is active: what was meant for it, such as a transaction
 * for the local ledger, goes to no other.
 */
export function activeName(
  profiles: readonly PlacedProfile[],
  chosen: string | undefined,
  file: string | undefined,
): string | undefined {
  const named = chosenName(chosen, file);
  if (named !== undefined) return profiles.some(({ profile }) => profile.name === named) ? named : undefined;
  const fallback = profiles.find(({ source }) => source === 'local') ?? profiles[0];
  return fallback?.profile.name;
}

/** The first that names an endpoint, present or not. */
export const chosenName = (...names: readonly (string | undefined)[]): string | undefined =>
  names.find((name) => name !== undefined && name !== '');
