// The two public clients on the service without keys, set up with a URL alone: every method that each has, its answer
// read by the client's own code. @solana/kit takes integers as bigint, @solana/web3.js checks each answer by a schema.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  address,
  lamports,
  signature,
  type Base64EncodedWireTransaction,
  type TransactionMessageBytesBase64,
} from '@solana/kit';
import {
  Message,
  PublicKey,
  SendTransactionError,
  SystemProgram,
  Transaction,
  VersionedTransaction,
} from '@solana/web3.js';
import { openFixture, type Fixture } from './open-fixture';
import { kitOn } from './open-harness';
import { listen } from './kit-harness';
import { TOKEN } from './open-methods';
import { failureOf } from './web3-harness';

let fixture: Fixture;
let kit: ReturnType<typeof kitOn>;
before(async () => {
  fixture = await openFixture(['--slots-per-epoch', '32']);
  kit = kitOn(fixture.open);
});
after(() => fixture.stop());

const big = (value: unknown): boolean => typeof value === 'bigint' && value >= 0n;
const own = () => address(fixture.wallet.publicKey.toBase58());
const mint = () => address(fixture.mint.toBase58());
const tokens = () => address(fixture.tokens.toBase58());
const slot = () => BigInt(fixture.slot);
const wire = async () => (await fixture.transfer()) as Base64EncodedWireTransaction;
const base64 = { encoding: 'base64' } as const;

