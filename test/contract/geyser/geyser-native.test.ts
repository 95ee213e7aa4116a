// The unmodified public client, @triton-one/yellowstone-grpc, against the service: what people's programs really use.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import Client, {
  CommitmentLevel,
  SlotStatus,
  txEncode,
  type ClientDuplexStream,
  type SubscribeUpdate,
} from '@triton-one/yellowstone-grpc';
import { encodeBase58 } from '../../../core/solana/encoding/base58';
import { testLedger } from '../../support/process/localnet';
import { geyserClient } from './geyser-client';
import { ANY_ACCOUNT, ANY_TRANSACTION, NO_FILTERS } from './geyser-native-requests';
import { ServiceWallet } from './geyser-wallet';
import { freshKey } from '../rpc/rpc-harness';
import { prepare } from '../../support/shared';

const RECONNECT = { enabled: true, backoff: { initialIntervalMs: 20, multiplier: 2, maxRetries: 5 } };
/** The client's enum has no types. */
const { JsonParsed: JSON_PARSED } = txEncode.encoding as { readonly JsonParsed: 4 };

const local = testLedger(['--plan', 'Shared Metal'], { clock: 'slots' });
const wallet = new ServiceWallet(local);
let client: Client;
prepare(async () => {
  client = await connected();
});

async function connected(reconnect?: typeof RECONNECT): Promise<Client> {
  const fresh = new Client(local.ready.grpcUrl, local.ready.keys.grpc.key, undefined, reconnect);
  await fresh.connect();
  return fresh;
}

const nextSlot = (count = 1): Promise<void> => local.slots(count);

/** Collects a stream; `until` waits for the update that passes. */
function collect(stream: ClientDuplexStream) {
  const updates: SubscribeUpdate[] = [];
  stream.on('data', (update: SubscribeUpdate) => updates.push(update));
  const until = async (wanted: (update: SubscribeUpdate) => unknown): Promise<SubscribeUpdate> => {
    for (;;) {
      const found = updates.find(wanted);
      if (found !== undefined) return found;
      await once(stream, 'data');
    }
  };
  return { updates, until };
}

/** Resolves when the filters that were written before are in force. */
async function settled(stream: ClientDuplexStream, { until }: ReturnType<typeof collect>, id: number): Promise<void> {
  stream.write({ ...NO_FILTERS, ping: { id } });
  await until(({ pong }) => pong?.id === id);
}

test('its unary calls get their answers', async () => {
  const { slot } = await client.getSlot();
  assert.match(slot, /^\d+$/);
  assert.ok(BigInt((await client.getSlot(CommitmentLevel.FINALIZED)).slot) < BigInt(slot));
  assert.ok(BigInt((await client.getBlockHeight()).blockHeight) > 0n);
  assert.ok((JSON.parse((await client.getVersion()).version) as object).hasOwnProperty('version'));
  assert.equal((await client.ping(5)).count, 5);
  const { blockhash } = await client.getLatestBlockhash(CommitmentLevel.CONFIRMED);
  assert.equal((await client.isBlockhashValid(blockhash)).valid, true);
  assert.ok(BigInt((await client.subscribeReplayInfo()).firstAvailable ?? '0') > 0n);
});

test('a wrong key refuses its calls and its streams', async () => {
  const stranger = new Client(local.ready.grpcUrl, 'grpc_wrong', undefined);
  await stranger.connect();
  await assert.rejects(stranger.getSlot());
  await assert.rejects(stranger.subscribe(NO_FILTERS));
});

test('it subscribes to every kind at once and decodes each', async () => {
  const to = freshKey().address;
  const stream = await client.subscribe({
    ...NO_FILTERS,
    accounts: { a: { ...ANY_ACCOUNT, account: [to] } },
    slots: { s: {} },
    transactions: { t: ANY_TRANSACTION },
    transactionsStatus: { ts: ANY_TRANSACTION },
    blocks: { b: { accountInclude: [], includeAccounts: true, includeEntries: true } },
    blocksMeta: { m: {} },
    entry: { e: {} },
  });
  const seen = collect(stream);
  await settled(stream, seen, 1);
  const signature = await wallet.transfer(to, 1_234_567n);
  await nextSlot();
  const { account } = (await seen.until((update) => update.account)).account ?? {};
  assert.equal(encodeBase58(account?.pubkey ?? new Uint8Array()), to);
  assert.equal(account?.lamports, '1234567');
  assert.equal(account.rentEpoch, '18446744073709551615');
  const { transaction } = (await seen.until((update) => update.transaction)).transaction ?? {};
  assert.equal(encodeBase58(transaction?.signature ?? new Uint8Array()), signature);
  const { block } = await seen.until((update) => update.block);
  assert.deepEqual([block?.transactions.length, block?.accounts.length, block?.entries.length], [1, 3, 1]);
  const { blockMeta } = await seen.until((update) => update.blockMeta);
  assert.equal(blockMeta?.blockhash, block?.blockhash);
  assert.equal((await seen.until((update) => update.entry)).entry?.executedTransactionCount, '1');
  assert.ok((await seen.until((update) => update.transactionStatus)).transactionStatus);
  assert.equal((await seen.until((update) => update.slot)).slot?.status, SlotStatus.SLOT_PROCESSED);
  stream.destroy();
});

