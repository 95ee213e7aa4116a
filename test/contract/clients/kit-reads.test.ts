// The unmodified @solana/kit reads: accounts in every encoding, filtered program accounts, records with exact integers,
// simulations and units, tokens by the generated clients.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import {
  SOLANA_ERROR__JSON_RPC__INVALID_PARAMS,
  SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR,
  address,
  assertAccountExists,
  fetchEncodedAccount,
  fetchJsonParsedAccount,
  fetchEncodedAccounts,
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
  isSolanaError,
  type Address,
  type Base58EncodedBytes,
  type Base64EncodedBytes,
  type Base64EncodedDataResponse,
} from '@solana/kit';
import { getAddMemoInstruction } from '@solana-program/memo';
import { getTransferSolInstruction } from '@solana-program/system';
import {
  AccountState,
  TOKEN_PROGRAM_ADDRESS,
  fetchMint,
  fetchToken,
  getBurnInstruction,
  getCloseAccountInstruction,
  getFreezeAccountInstruction,
  getThawAccountInstruction,
  getTransferCheckedInstruction,
} from '@solana-program/token';
import { unzstd } from '../../../core/solana/encoding/zstd';
import { kitOn, testKit } from './kit-harness';
import { mintMore, newHolder, newMint } from './kit-tokens';

const CONFIRMED = { commitment: 'confirmed' } as const;
/** A program whose account holds its code. */
const MEMO = address('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr');
const U64_MAX = 18446744073709551615n;

const { local, kit } = testKit();

const fresh = async (): Promise<Address> => (await generateKeyPairSigner()).address;

describe('kit: accounts', () => {
  test('fetchEncodedAccount and fetchEncodedAccounts report which accounts exist', async () => {
    const nobody = await fresh();
    const account = await fetchEncodedAccount(kit.rpc, kit.payer.address, CONFIRMED);
    assertAccountExists(account);
    assert.ok(account.lamports > 0n);
    assert.equal((await fetchEncodedAccount(kit.rpc, nobody)).exists, false);
    const both = await fetchEncodedAccounts(kit.rpc, [TOKEN_PROGRAM_ADDRESS, nobody]);
    assert.deepEqual(
      both.map(({ exists }) => exists),
      [true, false],
    );
  });
  test('the rent epoch keeps every digit', async () => {
    const { value } = await kit.rpc.getAccountInfo(kit.payer.address, { encoding: 'base64' }).send();
    assert.equal((value as { rentEpoch?: bigint } | null)?.rentEpoch, U64_MAX);
  });
  test('base64+zstd holds the very bytes of base64', async () => {
    const plain = await kit.rpc.getAccountInfo(MEMO, { encoding: 'base64' }).send();
    const packed = await kit.rpc.getAccountInfo(MEMO, { encoding: 'base64+zstd' }).send();
    assert.equal(packed.value?.data[1], 'base64+zstd');
    const frame = Buffer.from(packed.value.data[0], 'base64');
    const bytes = Buffer.from(plain.value?.data[0] ?? '', 'base64');
    assert.deepEqual(Buffer.from(unzstd(frame, bytes.length) ?? []), bytes);
  });
  test('a slice cuts the bytes', async () => {
    const options = { encoding: 'base64', dataSlice: { offset: 1, length: 3 } } as const;
    const { value } = await kit.rpc.getAccountInfo(MEMO, options).send();
    assert.equal(Buffer.from(value?.data[0] ?? '', 'base64').toString(), 'ELF');
  });
  test('fetchJsonParsedAccount decodes a sysvar', async () => {
    const clock = await fetchJsonParsedAccount<{ slot: bigint; unixTimestamp: bigint }>(
      kit.rpc,
      address('SysvarC1ock11111111111111111111111111111111'),
    );
    assert.ok(clock.exists && !(clock.data instanceof Uint8Array));
    assert.ok(clock.data.slot > 0n);
    assert.ok(clock.data.unixTimestamp > 1_600_000_000n);
  });
});

