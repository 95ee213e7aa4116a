// The unmodified @solana/spl-token lives its whole life on the service, with the Token program and with Token-2022: the
// same calls, told apart by the program they name.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  ACCOUNT_SIZE,
  AuthorityType,
  NATIVE_MINT,
  TOKEN_2022_PROGRAM_ID,
  TOKEN_PROGRAM_ID,
  TokenAccountNotFoundError,
  approve,
  approveChecked,
  burn,
  burnChecked,
  closeAccount,
  createAccount,
  createAssociatedTokenAccountIdempotent,
  createMint,
  createMultisig,
  createSyncNativeInstruction,
  freezeAccount,
  getAccount,
  getAssociatedTokenAddressSync,
  getMint,
  getMultisig,
  getMultipleAccounts,
  getOrCreateAssociatedTokenAccount,
  mintTo,
  mintToChecked,
  revoke,
  setAuthority,
  thawAccount,
  transfer,
  transferChecked,
  type Account,
} from '@solana/spl-token';
import { Keypair, SendTransactionError, SystemProgram, type Connection, type PublicKey } from '@solana/web3.js';
import { failureOf, send, web3Session } from './web3-harness';

const DECIMALS = 6;
const FROZEN = /custom program error: 0x11/;

let connection: Connection;
let payer: Keypair;
web3Session((session) => ({ connection, payer } = session));

