// --state FILE: what a service keeps between two runs, however the first one ended.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { isJsonArray, member, type JsonValue } from '../../../core/solana/json/json';
import { HEADER } from '../../../localnet/state/codec';
import {
  PROGRAM,
  readyLineOf,
  request,
  spawnLocalnet,
  startTestLedger,
  type Localnet,
  type ReadyLine,
  type TestClock,
} from '../../support/process/localnet';
import { stateLine } from '../../support/data/stateLine';
import { PubSub } from '../../support/wire/pubSub';
import { freshKey } from '../rpc/rpc-harness';

const folder = mkdtempSync(path.join(os.tmpdir(), 'state-'));
// Where the mark of this user is kept.
process.env['XDG_STATE_HOME'] = path.join(folder, 'home');
const running = new Set<Localnet>();
after(async () => {
  for (const local of running) await local.stop();
  rmSync(folder, { recursive: true, force: true });
});

let files = 0;
const newFile = (): string => path.join(folder, `${++files}.state`);
const start = (file: string, ...args: string[]): Promise<Localnet> => startBy('slots', file, ...args);
async function startBy(clock: TestClock, file: string, ...args: string[]): Promise<Localnet> {
  const local = await startTestLedger(['--state', file, '--plan', 'Shared Metal', ...args], { clock });
  running.add(local);
  return local;
}
async function kill(local: Localnet): Promise<void> {
  const exit = once(local.process, 'exit');
  local.process.kill('SIGKILL');
  await exit;
  running.delete(local);
}
async function stop(local: Localnet): Promise<void> {
  await local.stop();
  running.delete(local);
}

/** The stderr output of a start that must fail. */
async function refusal(file: string): Promise<string> {
  const child = spawnLocalnet(['--json', '--state', file]);
  const message = await readyLineOf(child).then(
    () => 'it started',
    (error: Error) => error.message,
  );
  assert.equal(child.exitCode, 1, message);
  return message;
}

const result = async (local: Localnet, method: string, params: unknown[] = []): Promise<JsonValue | undefined> =>
  member((await local.rpc(method, params)).json, 'result');
const balance = async (local: Localnet, address: string, commitment = 'processed'): Promise<unknown> =>
  member(await result(local, 'getBalance', [address, { commitment }]), 'value');
const slotNow = async (local: Localnet): Promise<number> =>
  Number(await result(local, 'getSlot', [{ commitment: 'processed' }]));

test('kill -9 in full traffic loses nothing that was reported as finalized', async () => {
  const file = newFile();
  const first = await startBy('running', file, '--slot-ms', '20', '--traffic', '200');
  const client = await PubSub.open(first);
  const logs = await client.subscribe('logsSubscribe', ['all']);
  const finalized: string[] = [];
  let slot = 0;
  while (finalized.length < 150) {
    const next = await client.notified(logs);
    finalized.push(member(member(next, 'value'), 'signature') as string);
    slot = Number(member(member(next, 'context'), 'slot'));
  }
  await kill(first);
  const second = await start(file);
  assert.ok(Number(await result(second, 'getSlot')) >= slot);
  for (let from = 0; from < finalized.length; from += 100) {
    const params = [finalized.slice(from, from + 100), { searchTransactionHistory: true }];
    const statuses = member(await result(second, 'getSignatureStatuses', params), 'value');
    assert.ok(isJsonArray(statuses));
    for (const status of statuses) assert.equal(member(status, 'confirmationStatus'), 'finalized');
  }
  const shown = await result(second, 'getTransaction', [finalized[0], { encoding: 'jsonParsed' }]);
  assert.equal(member(member(shown, 'meta'), 'err'), null);
  await stop(second);
});

