// The unmodified @solana/kit sends by its factories: airdrops, transactions to each commitment, durable nonces, lookup
// tables, and what it makes of failures.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import {
  SOLANA_ERROR__BLOCK_HEIGHT_EXCEEDED,
  SOLANA_ERROR__INVALID_NONCE,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE,
  address,
  airdropFactory,
  appendTransactionMessageInstructions,
  assertIsTransactionWithBlockhashLifetime,
  assertIsTransactionWithDurableNonceLifetime,
  compressTransactionMessageUsingAddressLookupTables,
  createTransactionMessage,
  fetchAddressesForLookupTables,
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
  getSignatureFromTransaction,
  isSolanaError,
  lamports,
  pipe,
  sendAndConfirmDurableNonceTransactionFactory,
  sendTransactionWithoutConfirmingFactory,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  setTransactionMessageLifetimeUsingDurableNonce,
  signTransactionMessageWithSigners,
  type Address,
  type Instruction,
  type KeyPairSigner,
  type Nonce,
} from '@solana/kit';
import { getAddMemoInstruction } from '@solana-program/memo';
import {
  fetchNonce,
  getAdvanceNonceAccountInstruction,
  getCreateAccountInstruction,
  getInitializeNonceAccountInstruction,
  getNonceSize,
  getTransferSolInstruction,
  SYSTEM_PROGRAM_ADDRESS,
} from '@solana-program/system';
import { AddressLookupTableProgram, PublicKey } from '@solana/web3.js';
import { testKit } from './kit-harness';
import { connectionTo, disconnect, finalize, payerOf, send as sendByWeb3 } from './web3-harness';

const { local, kit } = testKit();

const transfer = (destination: Address, amount: bigint): Instruction =>
  getTransferSolInstruction({ source: kit.payer, destination, amount });
const balance = async (of: Address): Promise<bigint> =>
  (await kit.rpc.getBalance(of, { commitment: 'confirmed' }).send()).value;
const fresh = async (): Promise<Address> => (await generateKeyPairSigner()).address;

