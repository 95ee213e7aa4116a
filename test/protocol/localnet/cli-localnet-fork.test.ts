// `solana-rpc localnet --fork`: accounts of another endpoint come when something first needs them, once, and are there
// offline afterwards. The source is a second local service with many accounts and a program.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { Connection, Keypair, Transaction } from '@solana/web3.js';
import { encodeBase58 } from '../../../core/solana/encoding/base58';
import { member, printJson, type JsonValue } from '../../../core/solana/json/json';
import { Program, type Idl } from '../../contract/open/open-anchor-client';
import { COUNTER_BYTES, counterProgram, discriminator } from '../../contract/open/open-counter';
import { testWorkspace } from '../../support/process/cli';
import { startForkedLedger, type ForkedLedger } from '../../support/process/forkedLedger';
import { startTestLedger, type Localnet } from '../../support/process/localnet';

const ACCOUNTS = 100_000;
const MINT = 'So11111111111111111111111111111111111111112';

const idl = JSON.parse(
  readFileSync(path.join(import.meta.dirname, '..', '..', 'fixtures', 'counter', 'idl.json'), 'utf8'),
) as Idl;
const work = testWorkspace();
const fresh = (): string => Keypair.generate().publicKey.toBase58();
const [payer, counter] = [Keypair.generate(), Keypair.generate()];
const [holder, tokens, moreTokens, owner, absent] = [fresh(), fresh(), fresh(), fresh(), fresh()];
const program = new Program(idl, new Connection('http://127.0.0.1:1'));

/** A counter at 40, of the payer. */
function counterData(): string {
  const data = Buffer.alloc(COUNTER_BYTES);
  discriminator('account:Counter').copy(data, 0);
  data.writeBigUInt64LE(40n, 8);
  payer.publicKey.toBuffer().copy(data, 16);
  return data.toString('base64');
}

const started = (args: readonly string[]): Promise<ForkedLedger> =>
  startForkedLedger(work, args, { SOLANA_RPC_KEY: source.ready.keys.rpc.key });

let source: Localnet;
before(async () => {
  const elf = path.join(work.root, 'counter.so');
  writeFileSync(elf, counterProgram());
  const rows = Array.from({ length: ACCOUNTS }, (_, index) => {
    const bytes = new Uint8Array(32).fill(7);
    new DataView(bytes.buffer).setUint32(4, index);
    const account = { lamports: 1_000_000 + index, owner, data: ['', 'base64'], executable: false, rentEpoch: 0 };
    return { pubkey: index === 0 ? holder : encodeBase58(bytes), account };
  });
  const file = path.join(work.root, 'accounts.json');
  writeFileSync(file, JSON.stringify(rows));
  source = await startTestLedger([
    ...['--plan', 'Pro', '--warp-slot', '4000', '--bpf-program', program.programId.toBase58(), elf, '--accounts', file],
  ]);
  await source.cheat('setAccount', {
    ...{ address: counter.publicKey.toBase58(), lamports: 5_000_000, data: counterData() },
    owner: program.programId.toBase58(),
  });
  for (const address of [tokens, moreTokens])
    await source.cheat('setTokenAccount', { address, mint: MINT, owner, amount: 77 });
});
after(() => source.stop());

/** The questions about the chain, which a fork asks before it begins. */
const BEGINNING = { getAgGenesisCert: 1, getMinimumBalanceForRentExemption: 1, getMultipleAccounts: 3 };

/** How often each method was called at the source. */
async function readsOf(): Promise<Readonly<Record<string, number>>> {
  const { methods } = JSON.parse((await source.rest('/v1/usage')).text) as {
    methods: readonly { method: string; count: number }[];
  };
  return Object.fromEntries(methods.map(({ method, count }) => [method, count]));
}

async function countIn(ledger: Pick<ForkedLedger, 'call'>): Promise<bigint> {
  const answer = await ledger.call('getAccountInfo', counter.publicKey.toBase58(), { encoding: 'base64' });
  const [data] = member(member(answer, 'value'), 'data') as readonly string[];
  return Buffer.from(data ?? '', 'base64').readBigUInt64LE(8);
}

const lamportsIn = async (ledger: ForkedLedger, address: string): Promise<JsonValue> =>
  member(await ledger.call('getBalance', address), 'value') ?? null;

/** The app's transaction. */
async function increment(ledger: ForkedLedger, amount: bigint): Promise<void> {
  const latest = member(await ledger.call('getLatestBlockhash'), 'value');
  const accounts = { counter: counter.publicKey, authority: payer.publicKey };
  const transaction = new Transaction().add(program.instruction('increment', accounts, { amount }));
  const blockhash = member(latest, 'blockhash');
  assert.ok(typeof blockhash === 'string');
  transaction.recentBlockhash = blockhash;
  transaction.feePayer = payer.publicKey;
  transaction.sign(payer);
  await ledger.call('sendTransaction', transaction.serialize().toString('base64'), {
    ...{ encoding: 'base64', preflightCommitment: 'confirmed' },
  });
}

