// The unmodified @solana/spl-token with the extensions of Token-2022: what the program enforces on the service, how the
// client reads it back, and how the service explains the same accounts as jsonParsed.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  AccountState,
  AuthorityType,
  ExtensionType,
  TOKEN_2022_PROGRAM_ID,
  burn,
  createAssociatedTokenAccount,
  createInitializeAccountInstruction,
  createInitializeDefaultAccountStateInstruction,
  createInitializeInterestBearingMintInstruction,
  createInitializeMetadataPointerInstruction,
  createInitializeMintCloseAuthorityInstruction,
  createInitializeMintInstruction,
  createInitializeNonTransferableMintInstruction,
  createInitializePermanentDelegateInstruction,
  createInitializeTransferFeeConfigInstruction,
  closeAccount,
  enableRequiredMemoTransfers,
  getAccount,
  getAccountLen,
  getDefaultAccountState,
  getInterestBearingMintConfigState,
  getMemoTransfer,
  getMint,
  getMintLen,
  getPermanentDelegate,
  getTokenMetadata,
  getTransferFeeAmount,
  getTransferFeeConfig,
  mintTo,
  setAuthority,
  thawAccount,
  tokenMetadataInitializeWithRentTransfer,
  tokenMetadataUpdateFieldWithRentTransfer,
  transfer,
  transferCheckedWithFee,
  withdrawWithheldTokensFromAccounts,
} from '@solana/spl-token';
import {
  Keypair,
  SendTransactionError,
  SystemProgram,
  type Connection,
  type PublicKey,
  type TransactionInstruction,
} from '@solana/web3.js';
import { failureOf, send, web3Session } from './web3-harness';

const DECIMALS = 2;
const PROGRAM = TOKEN_2022_PROGRAM_ID;
const CONFIRMED = [undefined, PROGRAM] as const;

let connection: Connection;
let payer: Keypair;
web3Session((session) => ({ connection, payer } = session));

/** A mint with these extensions; each gives the instruction that sets it up before the mint itself. */
async function mintWith(
  extensions: readonly ExtensionType[],
  initialize: (mint: PublicKey) => readonly TransactionInstruction[],
): Promise<PublicKey> {
  const mint = Keypair.generate();
  const space = getMintLen([...extensions]);
  const lamports = await connection.getMinimumBalanceForRentExemption(space);
  const create = SystemProgram.createAccount({
    fromPubkey: payer.publicKey,
    newAccountPubkey: mint.publicKey,
    space,
    lamports,
    programId: PROGRAM,
  });
  const authority = payer.publicKey;
  const last = createInitializeMintInstruction(mint.publicKey, DECIMALS, authority, authority, PROGRAM);
  await send(connection, [create, ...initialize(mint.publicKey), last], [payer, mint]);
  return mint.publicKey;
}

const newAccount = (mint: PublicKey, owner: PublicKey): Promise<PublicKey> =>
  createAssociatedTokenAccount(connection, payer, mint, owner, ...CONFIRMED);
const mintInto = (mint: PublicKey, account: PublicKey, amount: bigint): Promise<string> =>
  mintTo(connection, payer, mint, account, payer, amount, [], ...CONFIRMED);

/** The state of one extension as the service explains it. */
async function explained(address: PublicKey, extension: string): Promise<unknown> {
  const { value } = await connection.getParsedAccountInfo(address);
  assert.ok(value && 'parsed' in value.data, 'the account is parsed');
  assert.equal(value.data.program, 'spl-token-2022');
  const { info } = value.data.parsed as { info: { extensions: { extension: string; state?: unknown }[] } };
  const found = info.extensions.find((one) => one.extension === extension);
  assert.ok(found, `${extension} among ${info.extensions.map((one) => one.extension).join(', ')}`);
  return found.state;
}