describe('kit: sending', () => {
  test('airdropFactory gives and waits', async () => {
    const airdrop = airdropFactory({ rpc: kit.rpc, rpcSubscriptions: kit.rpcSubscriptions });
    const recipientAddress = await fresh();
    await airdrop({ commitment: 'confirmed', lamports: lamports(3_000_000_000n), recipientAddress });
    assert.equal(await balance(recipientAddress), 3_000_000_000n);
  });
  for (const commitment of ['processed', 'confirmed', 'finalized'] as const)
    test(`sendAndConfirmTransactionFactory waits until the transaction is ${commitment}`, async () => {
      const to = await fresh();
      const sending = kit.send([transfer(to, 2_000_000n)], commitment);
      if (commitment === 'finalized') await local.slotsUntil(sending);
      const signature = await sending;
      const { value } = await kit.rpc.getSignatureStatuses([signature]).send();
      const levels = ['processed', 'confirmed', 'finalized'];
      assert.ok(levels.indexOf(value[0]?.confirmationStatus ?? '') >= levels.indexOf(commitment));
      assert.equal((await kit.rpc.getBalance(to, { commitment }).send()).value, 2_000_000n);
    });
  test('sendTransactionWithoutConfirmingFactory sends and does not wait', async () => {
    const sendOnly = sendTransactionWithoutConfirmingFactory({ rpc: kit.rpc });
    const transaction = await kit.signed([getAddMemoInstruction({ memo: 'only sent' })]);
    await sendOnly(transaction, { commitment: 'confirmed' });
    await local.slots(1);
    const { value } = await kit.rpc.getSignatureStatuses([getSignatureFromTransaction(transaction)]).send();
    assert.equal(value[0]?.err, null);
  });
  test('a failing preflight is its error with the logs and the units', async () => {
    const failure = await kit.send([transfer(await fresh(), 10n ** 15n)]).then(
      () => undefined,
      (error: unknown) => error,
    );
    assert.ok(isSolanaError(failure, SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE));
    assert.ok(failure.context.logs?.some((line) => line.includes('insufficient lamports')));
    assert.equal(typeof failure.context.unitsConsumed, 'bigint');
    assert.match(String(failure.cause), /Custom program error: #1/);
  });
  test('a transaction on a blockhash that ran out ends the wait as expired', async () => {
    const transaction = await kit.signed([transfer(await fresh(), 2_000_000n)]);
    await local.slots(200);
    const failure = await kit.sendAndConfirm(transaction, { commitment: 'confirmed', skipPreflight: true }).then(
      () => undefined,
      (error: unknown) => error,
    );
    assert.ok(isSolanaError(failure, SOLANA_ERROR__BLOCK_HEIGHT_EXCEEDED), String(failure));
  });
});

describe('kit: durable nonce', () => {
  let nonce: KeyPairSigner;
  before(async () => {
    nonce = await generateKeyPairSigner();
    const space = BigInt(getNonceSize());
    await kit.send([
      getCreateAccountInstruction({
        payer: kit.payer,
        newAccount: nonce,
        lamports: await kit.rpc.getMinimumBalanceForRentExemption(space).send(),
        space,
        programAddress: SYSTEM_PROGRAM_ADDRESS,
      }),
      getInitializeNonceAccountInstruction({ nonceAccount: nonce.address, nonceAuthority: kit.payer.address }),
    ]);
  });
  const stored = async (): Promise<string> =>
    (await fetchNonce(kit.rpc, nonce.address, { commitment: 'confirmed' })).data.blockhash;
  async function onNonce(value: string, memo: string) {
    const lifetime = {
      nonce: value as Nonce,
      nonceAccountAddress: nonce.address,
      nonceAuthorityAddress: kit.payer.address,
    };
    const transaction = await signTransactionMessageWithSigners(
      pipe(
        createTransactionMessage({ version: 0 }),
        (message) => setTransactionMessageFeePayerSigner(kit.payer, message),
        (message) => setTransactionMessageLifetimeUsingDurableNonce(lifetime, message),
        (message) => appendTransactionMessageInstructions([getAddMemoInstruction({ memo })], message),
      ),
    );
    assertIsTransactionWithDurableNonceLifetime(transaction);
    return transaction;
  }
  const sendDurable = () =>
    sendAndConfirmDurableNonceTransactionFactory({ rpc: kit.rpc, rpcSubscriptions: kit.rpcSubscriptions });

  test('its factory carries a transaction on a nonce, long after any blockhash would have run out', async () => {
    const before = await stored();
    const transaction = await onNonce(before, 'durable');
    await local.slots(300);
    await sendDurable()(transaction, { commitment: 'confirmed' });
    assert.notEqual(await stored(), before);
  });
  test('a nonce that was used up is its error', async () => {
    const transaction = await onNonce(await stored(), 'too late');
    await kit.send([getAdvanceNonceAccountInstruction({ nonceAccount: nonce.address, nonceAuthority: kit.payer })]);
    const failure = await sendDurable()(transaction, { commitment: 'confirmed', skipPreflight: true }).then(
      () => undefined,
      (error: unknown) => error,
    );
    assert.ok(isSolanaError(failure, SOLANA_ERROR__INVALID_NONCE), String(failure));
  });
});

describe('kit: address lookup tables', () => {
  test('a message compressed by a table is sent, and its record names the loaded addresses', async () => {
    const recipients = await Promise.all(Array.from({ length: 12 }, fresh));
    const table = await newTable(recipients);
    const tables = await fetchAddressesForLookupTables([table], kit.rpc);
    assert.deepEqual(tables[table], recipients);
    const { value: latest } = await kit.rpc.getLatestBlockhash({ commitment: 'confirmed' }).send();
    const payments = recipients.map((to) => transfer(to, 1_000_000n));
    const message = pipe(
      createTransactionMessage({ version: 0 }),
      (it) => setTransactionMessageFeePayerSigner(kit.payer, it),
      (it) => setTransactionMessageLifetimeUsingBlockhash(latest, it),
      (it) => appendTransactionMessageInstructions(payments, it),
      (it) => compressTransactionMessageUsingAddressLookupTables(it, tables),
    );
    const transaction = await signTransactionMessageWithSigners(message);
    assertIsTransactionWithBlockhashLifetime(transaction);
    assert.ok(getBase64EncodedWireTransaction(transaction).length < 800);
    await kit.sendAndConfirm(transaction, { commitment: 'confirmed' });
    const record = await kit.rpc
      .getTransaction(getSignatureFromTransaction(transaction), {
        commitment: 'confirmed',
        encoding: 'json',
        maxSupportedTransactionVersion: 0,
      })
      .send();
    const { writable, readonly } = record?.meta?.loadedAddresses ?? {};
    assert.deepEqual([new Set(writable), readonly], [new Set(recipients), []]);
  });

  /** Made by the other client, final. */
  async function newTable(recipients: readonly Address[]): Promise<Address> {
    const connection = connectionTo(local);
    const payer = payerOf(local);
    const authority = payer.publicKey;
    const recentSlot = await connection.getSlot('finalized');
    const [create, lookupTable] = AddressLookupTableProgram.createLookupTable({
      authority,
      payer: authority,
      recentSlot,
    });
    const addresses = recipients.map((recipient) => new PublicKey(recipient));
    const extend = AddressLookupTableProgram.extendLookupTable({ lookupTable, authority, payer: authority, addresses });
    await sendByWeb3(connection, [create, extend], [payer]);
    disconnect(connection);
    await finalize(local);
    return address(lookupTable.toBase58());
  }
});
