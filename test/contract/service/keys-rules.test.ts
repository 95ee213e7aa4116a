// The rules of keys on a clock of the test's own: buckets, suspension, the keyring. No process, no waiting.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { Allowance } from '../../../localnet/keys/allowance';
import { Keyring } from '../../../localnet/keys/keyring';
import { heldBy } from '../../support/process/held';

const READ = { requests: 1, sends: 0 };
const SEND = { requests: 1, sends: 1 };
const START = 1_700_000_000_000;

function allowance() {
  const subject = new Allowance('Free', START);
  const take = (cost: typeof READ, now: number) => {
    const verdict = subject.ask(cost, now);
    if (verdict.kind === 'granted') subject.spend(cost, now);
    return verdict;
  };
  return { subject, take };
}

/** Asks `perSecond` times in each second from `from` for `seconds`; the time of the first suspension, if any. */
function hammer(
  take: (cost: typeof READ, now: number) => { kind: string },
  from: number,
  seconds: number,
  perSecond: number,
) {
  for (let ms = 0; ms < seconds * 1000; ms += 1000 / perSecond) {
    if (take(READ, from + ms).kind === 'suspended') return from + ms;
  }
  return undefined;
}

test('a full bucket passes its rate at once and refills evenly', () => {
  const { take } = allowance();
  for (let i = 0; i < 5; i++) assert.equal(take(READ, START).kind, 'granted');
  assert.equal(take(READ, START).kind, 'limited');
  assert.equal(take(READ, START + 199).kind, 'limited');
  assert.equal(take(READ, START + 200).kind, 'granted');
});

test('a bucket never holds more than its rate', () => {
  const { take } = allowance();
  const later = START + 3_600_000;
  for (let i = 0; i < 5; i++) assert.equal(take(READ, later).kind, 'granted');
  assert.equal(take(READ, later).kind, 'limited');
});

test('a refused send takes nothing from the other bucket', () => {
  const { take } = allowance();
  assert.equal(take(SEND, START).kind, 'granted');
  assert.equal(take(SEND, START).kind, 'limited');
  for (let i = 0; i < 4; i++) assert.equal(take(READ, START).kind, 'granted');
  assert.equal(take(READ, START).kind, 'limited');
});

test('Retry-After is when the cost will be there, in whole seconds', () => {
  const { subject, take } = allowance();
  take({ requests: 5, sends: 0 }, START);
  const verdict = subject.ask({ requests: 5, sends: 0 }, START + 100);
  assert.equal(verdict.kind === 'limited' && verdict.retryAfterSeconds, 1);
});

test('refusals of more than three times the rate for ten seconds suspend the key for 30 seconds', () => {
  const { subject, take } = allowance();
  const at = hammer(take, START, 20, 25);
  assert.ok(at !== undefined && at >= START + 10_000, `suspended at ${at}`);
  assert.equal(subject.suspension.remaining(at + 29_000) > 0, true);
  assert.equal(subject.suspension.remaining(at + 30_000), 0);
  assert.equal(take(READ, at + 30_000).kind, 'granted');
});

test('a short burst, however large, does not suspend', () => {
  const { take } = allowance();
  assert.equal(hammer(take, START, 2, 500), undefined);
});

test('refusals below three times the rate never suspend', () => {
  const { take } = allowance();
  assert.equal(hammer(take, START, 60, 18), undefined);
});

test('a pause of more than two seconds restarts the ten seconds', () => {
  const { take } = allowance();
  assert.equal(hammer(take, START, 9, 50), undefined);
  assert.equal(hammer(take, START + 12_000, 9, 50), undefined);
});

test('each suspension doubles up to ten minutes and forgives after ten quiet minutes', () => {
  const { subject, take } = allowance();
  const lengths: number[] = [];
  let from = START;
  for (let round = 0; round < 6; round++) {
    const at = hammer(take, from, 30, 25);
    assert.ok(at !== undefined);
    const length = subject.suspension.remaining(at);
    lengths.push(Math.round(length / 1000));
    from = at + length + 1_000;
  }
  assert.deepEqual(lengths, [30, 60, 120, 240, 480, 600]);
  const at = hammer(take, from + 700_000, 30, 25);
  assert.ok(at !== undefined);
  assert.equal(Math.round(subject.suspension.remaining(at) / 1000), 30);
});

test('the keyring keeps no secret', () => {
  const keyring = new Keyring({ now: () => START, random: (bytes) => new Uint8Array(bytes).fill(7) });
  const issued = keyring.create({ type: 'rpc', label: '', plan: 'Dev' });
  assert.ok(issued !== undefined);
  const kept = heldBy(keyring);
  assert.ok(!kept.includes(issued.key));
  assert.ok(kept.includes(createHash('sha256').update(issued.key).digest('hex')));
});

test('the keyring stops at its bound instead of growing', () => {
  let counter = 0;
  const random = (bytes: number): Uint8Array => createHash('sha256').update(`${counter++}`).digest().subarray(0, bytes);
  const keyring = new Keyring({ now: () => START, random });
  for (let i = 0; i < 1_000; i++) assert.ok(keyring.create({ type: 'rpc', label: '', plan: 'Dev' }) !== undefined);
  assert.equal(keyring.create({ type: 'rpc', label: '', plan: 'Dev' }), undefined);
});

test('streams of a key are ended when it is rotated and when it is revoked', () => {
  let counter = 0;
  const random = (bytes: number): Uint8Array => createHash('sha256').update(`${counter++}`).digest().subarray(0, bytes);
  const keyring = new Keyring({ now: () => START, random });
  const { keyId } = keyring.create({ type: 'grpc', label: '', plan: 'Dev' }) ?? { keyId: '' };
  const ended: string[] = [];
  const stop = keyring.onEnd((id, reason) => ended.push(`${id === keyId} ${reason}`));
  keyring.rotate(keyId);
  keyring.revoke(keyId);
  stop();
  assert.deepEqual(ended, ['true rotated', 'true revoked']);
});
