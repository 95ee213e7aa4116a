// Questions over a channel: each gets its own answer, or none once nobody waits for it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Calls } from '../../../server/calls';

test('each question gets the answer of its number, in any order', async () => {
  const calls = new Calls<string>();
  const sent: number[] = [];
  const asked = ['first', 'second'].map(() => calls.ask((call) => sent.push(call)));
  const [first = 0, second = 0] = sent;
  calls.answer(second, 'two');
  calls.answer(first, 'one');
  assert.deepEqual(await Promise.all(asked), ['one', 'two']);
});

test('a question ends with no answer when its signal is aborted, and when no answer comes any more', async () => {
  const calls = new Calls<string>();
  const abort = new AbortController();
  const [aborted, left] = [calls.ask(() => undefined, abort.signal), calls.ask(() => undefined)];
  abort.abort();
  assert.equal(await aborted, undefined);
  calls.end();
  assert.equal(await left, undefined);
});

test('a question whose signal is aborted before is not sent', async () => {
  const answer = await new Calls<string>().ask(() => assert.fail('It was sent.'), AbortSignal.abort());
  assert.equal(answer, undefined);
});
