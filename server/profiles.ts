// The endpoint profiles as the server reads them from the window.
import { variablesIn, variablesOf, type PlacedProfile } from '../core/service/profiles/profile';
import { isPackId, type PackId } from '../core/service/providers/packIds';
import type { JsonValue } from '../core/solana/json/json';
import type { Window } from './window';

/** The endpoint a request names, else the active one; undefined if it does not exist. */
export function profileNamed(window: Window, name: string | undefined): PlacedProfile | undefined {
  const wanted = name ?? window.state.endpoint;
  return window.state.profiles.find(({ profile }) => profile.name === wanted);
}

/** The method packs that the window's settings and files ask for. */
export const packsOf = ({ state: { packs } }: Window): readonly PackId[] => packs.filter(isPackId);

/** The variables of the chosen environment. */
export const environmentVariables = ({ state }: Window): ReadonlyMap<string, JsonValue> =>
  variablesIn(state.environment);

/** The variables of an endpoint's profile. */
export const profileVariables = (window: Window, name: string | undefined): ReadonlyMap<string, JsonValue> =>
  variablesOf(profileNamed(window, name));