for (const [name, program] of [
  ['Token program', TOKEN_PROGRAM_ID],
  ['Token-2022', TOKEN_2022_PROGRAM_ID],
] as const)
  describe(`spl-token, ${name}`, { concurrency: true }, () => {
    const owner = Keypair.generate();

    /** A mint of the payer, and a holding of `owner` in it. */
    async function holding(amount = 0n): Promise<{ readonly mint: PublicKey; readonly account: PublicKey }> {
      const authority = payer.publicKey;
      const mint = await createMint(connection, payer, authority, authority, DECIMALS, fresh(), undefined, program);
      const account = await createAccount(connection, payer, mint, owner.publicKey, fresh(), undefined, program);
      if (amount > 0n) await mintTo(connection, payer, mint, account, payer, amount, [], undefined, program);
      return { mint, account };
    }
    const read = (account: PublicKey): Promise<Account> => getAccount(connection, account, undefined, program);
    const fresh = (): Keypair => Keypair.generate();

    test('a mint is created with its authorities and decimals', async () => {
      const { mint } = await holding();
      const state = await getMint(connection, mint, undefined, program);
      assert.equal(state.mintAuthority?.toBase58(), payer.publicKey.toBase58());
      assert.equal(state.freezeAuthority?.toBase58(), payer.publicKey.toBase58());
      assert.deepEqual([state.decimals, state.supply, state.isInitialized], [DECIMALS, 0n, true]);
    });
    test('minting grows the holding and the supply', async () => {
      const { mint, account } = await holding(1_500_000n);
      await mintToChecked(connection, payer, mint, account, payer, 500_000n, DECIMALS, [], undefined, program);
      assert.equal((await read(account)).amount, 2_000_000n);
      assert.equal((await getMint(connection, mint, undefined, program)).supply, 2_000_000n);
      assert.equal((await connection.getTokenAccountBalance(account)).value.uiAmountString, '2');
      assert.equal((await connection.getTokenSupply(mint)).value.amount, '2000000');
    });
    test('an associated account is made once, and found the second time', async () => {
      const { mint } = await holding();
      const wallet = fresh().publicKey;
      const make = () =>
        getOrCreateAssociatedTokenAccount(connection, payer, mint, wallet, false, undefined, undefined, program);
      const made = await make();
      assert.equal(made.address.toBase58(), getAssociatedTokenAddressSync(mint, wallet, false, program).toBase58());
      assert.equal((await make()).address.toBase58(), made.address.toBase58());
      await createAssociatedTokenAccountIdempotent(connection, payer, mint, wallet, undefined, program);
    });
    test('a transfer moves the amount, and no more than there is', async () => {
      const { mint, account } = await holding(1_000n);
      const to = await createAccount(connection, payer, mint, payer.publicKey, fresh(), undefined, program);
      await transfer(connection, payer, account, to, owner, 300n, [], undefined, program);
      await transferChecked(connection, payer, account, mint, to, owner, 200n, DECIMALS, [], undefined, program);
      const [left, moved] = await getMultipleAccounts(connection, [account, to], undefined, program);
      assert.deepEqual([left?.amount, moved?.amount], [500n, 500n]);
      const tooMuch = transfer(connection, payer, account, to, owner, 501n, [], undefined, program);
      assert.match((await failureOf(tooMuch, SendTransactionError)).message, /custom program error: 0x1/);
    });
    test('a frozen account moves nothing until it is thawed', async () => {
      const { mint, account } = await holding(1_000n);
      const to = await createAccount(connection, payer, mint, payer.publicKey, fresh(), undefined, program);
      await freezeAccount(connection, payer, account, mint, payer, [], undefined, program);
      assert.equal((await read(account)).isFrozen, true);
      const stuck = transfer(connection, payer, account, to, owner, 1n, [], undefined, program);
      assert.match((await failureOf(stuck, SendTransactionError)).message, FROZEN);
      await thawAccount(connection, payer, account, mint, payer, [], undefined, program);
      await transfer(connection, payer, account, to, owner, 1n, [], undefined, program);
      assert.equal((await read(account)).amount, 999n);
    });
    test('burning shrinks the holding and the supply', async () => {
      const { mint, account } = await holding(1_000n);
      await burn(connection, payer, account, mint, owner, 100n, [], undefined, program);
      await burnChecked(connection, payer, account, mint, owner, 50n, DECIMALS, [], undefined, program);
      assert.equal((await read(account)).amount, 850n);
      assert.equal((await getMint(connection, mint, undefined, program)).supply, 850n);
    });
    test('a delegate spends what was approved, until it is revoked', async () => {
      const { mint, account } = await holding(1_000n);
      const delegate = fresh();
      const to = await createAccount(connection, payer, mint, payer.publicKey, fresh(), undefined, program);
      await approve(connection, payer, account, delegate.publicKey, owner, 400n, [], undefined, program);
      await transfer(connection, payer, account, to, delegate, 150n, [], undefined, program);
      const spent = await read(account);
      assert.equal(spent.delegate?.toBase58(), delegate.publicKey.toBase58());
      assert.deepEqual([spent.delegatedAmount, spent.amount], [250n, 850n]);
      const { value } = await connection.getParsedAccountInfo(account);
      assert.ok(value && 'parsed' in value.data);
      const { info } = value.data.parsed as { info: { delegatedAmount: { amount: string } } };
      assert.equal(info.delegatedAmount.amount, '250');
      await revoke(connection, payer, account, owner, [], undefined, program);
      assert.equal((await read(account)).delegate, null);
      const late = transfer(connection, payer, account, to, delegate, 1n, [], undefined, program);
      assert.match((await failureOf(late, SendTransactionError)).message, /custom program error: 0x4/);
      const checked = [account, delegate.publicKey, owner, 7n, DECIMALS] as const;
      await approveChecked(connection, payer, mint, ...checked, [], undefined, program);
      assert.equal((await read(account)).delegatedAmount, 7n);
    });
    test('an empty account is closed and its lamports come back', async () => {
      const { account } = await holding();
      const wallet = fresh().publicKey;
      const lamports = await connection.getBalance(account);
      await closeAccount(connection, payer, account, wallet, owner, [], undefined, program);
      assert.equal(await connection.getBalance(wallet), lamports);
      await failureOf(read(account), TokenAccountNotFoundError);
    });
    test('an authority is handed on, and given up for good', async () => {
      const { mint, account } = await holding();
      const heir = fresh();
      const set = (from: Keypair, to: PublicKey | null) =>
        setAuthority(connection, payer, mint, from, AuthorityType.MintTokens, to, [], undefined, program);
      await set(payer, heir.publicKey);
      await mintTo(connection, payer, mint, account, heir, 1n, [], undefined, program);
      await set(heir, null);
      assert.equal((await getMint(connection, mint, undefined, program)).mintAuthority, null);
      const late = mintTo(connection, payer, mint, account, heir, 1n, [], undefined, program);
      assert.match((await failureOf(late, SendTransactionError)).message, /custom program error: 0x5/);
    });
    test('a multisignature account signs with as many as it asks for', async () => {
      const { mint, account } = await holding();
      const signers = [fresh(), fresh(), fresh()];
      const keys = signers.map(({ publicKey }) => publicKey);
      const multisig = await createMultisig(connection, payer, keys, 2, fresh(), undefined, program);
      assert.equal((await getMultisig(connection, multisig, undefined, program)).m, 2);
      await setAuthority(connection, payer, mint, payer, AuthorityType.MintTokens, multisig, [], undefined, program);
      await mintTo(connection, payer, mint, account, multisig, 9n, signers.slice(0, 2), undefined, program);
      assert.equal((await read(account)).amount, 9n);
      const one = mintTo(connection, payer, mint, account, multisig, 9n, signers.slice(0, 1), undefined, program);
      await failureOf(one, SendTransactionError);
    });
    test('a wallet, a delegate and a mint lead to their accounts', async () => {
      const { mint, account } = await holding(1_000n);
      const delegate = fresh().publicKey;
      await approve(connection, payer, account, delegate, owner, 4n, [], undefined, program);
      const byMint = await connection.getTokenAccountsByOwner(owner.publicKey, { mint });
      assert.deepEqual(
        byMint.value.map(({ pubkey }) => String(pubkey)),
        [String(account)],
      );
      const byProgram = await connection.getParsedTokenAccountsByOwner(owner.publicKey, { programId: program });
      const found = byProgram.value.find(({ pubkey }) => pubkey.equals(account));
      const { info } = found?.account.data.parsed as { info: Record<string, unknown> };
      assert.deepEqual(info['tokenAmount'], {
        amount: '1000',
        decimals: DECIMALS,
        uiAmount: 0.001,
        uiAmountString: '0.001',
      });
      assert.deepEqual(
        [info['mint'], info['owner'], info['state']],
        [String(mint), String(owner.publicKey), 'initialized'],
      );
      const largest = await connection.getTokenLargestAccounts(mint);
      assert.deepEqual(
        largest.value.map(({ address, amount }) => [String(address), amount]),
        [[String(account), '1000']],
      );
    });
  });

describe('spl-token, native mint', () => {
  test('lamports sent to a wrapped account count after syncNative', async () => {
    const account = await createAccount(connection, payer, NATIVE_MINT, payer.publicKey, Keypair.generate());
    const deposit = { fromPubkey: payer.publicKey, toPubkey: account, lamports: 5_000_000 };
    await send(connection, [SystemProgram.transfer(deposit), createSyncNativeInstruction(account)], [payer]);
    const state = await getAccount(connection, account);
    assert.deepEqual([state.amount, state.isNative, state.isFrozen], [5_000_000n, true, false]);
    const least = await connection.getMinimumBalanceForRentExemption(ACCOUNT_SIZE);
    assert.equal(state.rentExemptReserve, BigInt(least));
  });
});