test('after kill -9 accounts set from outside, balances and history are there, and the ledger works', async () => {
  const file = newFile();
  const first = await start(file);
  const [set, paid] = [freshKey().address, freshKey().address];
  await first.cheat('setAccount', { address: set, lamports: 18446744073709, data: 'AQID', rentEpoch: 7 });
  const signature = await result(first, 'requestAirdrop', [paid, 5_000_000]);
  const before = await slotNow(first);
  await first.slots(40);
  assert.equal(await balance(first, paid, 'finalized'), 5_000_000);
  await kill(first);
  const second = await start(file);
  assert.ok((await slotNow(second)) > before);
  const account = member(await result(second, 'getAccountInfo', [set, { encoding: 'base64' }]), 'value');
  assert.deepEqual(member(account, 'data'), ['AQID', 'base64']);
  assert.equal(member(account, 'rentEpoch'), 7);
  assert.equal(await balance(second, paid, 'finalized'), 5_000_000);
  const history = await result(second, 'getSignaturesForAddress', [paid]);
  assert.ok(isJsonArray(history));
  assert.deepEqual(
    history.map((one) => member(one, 'signature')),
    [signature],
  );
  await result(second, 'requestAirdrop', [paid, 1_000_000]);
  assert.equal(await balance(second, paid), 6_000_000);
  await second.cheat('reset');
  assert.equal(await balance(second, set), 0);
  assert.equal(await balance(second, second.ready.wallet.address), 1_000_000_000_000);
  await stop(second);
});

test('a manual stop keeps even what was only processed', async () => {
  const file = newFile();
  const first = await start(file);
  const paid = freshKey().address;
  await result(first, 'requestAirdrop', [paid, 5_000_000]);
  await stop(first);
  const second = await start(file);
  assert.equal(await balance(second, paid), 5_000_000);
  await stop(second);
});

test('a slot that was lost to a fork is lost after a restart too', async () => {
  const file = newFile();
  const first = await start(file);
  await first.admin('PUT', '/faults', { faults: [{ scope: 'ws', kind: 'fork', times: 1 }] });
  const paid = freshKey().address;
  const signature = await result(first, 'requestAirdrop', [paid, 5_000_000]);
  const dead = await slotNow(first);
  await first.slots(2);
  await kill(first);
  const second = await start(file);
  const statuses = member(await result(second, 'getSignatureStatuses', [[signature]]), 'value');
  assert.ok(isJsonArray(statuses));
  assert.equal(member(statuses[0], 'slot'), dead + 1);
  assert.equal(await balance(second, paid), 5_000_000);
  await stop(second);
});

test('keys, plans, states and usage are restored; secrets keep working, and are nowhere in the file', async () => {
  const file = newFile();
  const first = await start(file);
  const [mine, gone, held] = [
    await first.newKey({ type: 'rpc', plan: 'Pro', label: 'Indexer' }),
    await first.newKey({ type: 'rpc' }),
    await first.newKey({ type: 'grpc' }),
  ];
  await first.admin('PATCH', `/keys/${mine.keyId}`, { plan: 'Ultra' });
  await first.admin('DELETE', `/keys/${gone.keyId}`);
  await first.admin('PATCH', `/keys/${held.keyId}`, { state: 'suspended' });
  for (let i = 0; i < 7; i++) await first.rpc('getSlot', [], mine.key);
  const list = (await first.admin('GET', '/keys')).json;
  await stop(first);
  const second = await start(file);
  assert.deepEqual((await second.admin('GET', '/keys')).json, list);
  assert.deepEqual(second.ready.keys, first.ready.keys);
  assert.deepEqual(second.ready.wallet, first.ready.wallet);
  assert.equal(second.ready.adminToken, first.ready.adminToken);
  assert.equal((await second.rpc('getSlot', [], gone.key)).status, 401);
  assert.equal((await second.rest('/v1/usage', held.key)).status, 403);
  assert.equal(member((await second.rest(`/v1/usage/${mine.keyId}`)).json, 'request_count'), 7);
  assert.equal((await second.rpc('getSlot', [], mine.key)).headers['x-ratelimit-limit'], '500');
  const text = readFileSync(file, 'utf8');
  for (const { key } of [mine, gone, held, first.ready.keys.rpc]) assert.ok(!text.includes(key));
  await stop(second);
});