describe('kit: tokens', () => {
  let mint: Address;
  let own: Address;
  let theirs: Address;
  before(async () => {
    mint = await newMint(kit, 3);
    own = await newHolder(kit, mint, kit.payer.address);
    theirs = await newHolder(kit, mint, await fresh());
    await mintMore(kit, mint, own, 5_000n);
  });

  test('fetchMint and fetchToken decode what the instructions made', async () => {
    const { data } = await fetchMint(kit.rpc, mint, CONFIRMED);
    assert.deepEqual([data.decimals, data.supply], [3, 5_000n]);
    assert.equal((await fetchToken(kit.rpc, own, CONFIRMED)).data.state, AccountState.Initialized);
  });
  test('a checked transfer, with its balances in the record', async () => {
    const authority = kit.payer;
    const signature = await kit.send([
      getTransferCheckedInstruction({ source: own, mint, destination: theirs, authority, amount: 1_500n, decimals: 3 }),
    ]);
    const record = await kit.rpc
      .getTransaction(signature, { ...CONFIRMED, encoding: 'jsonParsed', maxSupportedTransactionVersion: 0 })
      .send();
    const after = record?.meta?.postTokenBalances?.map(({ uiTokenAmount }) => uiTokenAmount.uiAmountString).sort();
    assert.deepEqual(after, ['1.5', '3.5']);
    assert.equal(typeof record?.meta?.fee, 'bigint');
    assert.equal((await kit.rpc.getTokenAccountBalance(theirs, CONFIRMED).send()).value.amount, '1500');
  });
  test('freeze, thaw, burn and close', async () => {
    const owner = kit.payer;
    await kit.send([getFreezeAccountInstruction({ account: own, mint, owner })]);
    assert.equal((await fetchToken(kit.rpc, own, CONFIRMED)).data.state, AccountState.Frozen);
    await kit.send([getThawAccountInstruction({ account: own, mint, owner })]);
    const { amount } = (await fetchToken(kit.rpc, own, CONFIRMED)).data;
    await kit.send([
      getBurnInstruction({ account: own, mint, authority: owner, amount }),
      getCloseAccountInstruction({ account: own, destination: owner.address, owner }),
    ]);
    assert.equal((await fetchEncodedAccount(kit.rpc, own, CONFIRMED)).exists, false);
  });
  test('getProgramAccounts combines filters, in each encoding of bytes', async () => {
    const [bytes] = (
      await kit.rpc
        .getAccountInfo(theirs, { ...CONFIRMED, encoding: 'base64', dataSlice: { offset: 0, length: 32 } })
        .send()
    ).value?.data ?? [''];
    const memcmp = [
      { memcmp: { offset: 0n, encoding: 'base58', bytes: mint as string as Base58EncodedBytes } },
      { memcmp: { offset: 0n, encoding: 'base64', bytes: bytes as Base64EncodedBytes } },
    ] as const;
    for (const filter of memcmp) {
      const found = await kit.rpc
        .getProgramAccounts(TOKEN_PROGRAM_ADDRESS, {
          ...CONFIRMED,
          encoding: 'base64',
          filters: [{ dataSize: 165n }, filter],
        })
        .send();
      assert.deepEqual(
        found.map(({ pubkey }) => pubkey),
        [theirs],
      );
      const [, encoding] = found[0]?.account.data as Base64EncodedDataResponse;
      assert.equal(encoding, 'base64');
    }
  });
  test('getTokenAccountsByOwner finds the wallet, parsed', async () => {
    const { owner } = (await fetchToken(kit.rpc, theirs, CONFIRMED)).data;
    const { value } = await kit.rpc
      .getTokenAccountsByOwner(owner, { mint }, { ...CONFIRMED, encoding: 'jsonParsed' })
      .send();
    assert.deepEqual(
      value.map(({ pubkey }) => pubkey),
      [theirs],
    );
    assert.equal(value[0]?.account.data.parsed.info.tokenAmount.amount, '1500');
  });
});

