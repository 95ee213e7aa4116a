// Addresses of the programs and sysvars the ledger knows by name, and the constants that go with them.
import type { AccountState } from '../types';

export const SYSTEM_PROGRAM = '11111111111111111111111111111111';
export const NATIVE_LOADER = 'NativeLoader1111111111111111111111111111111';
export const BPF_LOADER_1 = 'BPFLoader1111111111111111111111111111111111';
export const BPF_LOADER_2 = 'BPFLoader2111111111111111111111111111111111';
export const BPF_LOADER_UPGRADEABLE = 'BPFLoaderUpgradeab1e11111111111111111111111';
export const LOADER_V4 = 'LoaderV411111111111111111111111111111111111';
export const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
export const TOKEN_2022_PROGRAM = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb';
export const ATA_PROGRAM = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL';
export const MEMO_PROGRAM = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr';
export const MEMO_V1_PROGRAM = 'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo';
/** Where the newest clients look for the memo program. */
export const MEMO_V4_PROGRAM = 'Memo4c2pN8afCj432Lb7RMVKi9PbQnnW7ewFFaV3oAH';
export const COMPUTE_BUDGET_PROGRAM = 'ComputeBudget111111111111111111111111111111';
export const LOOKUP_TABLE_PROGRAM = 'AddressLookupTab1e1111111111111111111111111';
export const STAKE_PROGRAM = 'Stake11111111111111111111111111111111111111';
export const VOTE_PROGRAM = 'Vote111111111111111111111111111111111111111';
export const SYSVAR_OWNER = 'Sysvar1111111111111111111111111111111111111';
export const CONFIG_PROGRAM = 'Config1111111111111111111111111111111111111';
export const STAKE_CONFIG = 'StakeConfig11111111111111111111111111111111';
export const FEATURE_PROGRAM = 'Feature111111111111111111111111111111111111';
export const SYSVAR_RENT = 'SysvarRent111111111111111111111111111111111';
export const SYSVAR_STAKE_HISTORY = 'SysvarStakeHistory1111111111111111111111111';
export const SYSVAR_EPOCH_REWARDS = 'SysvarEpochRewards1111111111111111111111111';
/** Sysvars that an epoch writes; the engine brings them without what was written. */
export const EPOCH_SYSVARS: readonly string[] = [SYSVAR_STAKE_HISTORY, SYSVAR_EPOCH_REWARDS];
export const SYSVAR_CLOCK = 'SysvarC1ock11111111111111111111111111111111';
export const SYSVAR_RECENT_BLOCKHASHES = 'SysvarRecentB1ockHashes11111111111111111111';
export const SYSVAR_SLOT_HISTORY = 'SysvarS1otHistory11111111111111111111111111';
export const SYSVAR_SLOT_HASHES = 'SysvarS1otHashes111111111111111111111111111';

export const TOKEN_PROGRAMS: ReadonlySet<string> = new Set([TOKEN_PROGRAM, TOKEN_2022_PROGRAM]);

export const MEMO_PROGRAMS: ReadonlySet<string> = new Set([MEMO_V1_PROGRAM, MEMO_PROGRAM, MEMO_V4_PROGRAM]);

/** An account that does not exist. */
export const NO_ACCOUNT: AccountState = {
  lamports: 0n,
  owner: SYSTEM_PROGRAM,
  data: new Uint8Array(),
  executable: false,
  rentEpoch: 0n,
};

export const LAMPORTS_PER_SOL = 1_000_000_000n;
export const U64_MAX = 18446744073709551615n;
