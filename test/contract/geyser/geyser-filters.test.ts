// Every filter of Subscribe over the wire: what passes it, what does not, and what does not build.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { CompressedAccountFilterSet } from '@triton-one/yellowstone-grpc';
import { encodeBase58 } from '../../../core/solana/encoding/base58';
import {
  CommitmentLevel,
  Geyser,
  SlotStatus,
  type SubscribeRequestFilterAccountsSchema,
  type SubscribeRequestFilterTransactionsSchema,
  type SubscribeRequestSchema,
} from '../../../proto';
import { cuckooOf, testGeyser } from './geyser-client';
import { ServiceWallet, setLamports } from './geyser-wallet';
import { freshKey, SYSTEM, TOKEN } from '../rpc/rpc-harness';

type Request = MessageInitShape<typeof SubscribeRequestSchema>;
type AccountFilter = MessageInitShape<typeof SubscribeRequestFilterAccountsSchema>;
type TransactionFilter = MessageInitShape<typeof SubscribeRequestFilterTransactionsSchema>;

const { local, client } = testGeyser(['--plan', 'Shared Metal'], { clock: 'slots' });
const wallet = new ServiceWallet(local);

/** The updates of a stream with this request while `work` happens, in the open slot and as it closes. */
async function during(request: Request, work: () => Promise<unknown>) {
  const stream = client.subscribe();
  stream.send(request);
  await stream.settled();
  await work();
  await local.slots(1);
  await stream.settled();
  stream.cancel();
  return stream.updates.filter(({ updateOneof }) => !['ping', 'pong'].includes(updateOneof.case ?? ''));
}

/** The addresses whose writes pass the filter. */
async function written(filter: AccountFilter, work: () => Promise<unknown>): Promise<readonly string[]> {
  const updates = await during({ accounts: { a: filter } }, work);
  return updates.map(({ updateOneof }) => {
    assert.equal(updateOneof.case, 'account');
    return encodeBase58(updateOneof.value.account?.pubkey ?? new Uint8Array());
  });
}

/** The signatures of the transactions that pass the filter. */
async function landed(filter: TransactionFilter, work: () => Promise<unknown>): Promise<readonly string[]> {
  const updates = await during({ transactions: { t: filter } }, work);
  return updates.map(({ updateOneof }) => {
    assert.equal(updateOneof.case, 'transaction');
    return encodeBase58(updateOneof.value.transaction?.signature ?? new Uint8Array());
  });
}

const setAccount = (address: string, data: Uint8Array, more: object = {}): Promise<void> =>
  local.cheat('setAccount', {
    address,
    lamports: 5_000_000,
    owner: SYSTEM,
    data: Buffer.from(data).toString('base64'),
    ...more,
  });
const address = (): string => freshKey().address;

test('an empty account filter passes every write', async () => {
  const one = address();
  assert.deepEqual(await written({}, () => setAccount(one, Buffer.of(1))), [one]);
});

test('the accounts of a filter are ORed', async () => {
  const [one, two, other] = [address(), address(), address()];
  const seen = await written({ account: [one, two] }, async () => {
    for (const each of [other, two, one]) await setAccount(each, Buffer.of(1));
  });
  assert.deepEqual(seen, [two, one]);
});

test('owners are ORed, and ANDed with the accounts', async () => {
  const [mine, theirs, unnamed] = [address(), address(), address()];
  const seen = await written({ account: [mine, theirs], owner: [TOKEN, wallet.address] }, async () => {
    await setAccount(mine, Buffer.of(1), { owner: wallet.address });
    await setAccount(theirs, Buffer.of(1));
    await setAccount(unnamed, Buffer.of(1), { owner: wallet.address });
  });
  assert.deepEqual(seen, [mine]);
});

test('memcmp takes bytes, base58 and base64, and several filters are ANDed', async () => {
  const [both, one] = [address(), address()];
  const data = { bytes: Buffer.of(2, 3), base58: encodeBase58(Buffer.of(2, 3)), base64: 'AgM=' };
  for (const [form, value] of Object.entries(data)) {
    const memcmp = { offset: 1n, data: { case: form, value } as never };
    const filters = [
      { filter: { case: 'memcmp' as const, value: memcmp } },
      { filter: { case: 'datasize' as const, value: 4n } },
    ];
    const seen = await written({ filters }, async () => {
      await setAccount(both, Buffer.of(1, 2, 3, 4));
      await setAccount(one, Buffer.of(1, 2, 3));
    });
    assert.deepEqual(seen, [both], form);
  }
});

