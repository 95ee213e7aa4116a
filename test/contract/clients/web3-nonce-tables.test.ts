// The unmodified @solana/web3.js with what outlives or widens a transaction: durable nonces and address lookup tables.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { PublicKey } from '@solana/web3.js';
import {
  AddressLookupTableProgram,
  Keypair,
  NONCE_ACCOUNT_LENGTH,
  NonceAccount,
  SendTransactionError,
  SystemProgram,
  Transaction,
  TransactionExpiredNonceInvalidError,
  sendAndConfirmTransaction,
  type AddressLookupTableAccount,
  type Connection,
  type NonceInformation,
} from '@solana/web3.js';
import { encodeBase58 } from '../../../core/solana/encoding/base58';
import type { Localnet } from '../../support/process/localnet';
import { failureOf, finalize, memo, send, sendVersioned, web3Session } from './web3-harness';

let local: Localnet;
let connection: Connection;
let payer: Keypair;
let reconnect: () => Connection;
web3Session((session) => ({ local, connection, payer, reconnect } = session));

/** Ends that many slots. Creates a new client because the old one would keep using its cached blockhash. */
async function pass(count: number): Promise<void> {
  await local.slots(count);
  connection = reconnect();
}

/** A nonce account of the payer, with what a transaction needs to use it. */
async function newNonce(): Promise<{ readonly account: PublicKey; readonly info: NonceInformation }> {
  const account = Keypair.generate();
  await send(
    connection,
    SystemProgram.createNonceAccount({
      fromPubkey: payer.publicKey,
      noncePubkey: account.publicKey,
      authorizedPubkey: payer.publicKey,
      lamports: await connection.getMinimumBalanceForRentExemption(NONCE_ACCOUNT_LENGTH),
    }).instructions,
    [payer, account],
  );
  return { account: account.publicKey, info: await nonceOf(account.publicKey) };
}

async function nonceOf(account: PublicKey): Promise<NonceInformation> {
  const state = await connection.getNonce(account);
  assert.ok(state);
  return { nonce: state.nonce, nonceInstruction: advance(account) };
}

const advance = (noncePubkey: PublicKey) =>
  SystemProgram.nonceAdvance({ noncePubkey, authorizedPubkey: payer.publicKey });

describe('web3.js: durable nonce', () => {
  test('getNonce reads the account that createNonceAccount made', async () => {
    const { account } = await newNonce();
    const state = await connection.getNonce(account);
    assert.equal(state?.authorizedPubkey.toBase58(), payer.publicKey.toBase58());
    assert.equal(state.feeCalculator.lamportsPerSignature, 5000);
    const info = await connection.getAccountInfo(account);
    assert.ok(info);
    assert.equal(NonceAccount.fromAccountData(info.data).nonce, state.nonce);
  });
  test('a transaction on a nonce is confirmed long after its blockhash would have expired', async () => {
    const { account, info } = await newNonce();
    await pass(300);
    const transaction = new Transaction({ feePayer: payer.publicKey, nonceInfo: info, minContextSlot: 0 });
    await sendAndConfirmTransaction(connection, transaction.add(memo('durable')), [payer]);
    assert.notEqual((await nonceOf(account)).nonce, info.nonce);
  });
  test('a transaction on a nonce is not taken for expired while its slot is open', async () => {
    const { account, info } = await newNonce();
    const transaction = new Transaction({ feePayer: payer.publicKey, nonceInfo: info, minContextSlot: 0 });
    const options = { commitment: 'processed', preflightCommitment: 'processed' } as const;
    await sendAndConfirmTransaction(connection, transaction.add(memo('at processed')), [payer], options);
    assert.notEqual((await nonceOf(account)).nonce, info.nonce);
  });
  test('a nonce that was used up makes the transaction invalid before it is sent', async () => {
    const { account, info } = await newNonce();
    await send(connection, [advance(account)], [payer]);
    const transaction = new Transaction({ feePayer: payer.publicKey, nonceInfo: info, minContextSlot: 0 });
    const sending = sendAndConfirmTransaction(connection, transaction.add(memo('late')), [payer]);
    assert.match((await failureOf(sending, SendTransactionError)).message, /Blockhash not found/);
  });
  test('a nonce that moves while the client waits ends the wait', async () => {
    const { account, info } = await newNonce();
    const transaction = new Transaction({ feePayer: payer.publicKey, nonceInfo: info, minContextSlot: 0 });
    transaction.add(memo('never sent')).sign(payer);
    const waiting = failureOf(
      connection.confirmTransaction({
        signature: signatureOf(transaction),
        minContextSlot: 0,
        nonceAccountPubkey: account,
        nonceValue: info.nonce,
      }),
      TransactionExpiredNonceInvalidError,
    );
    await send(connection, [advance(account)], [payer]);
    assert.equal((await waiting).signature, signatureOf(transaction));
  });
  test('a failed transaction uses its nonce up all the same', async () => {
    const { account, info } = await newNonce();
    const transaction = new Transaction({ feePayer: payer.publicKey, nonceInfo: info, minContextSlot: 0 });
    const to = Keypair.generate().publicKey;
    transaction.add(SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: to, lamports: 10n ** 15n }));
    await connection.sendTransaction(transaction, [payer], { skipPreflight: true });
    await local.slots(1);
    assert.notEqual((await nonceOf(account)).nonce, info.nonce);
  });
  test('the authority hands the nonce on and takes the lamports back', async () => {
    const { account } = await newNonce();
    const heir = Keypair.generate();
    await send(
      connection,
      [
        SystemProgram.nonceAuthorize({
          noncePubkey: account,
          authorizedPubkey: payer.publicKey,
          newAuthorizedPubkey: heir.publicKey,
        }),
      ],
      [payer],
    );
    assert.equal((await connection.getNonce(account))?.authorizedPubkey.toBase58(), heir.publicKey.toBase58());
    const lamports = await connection.getBalance(account);
    const away = { noncePubkey: account, authorizedPubkey: heir.publicKey, toPubkey: payer.publicKey, lamports };
    await send(connection, [SystemProgram.nonceWithdraw(away)], [payer, heir]);
    assert.equal(await connection.getAccountInfo(account), null);
  });
});

