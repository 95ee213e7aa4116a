// Transactions and blocks over gRPC: the same facts as over JSON-RPC, in bytes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeBase58 } from '../../../core/solana/encoding/base58';
import { isJsonArray, JsonNumber, member, type JsonValue } from '../../../core/solana/json/json';
import { Geyser, storage, TokenAccountExpansionControlFlag, type SubscribeUpdateTransactionInfo } from '../../../proto';
import { testGeyser } from './geyser-client';
import { ServiceWallet } from './geyser-wallet';
import { bytesOf, createAccount, freshKey, memo, TOKEN, transfer, u32, u64 } from '../rpc/rpc-harness';
import {
  ACCOUNT_RENT,
  ataCandidates,
  createAta,
  initializeAccount,
  initializeMint,
  MINT_RENT,
  mintTo,
  transferChecked,
} from '../rpc/rpc-token-kit';

/** The token program's instruction that answers a number. */
const TRANSFER = 3;
const GET_ACCOUNT_DATA_SIZE = 21;
const LOOKUP_TABLES = 'AddressLookupTab1e1111111111111111111111111';

const { local, client } = testGeyser(['--plan', 'Shared Metal'], { clock: 'slots' });
const wallet = new ServiceWallet(local);

/** The transaction over gRPC, and as getTransaction returns it. */
async function bothWays(signature: string): Promise<[SubscribeUpdateTransactionInfo, JsonValue]> {
  const { slot } = await client.unary(Geyser.method.getSlot);
  const stream = client.subscribe();
  stream.send({ transactions: { t: { signature } }, fromSlot: slot });
  const { transaction } = (await stream.nextOf('transaction')).updateOneof.value;
  stream.cancel();
  await local.slots(1);
  const config = { commitment: 'confirmed', maxSupportedTransactionVersion: 0 };
  const record = member((await local.rpc('getTransaction', [signature, config])).json, 'result');
  assert.ok(transaction !== undefined && record !== undefined && record !== null);
  return [transaction, record];
}

/** A value of gRPC as JSON-RPC writes it: bytes as base58, integers as numbers. */
const base58 = (bytes: Uint8Array | undefined): string => encodeBase58(bytes ?? new Uint8Array());
const numbers = (values: readonly bigint[] | undefined): readonly JsonValue[] =>
  (values ?? []).map((value) => (value > 2n ** 53n ? new JsonNumber(String(value)) : Number(value)));
const at = (value: JsonValue | undefined, ...path: string[]): JsonValue | undefined =>
  path.reduce((found, name) => member(found, name), value);
const listAt = (value: JsonValue, ...path: string[]): readonly JsonValue[] => {
  const found = at(value, ...path);
  assert.ok(isJsonArray(found), path.join('.'));
  return found;
};

function sameMessage({ transaction }: SubscribeUpdateTransactionInfo, record: JsonValue): void {
  const { message } = transaction ?? {};
  const expected = at(record, 'transaction', 'message');
  assert.deepEqual(transaction?.signatures.map(base58), at(record, 'transaction', 'signatures'));
  assert.deepEqual(message?.accountKeys.map(base58), at(expected, 'accountKeys'));
  assert.equal(base58(message?.recentBlockhash), at(expected, 'recentBlockhash'));
  const { numRequiredSignatures, numReadonlySignedAccounts, numReadonlyUnsignedAccounts } = message?.header ?? {};
  assert.deepEqual(
    { numRequiredSignatures, numReadonlySignedAccounts, numReadonlyUnsignedAccounts },
    { ...(at(expected, 'header') as object) },
  );
  assert.deepEqual(
    message?.instructions.map(({ programIdIndex, accounts, data }) => [programIdIndex, [...accounts], base58(data)]),
    listAt(record, 'transaction', 'message', 'instructions').map((instruction) => [
      member(instruction, 'programIdIndex'),
      member(instruction, 'accounts'),
      member(instruction, 'data'),
    ]),
  );
}