test('memcmp past the end of the data does not match', async () => {
  const memcmp = { offset: 2n ** 63n, data: { case: 'bytes' as const, value: Buffer.of(1) } };
  const seen = await written({ filters: [{ filter: { case: 'memcmp', value: memcmp } }] }, () =>
    setAccount(address(), Buffer.of(1)),
  );
  assert.deepEqual(seen, []);
});

test('token_account_state passes initialized token accounts only', async () => {
  const [token, plain] = [address(), address()];
  const seen = await written({ filters: [{ filter: { case: 'tokenAccountState', value: true } }] }, async () => {
    const data = Buffer.alloc(165);
    await setAccount(plain, data, { owner: wallet.address });
    data[108] = 1;
    await setAccount(token, data, { owner: TOKEN });
  });
  assert.deepEqual(seen, [token]);
});

test('lamports compare exactly beyond 2^53', async () => {
  const [low, high] = [address(), address()];
  const limit = 9_007_199_254_740_993n;
  const passing = { eq: [high], ne: [low], lt: [low], gt: [] };
  for (const [form, expected] of Object.entries(passing)) {
    const value = { cmp: { case: form, value: limit } as never };
    const seen = await written({ filters: [{ filter: { case: 'lamports', value } }] }, async () => {
      await setLamports(local, low, limit - 1n);
      await setLamports(local, high, limit);
    });
    assert.deepEqual(seen, expected, form);
  }
});

test('nonempty_txn_signature asks whether a transaction made the write', async () => {
  const [paid, set] = [address(), address()];
  const work = async (): Promise<void> => {
    await wallet.transfer(paid);
    await setAccount(set, Buffer.of(1));
  };
  const account = [paid, set];
  assert.deepEqual(await written({ account, nonemptyTxnSignature: true }, work), [paid]);
  assert.deepEqual(await written({ account, nonemptyTxnSignature: false }, work), [set]);
});

test('a compressed set of accounts passes its addresses, ORed with the plain list', async () => {
  // Much more room than needed: where the addresses, which are random, fall into few places, a full set takes no more.
  const set = new CompressedAccountFilterSet(1_000);
  const [inSet, inList, other] = [address(), address(), address()];
  for (const each of [inSet, ...Array.from({ length: 90 }, address)]) set.insert(each);
  const cuckooAccountsFilter = cuckooOf(set);
  const seen = await written({ account: [inList], cuckooAccountsFilter }, async () => {
    for (const each of [inSet, inList, other]) await setAccount(each, Buffer.of(1));
  });
  assert.deepEqual(seen, [inSet, inList]);
});

test('a data slice outside the data is left out whole, the others are joined', async () => {
  const one = address();
  const slices = [
    { offset: 1n, length: 2n },
    { offset: 4n, length: 1n },
    { offset: 5n, length: 9n },
  ];
  const [update] = await during({ accounts: { a: { account: [one] } }, accountsDataSlice: slices }, () =>
    setAccount(one, Buffer.of(10, 11, 12, 13, 14, 15)),
  );
  assert.equal(update?.updateOneof.case, 'account');
  assert.deepEqual(Buffer.from(update.updateOneof.value.account?.data ?? []), Buffer.of(11, 12, 14));
});

test('transactions pass by any included account, not by an excluded one, and by all required ones', async () => {
  const [to, other] = [address(), address()];
  const signatures: string[] = [];
  const work = async (): Promise<void> => {
    signatures.push(await wallet.transfer(to), await wallet.transfer(other));
  };
  assert.deepEqual(await landed({ accountInclude: [to, address()] }, work), [signatures[0]]);
  assert.deepEqual(await landed({ accountExclude: [to] }, work), [signatures[3]]);
  assert.deepEqual(await landed({ accountRequired: [to, wallet.address] }, work), [signatures[4]]);
  assert.deepEqual(await landed({ accountRequired: [to, other] }, work), []);
});

test('failed passes by how the transaction ended', async () => {
  const signatures: string[] = [];
  const work = async (): Promise<void> => {
    signatures.push(await wallet.transfer(address()), await wallet.transferTooMuch(address()));
  };
  assert.deepEqual(await landed({ failed: true }, work), [signatures[1]]);
  assert.deepEqual(await landed({ failed: false }, work), [signatures[2]]);
  assert.deepEqual(await landed({}, work), signatures.slice(4));
});

test('vote true passes nothing, since nobody votes here', async () => {
  assert.deepEqual(await landed({ vote: true }, () => wallet.transfer(address())), []);
  assert.equal((await landed({ vote: false }, () => wallet.transfer(address()))).length, 1);
});

test('signature passes that one transaction', async () => {
  const signature = await wallet.transfer(address());
  const stream = client.subscribe();
  const fromSlot = BigInt(await openSlot());
  stream.send({ transactions: { t: { signature } }, fromSlot });
  const { updateOneof } = await stream.nextOf('transaction');
  assert.equal(encodeBase58(updateOneof.value.transaction?.signature ?? new Uint8Array()), signature);
  stream.cancel();
  await local.slots(1);
});

