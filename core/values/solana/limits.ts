// Numbers of the cluster and of its RPC interface that more than one room counts with.

/** Blocks a blockhash is good for, counted from the one it is of (Solana, MAX_PROCESSING_AGE). */
export const BLOCKHASH_BLOCKS = 150;

/** Addresses that one getMultipleAccounts takes (Solana RPC). */
export const MULTIPLE_ACCOUNTS = 100;