function sameMeta({ meta }: SubscribeUpdateTransactionInfo, record: JsonValue): void {
  const expected = at(record, 'meta');
  assert.ok(meta !== undefined);
  assert.equal(Number(meta.fee), member(expected, 'fee'));
  assert.deepEqual(numbers(meta.preBalances), member(expected, 'preBalances'));
  assert.deepEqual(numbers(meta.postBalances), member(expected, 'postBalances'));
  assert.deepEqual(meta.logMessages, member(expected, 'logMessages'));
  assert.equal(Number(meta.computeUnitsConsumed), member(expected, 'computeUnitsConsumed'));
  assert.equal(Number(meta.costUnits), member(expected, 'costUnits'));
  for (const name of ['preTokenBalances', 'postTokenBalances'] as const) {
    assert.deepEqual(
      meta[name].map(({ accountIndex, mint, owner, programId, uiTokenAmount }) => [
        accountIndex,
        mint,
        owner,
        programId,
        uiTokenAmount?.amount,
        uiTokenAmount?.decimals,
        uiTokenAmount?.uiAmountString,
      ]),
      listAt(record, 'meta', name).map((balance) => [
        ...['accountIndex', 'mint', 'owner', 'programId'].map((key) => member(balance, key)),
        ...['amount', 'decimals', 'uiAmountString'].map((key) => at(balance, 'uiTokenAmount', key)),
      ]),
    );
  }
  assert.deepEqual(
    meta.innerInstructions.map(({ index, instructions }) => [
      index,
      instructions.map((inner) => [inner.programIdIndex, [...inner.accounts], base58(inner.data), inner.stackHeight]),
    ]),
    listAt(record, 'meta', 'innerInstructions').map((inner) => [
      member(inner, 'index'),
      listAt(inner, 'instructions').map((instruction) =>
        ['programIdIndex', 'accounts', 'data', 'stackHeight'].map((name) => member(instruction, name)),
      ),
    ]),
  );
}

test('a legacy transaction has the facts of getTransaction', async () => {
  const signature = await wallet.send([transfer(wallet.address, freshKey().address, 5_000_000n), memo('hello')]);
  const [transaction, record] = await bothWays(signature);
  sameMessage(transaction, record);
  sameMeta(transaction, record);
  assert.equal(base58(transaction.signature), signature);
  assert.equal(transaction.isVote, false);
  assert.equal(transaction.transaction?.message?.versioned, false);
  assert.equal(transaction.meta?.err, undefined);
  assert.deepEqual([transaction.meta?.innerInstructionsNone, transaction.meta?.logMessagesNone], [false, false]);
});

test('a failed transaction has its error as bincode, and its fee', async () => {
  const [transaction, record] = await bothWays(await wallet.transferTooMuch(freshKey().address));
  sameMeta(transaction, record);
  assert.deepEqual([...(transaction.meta?.err?.err ?? [])], [8, 0, 0, 0, 0, 25, 0, 0, 0, 1, 0, 0, 0]);
  assert.equal(transaction.meta?.fee, 5000n);
});

test('a version 0 transaction has its lookups, and the addresses they loaded', async () => {
  const addresses = [freshKey().address, freshKey().address];
  const table = { address: freshKey().address, addresses };
  const data = Buffer.concat([
    u32(1),
    u64(2n ** 64n - 1n),
    u64(1n),
    Uint8Array.of(0, 1),
    bytesOf(wallet.address),
    Uint8Array.of(0, 0),
    ...addresses.map(bytesOf),
  ]).toString('base64');
  await local.cheat('setAccount', { address: table.address, lamports: 10 ** 9, owner: LOOKUP_TABLES, data });
  const list = addresses.map((to) => transfer(wallet.address, to, 1_000_000n));
  const [transaction, record] = await bothWays(await wallet.send(list, [], [table]));
  sameMessage(transaction, record);
  sameMeta(transaction, record);
  assert.equal(transaction.transaction?.message?.versioned, true);
  const [lookup] = transaction.transaction.message.addressTableLookups;
  assert.equal(base58(lookup?.accountKey), table.address);
  assert.deepEqual([...(lookup?.writableIndexes ?? [])], [0, 1]);
  assert.deepEqual(transaction.meta?.loadedWritableAddresses.map(base58), addresses);
  const stream = client.subscribe();
  stream.send({ transactions: { t: { accountRequired: addresses } }, fromSlot: BigInt(Number(at(record, 'slot'))) });
  await stream.nextOf('transaction');
  stream.cancel();
});

