// The unmodified @solana/kit subscribes: every notification it knows, until its signal ends it, and what it says when the
// connection breaks.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
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
import { startLocalnet, type Localnet } from '../../support/process/localnet';
import { kitOn, listen, type Kit } from './kit-harness';
import { newMint, newHolder, mintMore } from './kit-tokens';
import { digits } from '../rpc/rpc-harness';
import { QUICK_SLOTS } from './web3-harness';

const LEVELS: readonly Commitment[] = ['processed', 'confirmed', 'finalized'];

let local: Localnet;
let kit: Kit;
before(async () => {
  local = await startLocalnet(QUICK_SLOTS);
  kit = await kitOn(local);
});
after(() => local.stop());

const fresh = async (): Promise<Address> => (await generateKeyPairSigner()).address;
const pay = (destination: Address) =>
  kit.send([getTransferSolInstruction({ source: kit.payer, destination, amount: 2_000_000n })]);
const settle = (): Promise<void> => local.cheat('nextSlot', { count: 40 });

describe('kit: subscriptions', () => {
  for (const commitment of LEVELS)
    test(`accountNotifications tells the account once it is ${commitment}`, async () => {
      const to = await fresh();
      const [told] = await listen(
        (options) =>
          kit.rpcSubscriptions.accountNotifications(to, { commitment, encoding: 'base64' }).subscribe(options),
        async () => {
          await pay(to);
          if (commitment === 'finalized') await settle();
        },
      );
      assert.equal(told?.value.lamports, 2_000_000n);
      assert.deepEqual(told.value.data, ['', 'base64']);
      assert.equal(typeof told.context.slot, 'bigint');
      assert.ok((await kit.rpc.getSlot({ commitment }).send()) >= told.context.slot);
    });
  for (const encoding of ['base64', 'base64+zstd', 'jsonParsed'] as const)
    test(`programNotifications tells the holdings of one mint as ${encoding}`, async () => {
      const mint = await newMint(kit, 2);
      const holder = await newHolder(kit, mint, await fresh());
      const [told] = await listen(
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
      assert.equal(told?.value.pubkey, holder);
      const data: unknown = told.value.account.data;
      if (encoding === 'jsonParsed') assert.match(JSON.stringify(data, digits), /"uiAmountString":"2\.5"/);
      else assert.equal((data as readonly string[])[1], encoding);
    });
  test('logsNotifications tells transactions that name an address', async () => {
    const to = await fresh();
    let signature = '';
    const [told] = await listen(
      (options) =>
        kit.rpcSubscriptions.logsNotifications({ mentions: [to] }, { commitment: 'confirmed' }).subscribe(options),
      async () => (signature = await pay(to)),
    );
    assert.equal(told?.value.err, null);
    assert.ok(told.value.logs?.some((line) => line.endsWith('success')));
    assert.equal(told.value.signature, signature);
  });
  test('logsNotifications tells all', async () => {
    const note = 'told to all';
    const all = await listen(
      (options) => kit.rpcSubscriptions.logsNotifications('all', { commitment: 'processed' }).subscribe(options),
      () => kit.send([getAddMemoInstruction({ memo: note })]),
      ({ value }) => value.logs?.some((line) => line.includes(note)) === true,
    );
    assert.equal(all.at(-1)?.value.err, null);
  });
  test('signatureNotifications tells the receipt, then the outcome', async () => {
    const transaction = await kit.signed([getAddMemoInstruction({ memo: 'received' })]);
    const told = await listen(
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
      told.map(({ value }) => value),
      ['receivedSignature', { err: null }],
    );
  });
  test('slotNotifications follows the slots', async () => {
    const told = await listen(
      (options) => kit.rpcSubscriptions.slotNotifications().subscribe(options),
      () => local.cheat('nextSlot', { count: 3 }),
      enough(3),
    );
    const [first] = told;
    assert.ok(first);
    assert.deepEqual(
      told.map(({ slot }) => slot - first.slot),
      [0n, 1n, 2n],
    );
    for (const { slot, parent, root } of told) assert.ok(parent === slot - 1n && root < parent);
  });
  test('rootNotifications follows what is final', async () => {
    const told = await listen(
      (options) => kit.rpcSubscriptions.rootNotifications().subscribe(options),
      () => local.cheat('nextSlot', { count: 3 }),
      enough(3),
    );
    assert.deepEqual(
      told.map((root) => root - (told[0] ?? 0n)),
      [0n, 1n, 2n],
    );
  });
  test('slotsUpdatesNotifications tells each step of a slot', async () => {
    let slot: bigint | undefined;
    const told = await listen(
      (options) => kit.rpcSubscriptions.slotsUpdatesNotifications().subscribe(options),
      settle,
      (update) => {
        // The client's types leave the newest kinds out.
        const kind: string = update.type;
        if (kind === 'createdBank') slot ??= update.slot;
        return kind === 'root' && update.slot === slot;
      },
    );
    const steps = told.filter((update) => update.slot === slot).map(({ type }) => type);
    assert.deepEqual(steps, ['createdBank', 'frozen', 'optimisticConfirmation', 'root']);
    assert.equal(typeof told[0]?.timestamp, 'bigint');
  });
  test('blockNotifications tells the blocks that name an account, in full', async () => {
    const to = await fresh();
    let signature = '';
    const [told] = await listen(
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
    assert.equal(told?.value.err, null);
    assert.equal(told.value.slot, told.context.slot);
    const signatures = told.value.block?.transactions.map(({ transaction }) => transaction.signatures[0]);
    assert.deepEqual(signatures, [signature]);
    assert.equal(told.value.block?.parentSlot, told.value.slot - 1n);
  });
  test('blockNotifications tells every block by its signatures', async () => {
    const told = await listen(
      (options) =>
        kit.rpcSubscriptions
          .blockNotifications('all', { commitment: 'finalized', transactionDetails: 'signatures' })
          .subscribe(options),
      () => local.cheat('nextSlot', { count: 3 }),
      enough(3),
    );
    assert.deepEqual(
      told.map(({ value }) => value.slot - (told[0]?.value.slot ?? 0n)),
      [0n, 1n, 2n],
    );
    for (const { value } of told) assert.ok(Array.isArray(value.block?.signatures));
  });
  test('voteNotifications tells the votes of the node, one slot after the other', async () => {
    const told = await listen(
      (options) => kit.rpcSubscriptions.voteNotifications().subscribe(options),
      () => local.cheat('nextSlot', { count: 3 }),
      enough(3),
    );
    const slots = told.flatMap((vote) => vote.slots);
    assert.deepEqual(
      slots.map((slot) => slot - (slots[0] ?? 0n)),
      [0n, 1n, 2n],
    );
    assert.equal(new Set(told.map(({ votePubkey }) => votePubkey)).size, 1);
  });
  test('a hundred subscriptions share a channel, and each is told', async () => {
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
      for await (const told of stream) assert.ok(told.slot > 0n);
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
