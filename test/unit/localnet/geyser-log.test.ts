// The gRPC side's log for replays: what it keeps, and how much.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UpdateLog } from '../../../localnet/geyser/log';
import type { AccountState, LedgerBlock, Commitment, LedgerEvent } from '../../../localnet/ledger/types';

const MIB = 1024 * 1024;

/** A ledger of empty blocks that the test drives. */
class FakeLedger {
  #listener: (event: LedgerEvent) => void = () => undefined;
  #writes = 0;
  readonly events = {
    on: (listener: (event: LedgerEvent) => void) => {
      this.#listener = listener;
      return () => undefined;
    },
  };

  status(slot: number, status: 'created' | Commitment): void {
    this.#listener({ kind: 'slot', slot, parent: slot - 1, status, block: blockAt(slot) });
  }

  write(slot: number, address: string, bytes: number): void {
    const account: AccountState = {
      lamports: 1n,
      owner: '11111111111111111111111111111111',
      data: new Uint8Array(bytes),
      executable: false,
      rentEpoch: 0n,
    };
    this.#listener({
      kind: 'account',
      slot,
      bankId: slot,
      address,
      account,
      writeVersion: ++this.#writes,
      record: undefined,
      isEdit: false,
    });
  }

  /** Slot after slot, each with a write of so many bytes. */
  run(from: number, to: number, bytes: number): void {
    for (let slot = from; slot <= to; slot++) {
      this.status(slot, 'created');
      this.write(slot, 'address', bytes);
      this.status(slot, 'processed');
    }
  }
}

const blockAt = (slot: number): LedgerBlock => ({
  slot,
  parentSlot: slot - 1,
  height: slot,
  bankId: slot,
  blockhash: `hash ${slot}`,
  previousBlockhash: `hash ${slot - 1}`,
  blockTime: 0,
  epochStartTime: 0,
  transactions: [],
  transactionCount: 0,
});

function followed(): { log: UpdateLog; ledger: FakeLedger } {
  const log = new UpdateLog(() => 0, 'alpenglow');
  const ledger = new FakeLedger();
  log.follow(ledger);
  return { log, ledger };
}

test('nothing is kept before the first slot, and the open slot is once it is known', () => {
  const { log } = followed();
  assert.equal(log.firstSlot, undefined);
  log.begin(7);
  assert.equal(log.firstSlot, 7);
});

test('150 slots are kept', () => {
  const { log, ledger } = followed();
  ledger.run(1, 200, 0);
  assert.equal(log.firstSlot, 51);
});

test('fewer slots are kept where their writes are large', () => {
  const { log, ledger } = followed();
  ledger.run(1, 20, 10 * MIB);
  assert.equal(log.firstSlot, 17);
  ledger.run(21, 22, 0);
  assert.equal(log.firstSlot, 17);
});

test('fewer slots are kept where they have very many writes', () => {
  const { log, ledger } = followed();
  for (let slot = 1; slot <= 10; slot++) {
    ledger.status(slot, 'created');
    for (let count = 0; count < 20_000; count++) ledger.write(slot, 'address', 0);
    ledger.status(slot, 'processed');
  }
  assert.equal(log.firstSlot, 7);
});

test('one slot is kept however large it is', () => {
  const { log, ledger } = followed();
  ledger.run(1, 2, 60 * MIB);
  assert.equal(log.firstSlot, 2);
});

test('a slot older than the followed ones is reported and not kept', () => {
  const { log, ledger } = followed();
  const seen: string[] = [];
  log.listen(
    () => 'finalized',
    ({ update }) => seen.push(update.kind),
  );
  log.begin(40);
  ledger.status(9, 'finalized');
  assert.deepEqual(seen, ['slot']);
  assert.equal(log.firstSlot, 40);
  assert.deepEqual(log.since(0, 'finalized'), []);
});

test('above processed only the last write of an account in a slot is reported', () => {
  const { log, ledger } = followed();
  ledger.status(1, 'created');
  ledger.write(1, 'first', 1);
  ledger.write(1, 'second', 2);
  ledger.write(1, 'first', 3);
  ledger.status(1, 'processed');
  ledger.status(1, 'confirmed');
  const writes = (level: Commitment): readonly string[] =>
    log
      .since(1, level)
      .flatMap((update) => (update.kind === 'account' ? `${update.address} ${update.writeVersion}` : []));
  assert.deepEqual(writes('processed'), ['first 1', 'second 2', 'first 3']);
  assert.deepEqual(writes('confirmed'), ['second 2', 'first 3']);
  assert.deepEqual(writes('finalized'), []);
});

test('a block meta is the last of a slot before its statuses, at every commitment', () => {
  const { log, ledger } = followed();
  ledger.run(1, 1, 1);
  ledger.status(1, 'confirmed');
  ledger.status(1, 'finalized');
  for (const level of ['processed', 'confirmed', 'finalized'] as const) {
    const content = log.since(1, level).filter(({ kind }) => kind !== 'slot');
    assert.deepEqual(
      content.map(({ kind }) => kind),
      ['account', 'entry', 'blockFooter', 'block', 'blockMeta'],
    );
  }
});
