// Accounts of the engine as a node has them at genesis: builtin programs by their names, sysvars of their full size that
// pay for it, one account for each active feature, and the accounts of programs that nothing runs any more.
import { newAccount } from './accounts';
import {
  BPF_LOADER_1,
  BPF_LOADER_2,
  BPF_LOADER_UPGRADEABLE,
  CONFIG_PROGRAM,
  FEATURE_PROGRAM,
  NATIVE_LOADER,
  STAKE_CONFIG,
  SYSTEM_PROGRAM,
  SYSVAR_OWNER,
  SYSVAR_RECENT_BLOCKHASHES,
  SYSVAR_STAKE_HISTORY,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  VOTE_PROGRAM,
} from './addresses';
import type { AccountState } from '../types';

/** Where the engine keeps what exists before the first transaction. */
const GENESIS_OWNERS: readonly string[] = [
  NATIVE_LOADER,
  BPF_LOADER_1,
  BPF_LOADER_2,
  BPF_LOADER_UPGRADEABLE,
  SYSVAR_OWNER,
  TOKEN_PROGRAM,
  TOKEN_2022_PROGRAM,
];

/** The engine, as far as it brings accounts and takes others. */
interface EngineAccounts {
  accountsOf(owner: string): readonly (readonly [address: string, account: AccountState])[];
  setAccount(address: string, account: AccountState): void;
  readonly activeFeatures: readonly string[];
}

/** Writes what a node has before anything else, into the accounts and, as far as it counts there, into the engine. */
export function writeNodeAccounts(
  svm: EngineAccounts,
  accounts: { setEverywhere(address: string, account: AccountState): void },
  rent: Rent,
): void {
  for (const owner of GENESIS_OWNERS)
    for (const [address, account] of svm.accountsOf(owner)) {
      const shown = asOnNode(address, account, rent);
      if (shown === undefined) continue;
      // The engine counts the bytes of builtins that a transaction loads too; it keeps sysvars in its own form.
      if (shown !== account && owner === NATIVE_LOADER) svm.setAccount(address, shown);
      accounts.setEverywhere(address, shown);
    }
  for (const [address, account] of addedByNode(svm.activeFeatures, rent)) {
    svm.setAccount(address, account);
    accounts.setEverywhere(address, account);
  }
}

/** Lamports that make an account of so many bytes rent-exempt. */
type Rent = (bytes: number) => bigint;

/** The data of builtins' accounts for which the engine has another name. */
const BUILTIN_NAMES: ReadonlyMap<string, string> = new Map([
  [SYSTEM_PROGRAM, 'system_program'],
  [VOTE_PROGRAM, 'vote_program'],
  [BPF_LOADER_1, 'solana_bpf_loader_deprecated_program'],
]);

/** Sysvars that the engine keeps shorter than a node: the bytes of a full list. */
const SYSVAR_BYTES: ReadonlyMap<string, number> = new Map([
  [SYSVAR_RECENT_BLOCKHASHES, 6_008],
  [SYSVAR_STAKE_HISTORY, 16_392],
]);

/** The sysvar of fees, which nodes no longer write. */
const SYSVAR_FEES = 'SysvarFees111111111111111111111111111111111';

/** The account as a node has it; `undefined` if nodes do not have it. */
function asOnNode(address: string, account: AccountState, rent: Rent): AccountState | undefined {
  if (account.owner === NATIVE_LOADER) {
    const name = BUILTIN_NAMES.get(address);
    return name === undefined ? account : { ...account, data: Buffer.from(name) };
  }
  if (account.owner !== SYSVAR_OWNER) return account;
  if (address === SYSVAR_FEES) return undefined;
  const data = padded(account.data, SYSVAR_BYTES.get(address) ?? account.data.length);
  return { ...account, data, lamports: rent(data.length) };
}

function padded(data: Uint8Array, length: number): Uint8Array {
  const whole = new Uint8Array(length);
  whole.set(data);
  return whole;
}

const NATIVE_MINT = 'So11111111111111111111111111111111111111112';
const NATIVE_DECIMALS = 9;
/** An account of the feature program: active, since slot 0. */
const ACTIVE_SINCE_GENESIS = Uint8Array.of(1, 0, 0, 0, 0, 0, 0, 0, 0);

/** Accounts that the engine lacks. `features` are the addresses of active ones. */
function addedByNode(features: readonly string[], rent: Rent): readonly Placed[] {
  const active = newAccount(FEATURE_PROGRAM, rent(ACTIVE_SINCE_GENESIS.length), ACTIVE_SINCE_GENESIS);
  return [...features.map((feature) => [feature, active] as const), stakeConfig(rent)];
}

type Placed = readonly [address: string, account: AccountState];

/** Accounts that a genesis has even where a file gives others for their addresses. */
export const fixedAccounts = (rent: Rent): readonly Placed[] => [nativeMint(), stakeConfig(rent)];

/** The mint of wrapped SOL as genesis has it: one SOL, nine decimals, no authority. */
function nativeMint(): Placed {
  const data = new Uint8Array(82);
  data[44] = NATIVE_DECIMALS;
  data[45] = 1;
  return [NATIVE_MINT, { lamports: 1_000_000_000n, owner: TOKEN_PROGRAM, data, executable: false, rentEpoch: 1n }];
}

/** No keys, the rate at which stake warms up, and the penalty that nobody pays. */
function stakeConfig(rent: Rent): Placed {
  const data = new Uint8Array(10);
  const view = new DataView(data.buffer);
  view.setFloat64(1, 0.25, true);
  data[9] = 12;
  const lamports = rent(data.length);
  return [STAKE_CONFIG, { lamports, owner: CONFIG_PROGRAM, data, executable: false, rentEpoch: 0n }];
}
