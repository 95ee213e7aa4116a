// Reads of a fork's source: for any answer of the source, the question is answered and nothing rejects.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ok } from '../../../core/service/errors';
import { askSource } from '../../../process/sourceReads';
import type { JsonValue } from '../../../core/solana/json/json';
import type { SourceQuestion } from '../../../process/sourceQuestions';

const { signal } = new AbortController();
const SLOT: SourceQuestion = { ask: 'slot' };
let deep: JsonValue = 1;
for (let level = 0; level < 100_000; level++) deep = [deep];

test('an answer that cannot be printed is a failure in words', async () => {
  assert.deepEqual(await askSource(SLOT, async () => ok(deep), signal), {
    ok: false,
    message: 'The answer to "slot" could not be read.',
  });
});

test('a call that rejects, or throws as it is made, is a failure in words', async () => {
  const boom = (): never => {
    throw new Error('boom');
  };
  for (const call of [() => Promise.reject(new Error('boom')), boom])
    assert.equal((await askSource(SLOT, call, signal)).ok, false);
});

test('filters that are not JSON are a failure in words', async () => {
  const question: SourceQuestion = { ask: 'program', address: 'a', filters: '['.repeat(2_500), minSlot: undefined };
  assert.equal((await askSource(question, async () => ok(1), signal)).ok, false);
});
