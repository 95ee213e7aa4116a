// A program comes onto the ledger by the upgradeable loader's own transactions, is called, upgraded and closed, with
// nothing but @solana/web3.js and its file.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  Keypair,
  PublicKey,
  SendTransactionError,
  Transaction,
  TransactionInstruction,
  type Connection,
} from '@solana/web3.js';
import { counterProgram } from './open-counter';
import { connectionTo, startOpen, type OpenLocalnet } from './open-harness';
import { CHUNK, LOADER, close, createBuffer, deploy, programData, upgrade, write } from './open-loader';
import { MEMO } from '../rpc/rpc-harness';
import { disconnect, failureOf, finalize, send } from '../clients/web3-harness';

let open: OpenLocalnet;
let connection: Connection;
let memoCode: Buffer;
const program = Keypair.generate();
/** A message needs one to be put together. */
const NOWHERE = { blockhash: PublicKey.default.toBase58(), lastValidBlockHeight: 0 };

before(async () => {
  open = await startOpen();
  connection = connectionTo(open);
  memoCode = (await connection.getAccountInfo(new PublicKey(MEMO)))?.data ?? Buffer.alloc(0);
});
after(async () => {
  disconnect(connection);
  await open.local.stop();
});

const call = (data: string): TransactionInstruction =>
  new TransactionInstruction({ programId: program.publicKey, keys: [], data: Buffer.from(data) });

/** Writes code into a new buffer, piece by piece. */
async function written(code: Buffer): Promise<PublicKey> {
  const buffer = Keypair.generate();
  const payer = open.wallet.publicKey;
  await send(connection, await createBuffer(connection, payer, buffer.publicKey, code.length), [open.wallet, buffer]);
  for (let at = 0; at < code.length; at += CHUNK)
    await send(connection, [write(buffer.publicKey, payer, at, code.subarray(at, at + CHUNK))], [open.wallet]);
  const account = await connection.getAccountInfo(buffer.publicKey);
  assert.deepEqual(account?.data.subarray(37), code);
  return buffer.publicKey;
}

async function logsOf(signature: string): Promise<readonly string[]> {
  const landed = await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 });
  return landed?.meta?.logMessages ?? [];
}

test('A program is deployed from a buffer and can be called', async () => {
  assert.equal(memoCode.subarray(0, 4).toString('latin1'), '\x7fELF');
  const buffer = await written(memoCode);
  const instructions = await deploy(connection, open.wallet.publicKey, {
    program: program.publicKey,
    buffer,
    room: memoCode.length * 2,
  });
  const signature = await send(connection, instructions, [open.wallet, program]);
  assert.ok((await logsOf(signature)).includes(`Deployed program ${program.publicKey.toBase58()}`));
  const logs = await logsOf(await send(connection, [call('from a file')], [open.wallet]));
  assert.ok(logs.includes('Program log: from a file'), logs.join('\n'));
});

test('Its accounts are those of the loader', async () => {
  const account = await connection.getAccountInfo(program.publicKey);
  assert.equal(account?.owner.toBase58(), LOADER.toBase58());
  assert.equal(account.executable, true);
  assert.deepEqual(new PublicKey(account.data.subarray(4)).toBase58(), programData(program.publicKey).toBase58());
  const code = await connection.getAccountInfo(programData(program.publicKey));
  assert.equal(code?.executable, false);
  assert.deepEqual(code.data.subarray(45, 45 + memoCode.length), memoCode);
  assert.equal(new PublicKey(code.data.subarray(13, 45)).toBase58(), open.wallet.publicKey.toBase58());
});

test('Nobody but its authority upgrades it', async () => {
  const stranger = Keypair.generate();
  await connection.confirmTransaction({
    signature: await connection.requestAirdrop(stranger.publicKey, 1_000_000_000),
    ...(await connection.getLatestBlockhash()),
  });
  const buffer = await written(counterProgram());
  const refused = await failureOf(
    send(connection, [upgrade(program.publicKey, buffer, stranger.publicKey)], [stranger]),
    SendTransactionError,
  );
  assert.match(refused.message, /Incorrect authority provided/);
});

test('An upgrade puts other code in its place', async () => {
  const buffer = await written(counterProgram());
  await send(connection, [upgrade(program.publicKey, buffer, open.wallet.publicKey)], [open.wallet]);
  const refused = await failureOf(send(connection, [call('hello')], [open.wallet]), SendTransactionError);
  // The new code has its own number for a call that it does not know.
  assert.match(refused.message, /custom program error: 0x65/);
});

test('What was deployed is there at every commitment', async () => {
  await finalize(open.local);
  const account = await connection.getAccountInfo(program.publicKey, 'finalized');
  assert.equal(account?.executable, true);
});

/** A program whose own account precedes its code's in the message that closes it, or follows it. */
function programPlaced(isFirst: boolean): Keypair {
  for (;;) {
    const made = Keypair.generate();
    const transaction = new Transaction({ feePayer: open.wallet.publicKey, ...NOWHERE }).add(
      close(made.publicKey, open.wallet.publicKey),
    );
    const keys = transaction.compileMessage().accountKeys.map((key) => key.toBase58());
    const [own, code] = [made.publicKey, programData(made.publicKey)].map((key) => keys.indexOf(key.toBase58()));
    if ((own ?? 0) < (code ?? 0) === isFirst) return made;
  }
}

for (const isFirst of [true, false])
  test(`A closed program cannot be called, its account ${isFirst ? 'before' : 'behind'} its code's`, async () => {
    const closed = programPlaced(isFirst);
    const code = counterProgram();
    const buffer = await written(code);
    const payer = open.wallet.publicKey;
    const instructions = await deploy(connection, payer, { program: closed.publicKey, buffer, room: code.length });
    await send(connection, instructions, [open.wallet, closed]);
    const hello = new TransactionInstruction({ programId: closed.publicKey, keys: [], data: Buffer.from('hello') });
    const runs = await failureOf(send(connection, [hello], [open.wallet]), SendTransactionError);
    assert.match(runs.message, /custom program error: 0x65/);
    await send(connection, [close(closed.publicKey, payer)], [open.wallet]);
    await finalize(open.local);
    const refused = await failureOf(send(connection, [hello], [open.wallet]), SendTransactionError);
    assert.match(refused.message, /Unsupported program id|program that does not exist|not be used for executing/);
  });