test('a file from elsewhere keeps its ledger and gets new keys; with --trust-state it keeps them', async () => {
  const file = newFile();
  const first = await start(file);
  const made = await first.newKey({ type: 'rpc' });
  const paid = freshKey().address;
  await first.cheat('setAccount', { address: paid, lamports: 5_000_000, data: '' });
  await stop(first);
  copyFileSync(file, `${file}.trusted`);
  // Another user, or another machine.
  process.env['XDG_STATE_HOME'] = path.join(folder, 'another-home');
  const second = await start(file);
  assert.equal(await balance(second, paid), 5_000_000);
  assert.deepEqual(second.ready.wallet, first.ready.wallet);
  assert.notEqual(second.ready.adminToken, first.ready.adminToken);
  for (const key of [made.key, first.ready.keys.rpc.key])
    assert.equal((await second.rpc('getSlot', [], key)).status, 401);
  await stop(second);
  // From now on it is this user's.
  const third = await start(file);
  assert.deepEqual(third.ready.keys, second.ready.keys);
  assert.equal(third.ready.adminToken, second.ready.adminToken);
  await stop(third);

  const trusted = await start(`${file}.trusted`, '--trust-state');
  assert.deepEqual(trusted.ready.keys, first.ready.keys);
  assert.equal((await trusted.rpc('getSlot', [], made.key)).status, 200);
  await stop(trusted);
  const kept = await start(`${file}.trusted`);
  assert.deepEqual(kept.ready.keys, first.ready.keys);
  await stop(kept);
});

test('a key that was just made or rotated survives kill -9', async () => {
  const file = newFile();
  const first = await start(file);
  const { key, keyId } = await first.newKey({ type: 'rpc' });
  const rotated = member((await first.admin('POST', `/keys/${keyId}/rotate`)).json, 'key') as string;
  await kill(first);
  const second = await start(file);
  assert.equal((await second.rpc('getSlot', [], rotated)).status, 200);
  assert.equal((await second.rpc('getSlot', [], key)).status, 401);
  await stop(second);
});

test('a first key that was rotated or revoked stays so, and the ready line names another', async () => {
  const file = newFile();
  const first = await start(file);
  const { rpc, swqos } = first.ready.keys;
  await first.admin('POST', `/keys/${rpc.keyId}/rotate`);
  await first.admin('DELETE', `/keys/${swqos.keyId}`);
  await stop(first);
  const second = await start(file);
  assert.notEqual(second.ready.keys.rpc.keyId, rpc.keyId);
  assert.notEqual(second.ready.keys.swqos.keyId, swqos.keyId);
  assert.deepEqual(second.ready.keys.grpc, first.ready.keys.grpc);
  for (const old of [rpc, swqos]) assert.equal((await second.rpc('getSlot', [], old.key)).status, 401);
  await stop(second);
  const third = await start(file);
  assert.deepEqual(third.ready.keys, second.ready.keys);
  await stop(third);
});

test('the file is for its owner alone, and for one service at a time', async () => {
  const file = newFile();
  writeFileSync(file, '', { mode: 0o644 });
  const local = await start(file);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.match(await refusal(file), /in use by process \d+/);
  await kill(local);
  assert.ok(existsSync(`${file}.lock`));
  await stop(await start(file));
  assert.ok(!existsSync(`${file}.lock`));
});

