// Token program instructions for the contract tests, written from the programs' own layouts.
import { createHash } from 'node:crypto';
import type { Keypair } from '../../../localnet/ledger/wallets/keys';
import { ATA, SYSTEM, TOKEN, bytesOf, createAccount, u64, type Bench, type Instruction } from './rpc-harness';
import { encodeBase58 } from '../../../core/solana/encoding/base58';

/** Lamports that are enough for a mint and for a token account on either chain. */
export const MINT_RENT = 1_461_600n;
export const ACCOUNT_RENT = 2_039_280n;

const key = (address: string, writable = false, signer = false): Instruction['accounts'][number] => ({
  address,
  writable,
  signer,
});

export function initializeMint(mint: string, decimals: number, authority: string, freeze?: string): Instruction {
  const tail = freeze === undefined ? [Uint8Array.of(0)] : [Uint8Array.of(1), bytesOf(freeze)];
  return {
    program: TOKEN,
    accounts: [key(mint, true)],
    data: Buffer.concat([Uint8Array.of(20, decimals), bytesOf(authority), ...tail]),
  };
}

export function initializeAccount(account: string, mint: string, owner: string, program = TOKEN): Instruction {
  return {
    program,
    accounts: [key(account, true), key(mint)],
    data: Buffer.concat([Uint8Array.of(18), bytesOf(owner)]),
  };
}

export function mintTo(mint: string, account: string, authority: string, amount: bigint): Instruction {
  return {
    program: TOKEN,
    accounts: [key(mint, true), key(account, true), key(authority, false, true)],
    data: Buffer.concat([Uint8Array.of(7), u64(amount)]),
  };
}

interface CheckedTransfer {
  readonly from: string;
  readonly mint: string;
  readonly to: string;
  readonly owner: string;
}

export function transferChecked(
  { from, mint, to, owner }: CheckedTransfer,
  amount: bigint,
  decimals: number,
): Instruction {
  return {
    program: TOKEN,
    accounts: [key(from, true), key(mint), key(to, true), key(owner, false, true)],
    data: Buffer.concat([Uint8Array.of(12), u64(amount), Uint8Array.of(decimals)]),
  };
}

export function approve(account: string, delegate: string, owner: string, amount: bigint): Instruction {
  return {
    program: TOKEN,
    accounts: [key(account, true), key(delegate), key(owner, false, true)],
    data: Buffer.concat([Uint8Array.of(4), u64(amount)]),
  };
}

export function freezeAccount(account: string, mint: string, authority: string): Instruction {
  return {
    program: TOKEN,
    accounts: [key(account, true), key(mint), key(authority, false, true)],
    data: Uint8Array.of(10),
  };
}

export function createAta(payer: string, ata: string, owner: string, mint: string): Instruction {
  return {
    program: ATA,
    accounts: [key(payer, true, true), key(ata, true), key(owner), key(mint), key(SYSTEM), key(TOKEN)],
    data: Uint8Array.of(1),
  };
}

/** Candidates for the associated token account, best first: the test need not know which ones lie off the curve. Half of all do. */
export function ataCandidates(owner: string, mint: string, count = 64): string[] {
  return Array.from({ length: count }, (_, i) => {
    const hash = createHash('sha256');
    for (const seed of [owner, TOKEN, mint]) hash.update(bytesOf(seed));
    hash
      .update(Uint8Array.of(255 - i))
      .update(bytesOf(ATA))
      .update('ProgramDerivedAddress');
    return encodeBase58(hash.digest());
  });
}

/** A mint with `decimals`, whose authority is the wallet. */
export async function newMint(bench: Bench, mint: Keypair, decimals: number): Promise<void> {
  const { address } = bench.wallet;
  await bench.send(
    [
      createAccount(address, mint.address, { lamports: MINT_RENT, space: 82, owner: TOKEN }),
      initializeMint(mint.address, decimals, address, address),
    ],
    [bench.wallet, mint],
  );
}

/** A token account of `owner` with `amount` minted into it. */
export async function newHolding(
  bench: Bench,
  account: Keypair,
  { mint, owner, amount }: { readonly mint: string; readonly owner: string; readonly amount: bigint },
): Promise<string> {
  const { address } = bench.wallet;
  return bench.send(
    [
      createAccount(address, account.address, { lamports: ACCOUNT_RENT, space: 165, owner: TOKEN }),
      initializeAccount(account.address, mint, owner),
      mintTo(mint, account.address, address, amount),
    ],
    [bench.wallet, account],
  );
}
