// Sets the limits of a transaction by what its simulation used.
import { MAX_COMPUTE_UNITS, MAX_LOADED_BYTES } from '../../solana/chain/limits';

/** Compute units beyond a tenth more: state may differ when it lands. */
const SPARE_UNITS = 1_000n;
/** Loaded account data is charged for by pages of this size (Agave, "loaded accounts data size"). Bytes. */
const PAGE_BYTES = 32_768n;

/** Compute units. */
export const unitLimitFor = (used: bigint): number =>
  Math.min(MAX_COMPUTE_UNITS, Number(used + used / 10n + SPARE_UNITS));

/** Bytes, in whole pages. */
export const loadedLimitFor = (used: bigint): number =>
  Math.min(MAX_LOADED_BYTES, Number(((used + PAGE_BYTES - 1n) / PAGE_BYTES) * PAGE_BYTES));
