// Banks, block footers and gossip: additions of the newest interface, read by a client generated from it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { CommitmentLevel, Geyser, SlotStatus, SubscribeUpdateSchema, type SubscribeUpdate } from '../../../proto';
import { encodeBase58 } from '../../../core/solana/encoding/base58';
import { serviceInProcess, type InProcessService } from '../../support/process/inProcessService';
import { startTestLedger } from '../../support/process/localnet';
import { member } from '../../../core/solana/json/json';
import { freshKey } from '../rpc/rpc-harness';
import { geyserClient, type TestClient } from './geyser-client';
import { ServiceWallet } from './geyser-wallet';

let local: InProcessService;
let client: TestClient;
let wallet: ServiceWallet;
before(async () => {
  local = await serviceInProcess('Shared Metal', { consensus: 'alpenglow' });
  client = geyserClient(local);
  wallet = new ServiceWallet(local);
});
after(async () => {
  client.close();
  await local.stop();
});

const EVERYTHING = {
  accounts: { a: {} },
  slots: { s: { interslotUpdates: true } },
  transactions: { t: {} },
  transactionsStatus: { ts: {} },
  blocks: { b: {} },
  blocksMeta: { m: {} },
  entry: { e: { includeUpdateParent: true } },
  blockFooter: { f: {} },
};

const nextSlot = (count = 1): void => local.ledger.cheats.nextSlot(count);

async function twoBanks(): Promise<void> {
  const fault = { scope: 'grpc', kind: 'twobanks', times: 1 };
  const answer = await local.admin('PUT', '/faults', { faults: [fault] });
  assert.equal(answer.status, 200, answer.text);
  nextSlot();
}

type BankUpdate = readonly [kind: string, slot: bigint, bank: bigint | undefined];

/** The slot and bank of an update, with its kind or its status. */
function updatesOf({ updateOneof }: SubscribeUpdate): readonly BankUpdate[] {
  switch (updateOneof.case) {
    case undefined:
    case 'ping':
    case 'pong':
      return [];
    case 'slot': {
      const { slot, status, bankId } = updateOneof.value;
      return [[SlotStatus[status], slot, bankId]];
    }
    case 'entryUpdateParent': {
      const { slot, clearedBankId } = updateOneof.value;
      return [['CLEARED', slot, clearedBankId]];
    }
    default: {
      const { slot, bankId } = updateOneof.value;
      return [[updateOneof.case, slot, bankId]];
    }
  }
}

test('every update of a slot names its bank, but for what concerns none', async () => {
  const stream = client.subscribe();
  stream.send(EVERYTHING);
  await stream.settled();
  nextSlot();
  const { slot } = await client.unary(Geyser.method.getSlot);
  await wallet.transfer(freshKey().address, 5n);
  nextSlot();
  await stream.settled();
  const updates = stream.updates.flatMap(updatesOf).filter(([, its]) => its === slot);
  const banks = new Set(updates.flatMap(([, , bank]) => (bank === undefined ? [] : [bank])));
  assert.equal(banks.size, 1);
  const without = updates.filter(([, , bank]) => bank === undefined).map(([kind]) => kind);
  assert.deepEqual(without, ['SLOT_FIRST_SHRED_RECEIVED', 'SLOT_COMPLETED']);
  const kinds = new Set(updates.map(([kind]) => kind));
  for (const kind of ['account', 'transaction', 'transactionStatus', 'entry', 'blockFooter', 'block', 'blockMeta'])
    assert.ok(kinds.has(kind), kind);
  stream.cancel();
});

test('one stream brings every kind of update that the schema knows', async () => {
  const stream = client.subscribe();
  stream.send(EVERYTHING);
  await stream.settled();
  await wallet.transfer(freshKey().address, 6n);
  await twoBanks();
  await stream.settled();
  const kinds = new Set(stream.updates.map(({ updateOneof }) => updateOneof.case));
  const known = SubscribeUpdateSchema.oneofs.flatMap(({ fields }) => fields.map(({ localName }) => localName));
  assert.ok(known.includes('blockFooter'));
  assert.deepEqual([...kinds].sort(), known.sort());
  stream.cancel();
});