/** Every HTTP method of kit, and whether its answer is right. */
const KIT: Readonly<Record<string, () => Promise<boolean>>> = {
  getAccountInfo: async () => big((await kit.rpc.getAccountInfo(own(), base64).send()).value?.lamports),
  getAgGenesisCert: async () => (await kit.rpc.getAgGenesisCert().send()) === null,
  getBalance: async () => big((await kit.rpc.getBalance(own()).send()).value),
  getBlock: async () => {
    const block = await kit.rpc.getBlock(slot(), { maxSupportedTransactionVersion: 0, encoding: 'json' }).send();
    return big(block?.blockHeight) && block?.transactions.length === 1;
  },
  getBlockCommitment: async () => big((await kit.rpc.getBlockCommitment(slot()).send()).totalStake),
  getBlockHeight: async () => big(await kit.rpc.getBlockHeight().send()),
  getBlockProduction: async () => big((await kit.rpc.getBlockProduction().send()).value.range.firstSlot),
  getBlockTime: async () => big(await kit.rpc.getBlockTime(slot()).send()),
  getBlocks: async () => (await kit.rpc.getBlocks(slot(), slot() + 3n).send()).every(big),
  getBlocksWithLimit: async () => (await kit.rpc.getBlocksWithLimit(slot(), 3).send()).length === 3,
  getClusterNodes: async () => {
    const [node] = await kit.rpc.getClusterNodes().send();
    return (
      `http://${String(node?.rpc)}` === fixture.open.rpcUrl && `ws://${String(node?.pubsub)}` === fixture.open.wsUrl
    );
  },
  getEpochInfo: async () => big((await kit.rpc.getEpochInfo().send()).absoluteSlot),
  getEpochSchedule: async () => (await kit.rpc.getEpochSchedule().send()).slotsPerEpoch === 32n,
  getFeeForMessage: async () => {
    const message = (await fixture.message()) as TransactionMessageBytesBase64;
    return (await kit.rpc.getFeeForMessage(message).send()).value === 5000n;
  },
  getFirstAvailableBlock: async () => (await kit.rpc.getFirstAvailableBlock().send()) === 0n,
  getGenesisHash: async () => (await kit.rpc.getGenesisHash().send()).length > 31,
  getHealth: async () => (await kit.rpc.getHealth().send()) === 'ok',
  getIdentity: async () => (await kit.rpc.getIdentity().send()).identity === fixture.identity,
  getInflationGovernor: async () => (await kit.rpc.getInflationGovernor().send()).initial === 0,
  getInflationRate: async () => big((await kit.rpc.getInflationRate().send()).epoch),
  getInflationReward: async () => (await kit.rpc.getInflationReward([own()], { epoch: 0n }).send())[0] === null,
  getLargestAccounts: async () => (await kit.rpc.getLargestAccounts().send()).value.length === 20,
  getLatestBlockhash: async () => big((await kit.rpc.getLatestBlockhash().send()).value.lastValidBlockHeight),
  getLeaderSchedule: async () => fixture.identity in ((await kit.rpc.getLeaderSchedule().send()) ?? {}),
  getMaxRetransmitSlot: async () => big(await kit.rpc.getMaxRetransmitSlot().send()),
  getMaxShredInsertSlot: async () => big(await kit.rpc.getMaxShredInsertSlot().send()),
  getMinimumBalanceForRentExemption: async () =>
    (await kit.rpc.getMinimumBalanceForRentExemption(0n).send()) === lamports(890_880n),
  getMultipleAccounts: async () => (await kit.rpc.getMultipleAccounts([own()], base64).send()).value.length === 1,
  getProgramAccounts: async () =>
    (await kit.rpc.getProgramAccounts(address(TOKEN), base64).send()).some(({ pubkey }) => pubkey === tokens()),
  getRecentPerformanceSamples: async () => Array.isArray(await kit.rpc.getRecentPerformanceSamples(1).send()),
  getRecentPrioritizationFees: async () => big((await kit.rpc.getRecentPrioritizationFees().send())[0]?.slot),
  getSignatureStatuses: async () =>
    (await kit.rpc.getSignatureStatuses([signature(fixture.legacy)], { searchTransactionHistory: true }).send())
      .value[0]?.confirmationStatus === 'finalized',
  getSignaturesForAddress: async () =>
    (await kit.rpc.getSignaturesForAddress(address(fixture.receiver.toBase58())).send()).some(
      (row) => row.signature === fixture.legacy && big(row.slot),
    ),
  getSlot: async () => big(await kit.rpc.getSlot().send()),
  getSlotLeader: async () => (await kit.rpc.getSlotLeader().send()) === fixture.identity,
  getSlotLeaders: async () => (await kit.rpc.getSlotLeaders(slot(), 3).send()).length === 3,
  getStakeMinimumDelegation: async () => (await kit.rpc.getStakeMinimumDelegation().send()).value === 1_000_000_000n,
  getSupply: async () =>
    big((await kit.rpc.getSupply({ excludeNonCirculatingAccountsList: true }).send()).value.circulating),
  getTokenAccountBalance: async () =>
    (await kit.rpc.getTokenAccountBalance(tokens()).send()).value.uiAmountString === '12.5',
  getTokenAccountsByDelegate: async () =>
    (
      await kit.rpc
        .getTokenAccountsByDelegate(
          address(fixture.delegate.toBase58()),
          { programId: address(TOKEN) },
          { encoding: 'jsonParsed' },
        )
        .send()
    ).value[0]?.account.data.parsed.info.delegatedAmount?.amount === '1000',
  getTokenAccountsByOwner: async () =>
    (await kit.rpc.getTokenAccountsByOwner(own(), { mint: mint() }, base64).send()).value.length === 1,
  getTokenLargestAccounts: async () =>
    (await kit.rpc.getTokenLargestAccounts(mint()).send()).value[0]?.amount === '12500000',
  getTokenSupply: async () => (await kit.rpc.getTokenSupply(mint()).send()).value.decimals === 6,
  getTransaction: async () => {
    const config = { maxSupportedTransactionVersion: 0, encoding: 'json' } as const;
    return big((await kit.rpc.getTransaction(signature(fixture.versioned), config).send())?.meta?.fee);
  },
  getTransactionCount: async () => big(await kit.rpc.getTransactionCount().send()),
  getVersion: async () => (await kit.rpc.getVersion().send())['solana-core'].length > 4,
  getVoteAccounts: async () => {
    const { current } = await kit.rpc.getVoteAccounts().send();
    return current[0]?.votePubkey === fixture.vote && current[0].activatedStake === 999_999_997_717_120n;
  },
  isBlockhashValid: async () => {
    const { value } = await kit.rpc.getLatestBlockhash().send();
    return (await kit.rpc.isBlockhashValid(value.blockhash).send()).value;
  },
  minimumLedgerSlot: async () => (await kit.rpc.minimumLedgerSlot().send()) === 0n,
  requestAirdrop: async () => (await kit.rpc.requestAirdrop(own(), lamports(1_000_000n)).send()).length > 63,
  sendTransaction: async () => (await kit.rpc.sendTransaction(await wire(), base64).send()).length > 63,
  simulateTransaction: async () =>
    (await kit.rpc.simulateTransaction(await wire(), base64).send()).value.unitsConsumed === 150n,
};

