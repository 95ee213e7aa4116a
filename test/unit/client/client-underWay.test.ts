// Who needs what a start or a restart brings waits for its end.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UnderWay } from '../../../client/localService/underWay';

test('nothing under way has ended at once', async () => {
  await new UnderWay().ended();
});

test('the end comes after works in works, after works that begin meanwhile, and after failures', async () => {
  const underWay = new UnderWay();
  const order: string[] = [];
  const open: (() => void)[] = [];
  const gate = (): Promise<void> => new Promise((resolve) => open.push(resolve));
  const restart = underWay.during(async () => {
    await underWay.during(gate);
    order.push('stopped');
    await underWay.during(gate);
    order.push('started');
  });
  const failing = underWay.during(() => Promise.reject(new Error('no port'))).catch(() => order.push('failed'));
  const ended = underWay.ended().then(() => order.push('ended'));
  await failing;
  open[0]?.();
  await new Promise(setImmediate);
  assert.deepEqual(order, ['failed', 'stopped']);
  open[1]?.();
  await Promise.all([restart, ended]);
  assert.deepEqual(order, ['failed', 'stopped', 'started', 'ended']);
});
