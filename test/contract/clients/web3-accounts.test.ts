// The unmodified @solana/web3.js reads accounts: raw, sliced, filtered, parsed, and as a simulation would leave them.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import {
  TOKEN_PROGRAM_ID,
  createAccount,
  createAssociatedTokenAccountInstruction,
  createMint,
  freezeAccount,
  getAssociatedTokenAddressSync,
  mintTo,
} from '@solana/spl-token';
import type { PublicKey } from '@solana/web3.js';
import {
  Keypair,
  NONCE_ACCOUNT_LENGTH,
  SYSVAR_CLOCK_PUBKEY,
  SYSVAR_EPOCH_SCHEDULE_PUBKEY,
  SYSVAR_RENT_PUBKEY,
  SYSVAR_SLOT_HASHES_PUBKEY,
  SystemProgram,
  Transaction,
  TransactionInstruction,
  type Connection,
} from '@solana/web3.js';
import type { Localnet } from '../../support/process/localnet';
import { memo, send, versioned, web3Session } from './web3-harness';

let local: Localnet;
let connection: Connection;
let payer: Keypair;
web3Session((session) => ({ local, connection, payer } = session));

const pay = (to: PublicKey, lamports: number) =>
  SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: to, lamports });

/** Program, type and info of a parsed account. */
async function parsed(address: PublicKey): Promise<{ program: string; type: string; info: Record<string, unknown> }> {
  const { value } = await connection.getParsedAccountInfo(address);
  assert.ok(value && 'parsed' in value.data, 'the account is parsed');
  const { type, info } = value.data.parsed as { type: string; info: Record<string, unknown> };
  return { program: value.data.program, type, info };
}

describe('web3.js: accounts', () => {
  test('getAccountInfo gives bytes, lamports, owner', async () => {
    const account = Keypair.generate();
    const lamports = await connection.getMinimumBalanceForRentExemption(10);
    const { publicKey: fromPubkey } = payer;
    const newAccountPubkey = account.publicKey;
    const create = SystemProgram.createAccount({
      fromPubkey,
      newAccountPubkey,
      lamports,
      space: 10,
      programId: TOKEN_PROGRAM_ID,
    });
    await send(connection, [create], [payer, account]);
    const info = await connection.getAccountInfo(newAccountPubkey);
    assert.deepEqual([info?.lamports, info?.data.length, info?.executable], [lamports, 10, false]);
    assert.equal(info?.owner.toBase58(), TOKEN_PROGRAM_ID.toBase58());
    const sliced = await connection.getAccountInfo(newAccountPubkey, { dataSlice: { offset: 2, length: 3 } });
    assert.equal(sliced?.data.length, 3);
  });
  test('getMultipleAccountsInfo keeps the order, null for what is not there', async () => {
    const nobody = Keypair.generate().publicKey;
    const found = await connection.getMultipleAccountsInfo([TOKEN_PROGRAM_ID, nobody, payer.publicKey]);
    assert.deepEqual(
      found.map((info) => info?.executable),
      [true, undefined, false],
    );
  });
  test('a read at each commitment is the state of that commitment', async () => {
    await local.cheat('pauseClock');
    const to = Keypair.generate().publicKey;
    const { blockhash } = await connection.getLatestBlockhash();
    await connection.sendTransaction(versioned([pay(to, 3_000_000)], [payer], blockhash));
    const balances = async (): Promise<number[]> =>
      Promise.all((['processed', 'confirmed', 'finalized'] as const).map((level) => connection.getBalance(to, level)));
    assert.deepEqual(await balances(), [3_000_000, 0, 0]);
    await local.slots(1);
    assert.deepEqual(await balances(), [3_000_000, 3_000_000, 3_000_000]);
    await local.cheat('resumeClock');
  });
  test('context states the slot of the read', async () => {
    const { context, value } = await connection.getBalanceAndContext(payer.publicKey, 'processed');
    assert.ok(value > 0);
    assert.ok(context.slot > (await connection.getSlot('finalized')));
  });
});