test('a block footer comes with each block, before its meta, and joins it by slot and bank', async () => {
  const stream = client.subscribe();
  stream.send({ blocksMeta: { m: {} }, blockFooter: { f: {} }, commitment: CommitmentLevel.CONFIRMED });
  await stream.settled();
  nextSlot();
  const footer = await stream.nextOf('blockFooter');
  const meta = await stream.nextOf('blockMeta');
  const { slot, bankId, bankHash, blockProducerTimeNanos, blockUserAgent } = footer.updateOneof.value;
  assert.deepEqual(footer.filters, ['f']);
  assert.deepEqual([slot, bankId], [meta.updateOneof.value.slot, meta.updateOneof.value.bankId]);
  assert.equal(encodeBase58(bankHash), meta.updateOneof.value.blockhash);
  assert.equal(blockProducerTimeNanos, (meta.updateOneof.value.blockTime?.timestamp ?? 0n) * 1_000_000_000n);
  assert.match(Buffer.from(blockUserAgent).toString(), /^solana-rpc-workbench\//);
  stream.cancel();
});

test('a slot of two banks: both are processed and run the same transaction, one is confirmed', async () => {
  const [processed, confirmed] = [client.subscribe(), client.subscribe()];
  processed.send(EVERYTHING);
  confirmed.send({ ...EVERYTHING, commitment: CommitmentLevel.CONFIRMED });
  await processed.settled();
  await confirmed.settled();
  const { slot } = await client.unary(Geyser.method.getSlot);
  const sent = await wallet.transfer(freshKey().address, 7n);
  await twoBanks();
  await processed.settled();
  await confirmed.settled();
  const updates = processed.updates.flatMap(updatesOf).filter(([, its]) => its === slot);
  const [first, second, ...more] = new Set(updates.flatMap(([, , bank]) => (bank === undefined ? [] : [bank])));
  assert.ok(first !== undefined && second !== undefined && more.length === 0);
  const of = (bank: bigint): string[] => updates.filter(([, , its]) => its === bank).map(([kind]) => kind);
  assert.ok(of(first).includes('SLOT_PROCESSED') && !of(first).includes('SLOT_CONFIRMED'));
  assert.ok(!of(first).includes('SLOT_DEAD'), 'the slot is not dead, its first bank is');
  const [cleared, created] = ['CLEARED', 'SLOT_CREATED_BANK'].map((kind) =>
    updates.findLastIndex(([its, , bank]) => its === kind && bank === (kind === 'CLEARED' ? first : second)),
  );
  assert.ok(cleared !== undefined && created !== undefined && cleared >= 0 && cleared < created);
  assert.deepEqual(
    of(second).filter((kind) => kind.startsWith('SLOT_')),
    ['SLOT_CREATED_BANK', 'SLOT_PROCESSED', 'SLOT_CONFIRMED', 'SLOT_FINALIZED'],
  );
  // The same transaction runs in both, under one signature and one slot.
  const runs = processed.updates.flatMap(({ updateOneof }) =>
    updateOneof.case === 'transaction' &&
    encodeBase58(updateOneof.value.transaction?.signature ?? new Uint8Array()) === sent
      ? [[updateOneof.value.slot, updateOneof.value.bankId]]
      : [],
  );
  assert.deepEqual(runs, [
    [slot, first],
    [slot, second],
  ]);
  const settled = confirmed.updates
    .flatMap(updatesOf)
    .filter(([kind, its]) => its === slot && !kind.startsWith('SLOT_'));
  assert.deepEqual(new Set(settled.map(([, , bank]) => bank)), new Set([second]));
  const hashes = processed.updates.flatMap(({ updateOneof }) =>
    updateOneof.case === 'blockMeta' && updateOneof.value.slot === slot ? [updateOneof.value.blockhash] : [],
  );
  assert.equal(new Set(hashes).size, 2);
  processed.cancel();
  confirmed.cancel();
});

test('a replay brings the confirmed bank of a slot and the statuses of both', async () => {
  const { slot } = await client.unary(Geyser.method.getSlot);
  await wallet.transfer(freshKey().address, 9n);
  await twoBanks();
  const stream = client.subscribe();
  stream.send({ ...EVERYTHING, fromSlot: slot });
  await stream.settled();
  const updates = stream.updates.flatMap(updatesOf).filter(([, its]) => its === slot);
  const banks = (isStatus: boolean) =>
    new Set(
      updates.flatMap(([kind, , bank]) => (bank !== undefined && kind.startsWith('SLOT_') === isStatus ? [bank] : [])),
    );
  assert.equal(banks(true).size, 2);
  assert.equal(banks(false).size, 1);
  stream.cancel();
});

test('the fault strikes every slot until it is removed, and the ledger keeps running', async () => {
  const before = (await client.unary(Geyser.method.getSlot)).slot;
  await local.admin('PUT', '/faults', { faults: [{ scope: 'ws', kind: 'twobanks' }] });
  nextSlot(3);
  await local.admin('PUT', '/faults', { faults: [] });
  assert.equal((await client.unary(Geyser.method.getSlot)).slot, before + 3n);
});

test('gossip begins with a snapshot of the one node; pings and its entry follow', async (t) => {
  const running = await startTestLedger(['--plan', 'Shared Metal'], { clock: 'slots' });
  t.after(() => running.stop());
  const gossiping = geyserClient(running);
  t.after(() => gossiping.close());
  const [snapshot, ping, node] = await gossiping.gossip(3);
  const first = snapshot?.updateOneof;
  assert.equal(first?.case, 'snapshot');
  const [only, ...others] = first.value.nodes;
  assert.deepEqual(others, []);
  const identity = member(member((await running.rpc('getIdentity', [])).json, 'result'), 'identity');
  assert.equal(encodeBase58(only?.pubkey ?? new Uint8Array()), identity);
  assert.ok((only?.versionMajor ?? 0) >= 3);
  assert.equal(ping?.updateOneof.case, 'ping');
  assert.equal(node?.updateOneof.case, 'node');
  assert.ok(node.updateOneof.value.wallclock > (only?.wallclock ?? 0n));
  assert.deepEqual([snapshot?.seq, ping?.seq, node.seq], [1n, 2n, 3n]);
});
