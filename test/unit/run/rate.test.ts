// The rate of a stream: the updates of the last second, also for a younger stream.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Rate } from '../../../runner/streams/rate';

test('an update of a stream that is younger than a second counts once', () => {
  const rate = new Rate();
  rate.look(0, 0);
  assert.equal(rate.perSecond, 0);
  rate.look(300, 1);
  assert.equal(rate.perSecond, 1);
  rate.look(600, 5);
  assert.equal(rate.perSecond, 5);
});

test('later it is the mean of the last looks, however far apart they are', () => {
  const rate = new Rate();
  for (let look = 0; look <= 20; look++) rate.look(look * 100, look * 4);
  assert.equal(rate.perSecond, 40);
  const slow = new Rate();
  slow.look(0, 0);
  slow.look(4_000, 20);
  assert.equal(slow.perSecond, 5);
});
