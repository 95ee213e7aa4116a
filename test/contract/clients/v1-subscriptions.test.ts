// Version 1 transactions as unmodified clients hear of them: @solana/kit over every subscription, @triton-one/yellowstone-grpc
// over every stream, and a client made from the newest schema.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  getBase64Codec,
  getTransactionDecoder,
  type Address,
  type Base64EncodedWireTransaction,
  type Signature,
} from '@solana/kit';
import Client, { type SubscribeUpdate } from '@triton-one/yellowstone-grpc';
import { encodeBase58 } from '../../../core/solana/encoding/base58';
import { kitV1, newSigner, transferInstruction } from '../../support/data/v1Transactions';
import { geyserClient } from '../geyser/geyser-client';
import { ANY_ACCOUNT, ANY_TRANSACTION, NO_FILTERS } from '../geyser/geyser-native-requests';
import { listen, testKit } from './kit-harness';

const CONFIG = {
  priorityFeeLamports: 5001n,
  computeUnitLimit: 1_000,
  loadedAccountsDataSizeLimit: 131_072,
  heapSize: 65_536,
};
const SHOWN = { priorityFee: 5001, computeUnitLimit: 1000, loadedAccountsDataSizeLimit: 131_072, heapSize: 65_536 };
const SYSTEM = '11111111111111111111111111111111' as Address;
const numbers = (_key: string, value: unknown): unknown => (typeof value === 'bigint' ? Number(value) : value);
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value, numbers));

const { local, kit } = testKit();

interface Made {
  readonly wire: Base64EncodedWireTransaction;
  readonly signature: Signature;
  readonly to: Address;
}

/** A transfer as the client signs it, not sent. */
async function made(): Promise<Made> {
  const to = (await newSigner()).address;
  const { value } = await kit.rpc.getLatestBlockhash({ commitment: 'confirmed' }).send();
  const instructions = [transferInstruction(kit.payer, to, 2_000_000n)];
  const bytes = await kitV1({ payer: kit.payer, blockhash: value.blockhash, instructions, config: CONFIG });
  const wire = getBase64Codec().decode(bytes) as Base64EncodedWireTransaction;
  return { wire, to, signature: encodeBase58(bytes.subarray(-64)) as Signature };
}

const send = ({ wire }: Made) =>
  kit.rpc.sendTransaction(wire, { encoding: 'base64', preflightCommitment: 'confirmed' }).send();

describe('kit is notified of a version 1 transaction', () => {
  test('by the account that it writes', async () => {
    const one = await made();
    const [notification] = await listen(
      (options) =>
        kit.rpcSubscriptions
          .accountNotifications(one.to, { commitment: 'confirmed', encoding: 'base64' })
          .subscribe(options),
      () => send(one),
    );
    assert.equal(notification?.value.lamports, 2_000_000n);
  });

  test('by the program that owns it', async () => {
    const one = await made();
    const all = await listen(
      (options) =>
        kit.rpcSubscriptions
          .programNotifications(SYSTEM, { commitment: 'confirmed', encoding: 'base64' })
          .subscribe(options),
      () => send(one),
      ({ value }) => value.pubkey === one.to,
    );
    assert.equal(all.at(-1)?.value.account.lamports, 2_000_000n);
  });

  test('by its logs', async () => {
    const one = await made();
    const [notification] = await listen(
      (options) =>
        kit.rpcSubscriptions.logsNotifications({ mentions: [one.to] }, { commitment: 'confirmed' }).subscribe(options),
      () => send(one),
    );
    assert.deepEqual([notification?.value.signature, notification?.value.err], [one.signature, null]);
    assert.match(notification?.value.logs?.join('\n') ?? '', /11111111111111111111111111111111 success/);
  });

  test('by its signature, received and then confirmed', async () => {
    const one = await made();
    const all = await listen(
      (options) =>
        kit.rpcSubscriptions
          .signatureNotifications(one.signature, { commitment: 'confirmed', enableReceivedNotification: true })
          .subscribe(options),
      () => send(one),
      ({ value }) => value !== 'receivedSignature',
    );
    assert.deepEqual(
      all.map(({ value }) => value),
      ['receivedSignature', { err: null }],
    );
  });

  for (const encoding of ['json', 'jsonParsed', 'base64'] as const)
    test(`by its block, in ${encoding}, with its configuration`, async () => {
      const one = await made();
      const [notification] = await listen(
        (options) =>
          kit.rpcSubscriptions
            .blockNotifications(
              { mentionsAccountOrProgram: one.to },
              { commitment: 'confirmed', encoding: encoding as 'json', maxSupportedTransactionVersion: 1 },
            )
            .subscribe(options),
        () => send(one),
      );
      assert.equal(notification?.value.err, null);
      const [entry] = notification.value.block?.transactions ?? [];
      const { version, transaction } = plain(entry) as { version: number; transaction: Record<string, unknown> };
      assert.equal(version, 1);
      if (encoding === 'base64') {
        const [text] = transaction as unknown as readonly [string];
        const { messageBytes, signatures } = getTransactionDecoder().decode(getBase64Codec().encode(text));
        assert.equal(messageBytes[0], 0x81);
        assert.equal(encodeBase58(signatures[kit.payer.address] ?? new Uint8Array()), one.signature);
        return;
      }
      const { signatures, message } = transaction as { signatures: string[]; message: Record<string, unknown> };
      assert.deepEqual(signatures, [one.signature]);
      assert.deepEqual(message['transactionConfig'], SHOWN);
    });

  test('not by its block where it allows version 0 only: the block is left out, with the reason', async () => {
    const one = await made();
    const [notification] = await listen(
      (options) =>
        kit.rpcSubscriptions
          .blockNotifications(
            { mentionsAccountOrProgram: one.to },
            { commitment: 'confirmed', encoding: 'json', maxSupportedTransactionVersion: 0 },
          )
          .subscribe(options),
      () => send(one),
    );
    assert.equal(notification?.value.block, null);
    assert.ok(notification.value.err !== null);
  });

  test('by its block without full transactions, with any allowed version', async () => {
    const one = await made();
    const [notification] = await listen(
      (options) =>
        kit.rpcSubscriptions
          .blockNotifications(
            { mentionsAccountOrProgram: one.to },
            { commitment: 'confirmed', transactionDetails: 'signatures' },
          )
          .subscribe(options),
      () => send(one),
    );
    assert.deepEqual(notification?.value.block?.signatures, [one.signature]);
  });
});

