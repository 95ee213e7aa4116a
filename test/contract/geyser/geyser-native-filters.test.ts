// The unmodified @triton-one/yellowstone-grpc with every filter it knows: what it sends is read by the service as it was
// meant, presence and 64-bit numbers included.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, test } from 'node:test';
import Client, {
  CommitmentLevel,
  CompressedAccountFilterSet,
  SlotStatus,
  type SubscribeRequest,
  type SubscribeUpdate,
} from '@triton-one/yellowstone-grpc';
import { encodeBase58 } from '../../../core/solana/encoding/base58';
import { testLedger } from '../../support/process/localnet';
import { ANY_ACCOUNT, ANY_TRANSACTION, NO_FILTERS } from './geyser-native-requests';
import { ServiceWallet, setLamports } from './geyser-wallet';
import { ACCOUNT_RENT, MINT_RENT, initializeAccount, initializeMint, mintTo } from '../rpc/rpc-token-kit';
import { SYSTEM, TOKEN, bytesOf, createAccount, freshKey, memo } from '../rpc/rpc-harness';
import { prepare } from '../../support/shared';

type AccountFilter = SubscribeRequest['accounts'][string];
type TransactionFilter = SubscribeRequest['transactions'][string];

const local = testLedger(['--plan', 'Shared Metal'], { clock: 'slots' });
const wallet = new ServiceWallet(local);
let client: Client;
prepare(async () => {
  client = new Client(local.ready.grpcUrl, local.ready.keys.grpc.key, undefined);
  await client.connect();
});

/** The updates of a stream with this request while `work` happens, in the open slot and as it closes. */
async function during(request: Partial<SubscribeRequest>, work: () => Promise<unknown>): Promise<SubscribeUpdate[]> {
  const stream = await client.subscribe({ ...NO_FILTERS, ...request });
  const updates: SubscribeUpdate[] = [];
  stream.on('data', (update: SubscribeUpdate) => updates.push(update));
  const settled = async (id: number): Promise<void> => {
    stream.write({ ...NO_FILTERS, ping: { id } });
    while (!updates.some(({ pong }) => pong?.id === id)) await once(stream, 'data');
  };
  await settled(1);
  await work();
  await local.slots(1);
  await settled(2);
  stream.destroy();
  return updates.filter(({ ping, pong }) => ping === undefined && pong === undefined);
}

const text = (bytes: Uint8Array | undefined): string => encodeBase58(bytes ?? new Uint8Array());
const address = (): string => freshKey().address;
const setAccount = (key: string, data: Uint8Array, more: object = {}): Promise<void> =>
  local.cheat('setAccount', {
    address: key,
    lamports: 5_000_000,
    owner: SYSTEM,
    data: Buffer.from(data).toString('base64'),
    ...more,
  });

/** The addresses whose writes pass the filter. */
async function written(filter: Partial<AccountFilter>, work: () => Promise<unknown>): Promise<readonly string[]> {
  const updates = await during({ accounts: { a: { ...ANY_ACCOUNT, ...filter } } }, work);
  return updates.map(({ account }) => text(account?.account?.pubkey));
}

/** The signatures of the transactions that pass the filter. */
async function landed(filter: Partial<TransactionFilter>, work: () => Promise<unknown>): Promise<readonly string[]> {
  const updates = await during({ transactions: { t: { ...ANY_TRANSACTION, ...filter } } }, work);
  return updates.map(({ transaction }) => text(transaction?.transaction?.signature));
}

