// Questions of the local service about another endpoint: what is not exactly one of the closed list is not a question.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { questionOf, readQuestion } from '../../../process/sourceQuestions';

const addresses = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `a${index}`);

describe('a question about accounts', () => {
  const accounts = (given: unknown): unknown => questionOf({ ask: 'accounts', addresses: given });

  test('has up to 100 addresses', () => {
    assert.deepEqual(accounts(addresses(100)), { ask: 'accounts', addresses: addresses(100), minSlot: undefined });
    assert.equal(accounts(addresses(101)), undefined);
    assert.equal(accounts([]), undefined);
  });

  test('has a list of texts', () => {
    assert.equal(accounts({ ...addresses(2), length: 2 }), undefined);
    assert.equal(accounts('a0'), undefined);
    for (const strange of [1, null, undefined, ['a1'], { toString: () => 'a1' }])
      assert.equal(accounts(['a0', strange]), undefined);
  });
});

describe('a question about the accounts of a program or an owner', () => {
  test('names them as texts', () => {
    const program = { ask: 'program', address: 'p', filters: '[]' };
    assert.deepEqual(questionOf(program), { ...program, minSlot: undefined });
    const tokens = { ask: 'tokens', owner: 'o', program: 'p' };
    assert.deepEqual(questionOf(tokens), { ...tokens, minSlot: undefined });
    for (const strange of [1, null, ['p'], { method: 'sendTransaction' }]) {
      assert.equal(questionOf({ ...program, address: strange }), undefined);
      assert.equal(questionOf({ ...tokens, owner: strange }), undefined);
      assert.equal(questionOf({ ...tokens, program: strange }), undefined);
    }
  });

  test('has filters as a text, or none', () => {
    const program = { ask: 'program', address: 'p' };
    assert.deepEqual(questionOf(program), { ...program, filters: undefined, minSlot: undefined });
    for (const strange of [1, [], {}]) assert.equal(questionOf({ ...program, filters: strange }), undefined);
  });
});

test('the least slot is a whole number', () => {
  const minSlotOf = (minSlot: unknown): unknown => questionOf({ ask: 'tokens', owner: 'o', program: 'p', minSlot });
  assert.deepEqual(minSlotOf(7), { ask: 'tokens', owner: 'o', program: 'p', minSlot: 7 });
  for (const strange of ['7', 1.5, Number.NaN, 2 ** 53]) assert.equal(minSlotOf(strange), undefined);
});

test('anything that is not on the list is not a question', () => {
  assert.deepEqual(readQuestion({ source: 1, question: { ask: 'slot', more: 1 } }), {
    id: 1,
    question: { ask: 'slot' },
  });
  for (const question of [undefined, null, 'slot', {}, { ask: 'send' }, Object.create({ ask: 'slot' }) as unknown])
    assert.equal(readQuestion({ source: 1, question }), undefined);
  for (const source of [undefined, '1', null])
    assert.equal(readQuestion({ source, question: { ask: 'slot' } }), undefined);
});
