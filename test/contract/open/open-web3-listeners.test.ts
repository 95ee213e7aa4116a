// @solana/web3.js listens to the service without keys, set up with a URL alone: every listener that it has, at every
// commitment that the client lets one name. It finds the socket by itself: the port after that of the requests.
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import {
  Keypair,
  PublicKey,
  SystemProgram,
  type Commitment,
  type Connection,
  type Logs,
  type SlotInfo,
  type SlotUpdate,
} from '@solana/web3.js';
import { mintTo } from '@solana/spl-token';
import { openFixture, type Fixture } from './open-fixture';
import { connectionTo } from './open-harness';
import { TOKEN_PROGRAM } from '../../corpus/values';
import { disconnect, finalize, memo, send, versioned } from '../clients/web3-harness';
import { heard, subscribed } from '../clients/web3-listening';

const LEVELS: readonly Commitment[] = ['processed', 'confirmed', 'finalized'];

let fixture: Fixture;
let connection: Connection;
before(async () => {
  fixture = await openFixture();
});
after(() => fixture.stop());
// The client keeps a blockhash for 30 s, in which these tests make more slots than it lives for.
beforeEach(() => {
  connection = connectionTo(fixture.open);
});
afterEach(() => disconnect(connection));

/** Sends lamports to an address; resolves when they are there. */
const pay = (to: PublicKey, lamports: number): Promise<string> =>
  send(
    connection,
    [SystemProgram.transfer({ fromPubkey: fixture.wallet.publicKey, toPubkey: to, lamports })],
    [fixture.wallet],
  );

/** Lets what has happened become final where a listener waits for that. */
async function settle(level: Commitment): Promise<void> {
  if (level === 'finalized') await finalize(fixture.open.local);
}

describe('@solana/web3.js listens without a key', () => {
  for (const level of LEVELS) {
    test(`onAccountChange is called at ${level}`, async () => {
      const { wallet, mint, tokens } = fixture;
      const news = heard<bigint>();
      const options = { commitment: level };
      const id = await subscribed(
        connection,
        connection.onAccountChange(tokens, ({ data }) => news.take(data.readBigUInt64LE(64)), options),
      );
      const before = BigInt((await connection.getTokenAccountBalance(tokens, 'processed')).value.amount);
      await mintTo(connection, wallet, mint, tokens, wallet, 5n);
      await settle(level);
      await news.until((amount) => amount === before + 5n);
      await connection.removeAccountChangeListener(id);
    });

    test(`onProgramAccountChange with a filter is called at ${level}`, async () => {
      const { wallet, mint, tokens } = fixture;
      const news = heard<string>();
      const id = await subscribed(
        connection,
        connection.onProgramAccountChange(
          new PublicKey(TOKEN_PROGRAM),
          ({ accountId, accountInfo }) => {
            assert.equal(accountInfo.data.length, 165);
            news.take(accountId.toBase58());
          },
          { commitment: level, filters: [{ dataSize: 165 }, { memcmp: { offset: 0, bytes: mint.toBase58() } }] },
        ),
      );
      await mintTo(connection, wallet, mint, tokens, wallet, 7n);
      await settle(level);
      await news.until(() => true);
      assert.deepEqual(new Set(news.all), new Set([tokens.toBase58()]));
      await connection.removeProgramAccountChangeListener(id);
    });

    for (const filter of ['all', 'allWithVotes', 'one address'] as const)
      test(`onLogs is called at ${level}, ${filter}`, async () => {
        const news = heard<Logs>();
        const { publicKey } = Keypair.generate();
        const chosen = filter === 'one address' ? publicKey : filter;
        const id = await subscribed(connection, connection.onLogs(chosen, news.take, level));
        const signature = await pay(publicKey, 2_000_000);
        await settle(level);
        const { err, logs } = await news.until((one) => one.signature === signature);
        assert.equal(err, null);
        assert.deepEqual(logs, [
          'Program 11111111111111111111111111111111 invoke [1]',
          'Program 11111111111111111111111111111111 success',
        ]);
        await connection.removeOnLogsListener(id);
      });

    test(`onSignature at ${level} reports the outcome once`, async () => {
      const news = heard<unknown>();
      const { wallet } = fixture;
      // On a blockhash of now: the client keeps one for 30 s, in which the ledger is moved on.
      const { blockhash } = await connection.getLatestBlockhash();
      const signature = await connection.sendTransaction(versioned([memo(`open at ${level}`)], [wallet], blockhash));
      connection.onSignature(signature, ({ err }) => news.take(err), level);
      await settle(level);
      await news.until((err) => err === null);
      assert.deepEqual(news.all, [null]);
    });
  }

  test('onSlotChange follows the slots one by one', async () => {
    const news = heard<SlotInfo>();
    const id = await subscribed(connection, connection.onSlotChange(news.take));
    const { slot } = await news.until(() => true);
    await news.until((info) => info.slot >= slot + 2);
    assert.deepEqual(
      news.all.slice(0, 3).map((info) => [info.slot, info.parent]),
      [0, 1, 2].map((step) => [slot + step, slot + step - 1]),
    );
    await connection.removeSlotChangeListener(id);
  });

  test('onRootChange follows what is final', async () => {
    const news = heard<number>();
    const id = await subscribed(connection, connection.onRootChange(news.take));
    const first = await news.until(() => true);
    await news.until((root) => root >= first + 2);
    assert.deepEqual(news.all.slice(0, 3), [first, first + 1, first + 2]);
    await connection.removeRootChangeListener(id);
  });

  test('onSlotUpdate reports each step of a slot in order', async () => {
    const news = heard<SlotUpdate>();
    const id = await subscribed(connection, connection.onSlotUpdate(news.take));
    const { slot } = await news.until(({ type }) => type === 'createdBank');
    await settle('finalized');
    await news.until((update) => update.slot === slot && update.type === 'root');
    assert.deepEqual(
      news.all.filter((update) => update.slot === slot).map(({ type }) => type),
      ['createdBank', 'frozen', 'optimisticConfirmation', 'root'],
    );
    await connection.removeSlotUpdateListener(id);
  });
});
