// The endpoint profiles as the server reads them from the window.
import type { PlacedProfile } from '../core/profile';
import { parseJson, type JsonValue } from '../core/values/json';
import type { Window } from './window';

/** The endpoint a request names, else the active one; undefined where there is none of that name. */
export function profileNamed(window: Window, name: string | undefined): PlacedProfile | undefined {
  const wanted = name ?? window.state.endpoint;
  return window.state.profiles.find(({ profile }) => profile.name === wanted);
}

/** The variables of an endpoint's profile; their numbers are those of the settings, which are doubles. */
export function profileVariables(window: Window, name: string | undefined): ReadonlyMap<string, JsonValue> {
  const variables = profileNamed(window, name)?.profile.variables ?? {};
  return new Map(Object.entries(variables).map(([key, value]) => [key, parseJson(JSON.stringify(value ?? null))]));
}
