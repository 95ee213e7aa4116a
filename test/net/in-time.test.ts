// Work with a time limit: it ends with its signal, and in its time no matter what the garbage collector does.
import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { test } from 'node:test';
import { inTime } from '../../net/aborts';
import { collect } from '../support/process/garbage';

const NEVER = new AbortController().signal;
const aborted = (limit: AbortSignal): Promise<unknown> =>
  new Promise((resolve) => {
    limit.addEventListener('abort', () => resolve(limit.reason), { once: true });
  });

test('the time comes though everything that nobody holds was collected', async (t) => {
  // A time-out of a signal keeps no process alive: without this it would end before.
  const awake = setInterval(() => undefined, 1_000);
  t.after(() => clearInterval(awake));
  // These run one after the other, no matter what the clock says: a timer is looked at only after the last of them.
  const waiting = new Promise((resolve) => {
    setImmediate(() => resolve(inTime({ ms: 1, signal: NEVER }, aborted)));
  });
  setImmediate(collect);
  setImmediate(collect);
  const reason = await waiting;
  assert.ok(reason instanceof DOMException && reason.name === 'TimeoutError');
});

test('a signal ends it with the signal’s reason, also if aborted before', async () => {
  const why = new Error('enough');
  const stop = new AbortController();
  const waiting = inTime({ ms: 60_000, signal: stop.signal }, aborted);
  stop.abort(why);
  assert.equal(await waiting, why);
  assert.equal(await inTime({ ms: 60_000, signal: stop.signal }, (limit) => Promise.resolve(limit.reason)), why);
});

test('its end, and its failure, are those of the work, and nothing waits afterwards', async () => {
  const stop = new AbortController();
  assert.equal(await inTime({ ms: 60_000, signal: stop.signal }, () => Promise.resolve(7)), 7);
  await assert.rejects(
    inTime({ ms: 60_000, signal: stop.signal }, () => Promise.reject(new Error('no'))),
    /no/,
  );
  assert.ok(getEventListeners(stop.signal, 'abort').length <= 1);
  assert.equal(process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length, 0);
});