describe('web3.js: accounts of a program', () => {
  let mint: PublicKey;
  let accounts: PublicKey[];
  before(async () => {
    const authority = payer.publicKey;
    mint = await createMint(connection, payer, authority, authority, 2, Keypair.generate());
    accounts = await Promise.all(
      [1, 2, 3].map(() => createAccount(connection, payer, mint, Keypair.generate().publicKey, Keypair.generate())),
    );
    await Promise.all(
      accounts.map((account, i) => mintTo(connection, payer, mint, account, payer, 10n * BigInt(i + 1))),
    );
  });
  const ofMint = () => [{ dataSize: 165 }, { memcmp: { offset: 0, bytes: mint.toBase58() } }];
  const sorted = (keys: readonly PublicKey[]): string[] => keys.map(String).sort();

  test('filters by size and by bytes find the holdings of a mint', async () => {
    const found = await connection.getProgramAccounts(TOKEN_PROGRAM_ID, { filters: ofMint() });
    assert.deepEqual(sorted(found.map(({ pubkey }) => pubkey)), sorted(accounts));
    for (const { account } of found) assert.equal(account.data.length, 165);
  });
  test('bytes may be compared as base64 too', async () => {
    const bytes = mint.toBuffer().toString('base64');
    const filters = [{ memcmp: { offset: 0, bytes, encoding: 'base64' as const } }];
    assert.equal((await connection.getProgramAccounts(TOKEN_PROGRAM_ID, { filters })).length, 3);
  });
  test('a slice of nothing lists the addresses alone', async () => {
    const dataSlice = { offset: 0, length: 0 };
    const found = await connection.getProgramAccounts(TOKEN_PROGRAM_ID, { filters: ofMint(), dataSlice });
    assert.deepEqual(
      found.map(({ account }) => account.data.length),
      [0, 0, 0],
    );
  });
  test('a slice cuts the amounts out', async () => {
    const dataSlice = { offset: 64, length: 8 };
    const found = await connection.getProgramAccounts(TOKEN_PROGRAM_ID, { filters: ofMint(), dataSlice });
    const amounts = found.map(({ account }) => account.data.readBigUInt64LE());
    assert.deepEqual(amounts.sort(), [10n, 20n, 30n]);
  });
  test('withContext wraps them with the slot', async () => {
    const options = { filters: ofMint(), withContext: true } as const;
    const { context, value } = await connection.getProgramAccounts(TOKEN_PROGRAM_ID, options);
    assert.equal(value.length, 3);
    assert.ok(context.slot > 0);
  });
  test('getParsedProgramAccounts explains each', async () => {
    const found = await connection.getParsedProgramAccounts(TOKEN_PROGRAM_ID, { filters: ofMint() });
    const amounts = found.map(({ account }) => {
      assert.ok('parsed' in account.data);
      const { info } = account.data.parsed as { info: { tokenAmount: { uiAmountString: string } } };
      return info.tokenAmount.uiAmountString;
    });
    assert.deepEqual(amounts.sort(), ['0.1', '0.2', '0.3']);
  });
  test('getTokenLargestAccounts puts the largest first', async () => {
    const { value } = await connection.getTokenLargestAccounts(mint);
    assert.deepEqual(
      value.map(({ amount }) => amount),
      ['30', '20', '10'],
    );
  });
  test('a frozen account says so when parsed', async () => {
    const [account] = accounts;
    assert.ok(account);
    await freezeAccount(connection, payer, account, mint, payer);
    const { program, type, info } = await parsed(account);
    assert.deepEqual([program, type, info['state']], ['spl-token', 'account', 'frozen']);
  });
  test('a mint is parsed with its authorities', async () => {
    assert.deepEqual(await parsed(mint), {
      program: 'spl-token',
      type: 'mint',
      info: {
        decimals: 2,
        freezeAuthority: payer.publicKey.toBase58(),
        isInitialized: true,
        mintAuthority: payer.publicKey.toBase58(),
        supply: '60',
      },
    });
  });
});

describe('web3.js: parsed accounts', () => {
  test('a nonce account is parsed', async () => {
    const account = Keypair.generate();
    const create = SystemProgram.createNonceAccount({
      fromPubkey: payer.publicKey,
      noncePubkey: account.publicKey,
      authorizedPubkey: payer.publicKey,
      lamports: await connection.getMinimumBalanceForRentExemption(NONCE_ACCOUNT_LENGTH),
    });
    await send(connection, create.instructions, [payer, account]);
    const { program, type, info } = await parsed(account.publicKey);
    assert.deepEqual([program, type], ['nonce', 'initialized']);
    assert.deepEqual(info, {
      authority: payer.publicKey.toBase58(),
      blockhash: (await connection.getNonce(account.publicKey))?.nonce,
      feeCalculator: { lamportsPerSignature: '5000' },
    });
  });
  test('the clock is parsed', async () => {
    const { program, type, info } = await parsed(SYSVAR_CLOCK_PUBKEY);
    assert.deepEqual([program, type], ['sysvar', 'clock']);
    assert.deepEqual(Object.keys(info).sort(), [
      'epoch',
      'epochStartTimestamp',
      'leaderScheduleEpoch',
      'slot',
      'unixTimestamp',
    ]);
    assert.ok(Math.abs(Number(info['unixTimestamp']) - Date.now() / 1000) < 3600);
  });
  test('the rent agrees with getMinimumBalanceForRentExemption', async () => {
    const { program, type, info } = await parsed(SYSVAR_RENT_PUBKEY);
    assert.deepEqual([program, type, Object.keys(info)], ['sysvar', 'rent', ['lamportsPerByte']]);
    const perByte = Number(info['lamportsPerByte']);
    assert.equal(await connection.getMinimumBalanceForRentExemption(10), perByte * (128 + 10));
  });
  test('the epoch schedule agrees with getEpochSchedule', async () => {
    const { type, info } = await parsed(SYSVAR_EPOCH_SCHEDULE_PUBKEY);
    assert.equal(type, 'epochSchedule');
    const schedule = await connection.getEpochSchedule();
    assert.equal(info['slotsPerEpoch'], schedule.slotsPerEpoch);
    assert.equal(info['warmup'], schedule.warmup);
  });
  test('the slot hashes lead back to the blocks', async () => {
    const { type, info } = await parsed(SYSVAR_SLOT_HASHES_PUBKEY);
    assert.equal(type, 'slotHashes');
    const [newest] = info as unknown as readonly { slot: number; hash: string }[];
    assert.ok(newest);
    assert.equal(
      (await connection.getBlock(newest.slot, { maxSupportedTransactionVersion: 0 }))?.blockhash,
      newest.hash,
    );
  });
  test('getMultipleParsedAccounts mixes parsed and raw', async () => {
    const { value } = await connection.getMultipleParsedAccounts([SYSVAR_RENT_PUBKEY, payer.publicKey]);
    assert.ok(value[0] && 'parsed' in value[0].data);
    assert.ok(value[1] && Buffer.isBuffer(value[1].data));
  });
});

