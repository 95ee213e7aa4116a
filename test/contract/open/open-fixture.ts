// A ledger with everything that the methods report, made through the public clients: money sent, a mint with an account
// and a delegate, a lookup table. All of it is final.
import { createApproveInstruction, createMint, getOrCreateAssociatedTokenAccount, mintTo } from '@solana/spl-token';
import {
  ComputeBudgetProgram,
  Keypair,
  SystemProgram,
  Transaction,
  TransactionMessage,
  VersionedTransaction,
  type Connection,
  type PublicKey,
} from '@solana/web3.js';
import type { Subjects } from '../../corpus/methods/method';
import { call, connectionTo, startOpen, type OpenLocalnet } from './open-harness';
import { disconnect, finalize, memo, send } from '../clients/web3-harness';

export interface Fixture {
  /** Subjects of the calls in the rows of the corpus. */
  readonly subjects: Subjects;
  readonly open: OpenLocalnet;
  readonly connection: Connection;
  readonly wallet: Keypair;
  /** An address that got money in a transaction with a memo. */
  readonly receiver: PublicKey;
  readonly mint: PublicKey;
  readonly tokens: PublicKey;
  readonly delegate: PublicKey;
  /** Of the legacy and of the version 0 transaction to `receiver`, both final. */
  readonly legacy: string;
  readonly versioned: string;
  /** The slot of `legacy`, whose block holds no other version. */
  readonly slot: number;
  readonly identity: string;
  readonly vote: string;
  /** A signed transfer on a final blockhash, in base64; new each time. */
  readonly transfer: () => Promise<string>;
  /** The message of such a transfer. */
  readonly message: () => Promise<string>;
  readonly stop: () => Promise<void>;
}

/** Micro-lamports per compute unit that `legacy` pays. */
export const PRICE = 7_000;

export async function openFixture(args: readonly string[] = []): Promise<Fixture> {
  const open = await startOpen(args);
  const connection = connectionTo(open);
  const { wallet } = open;
  const payer = wallet.publicKey;
  const receiver = Keypair.generate().publicKey;
  const delegate = Keypair.generate().publicKey;
  const pay = (lamports: number) => SystemProgram.transfer({ fromPubkey: payer, toPubkey: receiver, lamports });
  const mint = await createMint(connection, wallet, payer, payer, 6);
  const { address: tokens } = await getOrCreateAssociatedTokenAccount(connection, wallet, mint, payer);
  await mintTo(connection, wallet, mint, tokens, wallet, 12_500_000n);
  await send(connection, [createApproveInstruction(tokens, delegate, payer, 1_000n)], [wallet]);
  const price = ComputeBudgetProgram.setComputeUnitPrice({ microLamports: PRICE });
  const legacy = await send(connection, [price, pay(3_000_000), memo('rent')], [wallet]);
  await open.local.slots(1);
  const latest = await connection.getLatestBlockhash();
  const message = new TransactionMessage({
    payerKey: payer,
    recentBlockhash: latest.blockhash,
    instructions: [pay(2_000_000)],
  });
  const transaction = new VersionedTransaction(message.compileToV0Message());
  transaction.sign([wallet]);
  const versioned = await connection.sendTransaction(transaction);
  await connection.confirmTransaction({ signature: versioned, ...latest });
  await finalize(open.local);
  const landed = await connection.getTransaction(legacy, {
    commitment: 'finalized',
    maxSupportedTransactionVersion: 0,
  });
  const { identity } = (await call(open, 'getIdentity')) as unknown as { readonly identity: string };
  const { current } = await connection.getVoteAccounts();
  let count = 0;
  const fresh = async (): Promise<Transaction> => {
    const { blockhash } = await connection.getLatestBlockhash('finalized');
    const one = new Transaction({ feePayer: payer, recentBlockhash: blockhash }).add(pay(1_000_000 + ++count));
    one.sign(wallet);
    return one;
  };
  const vote = current[0]?.votePubkey ?? '';
  const slot = landed?.slot ?? 0;
  const transfer = async (): Promise<string> => (await fresh()).serialize().toString('base64');
  const newMessage = async (): Promise<string> => (await fresh()).serializeMessage().toString('base64');
  return {
    subjects: {
      ...{ vote, slot, legacy, transfer, message: newMessage },
      wallet: payer.toBase58(),
      receiver: receiver.toBase58(),
      mint: mint.toBase58(),
      tokens: tokens.toBase58(),
      delegate: delegate.toBase58(),
      blockhash: async () => (await connection.getLatestBlockhash('finalized')).blockhash,
    },
    open,
    connection,
    wallet,
    receiver,
    mint,
    tokens,
    delegate,
    legacy,
    versioned,
    slot,
    identity,
    vote,
    transfer,
    message: newMessage,
    stop: async () => {
      disconnect(connection);
      await open.local.stop();
    },
  };
}
