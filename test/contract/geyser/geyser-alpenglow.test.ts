// The gRPC streams of ledgers that run Alpenglow and TowerBFT: footers and their certificates, banks that
// are cleared, and when a slot is confirmed and final.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { fromBinary } from '@bufbuild/protobuf';
import { encodeBase58 } from '../../../core/solana/encoding/base58';
import { SlotStatus, SubscribeRequestSchema, type SubscribeUpdate } from '../../../proto';
import { serviceInProcess, type InProcessService } from '../../support/process/inProcessService';
import { messageOf, type Field } from '../../support/wire/protobufBytes';
import { freshKey } from '../rpc/rpc-harness';
import { geyserClient, type TestClient } from './geyser-client';
import { ServiceWallet } from './geyser-wallet';

interface Running {
  readonly local: InProcessService;
  readonly client: TestClient;
}
type Options = Parameters<typeof serviceInProcess>[1];

const started: Running[] = [];
async function start(options: Options): Promise<Running> {
  const local = await serviceInProcess('Shared Metal', options);
  const running = { local, client: geyserClient(local) };
  started.push(running);
  return running;
}
after(async () => {
  for (const { local, client } of started) {
    client.close();
    await local.stop();
  }
});

const twoBanks = async ({ local }: Running): Promise<void> => {
  await local.admin('PUT', '/faults', { faults: [{ scope: 'grpc', kind: 'twobanks', times: 1 }] });
  local.ledger.cheats.nextSlot();
};

/** The updates of a stream with this request while slots end. */
async function streamed(
  { client }: Running,
  request: Parameters<ReturnType<TestClient['subscribe']>['send']>[0] | Uint8Array,
  during: () => void | Promise<void>,
): Promise<readonly SubscribeUpdate[]> {
  const stream = client.subscribe();
  if (request instanceof Uint8Array) stream.sendRaw(request);
  else stream.send(request);
  await stream.settled();
  await during();
  await stream.settled();
  stream.cancel();
  return stream.updates;
}

type Body = SubscribeUpdate['updateOneof'];
type Kind = NonNullable<Body['case']>;
type ValueOf<Wanted extends Kind> = Extract<Body, { readonly case: Wanted }>['value'];

const bodies = <Wanted extends Kind>(updates: readonly SubscribeUpdate[], kind: Wanted) =>
  updates.flatMap(({ filters, updateOneof }) =>
    updateOneof.case === kind ? [{ filters, value: updateOneof.value as ValueOf<Wanted> }] : [],
  );

describe('a ledger that runs Alpenglow', () => {
  let own: Running;
  before(async () => {
    own = await start({ consensus: 'alpenglow' });
  });
  const slots = (count = 1) => own.local.ledger.cheats.nextSlot(count);

  test('a slot is confirmed and final in one moment, when it is rooted', async () => {
    const updates = await streamed(own, { slots: { s: {} } }, () => slots(3));
    const statuses = bodies(updates, 'slot').map(({ value }) => [SlotStatus[value.status], value.slot] as const);
    const [first = 0n] = statuses.map(([, slot]) => slot);
    assert.deepEqual(
      statuses,
      [0n, 1n, 2n].flatMap((later) =>
        ['SLOT_PROCESSED', 'SLOT_CONFIRMED', 'SLOT_FINALIZED'].map((status) => [status, first + later] as const),
      ),
    );
  });

  test('a footer has certificates where the filter asks for them, by field numbers, and there alone', async () => {
    const filter = (name: string, ...fields: readonly Field[]): Uint8Array =>
      messageOf([1, name], [2, messageOf(...fields)]);
    const request = messageOf(
      [12, filter('plain')],
      [12, filter('certified', [1, true])],
      [12, filter('not', [1, false])],
    );
    assert.equal(fromBinary(SubscribeRequestSchema, request).blockFooter['certified']?.includeCertificates, true);
    slots(10);
    const updates = bodies(await streamed(own, request, () => slots()), 'blockFooter');
    const lengths = updates.map(({ filters, value }) => [
      [...filters].sort(),
      value.blockFinalCert.length > 192,
      value.skipRewardCert.length,
      value.notarRewardCert.length > 192,
    ]);
    assert.deepEqual(lengths, [
      [['not', 'plain'], false, 0, false],
      [['certified'], true, 0, true],
    ]);
    const [, certified] = updates;
    const again = bodies(await streamed(own, request, () => slots()), 'blockFooter')[1];
    assert.notDeepEqual(again?.value.blockFinalCert, certified?.value.blockFinalCert);
  });

  test('a bank that another one of its slot replaces is cleared, for entries that ask for it', async () => {
    const request = { entry: { plain: {}, parents: { includeUpdateParent: true } }, blocksMeta: { m: {} } };
    const updates = await streamed(own, request, () => twoBanks(own));
    const [cleared, ...more] = bodies(updates, 'entryUpdateParent');
    const [first, second] = bodies(updates, 'blockMeta');
    assert.ok(cleared !== undefined && first !== undefined && second !== undefined && more.length === 0);
    assert.deepEqual(cleared.filters, ['parents']);
    assert.deepEqual(
      [cleared.value.slot, cleared.value.clearedBankId, cleared.value.parentSlot],
      [first.value.slot, first.value.bankId, second.value.parentSlot],
    );
    assert.equal(encodeBase58(cleared.value.parentBlockId), second.value.parentBlockhash);
    assert.deepEqual(
      bodies(updates, 'entry').map(({ value }) => value.bankId),
      [first.value.bankId, second.value.bankId],
    );
  });

  test('a block names its bank', async () => {
    const updates = await streamed(own, { blocks: { b: {} }, blocksMeta: { m: {} } }, () => slots());
    const [block] = bodies(updates, 'block');
    const [meta] = bodies(updates, 'blockMeta');
    assert.ok(block !== undefined && block.value.bankId > 0n);
    assert.equal(block.value.bankId, meta?.value.bankId);
  });

  test('a block has one entry: its transactions, or the closing tick', async () => {
    const wallet = new ServiceWallet(own.local);
    const updates = await streamed(own, { entry: { e: {} }, transactions: { votes: { vote: true } } }, async () => {
      await wallet.transfer(freshKey().address, 5n);
      slots(2);
    });
    assert.deepEqual(
      bodies(updates, 'entry').map(({ value }) => [value.index, value.executedTransactionCount]),
      [
        [0n, 1n],
        [0n, 0n],
      ],
    );
    assert.deepEqual(bodies(updates, 'transaction'), []);
  });
});

test('a ledger that runs TowerBFT has no footers, clears no bank, and confirms a slot before it is final', async () => {
  const own = await start({ consensus: 'tower' });
  const request = { blockFooter: { f: {} }, entry: { e: { includeUpdateParent: true } }, slots: { s: {} } };
  const updates = await streamed(own, request, () => twoBanks(own));
  assert.deepEqual([bodies(updates, 'blockFooter'), bodies(updates, 'entryUpdateParent')], [[], []]);
  const slotOf = (status: SlotStatus): bigint | undefined =>
    bodies(updates, 'slot').find(({ value }) => value.status === status)?.value.slot;
  const [confirmed = 0n, finalized = 0n] = [SlotStatus.SLOT_CONFIRMED, SlotStatus.SLOT_FINALIZED].map(slotOf);
  assert.equal(confirmed - finalized, 30n);
});