describe('web3.js: simulateTransaction', () => {
  test('a legacy transaction answers logs and units', async () => {
    const { value } = await connection.simulateTransaction(new Transaction().add(memo('legacy')), [payer]);
    assert.equal(value.err, null);
    assert.ok(value.logs?.includes('Program log: legacy'));
    assert.ok(Number(value.unitsConsumed) > 0);
  });
  test('accounts asked for come as the run would leave them, and stay as they are', async () => {
    const to = Keypair.generate().publicKey;
    const { blockhash } = await connection.getLatestBlockhash();
    const { value } = await connection.simulateTransaction(versioned([pay(to, 1_500_000)], [payer], blockhash), {
      accounts: { encoding: 'base64', addresses: [to.toBase58()] },
    });
    assert.equal(value.accounts?.[0]?.lamports, 1_500_000);
    assert.equal(await connection.getBalance(to), 0);
  });
  test('replaceRecentBlockhash makes an old transaction run', async () => {
    const old = versioned([memo('old')], [payer], Keypair.generate().publicKey.toBase58());
    const failed = await connection.simulateTransaction(old);
    assert.equal(failed.value.err, 'BlockhashNotFound');
    const { value } = await connection.simulateTransaction(old, { replaceRecentBlockhash: true });
    assert.equal(value.err, null);
  });
  test('sigVerify finds a missing signature', async () => {
    const { blockhash } = await connection.getLatestBlockhash();
    const unsigned = versioned([memo('unsigned')], [payer], blockhash);
    unsigned.signatures[0] = new Uint8Array(64);
    assert.equal((await connection.simulateTransaction(unsigned, { sigVerify: true })).value.err, 'SignatureFailure');
    assert.equal((await connection.simulateTransaction(unsigned, { sigVerify: false })).value.err, null);
  });
  test('return data comes with the program that gave it', async () => {
    const mint = await createMint(connection, payer, payer.publicKey, null, 0, Keypair.generate());
    const keys = [{ pubkey: mint, isSigner: false, isWritable: false }];
    // GetAccountDataSize: how many bytes a holding of this mint takes.
    const ask = new TransactionInstruction({ programId: TOKEN_PROGRAM_ID, keys, data: Buffer.of(21) });
    const { blockhash } = await connection.getLatestBlockhash();
    const { value } = await connection.simulateTransaction(versioned([ask], [payer], blockhash));
    assert.equal(value.returnData?.programId, TOKEN_PROGRAM_ID.toBase58());
    const [data, encoding] = value.returnData.data;
    assert.equal(encoding, 'base64');
    assert.equal(Buffer.from(data, 'base64').readBigUInt64LE(), 165n);
  });
  test('inner instructions come when they are asked for', async () => {
    const mint = await createMint(connection, payer, payer.publicKey, null, 0, Keypair.generate());
    const account = getAssociatedTokenAddressSync(mint, payer.publicKey);
    const make = createAssociatedTokenAccountInstruction(payer.publicKey, account, payer.publicKey, mint);
    const { blockhash } = await connection.getLatestBlockhash();
    const transaction = versioned([make], [payer], blockhash);
    const { value } = await connection.simulateTransaction(transaction, { innerInstructions: true });
    assert.equal(value.innerInstructions?.[0]?.instructions.length, 4);
  });
  test('a transaction that would fail says why', async () => {
    const { blockhash } = await connection.getLatestBlockhash();
    const poor = versioned([pay(Keypair.generate().publicKey, 1e15)], [payer], blockhash);
    const { value } = await connection.simulateTransaction(poor);
    assert.deepEqual(value.err, { InstructionError: [0, { Custom: 1 }] });
    assert.ok(value.logs?.some((line) => line.includes('insufficient lamports')));
  });
});
