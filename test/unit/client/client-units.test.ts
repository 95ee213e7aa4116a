// The numbers of a response that have a unit: which they are, and where their digits are in the text.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unitPlaces } from '../../../client/responses/unitPlaces';
import type { Unit } from '../../../core/solana/chain/units';
import { bareUnit } from '../../../core/requests/methods/resultShape';
import { STANDARD_METHODS } from '../../../core/requests/methods';

function found(response: unknown, bare?: Unit): string[] {
  const text = JSON.stringify(response, undefined, 2);
  return unitPlaces(text, bare).map(({ unit, value, start, end }) => {
    assert.equal(text.slice(start, end), String(value));
    return `${unit} ${value}`;
  });
}

test('a transaction shows its slot, its time, its fee, its balances and its compute units', () => {
  const meta = { computeUnitsConsumed: 150, fee: 5000, postBalances: [1, 2], preBalances: [3], innerInstructions: [] };
  const result = { blockTime: 1_700_000_000, meta, slot: 9, transaction: { signatures: ['x'] }, version: 0 };
  assert.deepEqual(found({ id: 1, jsonrpc: '2.0', result }), [
    'seconds 1700000000',
    'computeUnits 150',
    'lamports 5000',
    'lamports 1',
    'lamports 2',
    'lamports 3',
    'slot 9',
  ]);
});

test('a bare value has the unit of its method', () => {
  assert.deepEqual(found({ result: 5, id: 7 }, 'slot'), ['slot 5']);
  assert.deepEqual(found({ result: { context: { slot: 3 }, value: 5 } }, 'lamports'), ['slot 3', 'lamports 5']);
  assert.deepEqual(found({ result: [1, 2], rest: [3] }, 'slot'), ['slot 1', 'slot 2']);
  assert.deepEqual(found({ result: 5 }), []);
});

test('numbers without a unit, and digits in texts, are left alone', () => {
  assert.deepEqual(found({ decimals: 6, amount: '5', text: '"lamports": 5', lamports: 1.5, slot: null }), []);
});

test('units of bare values come from the records of the methods', () => {
  const units = ['getSlot', 'getBalance', 'getBlockTime', 'getBlocks', 'getBlockHeight', 'nobody'].map((method) =>
    bareUnit(method, STANDARD_METHODS),
  );
  assert.deepEqual(units, ['slot', 'lamports', 'seconds', 'slot', undefined, undefined]);
});
