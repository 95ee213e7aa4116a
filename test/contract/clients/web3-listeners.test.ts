// The unmodified @solana/web3.js listens: every kind of listener it has, at each commitment, until it is removed, and
// across a connection that breaks.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  Keypair,
  SystemProgram,
  type Commitment,
  type Connection,
  type Logs,
  type SlotInfo,
  type SlotUpdate,
} from '@solana/web3.js';
import { createAccount, createMint, mintTo, TOKEN_PROGRAM_ID } from '@solana/spl-token';
import { encodeBase58 } from '../../../core/solana/encoding/base58';
import type { Localnet } from '../../support/process/localnet';
import { memo, send, versioned, web3Session } from './web3-harness';
import * as listening from './web3-listening';

const LEVELS = ['processed', 'confirmed', 'finalized'] as const;

let local: Localnet;
let connection: Connection;
let payer: Keypair;
web3Session((session) => ({ local, connection, payer } = session));

const subscribed = (id: number): Promise<number> => listening.subscribed(connection, id);

const pay = (to: Keypair, lamports = 2_000_000): Promise<string> =>
  send(
    connection,
    [SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: to.publicKey, lamports })],
    [payer],
  );

describe('web3.js: listeners', () => {
  test('onAccountChange reports the account at each commitment, in this order', async () => {
    const to = Keypair.generate();
    const news = listening.heard<{ level: Commitment; lamports: number; slot: number }>();
    const ids = LEVELS.map((level) =>
      connection.onAccountChange(
        to.publicKey,
        ({ lamports }, { slot }) => {
          news.take({ level, lamports, slot });
        },
        { commitment: level },
      ),
    );
    for (const id of ids) await subscribed(id);
    await pay(to);
    await local.slots(40);
    await news.until(({ level }) => level === 'finalized');
    assert.deepEqual(
      news.all.map(({ level }) => level),
      LEVELS,
    );
    assert.deepEqual(new Set(news.all.map(({ lamports }) => lamports)), new Set([2_000_000]));
    assert.equal(new Set(news.all.map(({ slot }) => slot)).size, 1);
    for (const id of ids) await connection.removeAccountChangeListener(id);
  });
  test('a removed listener receives nothing more', async () => {
    const to = Keypair.generate();
    const news = listening.heard<number>();
    const id = await subscribed(connection.onAccountChange(to.publicKey, ({ lamports }) => news.take(lamports)));
    await pay(to);
    await news.until((lamports) => lamports === 2_000_000);
    await connection.removeAccountChangeListener(id);
    const others = listening.heard<number>();
    const other = await subscribed(connection.onAccountChange(to.publicKey, ({ lamports }) => others.take(lamports)));
    await pay(to);
    await others.until((lamports) => lamports === 4_000_000);
    await connection.removeAccountChangeListener(other);
    assert.deepEqual(news.all, [2_000_000]);
  });
  test('onProgramAccountChange reports the accounts that pass its filters', async () => {
    const authority = payer.publicKey;
    const mint = await createMint(connection, payer, authority, null, 0, Keypair.generate());
    const account = await createAccount(connection, payer, mint, authority, Keypair.generate());
    const news = listening.heard<{ address: string; bytes: number; slice: Buffer }>();
    const filters = [{ dataSize: 165 }, { memcmp: { offset: 0, bytes: mint.toBase58() } }];
    const id = await subscribed(
      connection.onProgramAccountChange(
        TOKEN_PROGRAM_ID,
        ({ accountId, accountInfo }) => {
          const { data } = accountInfo;
          news.take({ address: accountId.toBase58(), bytes: data.length, slice: data.subarray(64, 72) });
        },
        { filters, commitment: 'confirmed' },
      ),
    );
    await mintTo(connection, payer, mint, account, payer, 77n);
    const { bytes, slice } = await news.until(({ address }) => address === account.toBase58());
    assert.equal(bytes, 165);
    assert.equal(slice.readBigUInt64LE(), 77n);
    assert.deepEqual(new Set(news.all.map(({ address }) => address)), new Set([account.toBase58()]));
    await connection.removeProgramAccountChangeListener(id);
  });
  for (const filter of ['all', 'allWithVotes'] as const)
    test(`onLogs reports every transaction with its lines: ${filter}`, async () => {
      const news = listening.heard<Logs>();
      const id = await subscribed(connection.onLogs(filter, news.take, 'processed'));
      const signature = await send(connection, [memo(`listen to ${filter}`)], [payer]);
      const received = await news.until((logs) => logs.signature === signature);
      assert.equal(received.err, null);
      assert.ok(received.logs.includes(`Program log: listen to ${filter}`));
      await connection.removeOnLogsListener(id);
    });
  test('onLogs of an address reports only transactions that mention it, failed ones too', async () => {
    const [named, other] = [Keypair.generate(), Keypair.generate()];
    const news = listening.heard<Logs>();
    const id = await subscribed(connection.onLogs(named.publicKey, news.take, 'confirmed'));
    await pay(other);
    const good = await pay(named);
    const { publicKey: fromPubkey } = payer;
    const tooMuch = SystemProgram.transfer({ fromPubkey, toPubkey: named.publicKey, lamports: 10n ** 15n });
    const { blockhash } = await connection.getLatestBlockhash();
    const bad = await connection.sendTransaction(versioned([tooMuch], [payer], blockhash), { skipPreflight: true });
    assert.deepEqual((await news.until(({ signature }) => signature === bad)).err, {
      InstructionError: [0, { Custom: 1 }],
    });
    assert.deepEqual(
      news.all.map(({ signature }) => signature),
      [good, bad],
    );
    await connection.removeOnLogsListener(id);
  });
  test('onSignature reports the outcome once', async () => {
    for (const level of LEVELS) {
      const news = listening.heard<unknown>();
      // On a blockhash of now: the client keeps one for 30 s, in which the ledger is moved on.
      const { blockhash } = await connection.getLatestBlockhash();
      const signature = await connection.sendTransaction(versioned([memo(`sign ${level}`)], [payer], blockhash));
      connection.onSignature(signature, ({ err }) => news.take(err), level);
      if (level === 'finalized') await local.slots(40);
      await news.until((err) => err === null);
      assert.deepEqual(news.all, [null]);
    }
  });
  test('onSignatureWithOptions hears of the receipt, after which the client itself stops listening', async () => {
    const latest = await connection.getLatestBlockhash();
    const transaction = versioned([memo('received')], [payer], latest.blockhash);
    const news = listening.heard<string>();
    const options = { commitment: 'confirmed', enableReceivedNotification: true } as const;
    const signature = encodeBase58(transaction.signatures[0] ?? new Uint8Array());
    const id = connection.onSignatureWithOptions(signature, ({ type }) => news.take(type), options);
    await subscribed(id);
    await connection.sendTransaction(transaction);
    await news.until((type) => type === 'received');
    await connection.confirmTransaction({ signature, ...latest });
    assert.deepEqual(news.all, ['received']);
  });
  test('onSlotChange follows the slots one by one', async () => {
    const news = listening.heard<SlotInfo>();
    const id = await subscribed(connection.onSlotChange(news.take));
    const { slot } = await news.until(() => true);
    await news.until((info) => info.slot >= slot + 3);
    news.all.forEach((info, index) => {
      assert.deepEqual([info.slot, info.parent], [slot + index, slot + index - 1]);
      assert.ok(info.root < info.parent);
    });
    await connection.removeSlotChangeListener(id);
  });
  test('onRootChange follows what is final', async () => {
    const news = listening.heard<number>();
    const id = await subscribed(connection.onRootChange(news.take));
    const first = await news.until(() => true);
    await news.until((root) => root >= first + 2);
    assert.deepEqual(news.all.slice(0, 3), [first, first + 1, first + 2]);
    assert.ok((await connection.getSlot('processed')) > first + 2);
    await connection.removeRootChangeListener(id);
  });
  test('onSlotUpdate reports each step of a slot in order', async () => {
    const news = listening.heard<SlotUpdate>();
    const id = await subscribed(connection.onSlotUpdate(news.take));
    const { slot } = await news.until(({ type }) => type === 'createdBank');
    await local.slots(40);
    await news.until((update) => update.slot === slot && update.type === 'root');
    const steps = news.all.filter((update) => update.slot === slot).map(({ type }) => type);
    assert.deepEqual(steps, ['createdBank', 'frozen', 'optimisticConfirmation', 'root']);
    await connection.removeSlotUpdateListener(id);
  });
  test('equal listeners share one subscription, and the last to go ends it', async () => {
    const to = Keypair.generate();
    const [first, second] = [listening.heard<number>(), listening.heard<number>()];
    const ids = [first, second].map(({ take }) =>
      connection.onAccountChange(to.publicKey, ({ lamports }) => {
        take(lamports);
      }),
    );
    for (const id of ids) await subscribed(id);
    await pay(to);
    await Promise.all([first, second].map(({ until }) => until((lamports) => lamports === 2_000_000)));
    await connection.removeAccountChangeListener(ids[0] ?? 0);
    await pay(to);
    await second.until((lamports) => lamports === 4_000_000);
    assert.deepEqual(first.all, [2_000_000]);
    await connection.removeAccountChangeListener(ids[1] ?? 0);
  });
  test('a broken connection is restored and its listeners continue', async () => {
    const to = Keypair.generate();
    const news = listening.heard<number>();
    const id = await subscribed(connection.onAccountChange(to.publicKey, ({ lamports }) => news.take(lamports)));
    const resubscribed = listening.resubscribed(connection, id);
    await local.admin('POST', '/streams/drop');
    await resubscribed;
    await pay(to);
    await news.until((lamports) => lamports === 2_000_000);
    await connection.removeAccountChangeListener(id);
  });
});
