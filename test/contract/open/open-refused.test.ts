// A refused start leaves no trace: no lock, no state, and the files of an earlier run unchanged.
import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test, type TestContext } from 'node:test';
import { Keypair } from '@solana/web3.js';
import { member } from '../../../core/solana/json/json';
import { call, failedStart, startOpen, temporaryFolder } from './open-harness';
import { closed, freePair, listening } from '../../support/wire/ports';

/** Options with a program that only the engine can refuse: that is as late as a start can be. */
function refusedProgram(): readonly string[] {
  const file = path.join(temporaryFolder(), 'refused.so');
  writeFileSync(file, '\x7fELF and no more');
  return ['--bpf-program', Keypair.generate().publicKey.toBase58(), file];
}

async function refused(said: RegExp, ...args: readonly string[]): Promise<void> {
  const { code, stdout, stderr } = await failedStart(['--rpc-port', String(await freePair()), ...args]);
  assert.equal(code, 1);
  assert.equal(stdout, '');
  assert.match(stderr, said);
}

/** The lamports of an address in a ledger; then funds it if it has none. */
async function heldIn(t: TestContext, args: readonly string[], address: string): Promise<unknown> {
  const open = await startOpen(args);
  t.after(() => open.local.stop());
  const held = member(await call(open, 'getBalance', address, { commitment: 'processed' }), 'value');
  if (held === 0) await call(open, 'requestAirdrop', address, 5_000_000);
  await open.local.stop();
  return held;
}

test('A program that the engine refuses leaves neither lock nor state in the folder', async (t) => {
  const folder = temporaryFolder();
  await refused(/^The engine refuses the program /, '--ledger', folder, ...refusedProgram());
  assert.deepEqual(readdirSync(folder), []);
  const address = Keypair.generate().publicKey.toBase58();
  assert.equal(await heldIn(t, ['--ledger', folder], address), 0);
  assert.equal(await heldIn(t, ['--ledger', folder], address), 5_000_000);
});

test('A program that the engine refuses leaves neither lock nor state next to the --state file', async () => {
  const folder = temporaryFolder();
  await refused(/^The engine refuses the program /, '--state', path.join(folder, 'kept'), ...refusedProgram());
  assert.deepEqual(readdirSync(folder), []);
});

for (const [what, options] of [
  ['--ledger', (folder: string) => ['--ledger', folder]],
  ['--state', (folder: string) => ['--state', path.join(folder, 'kept')]],
] as const)
  test(`A --reset that is refused keeps what ${what} has kept`, async (t) => {
    const kept = options(temporaryFolder());
    const address = Keypair.generate().publicKey.toBase58();
    assert.equal(await heldIn(t, kept, address), 0);
    await refused(/^The engine refuses the program /, ...kept, '--reset', ...refusedProgram());
    assert.equal(await heldIn(t, kept, address), 5_000_000);
    const taken = await listening(0);
    t.after(() => closed(taken));
    const port = String((taken.address() as { readonly port: number }).port);
    await refused(new RegExp(`^Port ${port} is in use`), ...kept, '--reset', '--port', port);
    await refused(new RegExp(`^Port ${port} is in use`), ...kept, '--reset', '--grpc-port', port);
    assert.equal(await heldIn(t, kept, address), 5_000_000);
    assert.equal(await heldIn(t, [...kept, '--reset'], address), 0);
  });
