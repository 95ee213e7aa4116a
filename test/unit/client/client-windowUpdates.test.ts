// The window's state as sent to the server: no change during the server's start is lost.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WindowUpdates } from '../../../client/server/windowUpdates';

test('a change while the server starts is sent as soon as it runs, once', () => {
  let endpoint = 'first';
  let runs = false;
  const sent: string[] = [];
  const updates = new WindowUpdates(() => endpoint);
  updates.connect(() => (runs ? (state) => void sent.push(state) : undefined));

  assert.equal(updates.initial(), 'first');
  endpoint = 'second';
  updates.changed();
  runs = true;
  updates.serverRuns();
  updates.serverRuns();
  assert.deepEqual(sent, ['second']);

  endpoint = 'third';
  updates.changed();
  assert.deepEqual(sent, ['second', 'third']);
});

test('a change before the server starts is part of what it starts with', () => {
  const sent: string[] = [];
  let runs = false;
  const updates = new WindowUpdates(() => 'state');
  updates.connect(() => (runs ? (state) => void sent.push(state) : undefined));
  updates.changed();
  assert.equal(updates.initial(), 'state');
  runs = true;
  updates.serverRuns();
  assert.deepEqual(sent, []);
});