test('token transactions have balances, inner instructions and return data; filters can widen to owners', async () => {
  const [mint, holding, owner] = [freshKey(), freshKey(), freshKey().address];
  await wallet.send(
    [
      createAccount(wallet.address, mint.address, { lamports: MINT_RENT, space: 82, owner: TOKEN }),
      initializeMint(mint.address, 6, wallet.address),
      createAccount(wallet.address, holding.address, { lamports: ACCOUNT_RENT, space: 165, owner: TOKEN }),
      initializeAccount(holding.address, mint.address, wallet.address),
      mintTo(mint.address, holding.address, wallet.address, 9_007_199_254_740_993n),
    ],
    [mint, holding],
  );
  const size = { program: TOKEN, accounts: [{ address: mint.address }], data: Uint8Array.of(GET_ACCOUNT_DATA_SIZE) };
  const [asked, askedRecord] = await bothWays(await wallet.send([size]));
  sameMeta(asked, askedRecord);
  assert.equal(base58(asked.meta?.returnData?.programId), TOKEN);
  assert.deepEqual(Buffer.from(asked.meta?.returnData?.data ?? []), u64(165n));
  assert.equal(asked.meta?.returnDataNone, false);
  const [ata, created] = await makeAta(owner, mint.address);
  const [creation, creationRecord] = created;
  sameMeta(creation, creationRecord);
  assert.ok((creation.meta?.innerInstructions[0]?.instructions.length ?? 0) >= 3);
  assert.equal(creation.meta?.returnDataNone, true);

  const stream = client.subscribe();
  const widened = { accountInclude: [owner] };
  stream.send({
    transactions: {
      plain: widened,
      all: { ...widened, tokenAccounts: TokenAccountExpansionControlFlag.ALL },
      changed: { ...widened, tokenAccounts: TokenAccountExpansionControlFlag.BALANCE_CHANGED },
    },
  });
  await stream.settled();
  const pay = (amount: bigint) =>
    wallet.send([
      transferChecked({ from: holding.address, mint: mint.address, to: ata, owner: wallet.address }, amount, 6),
    ]);
  const signature = await pay(1_500_000n);
  assert.deepEqual((await stream.nextOf('transaction')).filters, ['all', 'changed']);
  await pay(0n);
  assert.deepEqual((await stream.nextOf('transaction')).filters, ['all']);
  // A plain transfer does not name its mint: only Helius' match_mints counts that.
  const mints = { accountInclude: [mint.address], matchMints: true };
  const mine = { accountInclude: [wallet.address], accountExclude: [mint.address] };
  stream.send({
    transactions: {
      plain: { accountInclude: [mint.address] },
      mints,
      required: { accountRequired: [mint.address, wallet.address], matchMints: true },
      excluded: { ...mine, matchMints: true },
      kept: mine,
    },
  });
  await stream.settled();
  await wallet.send([
    {
      program: TOKEN,
      accounts: [
        { address: holding.address, writable: true },
        { address: ata, writable: true },
        { address: wallet.address, signer: true },
      ],
      data: Buffer.concat([Uint8Array.of(TRANSFER), u64(1n)]),
    },
  ]);
  assert.deepEqual([...(await stream.nextOf('transaction')).filters].sort(), ['kept', 'mints', 'required']);
  stream.cancel();
  const [payment, paymentRecord] = await bothWays(signature);
  sameMeta(payment, paymentRecord);
  const received = payment.meta?.postTokenBalances.find((balance) => balance.owner === owner);
  assert.deepEqual([received?.uiTokenAmount?.uiAmount, received?.uiTokenAmount?.amount], [1.5, '1500000']);
});