async function openSlot(): Promise<number> {
  return Number((await client.unary(Geyser.method.getSlot)).slot);
}

test('transactions_status passes like transactions and carries the error alone', async () => {
  let signature = '';
  const updates = await during({ transactionsStatus: { s: { failed: true } } }, async () => {
    await wallet.transfer(address());
    signature = await wallet.transferTooMuch(address());
  });
  assert.equal(updates.length, 1);
  const [update] = updates;
  assert.equal(update?.updateOneof.case, 'transactionStatus');
  const { value } = update.updateOneof;
  assert.equal(encodeBase58(value.signature), signature);
  assert.equal(value.index, 1n);
  // InstructionError, of instruction 0, Custom, 1.
  assert.deepEqual([...(value.err?.err ?? [])], [8, 0, 0, 0, 0, 25, 0, 0, 0, 1, 0, 0, 0]);
});

test('a slot filter passes the three commitments, and with interslot updates what comes before them', async () => {
  const statuses = async (filter: object): Promise<readonly string[]> => {
    const updates = await during({ slots: { s: filter } }, async () => undefined);
    return updates.map(({ updateOneof }) => (updateOneof.case === 'slot' ? SlotStatus[updateOneof.value.status] : ''));
  };
  const commitments = ['SLOT_PROCESSED', 'SLOT_CONFIRMED', 'SLOT_FINALIZED'];
  assert.deepEqual((await statuses({})).toSorted(), commitments.toSorted());
  assert.deepEqual(await statuses({ interslotUpdates: true }), [
    'SLOT_COMPLETED',
    'SLOT_PROCESSED',
    'SLOT_FIRST_SHRED_RECEIVED',
    'SLOT_CREATED_BANK',
    'SLOT_CONFIRMED',
    'SLOT_FINALIZED',
  ]);
});

for (const [commitment, expected] of [
  [CommitmentLevel.PROCESSED, SlotStatus.SLOT_PROCESSED],
  [CommitmentLevel.CONFIRMED, SlotStatus.SLOT_CONFIRMED],
  [CommitmentLevel.FINALIZED, SlotStatus.SLOT_FINALIZED],
] as const) {
  test(`filter_by_commitment at ${CommitmentLevel[commitment]} passes that status only`, async () => {
    const slots = { s: { filterByCommitment: true, interslotUpdates: true } };
    const updates = await during({ slots, commitment }, async () => undefined);
    assert.deepEqual(
      updates.map(({ updateOneof }) => updateOneof.case === 'slot' && updateOneof.value.status),
      [expected],
    );
  });
}

test('a block comes whole by its own choices: transactions yes, accounts and entries no', async () => {
  const to = address();
  const blocks = {
    plain: {},
    all: { includeAccounts: true, includeEntries: true },
    none: { includeTransactions: false },
    some: { accountInclude: [to], includeAccounts: true },
  };
  const updates = await during({ blocks }, async () => {
    await wallet.transfer(to);
    await wallet.transfer(address());
  });
  const counts = updates.map(({ filters, updateOneof }) => {
    assert.equal(updateOneof.case, 'block');
    const { transactions, accounts, entries, executedTransactionCount, updatedAccountCount } = updateOneof.value;
    // Payer, two payees, and the vote account, which gets the fees.
    assert.deepEqual([executedTransactionCount, updatedAccountCount], [2n, 4n]);
    return `${filters.join()} ${transactions.length} ${accounts.length} ${entries.length}`;
  });
  assert.deepEqual(counts, ['plain 2 0 0', 'all 2 4 1', 'none 0 0 0', 'some 1 1 0']);
});

test('a block comes even when nothing in it passes', async () => {
  const updates = await during({ blocks: { b: { accountInclude: [address()] } } }, () => wallet.transfer(address()));
  assert.equal(updates.length, 1);
});

test('blocks_meta and entry pass one update per block', async () => {
  const updates = await during({ blocksMeta: { m: {} }, entry: { e: {} } }, () => wallet.transfer(address()));
  assert.deepEqual(
    updates.map(({ filters, updateOneof }) => `${filters.join()} ${updateOneof.case}`),
    ['e entry', 'm blockMeta'],
  );
});

test('an update names every filter that it passed', async () => {
  const one = address();
  const accounts = { first: {}, second: { account: [one] }, third: { account: [address()] } };
  const updates = await during({ accounts }, () => setAccount(one, Buffer.of(1)));
  assert.deepEqual(
    updates.map(({ filters }) => filters),
    [['first', 'second']],
  );
});