test('it renders our transactions as JSON-RPC would', async () => {
  const to = freshKey().address;
  const stream = await client.subscribe({
    ...NO_FILTERS,
    transactions: { t: { ...ANY_TRANSACTION, accountInclude: [to] } },
  });
  const seen = collect(stream);
  await settled(stream, seen, 1);
  await wallet.transfer(to);
  const { transaction } = (await seen.until((update) => update.transaction)).transaction ?? {};
  assert.ok(transaction);
  const rendered = JSON.stringify(txEncode.encode(transaction, JSON_PARSED, 0, false));
  assert.match(rendered, /"type":"transfer"/);
  assert.match(rendered, /"lamports":1000000/);
  stream.destroy();
});

test('it replaces its filters and keeps the stream', async () => {
  const stream = await client.subscribe({ ...NO_FILTERS, slots: { before: {} } });
  const seen = collect(stream);
  await settled(stream, seen, 1);
  stream.write({ ...NO_FILTERS, blocksMeta: { after: {} } });
  await settled(stream, seen, 2);
  await nextSlot();
  await seen.until((update) => update.blockMeta);
  assert.equal(
    seen.updates.some(({ slot }) => slot),
    false,
  );
  stream.destroy();
});

test('a dropped stream comes as an error where reconnecting is off', async () => {
  const stream = await client.subscribe({ ...NO_FILTERS, slots: { s: {} } });
  const seen = collect(stream);
  await settled(stream, seen, 1);
  const error = once(stream, 'error');
  await local.admin('POST', '/streams/drop');
  const [failure] = (await error) as [Error];
  assert.match(
    JSON.stringify(failure, Object.getOwnPropertyNames(failure)) + String(failure.cause),
    /dropped|navailable/,
  );
});

/** A summary of an update, the same for this client and for ours. */
function summaryOf(update: Partial<SubscribeUpdate>): string | undefined {
  const { slot, transaction, account, blockMeta, entry } = update;
  if (slot !== undefined) return `${SlotStatus[slot.status]} ${slot.slot}`;
  if (transaction !== undefined) return `transaction ${transaction.slot} ${transaction.transaction?.index}`;
  if (account !== undefined) return `account ${account.slot} ${account.account?.writeVersion}`;
  if (blockMeta !== undefined) return `meta ${blockMeta.slot}`;
  return entry === undefined ? undefined : `entry ${entry.slot} ${entry.index}`;
}

for (const commitment of [CommitmentLevel.PROCESSED, CommitmentLevel.CONFIRMED]) {
  for (const withMeta of [false, true]) {
    const what = `${CommitmentLevel[commitment]} ${withMeta ? 'with' : 'without'} blocks_meta`;
    test(`it reconnects across a dropped stream without gap or duplicate: ${what}`, async () => {
      await reconnects(commitment, withMeta);
    });
  }
}

/**
 * Compares what the client saw across three drops with what one unbroken stream says. At processed the drops fall
 * between slots: this version of the client repeats or loses what it already had of a slot that was open. It is sent no
 * ping: after a drop it sends again what was last written to it, and a ping has no filters.
 */
async function reconnects(commitment: CommitmentLevel, withMeta: boolean): Promise<void> {
  const keeping = await connected(RECONNECT);
  const filters = {
    slots: { s: { filterByCommitment: true } },
    transactions: { t: ANY_TRANSACTION },
    accounts: { a: ANY_ACCOUNT },
    entry: { e: {} },
    blocksMeta: withMeta ? { m: {} } : {},
  };
  const from = BigInt((await client.getSlot()).slot);
  const stream = await keeping.subscribe({ ...NO_FILTERS, ...filters, commitment, fromSlot: String(from) });
  const seen = collect(stream);
  const status = commitment as number as SlotStatus;
  const statusOf = (slot: bigint) => (update: SubscribeUpdate) =>
    update.slot?.slot === String(slot) && update.slot.status === status;
  let last = from;
  for (let round = 0; round < 3; round++) {
    for (let count = 0; count < 4; count++) {
      await wallet.transfer(freshKey().address);
      await wallet.transfer(freshKey().address);
      last = BigInt((await client.getSlot()).slot);
      await nextSlot();
    }
    await seen.until(statusOf(last));
    if (commitment === CommitmentLevel.CONFIRMED) await wallet.transfer(freshKey().address);
    await local.admin('POST', '/streams/drop');
    // While the client is away.
    await wallet.transfer(freshKey().address);
    await nextSlot();
  }
  last = BigInt((await client.getSlot()).slot);
  await wallet.transfer(freshKey().address);
  await nextSlot();
  await seen.until(statusOf(last));

  const unbroken = geyserClient(local).subscribe();
  unbroken.send({ ...filters, commitment: Number(commitment), fromSlot: from });
  await unbroken.settled();
  const expected = unbroken.updates.flatMap(({ updateOneof }) => {
    const kind = updateOneof.case ?? 'ping';
    return summaryOf({ [kind]: updateOneof.value }) ?? [];
  });
  unbroken.cancel();
  stream.destroy();
  assert.deepEqual(
    seen.updates.flatMap((update) => summaryOf(update) ?? []),
    expected,
  );
  assert.ok(expected.length > 60);
}
