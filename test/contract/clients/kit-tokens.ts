// Mints and holdings for the tests with @solana/kit, by the token program's own generated client.
import { generateKeyPairSigner, type Address, type Signature } from '@solana/kit';
import { getCreateAccountInstruction } from '@solana-program/system';
import {
  TOKEN_PROGRAM_ADDRESS,
  findAssociatedTokenPda,
  getCreateAssociatedTokenIdempotentInstructionAsync,
  getInitializeMint2Instruction,
  getMintSize,
  getMintToInstruction,
} from '@solana-program/token';
import type { Kit } from './kit-harness';

/** A mint whose authorities are the payer's. */
export async function newMint(kit: Kit, decimals: number): Promise<Address> {
  const mint = await generateKeyPairSigner();
  const space = BigInt(getMintSize());
  const { address } = kit.payer;
  await kit.send([
    getCreateAccountInstruction({
      payer: kit.payer,
      newAccount: mint,
      lamports: await kit.rpc.getMinimumBalanceForRentExemption(space).send(),
      space,
      programAddress: TOKEN_PROGRAM_ADDRESS,
    }),
    getInitializeMint2Instruction({ mint: mint.address, decimals, mintAuthority: address, freezeAuthority: address }),
  ]);
  return mint.address;
}

/** The associated account of a wallet, made by the payer. */
export async function newHolder(kit: Kit, mint: Address, owner: Address): Promise<Address> {
  await kit.send([await getCreateAssociatedTokenIdempotentInstructionAsync({ payer: kit.payer, owner, mint })]);
  const [holder] = await findAssociatedTokenPda({ mint, owner, tokenProgram: TOKEN_PROGRAM_ADDRESS });
  return holder;
}

export function mintMore(kit: Kit, mint: Address, token: Address, amount: bigint): Promise<Signature> {
  return kit.send([getMintToInstruction({ mint, token, mintAuthority: kit.payer, amount })]);
}