describe('over gRPC', () => {
  test('@triton-one/yellowstone-grpc gets it as transaction, status, account and in its block', async () => {
    const client = new Client(local.ready.grpcUrl, local.ready.keys.grpc.key, undefined);
    await client.connect();
    const one = await made();
    const stream = await client.subscribe({
      ...NO_FILTERS,
      accounts: { a: { ...ANY_ACCOUNT, account: [one.to] } },
      transactions: { t: { ...ANY_TRANSACTION, accountInclude: [one.to] } },
      transactionsStatus: { ts: { ...ANY_TRANSACTION, accountInclude: [one.to] } },
      blocks: { b: { accountInclude: [one.to], includeTransactions: true } },
    });
    const found = new Map<string, SubscribeUpdate>();
    const done = new Promise<void>((resolve) =>
      stream.on('data', (update: SubscribeUpdate) => {
        if (update.pong !== undefined) void send(one);
        for (const kind of ['account', 'transaction', 'transactionStatus'] as const)
          if (update[kind] !== undefined) found.set(kind, update);
        if ((update.block?.transactions.length ?? 0) > 0) found.set('block', update);
        if (found.size === 4) resolve();
      }),
    );
    stream.write({ ...NO_FILTERS, ping: { id: 1 } });
    await done;
    stream.destroy();
    const info = found.get('transaction')?.transaction?.transaction;
    assert.equal(encodeBase58(info?.signature ?? new Uint8Array()), one.signature);
    const message = info?.transaction?.message;
    const inBlock = found.get('block')?.block?.transactions[0]?.transaction?.message;
    for (const its of [message, inBlock]) {
      assert.equal(its?.versioned, true);
      assert.deepEqual(plain(its.config), { ...SHOWN, priorityFee: '5001' });
    }
    assert.equal(found.get('account')?.account?.account?.lamports, '2000000');
    assert.equal(found.get('transactionStatus')?.transactionStatus?.err ?? undefined, undefined);
  });

  test('a client made from the newest schema gets it with slot, bank and configuration', async () => {
    const client = geyserClient(local);
    const one = await made();
    const stream = client.subscribe();
    stream.send({ transactions: { t: { accountInclude: [one.to] } }, blocksMeta: { m: {} } });
    await stream.settled();
    await send(one);
    const { updateOneof } = await stream.nextOf('transaction');
    const message = updateOneof.value.transaction?.transaction?.message;
    assert.deepEqual(
      [message?.versioned, message?.config?.priorityFee, message?.config?.computeUnitLimit],
      [true, 5001n, 1000],
    );
    const meta = await stream.nextOf(
      'blockMeta',
      ({ updateOneof: { value } }) => value.slot === updateOneof.value.slot,
    );
    assert.equal(meta.updateOneof.value.bankId, updateOneof.value.bankId);
    stream.cancel();
    client.close();
  });
});
