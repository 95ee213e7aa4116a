// Compute units that no log line says: what the runtime charges for programs that are part of it, and for a larger heap.

/** Those of them that count as programs of the runtime where a transaction asks for no limit (Agave, `builtins-default-costs`). */
export const BUILTIN_PRECOMPILES: ReadonlySet<string> = new Set([
  'Ed25519SigVerify111111111111111111111111111',
  'KeccakSecp256k11111111111111111111111111111',
]);

/** For each instruction of a program of the runtime (Agave, `DEFAULT_COMPUTE_UNITS` of each). */
export const BUILTIN_UNITS: ReadonlyMap<string, bigint> = new Map([
  ['11111111111111111111111111111111', 150n],
  ['ComputeBudget111111111111111111111111111111', 150n],
  ['Vote111111111111111111111111111111111111111', 2_100n],
  ['BPFLoader1111111111111111111111111111111111', 1_140n],
  ['BPFLoader2111111111111111111111111111111111', 570n],
  ['BPFLoaderUpgradeab1e11111111111111111111111', 2_370n],
  ['LoaderV411111111111111111111111111111111111', 2_000n],
]);

/** How a program fails that had too few compute units left; what it took of them no log says. */
export const OUT_OF_UNITS = 'Computational budget exceeded';

const HEAP_PAGE = 32_768n;
const UNITS_PER_PAGE = 8n;

/**
 * Compute units that each call of a deployed program costs before it runs, for a heap of so many bytes; its log line leaves
 * them out (Agave, `calculate_heap_cost`).
 */
export const heapUnits = (bytes: bigint): bigint =>
  bytes <= HEAP_PAGE ? 0n : ((bytes - 1n) / HEAP_PAGE) * UNITS_PER_PAGE;