/** Creates the associated token account of the first candidate that the program accepts. */
async function makeAta(owner: string, mint: string): Promise<[string, Awaited<ReturnType<typeof bothWays>>]> {
  for (const ata of ataCandidates(owner, mint)) {
    const both = await bothWays(await wallet.send([createAta(wallet.address, ata, owner, mint)]));
    if (both[0].meta?.err === undefined) return [ata, both];
  }
  throw new Error('No candidate was accepted');
}

test('a block has the facts of getBlock', async () => {
  const { slot } = await client.unary(Geyser.method.getSlot);
  await wallet.transfer(freshKey().address);
  const stream = client.subscribe();
  stream.send({ blocks: { b: { includeEntries: true } }, blocksMeta: { m: {} }, fromSlot: slot });
  await stream.settled();
  await local.slots(1);
  const block = (await stream.nextOf('block')).updateOneof.value;
  const meta = (await stream.nextOf('blockMeta')).updateOneof.value;
  stream.cancel();
  const config = { commitment: 'confirmed', maxSupportedTransactionVersion: 0 };
  const record = member((await local.rpc('getBlock', [Number(slot), config])).json, 'result');
  for (const { blockhash, parentBlockhash, parentSlot, blockTime, blockHeight } of [block, meta]) {
    assert.equal(blockhash, member(record, 'blockhash'));
    assert.equal(parentBlockhash, member(record, 'previousBlockhash'));
    assert.equal(Number(parentSlot), member(record, 'parentSlot'));
    assert.equal(Number(blockTime?.timestamp), member(record, 'blockTime'));
    assert.equal(Number(blockHeight?.blockHeight), member(record, 'blockHeight'));
  }
  const fees = member(record, 'rewards');
  assert.ok(isJsonArray(fees) && fees.length === 1);
  for (const { rewards } of [block, meta]) {
    const [reward, ...more] = rewards?.rewards ?? [];
    assert.deepEqual(more, []);
    assert.equal(reward?.rewardType, storage.RewardType.Fee);
    assert.equal(member(fees[0], 'rewardType'), 'Fee');
    assert.equal(reward.pubkey, member(fees[0], 'pubkey'));
    assert.equal(reward.lamports, 2_500n);
    assert.equal(member(fees[0], 'lamports'), 2_500);
    assert.deepEqual(numbers([reward.postBalance]), [member(fees[0], 'postBalance')]);
    assert.deepEqual([reward.commission, reward.commissionBps], ['', '']);
    assert.deepEqual([member(fees[0], 'commission'), member(fees[0], 'commissionBps')], [null, null]);
  }
  const [entry] = block.entries;
  assert.equal(base58(entry?.hash), block.blockhash);
  assert.deepEqual([entry?.executedTransactionCount, block.entriesCount, meta.entriesCount], [1n, 1n, 1n]);
});

test('a write has its version and the signature of its transaction, and the largest rent epoch exactly', async () => {
  const to = freshKey().address;
  const stream = client.subscribe();
  stream.send({ accounts: { a: { account: [to] } } });
  await stream.settled();
  const signature = await wallet.transfer(to);
  await wallet.transfer(to, 2_000_000n);
  const first = (await stream.nextOf('account')).updateOneof.value;
  const second = (await stream.nextOf('account')).updateOneof.value;
  assert.equal(base58(first.account?.txnSignature), signature);
  assert.ok((second.account?.writeVersion ?? 0n) > (first.account?.writeVersion ?? 0n));
  assert.equal(first.account?.rentEpoch, 2n ** 64n - 1n);
  assert.equal(first.isStartup, false);
  stream.cancel();
});

test('an account that is gone comes with no lamports and no data', async () => {
  const gone = freshKey().address;
  await local.cheat('setAccount', { address: gone, lamports: 1_000_000, owner: TOKEN, data: 'AAAA' });
  const stream = client.subscribe();
  stream.send({ accounts: { a: { account: [gone] } } });
  await stream.settled();
  await local.cheat('setAccount', { address: gone, lamports: 0 });
  const { account } = (await stream.nextOf('account')).updateOneof.value;
  assert.deepEqual([account?.lamports, account?.data.length], [0n, 0]);
  stream.cancel();
});