describe('yellowstone-grpc: account filters', () => {
  test('account and owner select by address and by owner', async () => {
    const [one, two] = [address(), address()];
    const both = async (): Promise<void> => {
      await setAccount(one, Buffer.of(1));
      await setAccount(two, Buffer.of(1), { owner: wallet.address });
    };
    assert.deepEqual(await written({ account: [one] }, both), [one]);
    assert.deepEqual(await written({ owner: [wallet.address] }, both), [two]);
    assert.deepEqual(await written({ account: [one], owner: [wallet.address] }, both), []);
  });
  test('memcmp compares bytes, base58 and base64', async () => {
    const [good, bad] = [address(), address()];
    const both = async (): Promise<void> => {
      await setAccount(good, Buffer.of(0, 1, 2));
      await setAccount(bad, Buffer.of(0, 2, 1));
    };
    const bytes = Buffer.of(1, 2);
    for (const data of [{ bytes }, { base58: encodeBase58(bytes) }, { base64: bytes.toString('base64') }]) {
      const filters = [{ memcmp: { offset: '1', ...data } }];
      assert.deepEqual(await written({ account: [good, bad], filters }, both), [good]);
    }
  });
  test('datasize selects by the length of the data', async () => {
    const [three, four] = [address(), address()];
    const seen = await written({ account: [three, four], filters: [{ datasize: '4' }] }, async () => {
      await setAccount(three, Buffer.alloc(3));
      await setAccount(four, Buffer.alloc(4));
    });
    assert.deepEqual(seen, [four]);
  });
  test('tokenAccountState selects token accounts', async () => {
    const { mint, holding } = { mint: freshKey(), holding: freshKey() };
    const seen = await written({ owner: [TOKEN], filters: [{ tokenAccountState: true }] }, async () => {
      await newHolding(mint, holding);
    });
    assert.deepEqual(seen, [holding.address]);
  });
  for (const [what, lamports, passes] of [
    ['eq', { eq: '9007199254740993' }, [1]],
    ['ne', { ne: '9007199254740993' }, [0, 2]],
    ['lt', { lt: '9007199254740993' }, [0]],
    ['gt', { gt: '9007199254740993' }, [2]],
  ] as const)
    test(`lamports ${what}, to the last digit`, async () => {
      const keys = [address(), address(), address()];
      const seen = await written({ account: keys, filters: [{ lamports }] }, async () => {
        for (const [i, key] of keys.entries()) await setLamports(local, key, 9007199254740992n + BigInt(i));
      });
      assert.deepEqual(
        seen,
        passes.map((i) => keys[i]),
      );
    });
  test('nonemptyTxnSignature selects what a transaction wrote', async () => {
    const [byHand, bySend] = [address(), address()];
    const both = async (): Promise<void> => {
      await setAccount(byHand, Buffer.of(1));
      await wallet.transfer(bySend);
    };
    const filter = { account: [byHand, bySend] };
    assert.deepEqual(await written({ ...filter, nonemptyTxnSignature: true }, both), [bySend]);
    assert.deepEqual(await written({ ...filter, nonemptyTxnSignature: false }, both), [byHand]);
  });
  test('a compressed set of accounts', async () => {
    const set = new CompressedAccountFilterSet(10);
    const [inSet, other] = [address(), address()];
    set.insert(inSet);
    const seen = await written({ cuckooAccountsFilter: set.toProto() }, async () => {
      await setAccount(inSet, Buffer.of(1));
      await setAccount(other, Buffer.of(1));
    });
    assert.deepEqual(seen, [inSet]);
  });
  test('accountsDataSlice joins its pieces', async () => {
    const one = address();
    const accountsDataSlice = [
      { offset: '1', length: '2' },
      { offset: '4', length: '1' },
    ];
    const accounts = { a: { ...ANY_ACCOUNT, account: [one] } };
    const [update] = await during({ accounts, accountsDataSlice }, () => setAccount(one, Buffer.of(0, 1, 2, 3, 4, 5)));
    assert.deepEqual(Buffer.from(update?.account?.account?.data ?? []), Buffer.of(1, 2, 4));
  });
});

/** A mint of the wallet and a holding of it with 7 in it, in one transaction. */
function newHolding(mint: ReturnType<typeof freshKey>, holding: ReturnType<typeof freshKey>): Promise<string> {
  const owner = wallet.address;
  return wallet.send(
    [
      createAccount(owner, mint.address, { lamports: MINT_RENT, space: 82, owner: TOKEN }),
      initializeMint(mint.address, 0, owner, owner),
      createAccount(owner, holding.address, { lamports: ACCOUNT_RENT, space: 165, owner: TOKEN }),
      initializeAccount(holding.address, mint.address, owner),
      mintTo(mint.address, holding.address, owner, 7n),
    ],
    [mint, holding],
  );
}

