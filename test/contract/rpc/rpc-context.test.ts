// The slot of a context is the slot whose state was read, over HTTP, WebSocket and gRPC.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { UpdateLog } from '../../../localnet/geyser/log';
import { UNARY } from '../../../localnet/geyser/unary';
import { Feed } from '../../../localnet/websocket/feed';
import { CommitmentLevel, GetLatestBlockhashRequestSchema, GetLatestBlockhashResponseSchema } from '../../../proto';
import { plain } from '../v1/v1-bench';
import { Bench, freshKey, textOf, type Loose } from './rpc-harness';

const LEVELS = ['processed', 'confirmed', 'finalized'] as const;
type Level = (typeof LEVELS)[number];

let bench: Bench;
before(async () => {
  bench = await Bench.open();
  bench.slots(3);
});
after(() => bench.close());

const slotAt = async (commitment: Level): Promise<number> => Number(await bench.call('getSlot', { commitment }));
const contextOf = (answer: Loose): number => Number(answer['context']?.['slot']);

describe('the newest complete block', () => {
  for (const commitment of LEVELS) {
    test(`has the blockhash that is given at ${commitment}`, async () => {
      const answer = await bench.call('getLatestBlockhash', { commitment });
      const slot = contextOf(answer);
      assert.equal(slot, await slotAt(commitment === 'finalized' ? 'finalized' : 'confirmed'));
      const block = await bench.call('getBlock', slot, { commitment: 'confirmed', transactionDetails: 'none' });
      assert.deepEqual(plain(answer['value']), {
        blockhash: textOf(block['blockhash']),
        lastValidBlockHeight: Number(block['blockHeight']) + 150,
      });
    });
    test(`has it over gRPC too, at ${commitment}`, async () => {
      const request = create(GetLatestBlockhashRequestSchema, {
        commitment: CommitmentLevel[commitment.toUpperCase() as Uppercase<Level>],
      });
      const sources = { engine: bench.ledger.rpc, log: new UpdateLog(Date.now, 'tower') };
      const bytes = await UNARY['GetLatestBlockhash']?.(sources, toBinary(GetLatestBlockhashRequestSchema, request));
      assert.ok(bytes);
      const { slot, blockhash } = fromBinary(GetLatestBlockhashResponseSchema, bytes);
      const block = await bench.call('getBlock', Number(slot), { commitment: 'confirmed', transactionDetails: 'none' });
      assert.equal(blockhash, block['blockhash']);
    });
  }
  test('is what a least slot is compared with', async () => {
    const open = await slotAt('processed');
    await bench.call('getLatestBlockhash', { commitment: 'processed', minContextSlot: open - 1 });
    const { code, data } = await bench.fails('getLatestBlockhash', { commitment: 'processed', minContextSlot: open });
    assert.deepEqual([code, Number((data as Loose)['contextSlot'])], [-32016, open - 1]);
  });
  test('is where statuses are read: the context reaches the slot with the first status', async () => {
    const open = await slotAt('processed');
    const signature = await bench.transfer(freshKey().address);
    const seen = async (): Promise<unknown> => {
      const answer = await bench.call('getSignatureStatuses', [signature]);
      return [contextOf(answer), answer['value']?.[0] !== null];
    };
    assert.deepEqual(await seen(), [open - 1, false]);
    bench.slots(1);
    assert.deepEqual(await seen(), [open, true]);
    bench.slots(1);
    assert.deepEqual(await seen(), [open + 1, true]);
  });
});

test('at every commitment, the state of an account has the slot of its clock', async () => {
  const clock = 'SysvarC1ock11111111111111111111111111111111';
  for (const commitment of LEVELS)
    for (const [method, address] of [
      ['getAccountInfo', clock],
      ['getMultipleAccounts', [clock]],
    ] as const) {
      const answer = await bench.call(method, address, { commitment, encoding: 'base64' });
      const account = method === 'getAccountInfo' ? answer['value'] : answer['value']?.[0];
      const data = Buffer.from(textOf(account?.['data']?.[0]), 'base64');
      assert.equal(contextOf(answer), Number(data.readBigUInt64LE(0)), `${method} at ${commitment}`);
    }
});

describe('a notification', () => {
  let feed: Feed;
  let stop: () => void;
  before(() => {
    feed = new Feed(bench.ledger, Date.now);
    stop = feed.start();
  });
  after(() => stop());

  for (const commitment of LEVELS) {
    test(`of a signature that came before its subscription is of the newest state at ${commitment}`, async () => {
      const signature = await bench.transfer(freshKey().address);
      bench.slots(6);
      const slots: number[] = [];
      const subscription = feed.add({ kind: 'signature', signature, commitment, received: false }, (result) =>
        slots.push(contextOf(plain(result) as Loose)),
      );
      await feed.catchUp(subscription);
      assert.deepEqual(slots, [await slotAt(commitment === 'finalized' ? 'finalized' : 'confirmed')]);
    });
    test(`of an edit is of the state at ${commitment} that it changed`, async () => {
      const { address } = freshKey();
      const slots: number[] = [];
      const format = { encoding: 'base64' } as const;
      const subscription = feed.add({ kind: 'account', address, commitment, format }, (result) =>
        slots.push(contextOf(plain(result) as Loose)),
      );
      bench.ledger.cheats.fund(address, 5n);
      feed.remove(subscription);
      assert.deepEqual(slots, [await slotAt(commitment)]);
    });
  }
});
