// The state file below the service: lines that were cut off, snapshots that take the journal's place while it grows, and
// a ledger that continues as if it had never stopped.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { openLedger, type Commitment, type Ledger, type LedgerOptions } from '../../../localnet/node/open';
import type { SavedChange } from '../../../localnet/ledger/saved';
import { decodeRecords, encodeRecord, HEADER } from '../../../localnet/state/codec';
import { StateFile } from '../../../localnet/state/file';
import type { StateRecord } from '../../../localnet/state/records';
import { Bench, freshKey, digits } from '../../contract/rpc/rpc-harness';
import { stateLine } from '../../support/data/stateLine';
import { testFolder } from '../../support/folder';

const folder = testFolder('state');

const COMMON: LedgerOptions = { seed: 'state', paused: true, finalityLag: 4 };
const [address, gone] = [freshKey().address, freshKey().address];
const change = (lamports: bigint): StateRecord => ({
  part: 'ledger',
  change: {
    kind: 'accounts',
    accounts: [
      [
        address,
        { lamports, owner: address, data: Uint8Array.of(0, 255, 10), executable: false, rentEpoch: 2n ** 64n - 1n },
      ],
      [gone, undefined],
    ],
  },
});

test('a record comes back as it was, integers of 64 bits and bytes included', () => {
  const line = encodeRecord(change(2n ** 63n + 1n));
  const read = decodeRecords(Buffer.concat([Buffer.from(HEADER), line]));
  assert.ok(read.ok);
  const [record] = read.records;
  assert.ok(record?.part === 'ledger' && record.change.kind === 'accounts');
  const [[, account] = [], [name, none] = []] = record.change.accounts;
  assert.equal(account?.lamports, 2n ** 63n + 1n);
  assert.deepEqual([...(account?.data ?? [])], [0, 255, 10]);
  assert.equal(name, gone);
  assert.equal(none, undefined);
});

test('a file that ends anywhere reads as the records that are whole, and never as more', () => {
  const lines = [1n, 22n, 333n].map((lamports) => encodeRecord(change(lamports)));
  const whole = Buffer.concat([Buffer.from(HEADER), ...lines]);
  let at = HEADER.length;
  const ends = [at, ...lines.map((line) => (at += line.length))];
  for (let length = HEADER.length; length <= whole.length; length++) {
    const read = decodeRecords(whole.subarray(0, length));
    assert.ok(read.ok, `${length}`);
    const expected = ends.filter((end) => end <= length);
    assert.equal(read.records.length, expected.length - 1);
    assert.equal(read.length, expected.at(-1));
  }
});

test('one flipped bit before the last line is damage, wherever it is', () => {
  const lines = [1n, 22n].map((lamports) => encodeRecord(change(lamports)));
  const whole = Buffer.concat([Buffer.from(HEADER), ...lines]);
  const [first = Buffer.alloc(0)] = lines;
  for (let at = HEADER.length; at < HEADER.length + first.length; at++) {
    const damaged = Buffer.from(whole);
    damaged[at] = (damaged[at] ?? 0) ^ 4;
    assert.equal(decodeRecords(damaged).ok, false, `${at}`);
  }
});

test('a record nested deep is refused, and exhausts no stack', () => {
  const deep = stateLine(`{"part":${'['.repeat(100_000)}${']'.repeat(100_000)}}`);
  const read = decodeRecords(Buffer.concat([Buffer.from(HEADER + deep), encodeRecord(change(1n))]));
  const message = `in record 1, at byte ${HEADER.length}, "part" must be one of origin, ledger, key, usage`;
  assert.deepEqual(read, { ok: false, message });
});

test('writes made during a snapshot follow it in the journal, which stays bounded', async () => {
  const file = path.join(folder, 'compact.state');
  const seen: bigint[] = [];
  const opened = StateFile.open(file);
  assert.deepEqual(opened.restored, []);
  let snapshots = 0;
  const state = opened.start(
    () => {
      snapshots++;
      const upTo = [...seen];
      return upTo.map(change);
    },
    { onFailure: (error) => assert.fail(error), journalBytes: 4_000 },
  );
  for (let n = 1n; n <= 2_000n; n++) {
    state.append(change(n));
    seen.push(n);
    if (n % 7n === 0n) await new Promise((resolve) => setImmediate(resolve));
  }
  await state.close();
  assert.ok(snapshots >= 2, `${snapshots}`);
  const read = decodeRecords(readFileSync(file));
  assert.ok(read.ok);
  const kept = read.records.flatMap((record) =>
    record.part === 'ledger' && record.change.kind === 'accounts' ? [record.change.accounts[0]?.[1]?.lamports] : [],
  );
  assert.deepEqual(kept, seen);
});

