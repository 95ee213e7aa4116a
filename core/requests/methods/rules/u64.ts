// Reads unsigned 64-bit integers out of parameters.
import { integerOf, type JsonValue } from '../../../solana/json/json';

const U64_MAX = 2n ** 64n - 1n;

/** A 64-bit integer; undefined if invalid (already reported). */
export function checkedU64(value: JsonValue | undefined): bigint | undefined {
  const integer = integerOf(value);
  return integer !== undefined && integer >= 0n && integer <= U64_MAX ? integer : undefined;
}