test('a file that cannot be written any more ends the service with one sentence, and holds what was answered', async () => {
  const file = newFile();
  const [kept, lost] = [freshKey().address, freshKey().address];
  const options = `--json --with-parent --state '${file}'`;
  // Files of this process may have 2 MB; a write beyond that fails as it would on a full disk.
  const script = `trap '' XFSZ; ulimit -f 2048; exec '${process.execPath}' ${PROGRAM.join(' ')} ${options}`;
  const child = spawn('bash', ['-c', script], {
    cwd: path.join(import.meta.dirname, '..', '..', '..'),
    env: { ...process.env, TSX_DISABLE_CACHE: '1' },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (part: Buffer) => (errors += part.toString()));
  const exit = once(child, 'exit');
  const ready = JSON.parse(await readyLineOf(child)) as ReadyLine;
  const set = async (address: string, bytes: number): Promise<boolean> => {
    const params = { address, lamports: 9, data: Buffer.alloc(bytes, 7).toString('base64') };
    const answer = request(`${ready.adminUrl}/rpc`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ready.adminToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'setAccount', params }),
    });
    return answer.then(
      ({ text }) => text.includes('"result":true'),
      () => false,
    );
  };
  assert.equal(await set(kept, 500_000), true);
  assert.equal(await set(lost, 2_000_000), false);
  assert.deepEqual(await exit, [1, null]);
  assert.match(errors, /^The state file \S+ cannot be written: [^\n]*\n$/);
  const again = await start(file);
  assert.deepEqual([await balance(again, kept), await balance(again, lost)], [9, 0]);
  await stop(again);
});

test('a torn end of any form is dropped', async () => {
  const file = newFile();
  const first = await start(file);
  const paid = freshKey().address;
  await result(first, 'requestAirdrop', [paid, 5_000_000]);
  await stop(first);
  const whole = statSync(file).size;
  for (const torn of ['9', '00000000 {"part":"led', 'ffffffff {"part":"origin"}\n']) {
    appendFileSync(file, torn);
    const local = await start(file);
    assert.equal(await balance(local, paid), 5_000_000, torn);
    await kill(local);
  }
  truncateSync(file, Math.min(whole, statSync(file).size) - 5);
  await stop(await start(file));
});

test('damage in the middle is never passed over: the start is refused with the place', async () => {
  const file = newFile();
  await stop(await start(file));
  const bytes = readFileSync(file);
  const at = Math.floor(bytes.length / 2);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  writeFileSync(file, bytes);
  assert.match(await refusal(file), /damaged at byte \d+\. Move it away to start over/);
  const json = '{"part":"key","key":{"keyId":null}}';
  const foreign = HEADER + stateLine(json);
  writeFileSync(file, foreign);
  const said =
    /: \S+ cannot be used: in record 1, at byte 29, "key.keyId" must be a text\. Move it away to start over\.\n$/;
  assert.match(await refusal(file), said);
  assert.equal(readFileSync(file, 'utf8'), foreign);
  writeFileSync(file, 'a text of mine\n');
  assert.match(await refusal(file), /not a state file/);
  assert.equal(readFileSync(file, 'utf8'), 'a text of mine\n');
  assert.match(await refusal(folder), /is not a file/);
  assert.match(await refusal(path.join(folder, 'no', 'such')), /cannot be used/);
});

test('a continued ledger keeps its hashes; a new one has others, even with the same seed', async () => {
  const hashes = async (local: Localnet): Promise<readonly unknown[]> => [
    await result(local, 'getGenesisHash'),
    member(await result(local, 'getBlock', [1, { commitment: 'confirmed', transactionDetails: 'none' }]), 'blockhash'),
  ];
  const file = newFile();
  const kept = await start(file, '--seed', 'again');
  const before = await hashes(kept);
  await kill(kept);
  const resumed = await start(file, '--seed', 'again');
  assert.deepEqual(await hashes(resumed), before);
  await stop(resumed);
  const fresh = await start(newFile(), '--seed', 'again');
  assert.equal(fresh.ready.wallet.address, kept.ready.wallet.address);
  for (const [at, hash] of (await hashes(fresh)).entries()) assert.notEqual(hash, before[at]);
  await stop(fresh);
});
