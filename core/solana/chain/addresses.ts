// Well-known addresses and their names. Facts of mainnet unless a cluster is named; a local ledger has few of them.
import { known } from '../common/known';

export type AddressKind = 'program' | 'sysvar' | 'mint' | 'account' | 'tip-account';

export interface KnownAddress {
  /** Base58 of 32 bytes. */
  readonly address: string;
  readonly name: string;
  readonly kind: AddressKind;
  /** For a mint: its symbol and decimals. */
  readonly symbol?: string;
  readonly decimals?: number;
  /** The cluster, if not mainnet. */
  readonly cluster?: 'devnet';
}

type Row = readonly [address: string, name: string];

const of = (kind: AddressKind, rows: readonly Row[]): readonly KnownAddress[] =>
  rows.map(([address, name]) => ({ address, name, kind }));

/** Programs that verify signatures: they log nothing, and cost a fee in place of compute units. */
export const PRECOMPILES: ReadonlySet<string> = new Set([
  'Ed25519SigVerify111111111111111111111111111',
  'KeccakSecp256k11111111111111111111111111111',
  'Secp256r1SigVerify1111111111111111111111111',
]);

/** Asks the runtime for limits and a priority fee; without effect in version 1 (SIMD-0385). */
export const COMPUTE_BUDGET_PROGRAM = 'ComputeBudget111111111111111111111111111111';

export const SYSTEM_PROGRAM = '11111111111111111111111111111111';
export const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
export const TOKEN_2022_PROGRAM = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb';
export const ASSOCIATED_TOKEN_PROGRAM = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL';
export const MEMO_PROGRAM = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr';
export const MEMO_V1_PROGRAM = 'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo';