describe('yellowstone-grpc: transaction filters', () => {
  test('accountInclude, accountExclude and accountRequired', async () => {
    const [one, two] = [address(), address()];
    const sent: string[] = [];
    const both = async (): Promise<void> => {
      sent.splice(0, 2, await wallet.transfer(one), await wallet.transfer(two));
    };
    assert.deepEqual(await landed({ accountInclude: [one, two] }, both), sent);
    assert.deepEqual(await landed({ accountInclude: [one, two], accountExclude: [one] }, both), sent.slice(1));
    assert.deepEqual(await landed({ accountRequired: [wallet.address, one] }, both), sent.slice(0, 1));
  });
  test('failed, present or absent', async () => {
    const sent: string[] = [];
    const both = async (): Promise<void> => {
      sent.splice(0, 2, await wallet.transfer(address()), await wallet.transferTooMuch(address()));
    };
    assert.deepEqual(await landed({ failed: false }, both), sent.slice(0, 1));
    assert.deepEqual(await landed({ failed: true }, both), sent.slice(1));
    assert.deepEqual(await landed({}, both), sent);
  });
  test('vote selects nothing where nobody votes', async () => {
    let sent = '';
    const one = async (): Promise<string> => (sent = await wallet.transfer(address()));
    assert.deepEqual(await landed({ vote: true }, one), []);
    assert.deepEqual(await landed({ vote: false }, one), [sent]);
  });
  test('a compressed set of accounts', async () => {
    const set = new CompressedAccountFilterSet(10);
    const [inSet, other] = [address(), address()];
    set.insert(inSet);
    let wanted = '';
    const seen = await landed({ cuckooAccountInclude: set.toProto() }, async () => {
      wanted = await wallet.transfer(inSet);
      await wallet.transfer(other);
    });
    assert.deepEqual(seen, [wanted]);
  });
  test('transactionsStatus carries the error alone', async () => {
    let failed = '';
    const transactionsStatus = { s: { ...ANY_TRANSACTION, failed: true } };
    const [update] = await during(
      { transactionsStatus },
      async () => (failed = await wallet.transferTooMuch(address())),
    );
    assert.equal(text(update?.transactionStatus?.signature), failed);
    assert.ok((update?.transactionStatus?.err?.err.length ?? 0) > 4);
  });
  test('a version 0 transaction comes with its memo and its units', async () => {
    const [update] = await during({ transactions: { t: ANY_TRANSACTION } }, () => wallet.send([memo('v0')], [], []));
    const { transaction, meta } = update?.transaction?.transaction ?? {};
    assert.equal(transaction?.message?.versioned, true);
    assert.ok(BigInt(meta?.computeUnitsConsumed ?? '0') > 0n);
    assert.deepEqual(Buffer.from(transaction.message.accountKeys[0] ?? []), Buffer.from(bytesOf(wallet.address)));
  });
});

describe('yellowstone-grpc: slots and blocks', () => {
  const statuses = async (slots: SubscribeRequest['slots'][string], commitment: CommitmentLevel) => {
    const updates = await during({ slots: { s: slots }, commitment }, () => local.slots(1));
    return new Set(updates.map(({ slot }) => slot?.status));
  };
  test('every commitment arrives, and filterByCommitment keeps one', async () => {
    const { SLOT_PROCESSED, SLOT_CONFIRMED, SLOT_FINALIZED } = SlotStatus;
    const all = await statuses({}, CommitmentLevel.PROCESSED);
    assert.deepEqual(all, new Set([SLOT_PROCESSED, SLOT_CONFIRMED, SLOT_FINALIZED]));
    const own = { filterByCommitment: true };
    assert.deepEqual(await statuses(own, CommitmentLevel.FINALIZED), new Set([SLOT_FINALIZED]));
    assert.deepEqual(await statuses(own, CommitmentLevel.CONFIRMED), new Set([SLOT_CONFIRMED]));
  });
  test('interslotUpdates adds the earlier steps of a slot', async () => {
    const reported = await statuses({ interslotUpdates: true }, CommitmentLevel.PROCESSED);
    assert.ok(reported.has(SlotStatus.SLOT_CREATED_BANK));
  });
  for (const [what, flags, has] of [
    ['by default', {}, [true, false, false]],
    ['with all', { includeTransactions: true, includeAccounts: true, includeEntries: true }, [true, true, true]],
    ['with none', { includeTransactions: false, includeAccounts: false, includeEntries: false }, [false, false, false]],
  ] as const)
    test(`a block ${what}`, async () => {
      const updates = await during({ blocks: { b: { accountInclude: [], ...flags } } }, () =>
        wallet.transfer(address()),
      );
      const { block } = updates.at(-1) ?? {};
      assert.ok(block);
      assert.deepEqual([block.transactions.length > 0, block.accounts.length > 0, block.entries.length > 0], has);
      assert.equal(block.executedTransactionCount, '1');
    });
  test('accountInclude chooses inside the block', async () => {
    const one = address();
    const blocks = { b: { accountInclude: [one], includeAccounts: true } };
    const updates = await during({ blocks }, async () => {
      await wallet.transfer(one);
      await wallet.transfer(address());
    });
    const { block } = updates.at(-1) ?? {};
    assert.deepEqual([block?.transactions.length, block?.executedTransactionCount], [1, '2']);
    assert.deepEqual(
      block?.accounts.map(({ pubkey }) => text(pubkey)),
      [one],
    );
  });
  test('an update names the filters that it passed', async () => {
    const slots = { first: {}, second: {} };
    const [update] = await during({ slots }, () => Promise.resolve());
    assert.deepEqual(update?.filters.sort(), ['first', 'second']);
  });
  test('confirmed transactions come a slot later', async () => {
    let sent = '';
    const request = { transactions: { t: ANY_TRANSACTION }, commitment: CommitmentLevel.CONFIRMED };
    const updates = await during(request, async () => (sent = await wallet.transfer(address())));
    assert.deepEqual(
      updates.map(({ transaction }) => text(transaction?.transaction?.signature)),
      [sent],
    );
  });
});
