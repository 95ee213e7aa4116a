// Slots with several banks: whose updates no longer count once one bank is confirmed, and how updates are distinguished.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { abandonedJson, abandonedText, Banks } from '../../../core/service/streams/banks';
import { readFilter } from '../../../core/service/streams/filter';
import { cellsOf } from '../../../core/service/streams/shape';
import { yellowstoneShape } from '../../../core/service/streams/yellowstone';
import { ReplayDeduper, ConnectionHistory } from '../../../net/streams/replayDeduper';
import { SlotStatus } from '../../../proto';
import { keyOf } from '../../support/data/layouts';
import { SUBSCRIBE, updateOf } from '../../support/wire/streamed';

const shape = yellowstoneShape(SUBSCRIBE, { slots: { s: {} }, transactions: { t: {} } });
const bankOf = (bank: number | undefined) => (bank === undefined ? {} : { bankId: BigInt(bank) });

const transaction = (slot: number, bank: number | undefined, signature = 1): Uint8Array =>
  updateOf({
    filters: ['t'],
    updateOneof: {
      case: 'transaction',
      value: { slot: BigInt(slot), ...bankOf(bank), transaction: { signature: keyOf(signature) } },
    },
  });
const status = (slot: number, bank: number | undefined, is: SlotStatus): Uint8Array =>
  updateOf({
    filters: ['s'],
    updateOneof: { case: 'slot', value: { slot: BigInt(slot), ...bankOf(bank), status: is } },
  });

class Watched {
  readonly banks = new Banks(shape);
  readonly abandoned: string[] = [];
  take(bytes: Uint8Array): void {
    for (const one of this.banks.take(bytes, 0, bytes.length)) this.abandoned.push(JSON.stringify(abandonedJson(one)));
  }
  fate(bytes: Uint8Array): unknown {
    return this.banks.with(shape).value('fate', bytes, 0, bytes.length);
  }
}

