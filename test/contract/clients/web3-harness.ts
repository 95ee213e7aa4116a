// Shared by the tests with the unmodified @solana/web3.js: a connection to the real service over its two sockets, the
// service's wallet as a signer, and sending to the end. It replaces none of the client's own code.
import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import {
  Connection,
  Keypair,
  Transaction,
  TransactionMessage,
  VersionedTransaction,
  sendAndConfirmTransaction,
  type AddressLookupTableAccount,
  type Commitment,
  PublicKey,
  type Signer,
  TransactionInstruction,
} from '@solana/web3.js';
import { decodeBase58 } from '../../../core/solana/encoding/base58';
import { MEMO } from '../rpc/rpc-harness';
import { startTestLedger, type Localnet } from '../../support/process/localnet';

/** Options of a service whose limits no test reaches. */
export const UNLIMITED = ['--plan', 'Shared Metal'] as const;
/** As short as they may be here: the client keeps a blockhash for 30 s, and a blockhash lives for 150 slots. */
const QUICK_SLOTS = ['--slot-ms', '250'] as const;
/** More slots than it takes to finalize everything that happened before. */
const TO_FINALITY = 40;

/** A service, in a process or in this one. */
interface Served {
  readonly ready: Pick<Localnet['ready'], 'rpcUrl' | 'wsUrl' | 'keys'>;
}

/** The client as its users set it up: the key in the header of its requests, and in the address of its WebSocket. */
export function connectionTo({ ready }: Served, commitment: Commitment = 'confirmed'): Connection {
  const { key } = ready.keys.rpc;
  return new Connection(ready.rpcUrl, {
    commitment,
    wsEndpoint: `${ready.wsUrl}?api_key=${key}`,
    httpHeaders: { authorization: `Bearer ${key}` },
  });
}

/** A service with the client on it and the wallet that pays. */
export interface Web3Session {
  readonly local: Localnet;
  readonly connection: Connection;
  readonly payer: Keypair;
  /** Replaces the client with a new one, which has no cached blockhash. */
  readonly reconnect: () => Connection;
}

/** One session for all tests of a file: handed on before the first of them, ended after the last. */
export function web3Session(take: (session: Web3Session) => void): void {
  let local: Localnet | undefined;
  let connection: Connection | undefined;
  before(async () => {
    const started = await startTestLedger([...UNLIMITED, ...QUICK_SLOTS], { clock: 'running' });
    local = started;
    const reconnect = (): Connection => {
      if (connection !== undefined) disconnect(connection);
      connection = connectionTo(started);
      return connection;
    };
    take({ local, connection: reconnect(), payer: payerOf(local), reconnect });
  });
  after(async () => {
    if (connection !== undefined) disconnect(connection);
    await local?.stop();
  });
}

/** Ends what the client would keep up for ever: it reconnects its socket when the service ends. */
export function disconnect(connection: Connection): void {
  const { _rpcWebSocket: socket } = connection as unknown as {
    readonly _rpcWebSocket: { setAutoReconnect(on: boolean): void; close(): void };
  };
  socket.setAutoReconnect(false);
  socket.close();
}

/** The funded wallet of the service. */
export function payerOf({ ready }: Localnet): Keypair {
  return Keypair.fromSecretKey(decodeBase58(ready.wallet.secretKey) ?? new Uint8Array());
}

/** Everything that happened so far is final after this. */
export const finalize = (local: Localnet): Promise<void> => local.slots(TO_FINALITY);

/** Sends a legacy transaction the client's own way and waits until it is confirmed; the first signer pays. */
export function send(
  connection: Connection,
  instructions: readonly TransactionInstruction[],
  signers: readonly Signer[],
): Promise<string> {
  return sendAndConfirmTransaction(connection, new Transaction().add(...instructions), [...signers]);
}

/** The same as a version 0 transaction, with lookup tables. */
export async function sendVersioned(
  connection: Connection,
  instructions: readonly TransactionInstruction[],
  signers: readonly Signer[],
  tables: readonly AddressLookupTableAccount[] = [],
): Promise<string> {
  const latest = await connection.getLatestBlockhash();
  const transaction = versioned(instructions, signers, latest.blockhash, tables);
  const signature = await connection.sendTransaction(transaction);
  const { value } = await connection.confirmTransaction({ signature, ...latest });
  assert.equal(value.err, null);
  return signature;
}

export function versioned(
  instructions: readonly TransactionInstruction[],
  signers: readonly Signer[],
  recentBlockhash: string,
  tables: readonly AddressLookupTableAccount[] = [],
): VersionedTransaction {
  const payerKey = payer(signers);
  const message = new TransactionMessage({ payerKey, recentBlockhash, instructions: [...instructions] });
  const transaction = new VersionedTransaction(message.compileToV0Message([...tables]));
  transaction.sign([...signers]);
  return transaction;
}

function payer([first]: readonly Signer[]): PublicKey {
  assert.ok(first);
  return first.publicKey;
}

/** The error that a call of the client rejects with; fails if the call succeeds. */
export async function failureOf<T extends Error>(
  call: Promise<unknown>,
  kind: abstract new (...args: never[]) => T,
): Promise<T> {
  const outcome = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  assert.ok(outcome instanceof kind, `expected ${kind.name}, got ${String(outcome)}`);
  return outcome;
}

/** A note in the transaction's history. */
export const memo = (text: string): TransactionInstruction =>
  new TransactionInstruction({ programId: new PublicKey(MEMO), keys: [], data: Buffer.from(text) });
