// @solana/kit on the service without keys: everything it can subscribe to, at every commitment that applies, and blocks
// in every encoding.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  address,
  getSignatureFromTransaction,
  getTransactionDecoder,
  type Base64EncodedWireTransaction,
} from '@solana/kit';
import { listen } from '../clients/kit-harness';
import { openFixture, type Fixture } from './open-fixture';
import { kitOn } from './open-harness';
import { finalize } from '../clients/web3-harness';

let fixture: Fixture;
let kit: ReturnType<typeof kitOn>;
before(async () => {
  fixture = await openFixture();
  kit = kitOn(fixture.open);
});
after(() => fixture.stop());

const ANY = ['processed', 'confirmed', 'finalized'] as const;
const base64 = { encoding: 'base64' } as const;
const receiver = () => address(fixture.receiver.toBase58());
const big = (value: unknown): boolean => typeof value === 'bigint' && value >= 0n;

/** Money for the receiver, and the slots that make it final. */
async function pay(text?: string): Promise<void> {
  const wire = (text ?? (await fixture.transfer())) as Base64EncodedWireTransaction;
  await kit.rpc.sendTransaction(wire, base64).send();
  await finalize(fixture.open.local);
}

describe('@solana/kit: what happens to accounts and transactions', () => {
  for (const commitment of ANY) {
    test(`accountNotifications arrive at ${commitment}`, async () => {
      const asked = kit.rpcSubscriptions.accountNotifications(receiver(), { ...base64, commitment });
      const [notice] = await listen((options) => asked.subscribe(options), pay);
      assert.ok(big(notice?.value.lamports) && big(notice?.context.slot));
      assert.deepEqual(notice?.value.data, ['', 'base64']);
    });
    test(`programNotifications arrive at ${commitment}`, async () => {
      const system = address('11111111111111111111111111111111');
      const asked = kit.rpcSubscriptions.programNotifications(system, { ...base64, commitment });
      const notices = await listen(
        (options) => asked.subscribe(options),
        pay,
        ({ value }) => value.pubkey === receiver(),
      );
      assert.ok(notices.every(({ value }) => big(value.account.lamports)));
    });
    test(`logsNotifications arrive at ${commitment}`, async () => {
      const asked = kit.rpcSubscriptions.logsNotifications({ mentions: [receiver()] }, { commitment });
      const [notice] = await listen((options) => asked.subscribe(options), pay);
      assert.equal(notice?.value.err, null);
      assert.ok((notice.value.logs ?? []).length >= 2);
    });
    test(`signatureNotifications arrive at ${commitment}`, async () => {
      const wire = await fixture.transfer();
      const id = getSignatureFromTransaction(getTransactionDecoder().decode(Buffer.from(wire, 'base64')));
      const asked = kit.rpcSubscriptions.signatureNotifications(id, { commitment });
      const [notice] = await listen(
        (options) => asked.subscribe(options),
        () => pay(wire),
      );
      assert.deepEqual(notice?.value, { err: null });
    });
  }
});

describe('@solana/kit: blocks', () => {
  for (const commitment of ANY.slice(1))
    for (const encoding of ['json', 'jsonParsed', 'base58', 'base64'] as const)
      test(`blockNotifications arrive at ${commitment} in ${encoding}`, async () => {
        const config = { commitment, encoding: encoding as 'base64', showRewards: false } as const;
        const asked = kit.rpcSubscriptions.blockNotifications(
          { mentionsAccountOrProgram: receiver() },
          { ...config, maxSupportedTransactionVersion: 0, transactionDetails: 'full' },
        );
        const [notice] = await listen((options) => asked.subscribe(options), pay);
        assert.ok(big(notice?.value.block?.blockHeight));
        const transaction: unknown = notice?.value.block?.transactions[0]?.transaction;
        if (Array.isArray(transaction)) assert.equal(transaction[1], encoding);
        else assert.ok(encoding.startsWith('json') && (transaction as { readonly message?: unknown }).message);
      });
  for (const transactionDetails of ['accounts', 'signatures', 'none'] as const)
    test(`blockNotifications arrive with ${transactionDetails}`, async () => {
      const config = { ...base64, maxSupportedTransactionVersion: 0, transactionDetails } as const;
      const asked = kit.rpcSubscriptions.blockNotifications(
        { mentionsAccountOrProgram: receiver() },
        { ...config, transactionDetails: transactionDetails as 'signatures' },
      );
      const [notice] = await listen((options) => asked.subscribe(options), pay);
      const block: object = notice?.value.block ?? {};
      assert.equal('signatures' in block, transactionDetails === 'signatures');
      assert.equal('transactions' in block, transactionDetails === 'accounts');
    });
});

describe('@solana/kit: the course of slots', () => {
  const idle = (): Promise<void> => Promise.resolve();
  test('slotNotifications arrive', async () => {
    const asked = kit.rpcSubscriptions.slotNotifications();
    const [notice] = await listen((options) => asked.subscribe(options), idle);
    assert.ok(big(notice?.slot) && big(notice?.parent) && big(notice?.root));
  });
  test('rootNotifications arrive', async () => {
    const asked = kit.rpcSubscriptions.rootNotifications();
    const [root] = await listen((options) => asked.subscribe(options), idle);
    assert.ok(big(root));
  });
  test('slotsUpdatesNotifications arrive', async () => {
    const asked = kit.rpcSubscriptions.slotsUpdatesNotifications();
    const [update] = await listen((options) => asked.subscribe(options), idle);
    assert.ok(big(update?.slot) && big(update?.timestamp));
  });
});
