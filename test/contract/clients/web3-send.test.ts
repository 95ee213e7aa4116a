// The unmodified @solana/web3.js sends: airdrops, legacy and version 0 transactions, what it waits for, and what it
// makes of failures.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  ComputeBudgetProgram,
  Keypair,
  LAMPORTS_PER_SOL,
  SendTransactionError,
  SystemProgram,
  Transaction,
  TransactionExpiredBlockheightExceededError,
  sendAndConfirmRawTransaction,
  type Connection,
  type TransactionInstruction,
} from '@solana/web3.js';
import { encodeBase58 } from '../../../core/solana/encoding/base58';
import type { Localnet } from '../../support/process/localnet';
import { failureOf, memo, send, sendVersioned, versioned, web3Session } from './web3-harness';

const TOO_MUCH = 10n ** 15n;

let local: Localnet;
let connection: Connection;
let payer: Keypair;
web3Session((session) => ({ local, connection, payer } = session));

const pay = (to: Keypair, lamports: number | bigint = LAMPORTS_PER_SOL): TransactionInstruction =>
  SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: to.publicKey, lamports });

describe('web3.js: airdrops', () => {
  test('an airdrop is confirmed and there', async () => {
    const to = Keypair.generate().publicKey;
    const signature = await connection.requestAirdrop(to, 2 * LAMPORTS_PER_SOL);
    const latest = await connection.getLatestBlockhash();
    const { value } = await connection.confirmTransaction({ signature, ...latest });
    assert.equal(value.err, null);
    assert.equal(await connection.getBalance(to), 2 * LAMPORTS_PER_SOL);
  });
  test('two equal airdrops are two', async () => {
    const to = Keypair.generate().publicKey;
    const first = await connection.requestAirdrop(to, 5_000_000);
    assert.notEqual(await connection.requestAirdrop(to, 5_000_000), first);
    assert.equal(await connection.getBalance(to, 'processed'), 10_000_000);
  });
});

describe('web3.js: sending', () => {
  test('sendAndConfirmTransaction carries a legacy transaction to its end', async () => {
    const to = Keypair.generate();
    const had = await connection.getBalance(payer.publicKey);
    const signature = await send(connection, [pay(to)], [payer]);
    assert.equal(await connection.getBalance(to.publicKey), LAMPORTS_PER_SOL);
    assert.equal(await connection.getBalance(payer.publicKey), had - LAMPORTS_PER_SOL - 5000);
    const { value } = await connection.getSignatureStatus(signature);
    assert.equal(value?.err, null);
    assert.equal(value.confirmationStatus, 'finalized');
  });
  test('a transaction of two signers pays for two signatures', async () => {
    const second = Keypair.generate();
    await send(connection, [pay(second)], [payer]);
    const back = SystemProgram.transfer({ fromPubkey: second.publicKey, toPubkey: payer.publicKey, lamports: 1000 });
    const signature = await send(connection, [back], [payer, second]);
    const record = await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 });
    assert.equal(record?.meta?.fee, 10_000);
  });
  test('signatures gathered one by one on the serialized transaction are accepted', async () => {
    const second = Keypair.generate();
    await send(connection, [pay(second)], [payer]);
    const latest = await connection.getLatestBlockhash();
    const transaction = new Transaction({ feePayer: payer.publicKey, ...latest }).add(
      SystemProgram.transfer({ fromPubkey: second.publicKey, toPubkey: payer.publicKey, lamports: 1000 }),
    );
    transaction.partialSign(payer);
    const passedOn = Transaction.from(transaction.serialize({ requireAllSignatures: false }));
    passedOn.partialSign(second);
    await sendAndConfirmRawTransaction(connection, passedOn.serialize());
    assert.equal(await connection.getBalance(second.publicKey), LAMPORTS_PER_SOL - 1000);
  });
  test('a version 0 transaction is confirmed', async () => {
    const to = Keypair.generate();
    const signature = await sendVersioned(connection, [pay(to)], [payer]);
    const record = await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 });
    assert.equal(record?.version, 0);
    assert.equal(await connection.getBalance(to.publicKey), LAMPORTS_PER_SOL);
  });
  test('a priority fee is paid by the unit asked for', async () => {
    const budget = [
      ComputeBudgetProgram.setComputeUnitLimit({ units: 10_000 }),
      ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 2_000_000 }),
    ];
    const signature = await send(connection, [...budget, memo('in a hurry')], [payer]);
    const record = await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 });
    assert.equal(record?.meta?.fee, 5000 + 10_000 * 2);
    assert.ok(Number(record.meta.computeUnitsConsumed) > 300);
  });
  test('getFeeForMessage says what sending will cost', async () => {
    const { blockhash } = await connection.getLatestBlockhash();
    const { message } = versioned([pay(Keypair.generate())], [payer], blockhash);
    assert.equal((await connection.getFeeForMessage(message)).value, 5000);
  });
  test('the same bytes sent again are refused as already processed', async () => {
    const { blockhash } = await connection.getLatestBlockhash();
    const transaction = versioned([pay(Keypair.generate())], [payer], blockhash);
    const options = { preflightCommitment: 'processed' } as const;
    await connection.sendTransaction(transaction, options);
    const failure = await failureOf(connection.sendTransaction(transaction, options), SendTransactionError);
    assert.match(failure.message, /already been processed/);
  });
});