/** The visible state of a ledger, at every commitment. */
async function picture(ledger: Ledger, addresses: readonly string[], signatures: readonly string[]): Promise<string> {
  const call = async (method: string, params: (string | string[] | object)[]): Promise<unknown> => {
    const outcome = await ledger.rpc.call(method, params as never, { staked: false });
    return outcome.ok ? outcome.result : outcome.error;
  };
  const shown: unknown[] = [];
  for (const commitment of ['confirmed', 'finalized'] satisfies Commitment[])
    for (const address of addresses) {
      const account = ledger.view(commitment).get(address);
      shown.push(account === undefined ? null : { ...account, data: [...account.data] });
    }
  for (const signature of signatures)
    shown.push(await call('getTransaction', [signature, { encoding: 'jsonParsed', commitment: 'confirmed' }]));
  for (const address of addresses) shown.push(await call('getSignaturesForAddress', [address]));
  return JSON.stringify(shown, digits);
}

/** The changes as a file gives them back. */
function throughFile(changes: readonly SavedChange[]): SavedChange[] {
  const lines = changes.map((one) => encodeRecord({ part: 'ledger', change: one }));
  const read = decodeRecords(Buffer.concat([Buffer.from(HEADER), ...lines]));
  assert.ok(read.ok);
  return read.records.flatMap((record) => (record.part === 'ledger' ? [record.change] : []));
}

for (const consensus of ['alpenglow', 'tower'] as const)
  test(`a ledger of ${consensus} that continues from its changes shows what it showed, one by one or from a snapshot`, async () => {
    const OPTIONS = { ...COMMON, consensus };
    const changes: SavedChange[] = [];
    const bench = await Bench.open({ ...OPTIONS, journal: (one) => void changes.push(one) });
    const start = [...bench.ledger.saved()];
    const addresses = Array.from({ length: 4 }, () => freshKey().address);
    const [a = '', b = '', c = '', d = ''] = addresses;
    const signatures: string[] = [];
    for (let round = 0; round < 9; round++) {
      signatures.push(await bench.transfer(a, 1_000_000n + BigInt(round), `round ${round}`));
      if (round % 2 === 0)
        bench.ledger.cheats.setAccount(b, { lamports: BigInt(round + 1) * 10n, data: Uint8Array.of(round) });
      if (round % 3 === 0) signatures.push(await bench.transfer(b, 2_000_000n));
      if (round === 4) bench.ledger.cheats.setAccount(a, { lamports: 7_000_000n });
      if (round === 5) signatures.push(await bench.transfer(c, 3_000_000n));
      if (round === 6) bench.ledger.cheats.timeTravel({ timestamp: Math.floor(Date.now() / 1000) + 5_000 });
      if (round === 7) bench.ledger.cheats.fund(d, 5n);
      if (round === 8) bench.ledger.cheats.setAccount(d, { lamports: 0n });
      bench.slots(1);
    }
    const expected = await picture(bench.ledger, addresses, signatures);
    const before = bench.ledger.view('processed').get(a);
    const whole = throughFile([...bench.ledger.saved()]);
    const time = Number(
      await bench.call('getBlockTime', Number(await bench.call('getSlot', { commitment: 'confirmed' }))),
    );
    bench.close();
    for (const saved of [throughFile([...start, ...changes]), whole]) {
      // The journal of a close says nothing new: what it adds is the block that was open.
      const closed = saved === whole ? saved : saved.slice(0, saved.length - 1);
      const next = await openLedger({ ...OPTIONS, saved: closed });
      assert.equal(await picture(next, addresses, signatures), expected);
      assert.equal(next.view('processed').get(a)?.lamports, before?.lamports);
      const again = new Date(time * 1000);
      assert.ok(again.getTime() > Date.now());
      next.cheats.nextSlot(6);
      assert.equal(next.view('finalized').get(a)?.lamports, before?.lamports);
      // The engine holds what the mirror shows: a transfer from there works.
      const outcome = await next.rpc.call('requestAirdrop', [a, 1_000_000], { staked: false });
      assert.ok(outcome.ok);
      assert.equal(next.view('processed').get(a)?.lamports, (before?.lamports ?? 0n) + 1_000_000n);
      next.close();
    }
  });

for (const consensus of ['alpenglow', 'tower'] as const)
  test(`time that was travelled is kept in a snapshot, with ${consensus}`, async () => {
    const options: LedgerOptions = { ...COMMON, consensus, now: () => 1_700_000_000_000 };
    const bench = await Bench.open(options);
    bench.ledger.cheats.timeTravel({ timestamp: 1_700_005_000 });
    bench.slots(2);
    const saved = throughFile([...bench.ledger.saved()]);
    bench.close();
    const next = await Bench.open({ ...options, saved });
    const slot = Number(await next.call('getSlot', { commitment: 'processed' }));
    assert.equal(Number(await next.call('getBlockTime', slot)), 1_700_005_000);
    next.close();
  });