describe('@solana/kit over HTTP', () => {
  for (const [method, isRight] of Object.entries(KIT))
    test(method, async () => {
      assert.equal(await isRight(), true);
    });
  test('getHighestSnapshotSlot is refused by a node without snapshots', async () => {
    await assert.rejects(kit.rpc.getHighestSnapshotSlot().send(), /snapshot/i);
  });
});

describe('@solana/kit over the WebSocket', () => {
  const pay = () =>
    fixture.transfer().then((text) => kit.rpc.sendTransaction(text as Base64EncodedWireTransaction, base64).send());
  const receiver = () => address(fixture.receiver.toBase58());
  for (const commitment of ['processed', 'confirmed'] as const) {
    test(`accountNotifications at ${commitment}`, async () => {
      const subscribe = kit.rpcSubscriptions.accountNotifications(receiver(), { ...base64, commitment });
      const [notice] = await listen((options) => subscribe.subscribe(options), pay);
      assert.ok(big(notice?.value.lamports));
    });
    test(`programNotifications at ${commitment}`, async () => {
      const system = address('11111111111111111111111111111111');
      const subscribe = kit.rpcSubscriptions.programNotifications(system, { ...base64, commitment });
      const notices = await listen((options) => subscribe.subscribe(options), pay);
      assert.ok(notices.every(({ value }) => big(value.account.lamports)));
    });
    test(`logsNotifications at ${commitment}`, async () => {
      const subscribe = kit.rpcSubscriptions.logsNotifications({ mentions: [receiver()] }, { commitment });
      const [notice] = await listen((options) => subscribe.subscribe(options), pay);
      assert.equal(notice?.value.err, null);
    });
  }
  test('slotNotifications, rootNotifications, slotsUpdatesNotifications and voteNotifications', async () => {
    const idle = (): Promise<void> => Promise.resolve();
    const { rpcSubscriptions } = kit;
    const [one] = await listen((options) => rpcSubscriptions.slotNotifications().subscribe(options), idle);
    assert.ok(big(one?.slot));
    const [root] = await listen((options) => rpcSubscriptions.rootNotifications().subscribe(options), idle);
    assert.ok(big(root));
    const [update] = await listen((options) => rpcSubscriptions.slotsUpdatesNotifications().subscribe(options), idle);
    assert.ok(big(update?.slot));
    const [vote] = await listen((options) => rpcSubscriptions.voteNotifications().subscribe(options), idle);
    assert.equal(vote?.votePubkey, fixture.vote);
  });
  test('signatureNotifications and blockNotifications', async () => {
    const { rpcSubscriptions } = kit;
    const airdrop = await kit.rpc.requestAirdrop(own(), lamports(2_000_000n)).send();
    const landed = rpcSubscriptions.signatureNotifications(airdrop, { commitment: 'confirmed' });
    const [notice] = await listen(
      (options) => landed.subscribe(options),
      () => Promise.resolve(),
    );
    assert.deepEqual(notice?.value, { err: null });
    const blocks = rpcSubscriptions.blockNotifications(
      { mentionsAccountOrProgram: receiver() },
      {
        commitment: 'confirmed',
        encoding: 'base64',
        maxSupportedTransactionVersion: 0,
        transactionDetails: 'signatures',
      },
    );
    const [block] = await listen((options) => blocks.subscribe(options), pay);
    assert.ok(big(block?.value.block?.blockHeight));
  });
});