const PROGRAMS: readonly Row[] = [
  [SYSTEM_PROGRAM, 'System Program'],
  ['Vote111111111111111111111111111111111111111', 'Vote Program'],
  ['Stake11111111111111111111111111111111111111', 'Stake Program'],
  ['Config1111111111111111111111111111111111111', 'Config Program'],
  [COMPUTE_BUDGET_PROGRAM, 'Compute Budget Program'],
  ['AddressLookupTab1e1111111111111111111111111', 'Address Lookup Table Program'],
  ['NativeLoader1111111111111111111111111111111', 'Native Loader'],
  ['BPFLoader1111111111111111111111111111111111', 'BPF Loader (deprecated)'],
  ['BPFLoader2111111111111111111111111111111111', 'BPF Loader 2'],
  ['BPFLoaderUpgradeab1e11111111111111111111111', 'BPF Upgradeable Loader'],
  ['LoaderV411111111111111111111111111111111111', 'Loader v4'],
  ['Ed25519SigVerify111111111111111111111111111', 'Ed25519 Precompile'],
  ['KeccakSecp256k11111111111111111111111111111', 'Secp256k1 Precompile'],
  ['Secp256r1SigVerify1111111111111111111111111', 'Secp256r1 Precompile'],
  ['ZkE1Gama1Proof11111111111111111111111111111', 'ZK ElGamal Proof Program'],
  ['Feature111111111111111111111111111111111111', 'Feature Program'],
  ['Sysvar1111111111111111111111111111111111111', 'Sysvar owner'],
  [TOKEN_PROGRAM, 'SPL Token Program'],
  [TOKEN_2022_PROGRAM, 'Token-2022 Program'],
  [ASSOCIATED_TOKEN_PROGRAM, 'Associated Token Account Program'],
  [MEMO_PROGRAM, 'Memo Program v2'],
  [MEMO_V1_PROGRAM, 'Memo Program v1'],
  ['ProgM6JCCvbYkfKqJYHePx4xxSUSqJp7rh8Lyv7nk7S', 'Program Metadata Program'],
  ['namesLPneVptA9Z5rqUDD9tMTWEJwofgaYwp8cawRkX', 'SPL Name Service'],
  ['SPoo1Ku8WFXoNDMHPsrGSTSG1Y47rzgn41SLUNakuHy', 'SPL Stake Pool'],
  ['SVSPxpvHdN29nkVg9rPapPNDddN5DipNLRUFhyjFThE', 'SPL Single-Validator Pool'],
  ['GovER5Lthms3bLBqWub97yVrMmEogzX7xNjdXpPPCVZw', 'SPL Governance'],
  ['cmtDvXumGCrqC1Age74AVPhSRVXJMd8PJS91L8KbNCK', 'SPL Account Compression'],
  ['noopb9bkMVfRPU8AsbpTUg8AQkHtKwMYZiFUjNRtMmV', 'SPL Noop'],
  ['metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s', 'Metaplex Token Metadata'],
  ['BGUMAp9Gq7iTEuizy4pqaxsTyUCBK68MDfK752saRPUY', 'Metaplex Bubblegum'],
  ['CoREENxT6tW1HoK8ypY1SxRMZTcVPm7R94rH4PZNhX7d', 'Metaplex Core'],
  ['CndyV3LdqHUfDLmE5naZjVN8rBZz4tqhdefbAnjHG3JR', 'Metaplex Candy Machine v3'],
  ['JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4', 'Jupiter Aggregator v6'],
  ['675kPX9MHTjS2zt1qfr1NYHuzeLXfQM9H24wFSUt1Mp8', 'Raydium AMM v4'],
  ['CAMMCzo5YL8w4VFF8KVHrK22GGUsp5VTaW7grrKgrWqK', 'Raydium CLMM'],
  ['CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C', 'Raydium CPMM'],
  ['whirLbMiicVdio4qvUfM5KAg6Ct8VwpYzGff3uctyCc', 'Orca Whirlpools'],
  ['LBUZKhRxPF3XUpBCjp4YzTKgLccjZhTSDM9YuVaPwxo', 'Meteora DLMM'],
  ['srmqPvymJeFKQ4zGQed1GFppgkRHL9kaELCbyksJtPX', 'OpenBook v1'],
  ['PhoeNiXZ8ByJGLkxNfZRnkUfjvmuYqLR89jjFHGqdXY', 'Phoenix'],
  ['6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P', 'pump.fun'],
  ['pAMMBay6oceH9fJKBRHGP5D4bD4sWpmSwMn52FMfXEA', 'PumpSwap AMM'],
  ['MarBmsSgKXdrN1egZf5sqe1TMai9K1rChYNDJgjq7aD', 'Marinade Finance'],
  ['KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD', 'Kamino Lend'],
  ['dRiftyHA39MWEi3m9aunc5MzRF1JYuBsbn6VPcn33UH', 'Drift Protocol v2'],
  ['SQDS4ep65T869zMMBKyuUq6aD6EgTu8psMjkvj52pCf', 'Squads v4'],
  ['rec5EKMGg6MxZYaMdyBfgwp4d5rB9T1VQH5pJv5LtFJ', 'Pyth Solana Receiver'],
  ['SW1TCH7qEPTdLsDHRgPuMQjbQxKdH2aBStViMFnt64f', 'Switchboard v2'],
  ['worm2ZoG2kUd4vFXhvjh93UUH596ayRfgQ2MgjNMTth', 'Wormhole Core Bridge'],
  ['T1pyyaTNZsKv2WcRAB8oVnk93mLJw2XzjtVYqCsaHqt', 'Jito Tip Payment Program'],
];

const SYSVARS: readonly Row[] = [
  ['SysvarC1ock11111111111111111111111111111111', 'Sysvar: Clock'],
  ['SysvarRent111111111111111111111111111111111', 'Sysvar: Rent'],
  ['SysvarEpochSchedu1e111111111111111111111111', 'Sysvar: EpochSchedule'],
  ['SysvarEpochRewards1111111111111111111111111', 'Sysvar: EpochRewards'],
  ['Sysvar1nstructions1111111111111111111111111', 'Sysvar: Instructions'],
  ['SysvarLastRestartS1ot1111111111111111111111', 'Sysvar: LastRestartSlot'],
  ['SysvarRecentB1ockHashes11111111111111111111', 'Sysvar: RecentBlockhashes (deprecated)'],
  ['SysvarS1otHashes111111111111111111111111111', 'Sysvar: SlotHashes'],
  ['SysvarS1otHistory11111111111111111111111111', 'Sysvar: SlotHistory'],
  ['SysvarStakeHistory1111111111111111111111111', 'Sysvar: StakeHistory'],
  ['SysvarRewards111111111111111111111111111111', 'Sysvar: Rewards (deprecated)'],
];

const ACCOUNTS: readonly Row[] = [
  ['StakeConfig11111111111111111111111111111111', 'Stake Config'],
  ['1nc1nerator11111111111111111111111111111111', 'Incinerator'],
  ['Va1idator1nfo111111111111111111111111111111', 'Validator Info key'],
];

