// Where a fork begins: at its source's slot, with nothing older; slots that no node can serve are refused.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readOptions } from '../../../localnet/options';
import { SourceChannel } from '../../../localnet/source/channel';
import { slotOfSource } from '../../../localnet/source/slot';
import { readQuestion } from '../../../process/sourceQuestions';

const OPTIONS = { fork: true, forkSlot: undefined, warpSlot: undefined, finalityLag: 31 } as const;

function sourceAt(slot: number): Parameters<typeof slotOfSource>[1] & { readonly least: number[]; asked: number } {
  const source = {
    name: 'elsewhere',
    least: [] as number[],
    asked: 0,
    slot: () => {
      source.asked++;
      return Promise.resolve(slot);
    },
    atLeast: (least: number) => void source.least.push(least),
  };
  return source;
}

test('A fork begins where its source is, and reads nothing older', async () => {
  const source = sourceAt(1_000);
  assert.equal(await slotOfSource(OPTIONS, source, true), 1_031);
  assert.deepEqual(source.least, [1_000]);
});

test('Its slot may be chosen among the newest ones, which changes only what is refused', async () => {
  for (const forkSlot of [850, 999, 1_000]) {
    const source = sourceAt(1_000);
    assert.equal(await slotOfSource({ ...OPTIONS, forkSlot }, source, true), 1_031);
    assert.deepEqual(source.least, [1_000]);
  }
});

test('A past slot is refused, since nodes have no accounts of it, and so is a future slot', async () => {
  await assert.rejects(slotOfSource({ ...OPTIONS, forkSlot: 849 }, sourceAt(1_000), true), {
    message:
      'elsewhere is at slot 1000: nodes serve accounts as they are now, not as they were at slot 849. Leave --fork-slot out, or give one of the newest 150 slots.',
  });
  await assert.rejects(slotOfSource({ ...OPTIONS, forkSlot: 1_001 }, sourceAt(1_000), true), {
    message: 'elsewhere is at slot 1000 and has not reached 1001 yet.',
  });
});

test('A kept ledger continues without asking, and keeps to the slot it is given', async () => {
  const source = sourceAt(1_000);
  assert.equal(await slotOfSource({ ...OPTIONS, forkSlot: 5 }, source, false), undefined);
  assert.equal(await slotOfSource(OPTIONS, source, false), undefined);
  assert.deepEqual([source.least, source.asked], [[5], 0]);
});

test("A slot of --warp-slot is the ledger's, and without a fork nothing is asked", async () => {
  const source = sourceAt(1_000);
  assert.equal(await slotOfSource({ ...OPTIONS, warpSlot: 7 }, source, true), undefined);
  assert.equal(await slotOfSource({ ...OPTIONS, fork: false, warpSlot: 'source' }, source, true), 1_031);
  assert.deepEqual(source.least, [1_000]);
  const other = sourceAt(1_000);
  assert.equal(await slotOfSource({ ...OPTIONS, fork: false }, other, true), undefined);
  assert.equal(other.asked, 0);
});

test('--fork-slot needs --fork, and a slot', () => {
  assert.deepEqual(readOptions(['--fork-slot', '5']), {
    ok: false,
    message: '--fork-slot needs --fork: whose slot it is',
  });
  assert.equal(readOptions(['--fork', 'main', '--fork-slot', 'new']).ok, false);
  const read = readOptions(['--fork', 'main', '--fork-slot', '5']);
  assert.ok(read.ok);
  assert.equal(read.options.forkSlot, 5);
});

test('Every read of accounts and lists names the slot, as the process that reads takes it', async () => {
  const sent: unknown[] = [];
  const channel = new SourceChannel('elsewhere', {
    connected: true,
    send: (message) => {
      sent.push(message);
      return true;
    },
    on: () => undefined,
    once: () => undefined,
  });
  channel.atLeast(77);
  const address = '1'.repeat(32);
  void channel.accounts([address]);
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(readQuestion(sent[0])?.question, { ask: 'accounts', addresses: [address], minSlot: 77 });
});
