// The answer to a simulation in the form of a transaction that landed.
import { member, type JsonObject } from '../../json/json';

/** Members of a simulation that a landed transaction's meta names otherwise. */
const META_NAMES: readonly (readonly [simulated: string, meta: string])[] = [
  ['logs', 'logMessages'],
  ['unitsConsumed', 'computeUnitsConsumed'],
];

/** The result of a simulation in the form of a landed transaction's meta. */
export function landedMeta(run: JsonObject): JsonObject {
  const renamed = META_NAMES.flatMap(([simulated, meta]) => {
    const value = member(run, simulated);
    return value === undefined || value === null ? [] : [[meta, value] as const];
  });
  return { ...run, ...Object.fromEntries(renamed) };
}