describe('web3.js: address lookup tables', () => {
  const addresses = Array.from({ length: 20 }, () => Keypair.generate().publicKey);
  let table: PublicKey;
  before(async () => {
    const recentSlot = await connection.getSlot('finalized');
    const authority = payer.publicKey;
    const [create, lookupTable] = AddressLookupTableProgram.createLookupTable({
      authority,
      payer: authority,
      recentSlot,
    });
    table = lookupTable;
    await send(connection, [create], [payer]);
    await send(
      connection,
      [AddressLookupTableProgram.extendLookupTable({ lookupTable, authority, payer: authority, addresses })],
      [payer],
    );
    await finalize(local);
  });

  async function stored(): Promise<AddressLookupTableAccount> {
    const { value } = await connection.getAddressLookupTable(table);
    assert.ok(value);
    return value;
  }
  const payAll = () =>
    addresses.map((toPubkey) => SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey, lamports: 1_000_000 }));

  test('getAddressLookupTable reads what was stored', async () => {
    const account = await stored();
    const { state } = account;
    assert.deepEqual(state.addresses.map(String), addresses.map(String));
    assert.equal(state.authority?.toBase58(), payer.publicKey.toBase58());
    assert.equal(account.isActive(), true);
  });
  test('a version 0 transaction pays twenty accounts out of the table', async () => {
    await sendVersioned(connection, payAll(), [payer], [await stored()]);
    const balances = await Promise.all(addresses.map((address) => connection.getBalance(address)));
    assert.deepEqual(new Set(balances), new Set([1_000_000]));
  });
  test('its record lists the loaded addresses, and the client resolves them', async () => {
    const signature = await sendVersioned(connection, payAll(), [payer], [await stored()]);
    const record = await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 });
    assert.ok(record?.meta?.loadedAddresses);
    assert.deepEqual(record.meta.loadedAddresses.writable.map(String), addresses.map(String));
    assert.deepEqual(record.meta.loadedAddresses.readonly, []);
    const { loadedAddresses } = record.meta;
    const keys = record.transaction.message.getAccountKeys({ accountKeysFromLookups: loadedAddresses });
    assert.equal(keys.length, 2 + addresses.length);
    assert.equal(record.meta.preBalances.length, keys.length);
  });
  test('its parsed form marks where each account came from', async () => {
    const signature = await sendVersioned(connection, payAll(), [payer], [await stored()]);
    const record = await connection.getParsedTransaction(signature, { maxSupportedTransactionVersion: 0 });
    const { message } = record?.transaction ?? {};
    assert.equal(message?.accountKeys.filter(({ source }) => source === 'lookupTable').length, addresses.length);
    assert.equal(message?.addressTableLookups?.[0]?.accountKey.toBase58(), table.toBase58());
  });
  test('a table is parsed with its addresses', async () => {
    const { value } = await connection.getParsedAccountInfo(table);
    assert.ok(value && 'parsed' in value.data);
    assert.equal(value.data.program, 'address-lookup-table');
    const { type, info } = value.data.parsed as { type: string; info: Record<string, unknown> };
    assert.equal(type, 'lookupTable');
    assert.deepEqual(info['addresses'], addresses.map(String));
    assert.equal(info['deactivationSlot'], '18446744073709551615');
  });
  test('a deactivated table is no longer active, and is closed when the network has forgotten it', async () => {
    const authority = payer.publicKey;
    const lookupTable = table;
    await send(connection, [AddressLookupTableProgram.deactivateLookupTable({ lookupTable, authority })], [payer]);
    assert.equal((await stored()).isActive(), false);
    const close = AddressLookupTableProgram.closeLookupTable({ lookupTable, authority, recipient: authority });
    await failureOf(send(connection, [close], [payer]), SendTransactionError);
    await pass(520);
    await send(connection, [close], [payer]);
    assert.equal((await connection.getAddressLookupTable(table)).value, null);
  });
});

function signatureOf({ signature }: Transaction): string {
  assert.ok(signature);
  return encodeBase58(signature);
}