describe('web3.js: transactions that fail', () => {
  test('preflight stops them with a SendTransactionError that holds the logs', async () => {
    const failure = await failureOf(
      send(connection, [pay(Keypair.generate(), TOO_MUCH)], [payer]),
      SendTransactionError,
    );
    assert.match(failure.transactionError.message, /custom program error: 0x1$/);
    assert.ok(failure.logs?.some((line) => line.includes('insufficient lamports')));
    assert.deepEqual(await failure.getLogs(connection), failure.logs);
  });
  test('without preflight they land, pay, and confirmTransaction reports the error', async () => {
    const latest = await connection.getLatestBlockhash();
    const transaction = versioned([pay(Keypair.generate(), TOO_MUCH)], [payer], latest.blockhash);
    const signature = await connection.sendTransaction(transaction, { skipPreflight: true });
    // The notification gives it as a value, the status as a rejection: whichever the client receives first.
    const reported: unknown = await connection.confirmTransaction({ signature, ...latest }).then(
      ({ value }) => value.err,
      (error: unknown) => error,
    );
    assert.deepEqual(reported, { InstructionError: [0, { Custom: 1 }] });
    await local.slots(1);
    const record = await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 });
    assert.deepEqual(record?.meta?.err, reported);
    assert.equal(record?.meta?.fee, 5000);
  });
  test('an unknown blockhash is not found', async () => {
    const transaction = versioned([memo('never')], [payer], Keypair.generate().publicKey.toBase58());
    const failure = await failureOf(connection.sendTransaction(transaction), SendTransactionError);
    assert.match(failure.message, /Blockhash not found/);
  });
  test('a transaction that does not land in time ends the wait as expired', async () => {
    const latest = await connection.getLatestBlockhash();
    const { signatures } = versioned([memo('never sent')], [payer], latest.blockhash);
    const signature = encodeBase58(signatures[0] ?? new Uint8Array());
    const waiting = failureOf(
      connection.confirmTransaction({ signature, ...latest }),
      TransactionExpiredBlockheightExceededError,
    );
    await local.slots(200);
    assert.equal((await waiting).signature, signature);
  });
  test('an account that is left with less than rent fails with its index', async () => {
    const { blockhash } = await connection.getLatestBlockhash();
    const { value } = await connection.simulateTransaction(versioned([pay(Keypair.generate(), 1)], [payer], blockhash));
    assert.deepEqual(value.err, { InsufficientFundsForRent: { account_index: 1 } });
  });
  test('a payer that was never funded is not found', async () => {
    const stranger = Keypair.generate();
    const { blockhash } = await connection.getLatestBlockhash();
    const { value } = await connection.simulateTransaction(versioned([memo('poor')], [stranger], blockhash));
    assert.equal(value.err, 'AccountNotFound');
  });
});
