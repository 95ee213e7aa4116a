// A project in the way of Anchor, its tests as they would run on solana-test-validator: the program comes from its .so
// file, the client from its IDL, and the only thing said of the node is its URL.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { PublicKey } from '@solana/web3.js';
import {
  Connection,
  Keypair,
  SystemProgram,
  Transaction,
  sendAndConfirmTransaction,
  type Signer,
  type TransactionInstruction,
} from '@solana/web3.js';
import { Program, type Idl } from './open-anchor-client';
import { COUNTER_BYTES, counterProgram, discriminator } from './open-counter';
import { startOpen, temporaryFolder, type OpenLocalnet } from './open-harness';
import { disconnect } from '../clients/web3-harness';

const idl = JSON.parse(
  readFileSync(path.join(__dirname, '..', '..', 'fixtures', 'counter', 'idl.json'), 'utf8'),
) as Idl;

let node: OpenLocalnet;
let connection: Connection;
let program: Program;
const payer = Keypair.generate();
const counter = Keypair.generate();

/** Does the job of the project's runner: starts the node with the program, like `solana-test-validator`. */
before(async () => {
  const elf = path.join(temporaryFolder(), 'counter.so');
  writeFileSync(elf, counterProgram());
  node = await startOpen(['--reset', '--quiet', '--bpf-program', idl.address, elf]);
  connection = new Connection(node.rpcUrl, 'confirmed');
  program = new Program(idl, connection);
  const signature = await connection.requestAirdrop(payer.publicKey, 10_000_000_000);
  await connection.confirmTransaction({ signature, ...(await connection.getLatestBlockhash()) });
});
after(async () => {
  disconnect(connection);
  await node.local.stop();
});

const accounts = { counter: counter.publicKey, authority: payer.publicKey };

function send(instructions: readonly TransactionInstruction[], signers: readonly Signer[] = [payer]): Promise<string> {
  return sendAndConfirmTransaction(connection, new Transaction().add(...instructions), [...signers]);
}

async function failure(sending: Promise<unknown>): Promise<string | undefined> {
  const error: unknown = await sending.then(
    () => assert.fail('it was expected to fail'),
    (reason: unknown) => reason,
  );
  return program.errorOf(error);
}

describe('counter', () => {
  test('initializes', async () => {
    const create = SystemProgram.createAccount({
      fromPubkey: payer.publicKey,
      newAccountPubkey: counter.publicKey,
      lamports: await connection.getMinimumBalanceForRentExemption(COUNTER_BYTES),
      space: COUNTER_BYTES,
      programId: program.programId,
    });
    await send([create, program.instruction('initialize', accounts)], [payer, counter]);
    const state = await program.fetch('Counter', counter.publicKey);
    assert.equal(state['count'], 0n);
    assert.equal((state['authority'] as PublicKey).toBase58(), payer.publicKey.toBase58());
  });

  test('increments by an amount of 64 bits', async () => {
    await send([program.instruction('increment', accounts, { amount: 41n })]);
    await send([program.instruction('increment', accounts, { amount: 2n ** 60n })]);
    assert.equal((await program.fetch('Counter', counter.publicKey))['count'], 41n + 2n ** 60n);
  });

  test('refuses a second initialization', async () => {
    assert.equal(await failure(send([program.instruction('initialize', accounts)])), 'AccountDiscriminatorMismatch');
  });

  test('refuses another authority', async () => {
    const stranger = Keypair.generate();
    const other = { counter: counter.publicKey, authority: stranger.publicKey };
    const sending = send([program.instruction('increment', other, { amount: 1n })], [payer, stranger]);
    assert.equal(await failure(sending), 'ConstraintHasOne');
  });

  test('refuses an instruction that it does not have', async () => {
    const unknown = program.instruction('increment', accounts, { amount: 1n });
    unknown.data = Buffer.concat([discriminator('global:decrement'), unknown.data.subarray(8)]);
    assert.equal(await failure(send([unknown])), 'InstructionFallbackNotFound');
  });

  test('notifies listeners of the account', async () => {
    const heard = new Promise<bigint>((resolve) => {
      connection.onAccountChange(counter.publicKey, ({ data }) => resolve(data.readBigUInt64LE(8)), {
        commitment: 'confirmed',
      });
    });
    const before = (await program.fetch('Counter', counter.publicKey))['count'] as bigint;
    await send([program.instruction('increment', accounts, { amount: 7n })]);
    assert.equal(await heard, before + 7n);
  });

  test('finds its accounts by their discriminator', async () => {
    const bytes = discriminator('account:Counter').toString('base64');
    const found = await connection.getProgramAccounts(program.programId, {
      filters: [{ dataSize: COUNTER_BYTES }, { memcmp: { offset: 0, bytes, encoding: 'base64' } }],
    });
    assert.deepEqual(
      found.map(({ pubkey }) => pubkey.toBase58()),
      [counter.publicKey.toBase58()],
    );
  });
});
