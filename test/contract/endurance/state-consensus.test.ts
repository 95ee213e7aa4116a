// --state FILE and consensus: a kept ledger stays the chain that it was made as, with its certificate, pace and finality.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { isJsonArray, member, type JsonValue } from '../../../core/solana/json/json';
import { decodeRecords, encodeRecord, HEADER } from '../../../localnet/state/codec';
import { readyLineOf, spawnLocalnet, startTestLedger, type Localnet } from '../../support/process/localnet';

const folder = mkdtempSync(path.join(os.tmpdir(), 'state-'));
// Where the mark of this user is kept.
process.env['XDG_STATE_HOME'] = path.join(folder, 'home');
after(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
const newFile = (): string => path.join(folder, `${++files}.state`);

const result = async (local: Localnet, method: string, params: unknown[] = []): Promise<JsonValue | undefined> =>
  member((await local.rpc(method, params)).json, 'result');

interface Seen {
  readonly slotMs: number;
  /** Slots from the processed block to the finalized one. */
  readonly lag: number;
  readonly certificate: JsonValue | undefined;
  readonly newestVotes: number;
}

/** Starts a service on a file, makes slots, and answers what chain it is; it is stopped. */
async function runOn(file: string, ...args: readonly string[]): Promise<Seen> {
  const local = await startTestLedger(['--state', file, ...args], { clock: 'slots' });
  try {
    await local.slots(40);
    const slot = async (commitment: string): Promise<number> =>
      Number(await result(local, 'getSlot', [{ commitment }]));
    const [processed, finalized] = [await slot('processed'), await slot('finalized')];
    const block = member(await result(local, 'getBlock', [finalized]), 'transactions');
    assert.ok(isJsonArray(block));
    return {
      slotMs: local.ready.slotMs,
      lag: processed - finalized,
      certificate: await result(local, 'getAgGenesisCert'),
      newestVotes: block.length,
    };
  } finally {
    await local.stop();
  }
}

/** Why a start on a file is refused. */
async function refusal(file: string, ...args: readonly string[]): Promise<string> {
  const child = spawnLocalnet(['--json', '--state', file, ...args]);
  return readyLineOf(child).then(
    () => 'it started',
    (error: Error) => error.message,
  );
}

test('a ledger of TowerBFT stays one under any default', async () => {
  const file = newFile();
  const made = await runOn(file, '--consensus', 'tower', '--agave', '4.4', '--finality-lag', '5', '--votes');
  assert.deepEqual(made, { slotMs: 400, lag: 5, certificate: null, newestVotes: 1 });
  assert.deepEqual(await runOn(file, '--agave', '4.4'), { ...made, newestVotes: 0 });
  assert.match(
    await refusal(file, '--alpenglow'),
    /keeps a ledger of TowerBFT, .*not Alpenglow.* Leave the option out, choose another file, or discard the ledger with --reset/,
  );
  const reset = await runOn(file, '--alpenglow', '--reset');
  assert.deepEqual([reset.slotMs, reset.lag], [200, 1]);
});

test('a ledger of Alpenglow keeps its certificate; its pace is that of the start, unless an option names another', async () => {
  const file = newFile();
  const made = await runOn(file, '--slot-ms', '50', '--warp-slot', '5000');
  assert.deepEqual([made.slotMs, made.lag, made.newestVotes], [50, 1, 0]);
  assert.equal(member(member(made.certificate, 'block'), 'slot'), 4_997);
  assert.deepEqual(await runOn(file), made);
  assert.deepEqual(await runOn(file, '--slot-ms', '70', '--alpenglow'), { ...made, slotMs: 70 });
  for (const args of [
    ['--consensus', 'tower'],
    ['--agave', '4.2'],
  ])
    assert.match(await refusal(file, ...args), /keeps a ledger of Alpenglow, .*not TowerBFT/);
});

test('a file of an older version, which does not say, is of TowerBFT with its figures', async () => {
  const file = newFile();
  await runOn(file, '--consensus', 'tower');
  const read = decodeRecords(readFileSync(file));
  assert.ok(read.ok);
  const older = read.records.map((record) => {
    if (record.part !== 'origin') return record;
    const { chain, ...origin } = record.origin;
    assert.equal(chain?.consensus, 'tower');
    return { part: 'origin', origin } as const;
  });
  writeFileSync(file, Buffer.concat([Buffer.from(HEADER), ...older.map((record) => encodeRecord(record))]));
  assert.deepEqual(await runOn(file, '--agave', '4.4'), { slotMs: 400, lag: 31, certificate: null, newestVotes: 0 });
});
