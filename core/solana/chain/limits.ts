// Numbers of the cluster and of its RPC interface that more than one room counts with.

/** Blocks a blockhash is good for, counted from the one it is of (Solana, MAX_PROCESSING_AGE). */
export const BLOCKHASH_BLOCKS = 150;

/** The most compute units of one transaction; a higher limit counts as this (Agave, `MAX_COMPUTE_UNIT_LIMIT`). */
export const MAX_COMPUTE_UNITS = 1_400_000;

/** The most account data that a transaction may load (Agave, "loaded accounts data size"). Bytes. */
export const MAX_LOADED_BYTES = 64 * 1024 * 1024;

/** Compute units that an instruction gets where its transaction asks for no limit (Agave, `DEFAULT_INSTRUCTION_COMPUTE_UNIT_LIMIT`). */
export const INSTRUCTION_COMPUTE_UNITS = 200_000;

/** Addresses that one getMultipleAccounts takes (Solana RPC). */
export const MULTIPLE_ACCOUNTS = 100;
