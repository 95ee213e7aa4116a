// Alpenglow's additions to the messages of Yellowstone gRPC, in bytes written by the published field numbers: as JSON, as
// fields of a stream's rows, and in requests.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { abandonedJson, Banks } from '../../../core/service/streams/banks';
import { yellowstoneShape } from '../../../core/service/streams/yellowstone';
import { encodeBase58 } from '../../../core/solana/encoding/base58';
import { encodeRequest, grpcCall, messageText } from '../../../core/solana/json/grpcMessage';
import { keyOf } from '../../support/data/layouts';
import { messageOf } from '../../support/wire/protobufBytes';
import { SUBSCRIBE } from '../../support/wire/streamed';

const call = grpcCall(SUBSCRIBE);
assert.ok(call !== undefined);
const { output } = call;
const json = (update: Uint8Array): Record<string, unknown> =>
  JSON.parse(messageText(output, update)) as Record<string, unknown>;

const PARENT = keyOf(7);
/** SubscribeUpdate: filters 1, entry_update_parent 13 {slot 1, cleared_bank_id 2, parent_slot 3, parent_block_id 4}. */
const updateParent = (slot: number, cleared: number): Uint8Array =>
  messageOf([1, 'e'], [13, messageOf([1, slot], [2, cleared], [3, slot - 1], [4, PARENT])]);
/** entry 8 {slot 1, index 2, num_hashes 3, hash 4, bank_id 7}. */
const entry = (slot: number, bank: number): Uint8Array =>
  messageOf([1, 'e'], [8, messageOf([1, slot], [2, 3], [3, 1], [4, keyOf(9)], [7, bank])]);
/** block_footer 12, with block_final_cert 6, skip_reward_cert 7, notar_reward_cert 8. */
const FOOTER = messageOf(
  [1, 'f'],
  [
    12,
    messageOf([1, 40], [2, 5], [3, keyOf(4)], [4, 9], [6, keyOf(1)], [7, new Uint8Array(3)], [8, new Uint8Array(5)]),
  ],
);
/** block 5, with bank_id 14. */
const BLOCK = messageOf([1, 'b'], [5, messageOf([1, 40], [7, 39], [14, 6])]);

describe('updates by the published field numbers', () => {
  test('an update of an entry’s parent', () => {
    assert.equal(updateParent(40, 5)[3], 0x6a, 'the tag of field 13');
    assert.deepEqual(json(updateParent(40, 5)), {
      filters: ['e'],
      entryUpdateParent: { slot: '40', clearedBankId: '5', parentSlot: '39', parentBlockId: encodeBase58(PARENT) },
    });
  });

  test('a footer with its certificates, and the bank of a block', () => {
    assert.deepEqual(json(FOOTER), {
      filters: ['f'],
      blockFooter: {
        slot: '40',
        bankId: '5',
        bankHash: encodeBase58(keyOf(4)),
        blockProducerTimeNanos: '9',
        blockUserAgent: '',
        blockFinalCert: Buffer.from(keyOf(1)).toString('base64'),
        skipRewardCert: 'AAAA',
        notarRewardCert: 'AAAAAAA=',
      },
    });
    assert.equal((json(BLOCK)['block'] as { readonly bankId?: string }).bankId, '6');
  });
});

describe('a stream of entries', () => {
  const shape = yellowstoneShape(SUBSCRIBE, { entry: { e: { includeUpdateParent: true } } });
  const fields = (update: Uint8Array, ...names: readonly string[]) =>
    names.map((name) => shape.value(name, update, 0, update.length));

  test('has the cleared bank and the parent as fields, in its columns', () => {
    assert.deepEqual(fields(updateParent(40, 5), 'kind', 'slot', 'clearedBank', 'parent', 'parentBlock'), [
      'entryUpdateParent',
      40,
      5,
      39,
      encodeBase58(PARENT),
    ]);
    const columns = shape.columns.map(({ field }) => field);
    assert.ok(
      ['kind', 'bank', 'clearedBank', 'fate'].every((field) => columns.includes(field)),
      columns.join(),
    );
    assert.deepEqual(fields(BLOCK, 'bank'), [6]);
    assert.deepEqual(fields(FOOTER, 'finalCert', 'skipCert', 'notarCert'), [32, 3, 5]);
  });

  test('gives up the updates of a bank that was cleared, those before and after, and no others', () => {
    const banks = new Banks(shape);
    const abandoned = [entry(40, 5), entry(40, 5), entry(40, 6), updateParent(40, 5)].flatMap((bytes) =>
      banks.take(bytes, 0, bytes.length).map(abandonedJson),
    );
    assert.deepEqual(abandoned, [{ slot: '40', bankId: '5', updates: 2 }]);
    const fate = (bytes: Uint8Array): unknown => banks.with(shape).value('fate', bytes, 0, bytes.length);
    assert.deepEqual([entry(40, 5), entry(40, 6), updateParent(40, 5)].map(fate), ['abandoned', undefined, undefined]);
    assert.deepEqual(banks.take(entry(40, 5), 0, entry(40, 5).length), []);
    assert.equal(banks.count, 3);
  });

  test('two clearings of a slot are two updates, and a repeated one is the same', () => {
    const identity = (bytes: Uint8Array): string => shape.identity(bytes, 0, bytes.length);
    assert.notEqual(identity(updateParent(40, 5)), identity(updateParent(40, 6)));
    assert.equal(identity(updateParent(40, 5)), identity(updateParent(40, 5)));
  });
});

test('a request asks for updates of the parent and for certificates by their numbers', () => {
  const bytes = encodeRequest(
    call,
    '{ "entry": { "e": { "includeUpdateParent": true } }, "block_footer": { "f": { "include_certificates": true } } }',
  );
  const filter = (name: string): Uint8Array => messageOf([1, name], [2, messageOf([1, true])]);
  assert.deepEqual(bytes.ok && Buffer.from(bytes.bytes), messageOf([8, filter('e')], [12, filter('f')]));
});