describe('spl-token, Token-2022 extensions', { concurrency: true }, () => {
  test('a transfer fee is withheld from what arrives, and withdrawn', async () => {
    const owner = Keypair.generate();
    const authority = payer.publicKey;
    const mint = await mintWith([ExtensionType.TransferFeeConfig], (key) => [
      createInitializeTransferFeeConfigInstruction(key, authority, authority, 100, 500n, PROGRAM),
    ]);
    const [from, to] = [await newAccount(mint, owner.publicKey), await newAccount(mint, authority)];
    await mintInto(mint, from, 10_000n);
    const sent = [from, mint, to, owner, 10_000n, DECIMALS, 100n] as const;
    await transferCheckedWithFee(connection, payer, ...sent, [], ...CONFIRMED);
    const arrived = await getAccount(connection, to, ...CONFIRMED);
    assert.deepEqual([arrived.amount, getTransferFeeAmount(arrived)?.withheldAmount], [9_900n, 100n]);
    assert.deepEqual(await explained(to, 'transferFeeAmount'), { withheldAmount: 100 });
    const config = getTransferFeeConfig(await getMint(connection, mint, ...CONFIRMED));
    assert.deepEqual(
      [config?.newerTransferFee.transferFeeBasisPoints, config?.newerTransferFee.maximumFee],
      [100, 500n],
    );
    const parsed = (await explained(mint, 'transferFeeConfig')) as Record<string, unknown>;
    assert.deepEqual(parsed['newerTransferFee'], {
      epoch: Number(config?.newerTransferFee.epoch),
      maximumFee: 500,
      transferFeeBasisPoints: 100,
    });
    assert.equal(parsed['transferFeeConfigAuthority'], String(authority));
    await withdrawWithheldTokensFromAccounts(connection, payer, mint, to, payer, [], [to], ...CONFIRMED);
    assert.equal((await getAccount(connection, to, ...CONFIRMED)).amount, 10_000n);
  });
  test('metadata lives in the mint, grows, and is read back', async () => {
    const mint = await mintWith([ExtensionType.MetadataPointer], (key) => [
      createInitializeMetadataPointerInstruction(key, payer.publicKey, key, PROGRAM),
    ]);
    const words = ['Workbench', 'WRK', 'https://example.com/wrk.json'] as const;
    await tokenMetadataInitializeWithRentTransfer(connection, payer, mint, payer.publicKey, payer, ...words);
    await tokenMetadataUpdateFieldWithRentTransfer(connection, payer, mint, payer, 'colour', 'green');
    const metadata = await getTokenMetadata(connection, mint, 'confirmed');
    assert.equal(metadata?.name, 'Workbench');
    assert.deepEqual(metadata.additionalMetadata, [['colour', 'green']]);
    assert.deepEqual(await explained(mint, 'tokenMetadata'), {
      updateAuthority: String(payer.publicKey),
      mint: String(mint),
      name: words[0],
      symbol: words[1],
      uri: words[2],
      additionalMetadata: [['colour', 'green']],
    });
    assert.deepEqual(await explained(mint, 'metadataPointer'), {
      authority: String(payer.publicKey),
      metadataAddress: String(mint),
    });
  });
  test('a mint with a close authority is closed when nothing of it is left', async () => {
    const mint = await mintWith([ExtensionType.MintCloseAuthority], (key) => [
      createInitializeMintCloseAuthorityInstruction(key, payer.publicKey, PROGRAM),
    ]);
    assert.deepEqual(await explained(mint, 'mintCloseAuthority'), { closeAuthority: String(payer.publicKey) });
    await closeAccount(connection, payer, mint, payer.publicKey, payer, [], ...CONFIRMED);
    assert.equal(await connection.getAccountInfo(mint), null);
  });
  test('a non-transferable token stays where it is', async () => {
    const owner = Keypair.generate();
    const mint = await mintWith([ExtensionType.NonTransferable], (key) => [
      createInitializeNonTransferableMintInstruction(key, PROGRAM),
    ]);
    const [from, to] = [await newAccount(mint, owner.publicKey), await newAccount(mint, payer.publicKey)];
    await mintInto(mint, from, 1n);
    const stuck = transfer(connection, payer, from, to, owner, 1n, [], ...CONFIRMED);
    assert.match((await failureOf(stuck, SendTransactionError)).message, /custom program error: 0x25/);
    await explained(mint, 'nonTransferable');
    await explained(from, 'nonTransferableAccount');
    await explained(from, 'immutableOwner');
  });
  test('a permanent delegate burns what others hold', async () => {
    const mint = await mintWith([ExtensionType.PermanentDelegate], (key) => [
      createInitializePermanentDelegateInstruction(key, payer.publicKey, PROGRAM),
    ]);
    const account = await newAccount(mint, Keypair.generate().publicKey);
    await mintInto(mint, account, 5n);
    await burn(connection, payer, account, mint, payer, 5n, [], ...CONFIRMED);
    assert.equal((await getAccount(connection, account, ...CONFIRMED)).amount, 0n);
    const delegate = getPermanentDelegate(await getMint(connection, mint, ...CONFIRMED))?.delegate;
    assert.deepEqual(await explained(mint, 'permanentDelegate'), { delegate: String(delegate) });
  });
  test('accounts of a mint that starts them frozen are frozen until they are thawed', async () => {
    const mint = await mintWith([ExtensionType.DefaultAccountState], (key) => [
      createInitializeDefaultAccountStateInstruction(key, AccountState.Frozen, PROGRAM),
    ]);
    const account = await newAccount(mint, payer.publicKey);
    assert.equal((await getAccount(connection, account, ...CONFIRMED)).isFrozen, true);
    await thawAccount(connection, payer, account, mint, payer, [], ...CONFIRMED);
    assert.equal((await getAccount(connection, account, ...CONFIRMED)).isFrozen, false);
    const state = getDefaultAccountState(await getMint(connection, mint, ...CONFIRMED));
    assert.equal(state?.state, AccountState.Frozen);
    assert.deepEqual(await explained(mint, 'defaultAccountState'), { accountState: 'frozen' });
  });
  test('interest is a property of the mint', async () => {
    const mint = await mintWith([ExtensionType.InterestBearingConfig], (key) => [
      createInitializeInterestBearingMintInstruction(key, payer.publicKey, 250, PROGRAM),
    ]);
    const config = getInterestBearingMintConfigState(await getMint(connection, mint, ...CONFIRMED));
    assert.deepEqual(await explained(mint, 'interestBearingConfig'), {
      rateAuthority: String(payer.publicKey),
      initializationTimestamp: Number(config?.initializationTimestamp),
      preUpdateAverageRate: 250,
      lastUpdateTimestamp: Number(config?.lastUpdateTimestamp),
      currentRate: 250,
    });
  });
  test('an account that asks for memos takes nothing without one', async () => {
    const owner = Keypair.generate();
    const mint = await mintWith([], () => []);
    const account = Keypair.generate();
    const extensions = [ExtensionType.MemoTransfer];
    const space = getAccountLen(extensions);
    const create = SystemProgram.createAccount({
      fromPubkey: payer.publicKey,
      newAccountPubkey: account.publicKey,
      space,
      lamports: await connection.getMinimumBalanceForRentExemption(space),
      programId: PROGRAM,
    });
    const { publicKey } = owner;
    const initialize = createInitializeAccountInstruction(account.publicKey, mint, publicKey, PROGRAM);
    await send(connection, [create, initialize], [payer, account]);
    await enableRequiredMemoTransfers(connection, payer, account.publicKey, owner, [], ...CONFIRMED);
    const state = await getAccount(connection, account.publicKey, ...CONFIRMED);
    assert.equal(getMemoTransfer(state)?.requireIncomingTransferMemos, true);
    assert.deepEqual(await explained(account.publicKey, 'memoTransfer'), { requireIncomingTransferMemos: true });
    const from = await newAccount(mint, payer.publicKey);
    await mintInto(mint, from, 1n);
    const silent = transfer(connection, payer, from, account.publicKey, payer, 1n, [], ...CONFIRMED);
    assert.match((await failureOf(silent, SendTransactionError)).message, /custom program error: 0x24/);
  });
  test('each kind of authority that Token-2022 adds is named', async () => {
    const mint = await mintWith([ExtensionType.MintCloseAuthority], (key) => [
      createInitializeMintCloseAuthorityInstruction(key, payer.publicKey, PROGRAM),
    ]);
    const heir = Keypair.generate().publicKey;
    const handed = [mint, payer, AuthorityType.CloseMint, heir] as const;
    const signature = await setAuthority(connection, payer, ...handed, [], ...CONFIRMED);
    const record = await connection.getParsedTransaction(signature, { maxSupportedTransactionVersion: 0 });
    const [instruction] = record?.transaction.message.instructions ?? [];
    assert.ok(instruction && 'parsed' in instruction, 'the instruction is parsed');
    assert.deepEqual(instruction.parsed, {
      type: 'setAuthority',
      info: {
        mint: String(mint),
        authorityType: 'closeMint',
        authority: String(payer.publicKey),
        newAuthority: String(heir),
      },
    });
  });
});