describe('kit: simulation, fees and history', () => {
  test('simulateTransaction returns units, logs and accounts', async () => {
    const to = await fresh();
    const transfer = getTransferSolInstruction({ source: kit.payer, destination: to, amount: 2_000_000n });
    const wire = getBase64EncodedWireTransaction(await kit.signed([transfer]));
    const { value } = await kit.rpc
      .simulateTransaction(wire, {
        ...CONFIRMED,
        encoding: 'base64',
        accounts: { addresses: [to], encoding: 'base64' },
      })
      .send();
    assert.equal(value.err, null);
    assert.equal(value.unitsConsumed, 150n);
    assert.equal(value.accounts[0]?.lamports, 2_000_000n);
  });
  test('getFeeForMessage costs a message', async () => {
    const { messageBytes } = await kit.signed([getAddMemoInstruction({ memo: 'cost' })]);
    const text = Buffer.from(messageBytes).toString('base64') as Parameters<typeof kit.rpc.getFeeForMessage>[0];
    assert.equal((await kit.rpc.getFeeForMessage(text, CONFIRMED).send()).value, 5000n);
  });
  test('history is paged in both directions', async () => {
    const subject = await fresh();
    const sent: string[] = [];
    for (let i = 1n; i <= 4n; i++)
      sent.unshift(
        await kit.send([
          getTransferSolInstruction({ source: kit.payer, destination: subject, amount: 1_000_000n * i }),
        ]),
      );
    const page = async (options: object): Promise<string[]> =>
      (await kit.rpc.getSignaturesForAddress(subject, { ...CONFIRMED, ...options }).send()).map((one) => one.signature);
    assert.deepEqual(await page({ limit: 2 }), sent.slice(0, 2));
    assert.deepEqual(await page({ before: sent[1], limit: 2 }), sent.slice(2));
    assert.deepEqual(await page({ until: sent[1] }), sent.slice(0, 2));
  });
  test('numbers of blocks and epochs are whole', async () => {
    const info = await kit.rpc.getEpochInfo(CONFIRMED).send();
    assert.equal(typeof info.absoluteSlot, 'bigint');
    const block = await kit.rpc
      .getBlock(info.absoluteSlot, {
        ...CONFIRMED,
        maxSupportedTransactionVersion: 0,
        transactionDetails: 'signatures',
      })
      .send();
    assert.equal(block?.parentSlot, info.absoluteSlot - 1n);
    assert.equal(typeof (await kit.rpc.getSupply().send()).value.total, 'bigint');
  });
});

describe('kit: refusals', () => {
  test('a bad parameter is its error with the sentence of the service', async () => {
    const failure = await kit.rpc
      .getBalance('nonsense' as Address)
      .send()
      .catch((error: unknown) => error);
    assert.ok(isSolanaError(failure, SOLANA_ERROR__JSON_RPC__INVALID_PARAMS));
    assert.match(failure.context.__serverMessage, /WrongSize/);
  });
  test('a wrong key is an HTTP error with status 401', async () => {
    const { key } = local.ready.keys.rpc;
    const wrong = { ...local.ready.keys, rpc: { keyId: 'none', key: `${key}x` } };
    const stranger = await kitOn({ ...local, ready: { ...local.ready, keys: wrong } });
    const failure = await stranger.rpc
      .getSlot()
      .send()
      .catch((error: unknown) => error);
    assert.ok(isSolanaError(failure, SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR));
    assert.equal(failure.context.statusCode, 401);
  });
  test('a request above the plan is an HTTP error with status 429', async () => {
    const issued = await local.newKey({ type: 'rpc', plan: 'Free' });
    const poor = await kitOn({ ...local, ready: { ...local.ready, keys: { ...local.ready.keys, rpc: issued } } });
    // Equal requests at once are sent as one by this client.
    const asked = await Promise.all(Array.from({ length: 12 }, fresh));
    const outcomes = await Promise.allSettled(asked.map((one) => poor.rpc.getBalance(one).send()));
    const refused = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
    assert.ok(refused.length >= 6);
    for (const failure of refused) {
      assert.ok(isSolanaError(failure, SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR));
      assert.equal(failure.context.statusCode, 429);
    }
  });
});