const TIP_ACCOUNTS: readonly Row[] = [
  ['96gYZGLnJYVFmbjzopPSU6QiEV5fGqZNyN9nmNhvrZU5', 'Jito tip account'],
  ['HFqU5x63VTqvQss8hp11i4wVV8bD44PvwucfZ2bU7gRe', 'Jito tip account'],
  ['Cw8CFyM9FkoMi7K7Crf6HNQqf4uEMzpKw6QNghXLvLkY', 'Jito tip account'],
  ['ADaUMid9yfUytqMBgopwjb2DTLSokTSzL1zt6iGPaS49', 'Jito tip account'],
  ['DfXygSm4jCyNCybVYYK6DwvWqjKee8pbDmJGcLWNDXjh', 'Jito tip account'],
  ['ADuUkR4vqLUMWXxW9gh6D6L8pMSawimctcNZ5pGwDcEt', 'Jito tip account'],
  ['DttWaMuVvTiduZRnguLF7jNxTgiMBZ1hyAumKUiL2KRL', 'Jito tip account'],
  ['3AVi9Tg9Uo68tJfuvoKvqKNWKkC5wPdSSdeBnizKZ6jT', 'Jito tip account'],
];

/** Mainnet's; a mint of another cluster says so. */
const MINTS: readonly (readonly [...Row, symbol: string, decimals: number, cluster?: 'devnet'])[] = [
  ['So11111111111111111111111111111111111111112', 'Wrapped SOL (native mint)', 'WSOL', 9],
  ['9pan9bMn5HatX4EJdBwg9VgCa7Uz5HL8N1m5D3NdXejP', 'Wrapped SOL (Token-2022 native mint)', 'WSOL-2022', 9],
  ['EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', 'USD Coin (mainnet)', 'USDC', 6],
  ['4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU', 'USD Coin (devnet)', 'USDC', 6, 'devnet'],
  ['Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB', 'Tether USD', 'USDT', 6],
  ['2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo', 'PayPal USD', 'PYUSD', 6],
  ['HzwqbKZw8HxMN6bF2yFZNrht3c2iXXzpKcFu7uBEDKtr', 'Euro Coin', 'EURC', 6],
  ['mSoLzYCxHdYgdzU16g5QSh3i5K3z3KZK7ytfqcJm7So', 'Marinade staked SOL', 'mSOL', 9],
  ['J1toso1uCk3RLmjorhTtrVwY9HJ7X8V9yYac6Y7kGCPn', 'Jito staked SOL', 'JitoSOL', 9],
  ['DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263', 'Bonk', 'BONK', 5],
  ['JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN', 'Jupiter', 'JUP', 6],
  ['jtojtomepa8beP8AuQc6eXt5FriJwfFMwQx2v2f9mCL', 'Jito', 'JTO', 9],
  ['HZ1JovNiVvGrGNiiYvEozEVgZ58xaU3RKwX8eACQBCt3', 'Pyth Network', 'PYTH', 6],
  ['4k3Dyjzvzp8eMZWUXbBCjEvwSkkk59S5iCNLY3QrkX6R', 'Raydium', 'RAY', 6],
  ['EKpQGSJtjMFqKZ9KQanSqYXRcF8fBopzLHYxdM65zcjm', 'dogwifhat', 'WIF', 6],
  ['7vfCXTUXx5WJV5JADk17DUJ4ksgau7utNKj4b963voxs', 'Ether (Portal)', 'ETH', 8],
  ['3NZ9JMVBmGAqocybic2c7LQCJScmgsAZ6vQqTDzcqmJh', 'Wrapped BTC (Portal)', 'WBTC', 8],
];

export const KNOWN_ADDRESSES: readonly KnownAddress[] = [
  ...of('program', PROGRAMS),
  ...of('sysvar', SYSVARS),
  ...MINTS.map(([address, name, symbol, decimals, cluster]): KnownAddress =>
    known({ address, name, kind: 'mint', symbol, decimals, cluster }),
  ),
  ...of('account', ACCOUNTS),
  ...of('tip-account', TIP_ACCOUNTS),
];

const byAddress = new Map(KNOWN_ADDRESSES.map((one) => [one.address, one]));

export function knownAddress(address: string): KnownAddress | undefined {
  return byAddress.get(address);
}

/** The name of a known address. */
export function addressName(address: string): string | undefined {
  return byAddress.get(address)?.name;
}
