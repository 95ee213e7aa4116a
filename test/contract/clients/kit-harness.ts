// Shared by the tests with the unmodified @solana/kit: its RPC and subscriptions on the real service, the service's
// wallet as a signer, and its own factories for sending. It replaces none of the client's own code.
import assert from 'node:assert/strict';
import {
  appendTransactionMessageInstructions,
  assertIsTransactionWithBlockhashLifetime,
  createDefaultRpcTransport,
  createKeyPairSignerFromBytes,
  createSolanaRpcFromTransport,
  createSolanaRpcSubscriptions_UNSTABLE,
  createTransactionMessage,
  getSignatureFromTransaction,
  pipe,
  sendAndConfirmTransactionFactory,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
  type Commitment,
  type Instruction,
  type KeyPairSigner,
  type Signature,
} from '@solana/kit';
import { decodeBase58 } from '../../../core/solana/encoding/base58';
import { testLedger, type Localnet } from '../../support/process/localnet';
import { shared } from '../../support/shared';
import { UNLIMITED } from './web3-harness';

/** The service of a test file, and the client on it. */
export function testKit(): { readonly local: Localnet; readonly kit: Kit } {
  const local = testLedger(UNLIMITED);
  const kit = shared(
    () => kitOn(local),
    () => undefined,
  );
  return { local, kit };
}

export type Kit = Awaited<ReturnType<typeof kitOn>>;

/** The key goes in the header of requests, and in the address of the WebSocket. */
export async function kitOn({ ready }: Localnet) {
  const { key } = ready.keys.rpc;
  const transport = createDefaultRpcTransport({ url: ready.rpcUrl, headers: { authorization: `Bearer ${key}` } });
  const rpc = createSolanaRpcFromTransport(transport);
  const rpcSubscriptions = createSolanaRpcSubscriptions_UNSTABLE(`${ready.wsUrl}?api_key=${key}`);
  const payer = await createKeyPairSignerFromBytes(decodeBase58(ready.wallet.secretKey) ?? new Uint8Array());
  const sendAndConfirm = sendAndConfirmTransactionFactory({ rpc, rpcSubscriptions });

  /** A signed version 0 transaction of the payer on the newest confirmed blockhash. */
  async function signed(instructions: readonly Instruction[], from: KeyPairSigner = payer) {
    const { value: latest } = await rpc.getLatestBlockhash({ commitment: 'confirmed' }).send();
    const transaction = await signTransactionMessageWithSigners(
      pipe(
        createTransactionMessage({ version: 0 }),
        (message) => setTransactionMessageFeePayerSigner(from, message),
        (message) => setTransactionMessageLifetimeUsingBlockhash(latest, message),
        (message) => appendTransactionMessageInstructions(instructions, message),
      ),
    );
    assertIsTransactionWithBlockhashLifetime(transaction);
    return transaction;
  }

  /** Carries the instructions to a commitment by the client's own factory. */
  async function send(instructions: readonly Instruction[], commitment: Commitment = 'confirmed'): Promise<Signature> {
    const transaction = await signed(instructions);
    await sendAndConfirm(transaction, { commitment });
    return getSignatureFromTransaction(transaction);
  }

  return { rpc, rpcSubscriptions, payer, sendAndConfirm, signed, send };
}

/** Collects notifications until one matches, ends the subscription and returns them all. */
export async function listen<T>(
  subscribe: (options: { readonly abortSignal: AbortSignal }) => Promise<AsyncIterable<T>>,
  cause: () => Promise<unknown>,
  wanted: (notification: T) => boolean = () => true,
): Promise<T[]> {
  const abort = new AbortController();
  const notifications = await subscribe({ abortSignal: abort.signal });
  const all: T[] = [];
  try {
    const causing = cause();
    for await (const notification of notifications) {
      all.push(notification);
      if (wanted(notification)) break;
    }
    await causing;
  } finally {
    abort.abort();
  }
  assert.ok(all.length > 0);
  return all;
}
