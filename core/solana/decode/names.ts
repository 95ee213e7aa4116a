// Names of an IDL as people write them: snake_case and camelCase are one name.
import { nearestNames } from '../common/nearest';

/** The same for all spellings of a name. */
export const plainName = (name: string): string => name.replace(/_/g, '').toLowerCase();

/** `byAmount` is `by_amount`. */
export const sameName = (a: string, b: string): boolean => a === b || plainName(a) === plainName(b);

/** The name closest to an unknown one. */
export function nearestName(name: string, names: readonly string[]): string | undefined {
  const [near] = nearestNames(plainName(name), names.map(plainName), 1);
  return names.find((one) => plainName(one) === near);
}

/** The one of some named things with this name. */
export const withName = <T extends { readonly name: string }>(all: readonly T[], name: string): T | undefined =>
  all.find((one) => one.name === name) ?? all.find((one) => sameName(one.name, name));