describe('@solana/web3.js', () => {
  const calls: Readonly<Record<string, () => Promise<unknown>>> = {
    getAccountInfo: () => fixture.connection.getAccountInfo(fixture.wallet.publicKey),
    getParsedAccountInfo: () => fixture.connection.getParsedAccountInfo(fixture.tokens),
    getBalance: () => fixture.connection.getBalance(fixture.wallet.publicKey),
    getBlock: () => fixture.connection.getBlock(fixture.slot, { maxSupportedTransactionVersion: 0 }),
    getParsedBlock: () => fixture.connection.getParsedBlock(fixture.slot, { maxSupportedTransactionVersion: 0 }),
    getBlockSignatures: () => fixture.connection.getBlockSignatures(fixture.slot),
    getBlockHeight: () => fixture.connection.getBlockHeight(),
    getBlockProduction: () => fixture.connection.getBlockProduction(),
    getBlockTime: () => fixture.connection.getBlockTime(fixture.slot),
    getBlocks: () => fixture.connection.getBlocks(fixture.slot, fixture.slot + 3),
    getClusterNodes: () => fixture.connection.getClusterNodes(),
    getEpochInfo: () => fixture.connection.getEpochInfo(),
    getEpochSchedule: () => fixture.connection.getEpochSchedule(),
    getFeeForMessage: async () =>
      fixture.connection.getFeeForMessage(Message.from(Buffer.from(await fixture.message(), 'base64'))),
    getGenesisHash: () => fixture.connection.getGenesisHash(),
    getInflationGovernor: () => fixture.connection.getInflationGovernor(),
    getInflationRate: () => fixture.connection.getInflationRate(),
    getInflationReward: () => fixture.connection.getInflationReward([fixture.wallet.publicKey], 0),
    getLargestAccounts: () => fixture.connection.getLargestAccounts(),
    getLatestBlockhash: () => fixture.connection.getLatestBlockhash(),
    getLeaderSchedule: () => fixture.connection.getLeaderSchedule(),
    getMinimumBalanceForRentExemption: () => fixture.connection.getMinimumBalanceForRentExemption(10),
    getMinimumLedgerSlot: async () => (await fixture.connection.getMinimumLedgerSlot()) === 0,
    getFirstAvailableBlock: async () => (await fixture.connection.getFirstAvailableBlock()) === 0,
    getMultipleAccountsInfo: () => fixture.connection.getMultipleAccountsInfo([fixture.wallet.publicKey]),
    getProgramAccounts: () => fixture.connection.getProgramAccounts(new PublicKey(TOKEN)),
    getRecentPerformanceSamples: () => fixture.connection.getRecentPerformanceSamples(2),
    getRecentPrioritizationFees: () =>
      fixture.connection.getRecentPrioritizationFees({ lockedWritableAccounts: [fixture.receiver] }),
    getSignatureStatuses: () => fixture.connection.getSignatureStatuses([fixture.legacy]),
    getSignaturesForAddress: () => fixture.connection.getSignaturesForAddress(fixture.receiver),
    getSlot: () => fixture.connection.getSlot(),
    getSlotLeader: () => fixture.connection.getSlotLeader(),
    getSlotLeaders: () => fixture.connection.getSlotLeaders(fixture.slot, 3),
    getStakeMinimumDelegation: () => fixture.connection.getStakeMinimumDelegation(),
    getSupply: () => fixture.connection.getSupply(),
    getTokenAccountBalance: () => fixture.connection.getTokenAccountBalance(fixture.tokens),
    getTokenAccountsByOwner: () =>
      fixture.connection.getTokenAccountsByOwner(fixture.wallet.publicKey, { mint: fixture.mint }),
    getTokenLargestAccounts: () => fixture.connection.getTokenLargestAccounts(fixture.mint),
    getTokenSupply: () => fixture.connection.getTokenSupply(fixture.mint),
    getTransaction: () => fixture.connection.getTransaction(fixture.versioned, { maxSupportedTransactionVersion: 0 }),
    getParsedTransaction: () =>
      fixture.connection.getParsedTransaction(fixture.versioned, { maxSupportedTransactionVersion: 0 }),
    getTransactionCount: () => fixture.connection.getTransactionCount(),
    getVersion: () => fixture.connection.getVersion(),
    getVoteAccounts: () => fixture.connection.getVoteAccounts(),
    isBlockhashValid: async () =>
      fixture.connection.isBlockhashValid((await fixture.connection.getLatestBlockhash()).blockhash),
    requestAirdrop: () => fixture.connection.requestAirdrop(fixture.receiver, 1_000),
    sendRawTransaction: async () =>
      fixture.connection.sendRawTransaction(Buffer.from(await fixture.transfer(), 'base64')),
    simulateTransaction: async () =>
      fixture.connection.simulateTransaction(
        VersionedTransaction.deserialize(Buffer.from(await fixture.transfer(), 'base64')),
      ),
  };
  for (const [method, ask] of Object.entries(calls))
    test(`${method} passes the client's schema`, async () => {
      const answer = await ask();
      assert.ok(answer !== null && answer !== undefined && answer !== false);
    });
  test('a transaction that would fail brings its logs', async () => {
    const { wallet, receiver, connection } = fixture;
    const tooMuch = SystemProgram.transfer({
      fromPubkey: wallet.publicKey,
      toPubkey: receiver,
      lamports: 900_000_000_000_000,
    });
    const error = await failureOf(
      connection.sendTransaction(new Transaction().add(tooMuch), [wallet]),
      SendTransactionError,
    );
    assert.ok(
      error.logs?.some((line) => line.includes('insufficient lamports')),
      error.logs?.join('\n'),
    );
  });
});
