// The unmodified @solana/kit subscribes: every notification it knows, until its signal ends it, and what it says when the
// connection breaks.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
  getSignatureFromTransaction,
  type Address,
  type Base58EncodedBytes,
  type Commitment,
} from '@solana/kit';
import { getAddMemoInstruction } from '@solana-program/memo';
import { getTransferSolInstruction } from '@solana-program/system';
import { TOKEN_PROGRAM_ADDRESS } from '@solana-program/token';
import { startTestLedger } from '../../support/process/localnet';
import { kitOn, listen, testKit } from './kit-harness';
import { newMint, newHolder, mintMore } from './kit-tokens';
import { digits } from '../rpc/rpc-harness';

const LEVELS: readonly Commitment[] = ['processed', 'confirmed', 'finalized'];

const { local, kit } = testKit();

const fresh = async (): Promise<Address> => (await generateKeyPairSigner()).address;
const pay = (destination: Address) =>
  kit.send([getTransferSolInstruction({ source: kit.payer, destination, amount: 2_000_000n })]);
const settle = (): Promise<void> => local.slots(40);

describe('kit: subscriptions', () => {
  for (const commitment of LEVELS)
    test(`accountNotifications reports the account once it is ${commitment}`, async () => {
      const to = await fresh();
      const [notification] = await listen(
        (options) =>
          kit.rpcSubscriptions.accountNotifications(to, { commitment, encoding: 'base64' }).subscribe(options),
        async () => {
          await pay(to);
          if (commitment === 'finalized') await settle();
        },
      );
      assert.equal(notification?.value.lamports, 2_000_000n);
      assert.deepEqual(notification.value.data, ['', 'base64']);
      assert.equal(typeof notification.context.slot, 'bigint');
      assert.ok((await kit.rpc.getSlot({ commitment }).send()) >= notification.context.slot);
    });
  for (const encoding of ['base64', 'base64+zstd', 'jsonParsed'] as const)
    test(`programNotifications reports the token accounts of one mint as ${encoding}`, async () => {
      const mint = await newMint(kit, 2);
      const holder = await newHolder(kit, mint, await fresh());
      const [notification] = await listen(
        (options) =>
          kit.rpcSubscriptions
            .programNotifications(TOKEN_PROGRAM_ADDRESS, {
              commitment: 'confirmed',
              encoding: encoding as 'jsonParsed',
              filters: [
                { dataSize: 165n },
                { memcmp: { offset: 0n, bytes: mint as string as Base58EncodedBytes, encoding: 'base58' } },
              ],
            })
            .subscribe(options),
        () => mintMore(kit, mint, holder, 250n),
      );
      assert.equal(notification?.value.pubkey, holder);
      const data: unknown = notification.value.account.data;
      if (encoding === 'jsonParsed') assert.match(JSON.stringify(data, digits), /"uiAmountString":"2\.5"/);
      else assert.equal((data as readonly string[])[1], encoding);
    });
  test('logsNotifications reports transactions that mention an address', async () => {
    const to = await fresh();
    let signature = '';
    const [notification] = await listen(
      (options) =>
        kit.rpcSubscriptions.logsNotifications({ mentions: [to] }, { commitment: 'confirmed' }).subscribe(options),
      async () => (signature = await pay(to)),
    );
    assert.equal(notification?.value.err, null);
    assert.ok(notification.value.logs?.some((line) => line.endsWith('success')));
    assert.equal(notification.value.signature, signature);
  });
  test('logsNotifications reports every transaction', async () => {
    const note = 'to every listener';
    const all = await listen(
      (options) => kit.rpcSubscriptions.logsNotifications('all', { commitment: 'processed' }).subscribe(options),
      () => kit.send([getAddMemoInstruction({ memo: note })]),
      ({ value }) => value.logs?.some((line) => line.includes(note)) === true,
    );
    assert.equal(all.at(-1)?.value.err, null);
  });
  test('signatureNotifications reports the receipt, then the outcome', async () => {
    const transaction = await kit.signed([getAddMemoInstruction({ memo: 'received' })]);
    const notifications = await listen(
      (options) =>
        kit.rpcSubscriptions
          .signatureNotifications(getSignatureFromTransaction(transaction), {
            commitment: 'confirmed',
            enableReceivedNotification: true,
          })
          .subscribe(options),
      () =>
        kit.rpc
          .sendTransaction(getBase64EncodedWireTransaction(transaction), {
            encoding: 'base64',
            preflightCommitment: 'confirmed',
          })
          .send(),
      ({ value }) => typeof value !== 'string',
    );
    assert.deepEqual(
      notifications.map(({ value }) => value),
      ['receivedSignature', { err: null }],
    );
  });
  test('slotNotifications follows the slots', async () => {
    const notifications = await listen(
      (options) => kit.rpcSubscriptions.slotNotifications().subscribe(options),
      () => local.slots(3),
      enough(3),
    );
    const [first] = notifications;
    assert.ok(first);
    assert.deepEqual(
      notifications.map(({ slot }) => slot - first.slot),
      [0n, 1n, 2n],
    );
    for (const { slot, parent, root } of notifications) assert.ok(parent === slot - 1n && root < parent);
  });
  test('rootNotifications follows what is final', async () => {
    const notifications = await listen(
      (options) => kit.rpcSubscriptions.rootNotifications().subscribe(options),
      () => local.slots(3),
      enough(3),
    );
    assert.deepEqual(
      notifications.map((root) => root - (notifications[0] ?? 0n)),
      [0n, 1n, 2n],
    );
  });
  test('slotsUpdatesNotifications reports each step of a slot', async () => {
    let slot: bigint | undefined;
    const notifications = await listen(
      (options) => kit.rpcSubscriptions.slotsUpdatesNotifications().subscribe(options),
      settle,
      (update) => {
        // The client's types leave the newest kinds out.
        const kind: string = update.type;
        if (kind === 'createdBank') slot ??= update.slot;
        return kind === 'root' && update.slot === slot;
      },
    );
    const steps = notifications.filter((update) => update.slot === slot).map(({ type }) => type);
    assert.deepEqual(steps, ['createdBank', 'frozen', 'optimisticConfirmation', 'root']);
    assert.equal(typeof notifications[0]?.timestamp, 'bigint');
  });
  test('blockNotifications sends the blocks that mention an account, in full', async () => {
    const to = await fresh();
    let signature = '';
    const [notification] = await listen(
      (options) =>
        kit.rpcSubscriptions
          .blockNotifications(
            { mentionsAccountOrProgram: to },
            {
              commitment: 'confirmed',
              encoding: 'json',
              maxSupportedTransactionVersion: 0,
              transactionDetails: 'full',
            },
          )
          .subscribe(options),
      async () => (signature = await pay(to)),
    );
    assert.equal(notification?.value.err, null);
    assert.equal(notification.value.slot, notification.context.slot);
    const signatures = notification.value.block?.transactions.map(({ transaction }) => transaction.signatures[0]);
    assert.deepEqual(signatures, [signature]);
    assert.equal(notification.value.block?.parentSlot, notification.value.slot - 1n);
  });
  test('blockNotifications sends the signatures of every block', async () => {
    const notifications = await listen(
      (options) =>
        kit.rpcSubscriptions
          .blockNotifications('all', { commitment: 'finalized', transactionDetails: 'signatures' })
          .subscribe(options),
      () => local.slots(3),
      enough(3),
    );
    assert.deepEqual(
      notifications.map(({ value }) => value.slot - (notifications[0]?.value.slot ?? 0n)),
      [0n, 1n, 2n],
    );
    for (const { value } of notifications) assert.ok(Array.isArray(value.block?.signatures));
  });
  test('voteNotifications reports the votes of a node of TowerBFT, slot by slot', async (t) => {
    const tower = await startTestLedger(['--consensus', 'tower']);
    t.after(() => tower.stop());
    const { rpcSubscriptions } = await kitOn(tower);
    const notifications = await listen(
      (options) => rpcSubscriptions.voteNotifications().subscribe(options),
      () => tower.slots(3),
      enough(3),
    );
    const slots = notifications.flatMap((vote) => vote.slots);
    assert.deepEqual(
      slots.map((slot) => slot - (slots[0] ?? 0n)),
      [0n, 1n, 2n],
    );
    assert.equal(new Set(notifications.map(({ votePubkey }) => votePubkey)).size, 1);
  });
  test('a hundred subscriptions share a channel, and each is notified', async () => {
    const targets = await Promise.all(Array.from({ length: 100 }, fresh));
    const aborts = targets.map(() => new AbortController());
    const streams = await Promise.all(
      targets.map((to, i) =>
        kit.rpcSubscriptions
          .accountNotifications(to, { commitment: 'processed' })
          .subscribe({ abortSignal: (aborts[i] ?? new AbortController()).signal }),
      ),
    );
    const first = streams.map(async (stream) => {
      for await (const { value } of stream) return value.lamports;
      return undefined;
    });
    for (const to of targets) await local.cheat('fund', { address: to, lamports: 1 });
    assert.deepEqual(new Set(await Promise.all(first)), new Set([1n]));
    for (const abort of aborts) abort.abort();
  });
  test('a connection that breaks ends the iteration with an error', async () => {
    const abort = new AbortController();
    const stream = await kit.rpcSubscriptions.slotNotifications().subscribe({ abortSignal: abort.signal });
    const all = async (): Promise<void> => {
      for await (const notification of stream) assert.ok(notification.slot > 0n);
    };
    const broken = assert.rejects(all(), /WebSocket/i);
    await local.admin('POST', '/streams/drop');
    await broken;
    abort.abort();
  });
});

function enough(count: number): () => boolean {
  let seen = 0;
  return () => ++seen >= count;
}
