// The accounts that a ledger begins with, besides those of the engine: the validator with its vote account and stake, the
// faucet, the wallet, and the programs and accounts given at the start.
import { newAccount } from '../accounts/accounts';
import { LAMPORTS_PER_SOL, STAKE_PROGRAM, SYSTEM_PROGRAM, VOTE_PROGRAM } from '../accounts/addresses';
import { LedgerInputError } from '../errors';
import { keypairFromSeed, type Keypair } from '../wallets/keys';
import { fixedAccounts } from '../accounts/nodeAccounts';
import type { LedgerState } from '../state';
import { genesisStakeData } from '../accounts/stakeState';
import type { AccountState } from '../types';
import type { LedgerOptions } from '../ledger';
import { newVoteData } from '../accounts/voteState';

const WALLET_SOL = 1000n;
const IDENTITY_SOL = 500n;
/** Of the stake, and of the vote account as well, as a validator for tests begins. */
const STAKE_SOL = 1_000_000n;
/** Of an address named as the mint. */
const MINT_SOL = 500_000_000n;
const FAUCET_SOL = 500_000_000n;

/** The keys of a ledger's own accounts. */
export interface GenesisKeys {
  readonly wallet: Keypair;
  readonly faucet: Keypair;
  readonly identity: Keypair;
  readonly vote: Keypair;
  readonly stake: Keypair;
}

export function genesisKeys(bytes: (name: string) => Uint8Array, faucetSeed: Uint8Array | undefined): GenesisKeys {
  const key = (name: string): Keypair => keypairFromSeed(bytes(name));
  return {
    wallet: key('wallet'),
    faucet: faucetSeed === undefined ? key('faucet') : keypairFromSeed(faucetSeed),
    identity: key('identity'),
    vote: key('vote account'),
    stake: key('stake account'),
  };
}

/** Writes the accounts. Rejects with LedgerInputError for an account that the engine refuses. */
export async function writeGenesis(state: LedgerState, keys: GenesisKeys, options: LedgerOptions): Promise<void> {
  const { wallet, faucet, identity, vote, stake } = keys;
  const funded = (lamports: bigint): AccountState => newAccount(SYSTEM_PROGRAM, lamports);
  const staked = STAKE_SOL * LAMPORTS_PER_SOL;
  const { rent } = state;
  state.overwrite(wallet.address, funded(WALLET_SOL * LAMPORTS_PER_SOL));
  state.overwrite(faucet.address, funded(options.faucetLamports ?? FAUCET_SOL * LAMPORTS_PER_SOL));
  for (const [address, content] of options.accounts ?? [])
    write(
      state,
      address,
      content,
      `The engine refuses the account ${address}: its data is not what its owner keeps there.`,
    );
  for (const program of options.programs ?? []) {
    const { programAccounts } = await import('./genesisProgram');
    for (const [address, content] of programAccounts(program, rent))
      write(state, address, content, `The engine refuses the program ${program.name}: it is not a runnable program.`);
  }
  // As at a validator's genesis, its own accounts take the place of any that a file gives for the same address.
  if (options.mint !== undefined) state.overwrite(options.mint, funded(MINT_SOL * LAMPORTS_PER_SOL));
  state.overwrite(identity.address, funded(IDENTITY_SOL * LAMPORTS_PER_SOL));
  state.overwrite(vote.address, newAccount(VOTE_PROGRAM, staked, newVoteData(identity.address, vote.address)));
  const delegation = { voter: vote.address, lamports: staked, rent };
  state.overwrite(stake.address, newAccount(STAKE_PROGRAM, staked, genesisStakeData(stake.address, delegation)));
  for (const [address, content] of fixedAccounts(rent)) state.overwrite(address, content);
}

function write(state: LedgerState, address: string, content: AccountState, refused: string): void {
  try {
    state.overwrite(address, content);
  } catch {
    throw new LedgerInputError(refused);
  }
}