describe('banks of a slot', () => {
  test('once one is confirmed the others are given up, also what comes of them later', () => {
    const stream = new Watched();
    for (const bytes of [transaction(5, 1), status(5, 1, SlotStatus.SLOT_PROCESSED), transaction(5, 2)])
      stream.take(bytes);
    assert.equal(stream.fate(transaction(5, 1)), undefined);
    stream.take(status(5, 2, SlotStatus.SLOT_CONFIRMED));
    assert.deepEqual(stream.abandoned, ['{"slot":"5","bankId":"1","confirmedBankId":"2","updates":2}']);
    assert.deepEqual([stream.fate(transaction(5, 1)), stream.fate(transaction(5, 2))], ['abandoned', undefined]);
    stream.take(transaction(5, 1, 2));
    stream.take(transaction(5, 2, 2));
    stream.take(status(5, 2, SlotStatus.SLOT_FINALIZED));
    assert.equal(stream.banks.count, 3);
    stream.take(transaction(5, 3));
    assert.equal(stream.abandoned.at(-1), '{"slot":"5","bankId":"3","confirmedBankId":"2","updates":1}');
  });

  test('a dead bank is given up alone; where no bank is named the slot is', () => {
    const stream = new Watched();
    for (const bytes of [transaction(5, 1), transaction(5, 2), status(5, 1, SlotStatus.SLOT_DEAD)]) stream.take(bytes);
    assert.deepEqual([stream.fate(transaction(5, 1)), stream.fate(transaction(5, 2))], ['abandoned', undefined]);
    assert.deepEqual(stream.abandoned, ['{"slot":"5","bankId":"1","updates":2}']);
    const old = yellowstoneShape(SUBSCRIBE, { slots: { s: {} }, blocks: { b: {} } });
    const banks = new Banks(old);
    const block = updateOf({ updateOneof: { case: 'block', value: { slot: 9n } } });
    const dead = status(9, undefined, SlotStatus.SLOT_DEAD);
    banks.take(block, 0, block.length);
    assert.deepEqual(banks.take(dead, 0, dead.length), [{ slot: 9, updates: 2 }]);
    assert.equal(banks.holdsAbandoned(block, 0, block.length), true);
    assert.equal(abandonedText({ slot: 9, updates: 2 }), 'slot 9 is dead; updates that no longer count: 2');
  });

  test('what names no bank is given up by no confirmation', () => {
    const stream = new Watched();
    for (const bytes of [transaction(5, undefined), status(5, 2, SlotStatus.SLOT_CONFIRMED)]) stream.take(bytes);
    for (const bytes of [transaction(6, 1), status(6, undefined, SlotStatus.SLOT_CONFIRMED)]) stream.take(bytes);
    assert.deepEqual([stream.abandoned, stream.banks.count], [[], 0]);
  });

  test('bank ids of another connection say nothing, nor those of two that send together', () => {
    const stream = new Watched();
    stream.take(transaction(5, 1));
    stream.banks.connected(true);
    stream.take(status(5, 70, SlotStatus.SLOT_CONFIRMED));
    assert.equal(stream.fate(transaction(5, 1)), undefined);
    stream.banks.connected(false);
    for (const bytes of [transaction(6, 1), status(6, 70, SlotStatus.SLOT_CONFIRMED)]) stream.take(bytes);
    assert.deepEqual(stream.abandoned, []);
  });

  test('a stream that hears of no slots follows no banks and has no such column', () => {
    const plain = yellowstoneShape(SUBSCRIBE, { transactions: { t: {} } });
    const banks = new Banks(plain);
    assert.equal(banks.with(plain), plain);
    const bytes = status(5, 2, SlotStatus.SLOT_CONFIRMED);
    assert.deepEqual(banks.take(bytes, 0, bytes.length), []);
  });

  test('the fate is a column and a field of the filter', () => {
    const stream = new Watched();
    for (const bytes of [transaction(5, 1), status(5, 2, SlotStatus.SLOT_CONFIRMED)]) stream.take(bytes);
    const own = stream.banks.with(shape);
    assert.equal(own.columns.at(-1)?.title, 'Fate');
    const bytes = transaction(5, 1);
    assert.equal(cellsOf(own, bytes, 0, bytes.length).at(-1), 'abandoned');
    const filter = readFilter('!(fate == abandoned) && bank == 2', own);
    assert.ok(filter.kind === 'filter');
    const passes = [transaction(5, 1), transaction(5, 2)].map((one) => filter.passes(one, 0, one.length));
    assert.deepEqual(passes, [false, true]);
  });

  test('as many slots as there are, the newest alone are remembered', () => {
    const stream = new Watched();
    for (let slot = 0; slot < 20_000; slot++)
      for (const bytes of [transaction(slot, 1), status(slot, 2, SlotStatus.SLOT_CONFIRMED)]) stream.take(bytes);
    assert.deepEqual([stream.fate(transaction(1, 1)), stream.fate(transaction(19_999, 1))], [undefined, 'abandoned']);
  });
});

describe('a replay', () => {
  const identity = (bytes: Uint8Array): string => shape.identity(bytes, 0, bytes.length);
  const deduper = (...known: readonly Uint8Array[]): ReplayDeduper => new ReplayDeduper(known.map(identity), true, 5);
  const isRepeat = (one: ReplayDeduper, history: ConnectionHistory, bytes: Uint8Array): boolean =>
    one.isRepeat(identity(bytes), history, true);

  test('leaves out what came in the same bank, and brings what came in another one of the slot', () => {
    const one = deduper(transaction(5, 1), transaction(5, 1, 2));
    const history = new ConnectionHistory();
    assert.equal(isRepeat(one, history, transaction(5, 1)), true);
    assert.equal(isRepeat(one, history, transaction(5, 2)), false);
    assert.equal(isRepeat(one, history, transaction(5, 2)), true);
    assert.equal(isRepeat(one, history, transaction(5, 1, 2)), true);
  });

  test('of another server, whose bank ids are its own, is recognised by the slot', () => {
    const one = deduper(transaction(5, 1), transaction(5, 1, 2));
    const history = new ConnectionHistory();
    assert.equal(isRepeat(one, history, transaction(5, 900)), true);
    assert.equal(isRepeat(one, history, transaction(5, 900, 2)), true);
    assert.equal(isRepeat(one, history, transaction(5, 900, 3)), false);
    assert.equal(isRepeat(one, history, transaction(6, 901, 2)), false);
  });

  test('of a server that names no banks counts by the slot', () => {
    const one = deduper(transaction(5, undefined));
    assert.equal(isRepeat(one, new ConnectionHistory(), transaction(5, undefined)), true);
    assert.equal(isRepeat(one, new ConnectionHistory(), transaction(6, undefined)), false);
  });
});