test('An app runs on the fork with no more reads than it needs, and afterwards without the source', async (t) => {
  const state = path.join(work.root, 'fork.state');
  const fork = await started(['--fork', source.ready.rpcUrl, '--state', state]);
  t.after(() => fork.stop());

  // It begins where its source is, with nothing of it.
  assert.ok(Number(await fork.call('getSlot')) >= 4000);
  assert.deepEqual(await readsOf(), { ...BEGINNING, getSlot: 1 });

  await fork.call('requestAirdrop', payer.publicKey.toBase58(), 1_000_000_000);
  assert.deepEqual(await readsOf(), { ...BEGINNING, getSlot: 1, getMultipleAccounts: 4 });
  // The counter with its program, and then the program's code.
  await increment(fork, 1n);
  assert.deepEqual(await readsOf(), { ...BEGINNING, getSlot: 1, getMultipleAccounts: 6 });
  await increment(fork, 1n);
  assert.equal(await countIn(fork), 42n);
  const both = member(await fork.call('getMultipleAccounts', [holder, absent]), 'value') as readonly JsonValue[];
  assert.deepEqual([member(both[0], 'lamports'), both[1]], [1_000_000, null]);
  const parsed = await fork.call('getAccountInfo', tokens, { encoding: 'jsonParsed' });
  assert.match(printJson(parsed), /"amount":"77"/);
  for (let again = 0; again < 3; again++)
    assert.deepEqual([await lamportsIn(fork, holder), await lamportsIn(fork, absent)], [1_000_000, 0]);
  assert.deepEqual(await readsOf(), { ...BEGINNING, getSlot: 1, getMultipleAccounts: 8 });
  const sourceCall: ForkedLedger['call'] = async (method, ...params) =>
    member((await source.rpc(method, params)).json, 'result') ?? null;
  assert.equal(await countIn({ call: sourceCall }), 40n, 'nothing but reads reaches the source');

  const status = await fork.admin('GET', '/fork');
  assert.equal(member(status, 'source'), new URL(source.ready.rpcUrl).host);
  assert.deepEqual([member(status, 'fetched'), member(status, 'absent'), member(status, 'reads')], [5, 2, 11]);
  assert.match(
    printJson(member(status, 'newest') ?? null),
    new RegExp(`"address":"${holder}","slot":\\d+,"exists":true`),
  );

  // Lists are of what is here, until they are fetched.
  assert.equal(
    ((await fork.call('getProgramAccounts', owner, { filters: [{ dataSize: 0 }] })) as readonly unknown[]).length,
    1,
  );
  const fetched = await fork.admin('POST', '/fork', { owner });
  assert.equal(member(fetched, 'added'), 1, 'one of them was here already');
  assert.equal(member(await fork.admin('POST', '/fork', { program: program.programId.toBase58() }), 'added'), 0);
  assert.deepEqual(
    member(member(await fork.admin('POST', '/fork', { addresses: ['no address'] }), 'error'), 'code'),
    400,
  );

  // Fetched accounts count as present from the start: a reset returns to them.
  await fork.admin('POST', '/rpc', { jsonrpc: '2.0', id: 1, method: 'reset' });
  assert.equal(await countIn(fork), 40n);
  await fork.call('requestAirdrop', payer.publicKey.toBase58(), 1_000_000_000);
  await increment(fork, 2n);
  // One getAccountInfo was this test's own.
  assert.deepEqual(await readsOf(), {
    ...BEGINNING,
    ...{ getSlot: 1, getMultipleAccounts: 8, getAccountInfo: 1, getProgramAccounts: 1, getTokenAccountsByOwner: 2 },
  });
  await fork.stop();
  await source.stop();

  for (const args of [[], ['--fork', source.ready.rpcUrl]]) {
    const offline = await started(['--state', state, ...args]);
    t.after(() => offline.stop());
    assert.equal(await countIn(offline), 42n);
    assert.deepEqual([await lamportsIn(offline, holder), await lamportsIn(offline, absent)], [1_000_000, 0]);
    await increment(offline, 3n);
    assert.equal(await countIn(offline), 45n);
    await offline.admin('POST', '/rpc', { jsonrpc: '2.0', id: 1, method: 'reset' });
    assert.equal(await countIn(offline), 40n);
    if (args.length > 0) {
      // An account that was never fetched does not count as absent.
      const error = await offline.failure('getBalance', fresh());
      assert.match(printJson(member(error, 'message') ?? null), /^"127\.0\.0\.1:\d+ could not be read: /);
    }
    await offline.call('requestAirdrop', payer.publicKey.toBase58(), 1_000_000_000);
    await increment(offline, 2n);
    await offline.stop();
  }
});
