// @solana/kit on the service without keys, set up with two URLs alone: every method that it has, at every commitment that
// the method takes. Every integer of an answer must come as a bigint.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  address,
  lamports,
  signature,
  type Base64EncodedWireTransaction,
  type Commitment,
  type TransactionMessageBytesBase64,
} from '@solana/kit';
import { openFixture, type Fixture } from './open-fixture';
import { kitOn } from './open-harness';
import { METHODS } from '../../corpus/methods';
import { commitmentOf } from '../../corpus/methods/method';
import { TOKEN_PROGRAM } from '../../corpus/values';

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

/** A config with a commitment that the method takes, or without one. */
interface At {
  readonly commitment?: Commitment;
}
interface Settled {
  readonly commitment?: 'confirmed' | 'finalized';
}

/** Every HTTP method of kit, and whether its answer is right. */
const KIT: Readonly<Record<string, (at: never) => Promise<boolean>>> = {
  getAccountInfo: async (at: At) =>
    big((await kit.rpc.getAccountInfo(own(), { ...base64, ...at }).send()).value?.lamports),
  getAgGenesisCert: async () => {
    const certificate = await kit.rpc.getAgGenesisCert().send();
    return big(certificate?.block.slot) && certificate?.signature.signature.length === 192;
  },
  getBalance: async (at: At) => big((await kit.rpc.getBalance(own(), at).send()).value),
  getBlock: async (at: Settled) => {
    const block = await kit.rpc.getBlock(slot(), { maxSupportedTransactionVersion: 0, encoding: 'json', ...at }).send();
    return big(block?.blockHeight) && block?.transactions.length === 1;
  },
  getBlockCommitment: async () => big((await kit.rpc.getBlockCommitment(slot()).send()).totalStake),
  getBlockHeight: async (at: At) => big(await kit.rpc.getBlockHeight(at).send()),
  getBlockProduction: async (at: At) => big((await kit.rpc.getBlockProduction(at).send()).value.range.firstSlot),
  getBlockTime: async () => big(await kit.rpc.getBlockTime(slot()).send()),
  getBlocks: async (at: Settled) => (await kit.rpc.getBlocks(slot(), slot() + 3n, at).send()).every(big),
  getBlocksWithLimit: async (at: Settled) => (await kit.rpc.getBlocksWithLimit(slot(), 3, at).send()).length === 3,
  getClusterNodes: async () => {
    const [node] = await kit.rpc.getClusterNodes().send();
    return (
      `http://${String(node?.rpc)}` === fixture.open.rpcUrl && `ws://${String(node?.pubsub)}` === fixture.open.wsUrl
    );
  },
  getEpochInfo: async (at: At) => big((await kit.rpc.getEpochInfo(at).send()).absoluteSlot),
  getEpochSchedule: async () => (await kit.rpc.getEpochSchedule().send()).slotsPerEpoch === 32n,
  getFeeForMessage: async (at: At) => {
    const message = (await fixture.message()) as TransactionMessageBytesBase64;
    return (await kit.rpc.getFeeForMessage(message, at).send()).value === 5000n;
  },
  getFirstAvailableBlock: async () => (await kit.rpc.getFirstAvailableBlock().send()) === 0n,
  getGenesisHash: async () => (await kit.rpc.getGenesisHash().send()).length > 31,
  getHealth: async () => (await kit.rpc.getHealth().send()) === 'ok',
  getIdentity: async () => (await kit.rpc.getIdentity().send()).identity === fixture.identity,
  getInflationGovernor: async (at: At) => (await kit.rpc.getInflationGovernor(at).send()).initial === 0.08,
  getInflationRate: async () => big((await kit.rpc.getInflationRate().send()).epoch),
  getInflationReward: async (at: Settled) =>
    (await kit.rpc.getInflationReward([own()], { epoch: 0n, ...at }).send())[0] === null,
  getLargestAccounts: async (at: At) => (await kit.rpc.getLargestAccounts(at).send()).value.length === 20,
  getLatestBlockhash: async (at: At) => big((await kit.rpc.getLatestBlockhash(at).send()).value.lastValidBlockHeight),
  getLeaderSchedule: async (at: At) => fixture.identity in ((await kit.rpc.getLeaderSchedule(null, at).send()) ?? {}),
  getMaxRetransmitSlot: async () => big(await kit.rpc.getMaxRetransmitSlot().send()),
  getMaxShredInsertSlot: async () => big(await kit.rpc.getMaxShredInsertSlot().send()),
  getMinimumBalanceForRentExemption: async (at: At) =>
    (await kit.rpc.getMinimumBalanceForRentExemption(0n, at).send()) === lamports(650_240n),
  getMultipleAccounts: async (at: At) =>
    (await kit.rpc.getMultipleAccounts([own()], { ...base64, ...at }).send()).value.length === 1,
  getProgramAccounts: async (at: At) =>
    (await kit.rpc.getProgramAccounts(address(TOKEN_PROGRAM), { ...base64, ...at }).send()).some(
      ({ pubkey }) => pubkey === tokens(),
    ),
  getRecentPerformanceSamples: async () => Array.isArray(await kit.rpc.getRecentPerformanceSamples(1).send()),
  getRecentPrioritizationFees: async () => big((await kit.rpc.getRecentPrioritizationFees().send())[0]?.slot),
  getSignatureStatuses: async (at: At) =>
    (await kit.rpc.getSignatureStatuses([signature(fixture.legacy)], { searchTransactionHistory: true, ...at }).send())
      .value[0]?.confirmationStatus === 'finalized',
  getSignaturesForAddress: async (at: Settled) =>
    (await kit.rpc.getSignaturesForAddress(address(fixture.receiver.toBase58()), at).send()).some(
      (row) => row.signature === fixture.legacy && big(row.slot),
    ),
  getSlot: async (at: At) => big(await kit.rpc.getSlot(at).send()),
  getSlotLeader: async (at: At) => (await kit.rpc.getSlotLeader(at).send()) === fixture.identity,
  getSlotLeaders: async () => (await kit.rpc.getSlotLeaders(slot(), 3).send()).length === 3,
  getStakeMinimumDelegation: async (at: At) =>
    (await kit.rpc.getStakeMinimumDelegation(at).send()).value === 1_000_000_000n,
  getSupply: async (at: At) =>
    big((await kit.rpc.getSupply({ excludeNonCirculatingAccountsList: true, ...at }).send()).value.circulating),
  getTokenAccountBalance: async (at: At) =>
    (await kit.rpc.getTokenAccountBalance(tokens(), at).send()).value.uiAmountString === '12.5',
  getTokenAccountsByDelegate: async (at: At) =>
    (
      await kit.rpc
        .getTokenAccountsByDelegate(
          address(fixture.delegate.toBase58()),
          { programId: address(TOKEN_PROGRAM) },
          { encoding: 'jsonParsed', ...at },
        )
        .send()
    ).value[0]?.account.data.parsed.info.delegatedAmount?.amount === '1000',
  getTokenAccountsByOwner: async (at: At) =>
    (await kit.rpc.getTokenAccountsByOwner(own(), { mint: mint() }, { ...base64, ...at }).send()).value.length === 1,
  getTokenLargestAccounts: async (at: At) =>
    (await kit.rpc.getTokenLargestAccounts(mint(), at).send()).value[0]?.amount === '12500000',
  getTokenSupply: async (at: At) => (await kit.rpc.getTokenSupply(mint(), at).send()).value.decimals === 6,
  getTransaction: async (at: Settled) => {
    const config = { maxSupportedTransactionVersion: 0, encoding: 'json', ...at } as const;
    return big((await kit.rpc.getTransaction(signature(fixture.versioned), config).send())?.meta?.fee);
  },
  getTransactionCount: async (at: At) => big(await kit.rpc.getTransactionCount(at).send()),
  getVersion: async () => (await kit.rpc.getVersion().send())['solana-core'].length > 4,
  getVoteAccounts: async (at: At) => {
    const { current } = await kit.rpc.getVoteAccounts(at).send();
    // The stake at genesis, plus rewards of epochs since.
    return current[0]?.votePubkey === fixture.vote && current[0].activatedStake >= 999_999_997_717_120n;
  },
  isBlockhashValid: async (at: At) => {
    const { value } = await kit.rpc.getLatestBlockhash({ commitment: 'finalized' }).send();
    return (await kit.rpc.isBlockhashValid(value.blockhash, at).send()).value;
  },
  minimumLedgerSlot: async () => (await kit.rpc.minimumLedgerSlot().send()) === 0n,
  requestAirdrop: async (at: At) => (await kit.rpc.requestAirdrop(own(), lamports(1_000_000n), at).send()).length > 63,
  sendTransaction: async ({ commitment = 'finalized' }: At) =>
    (await kit.rpc.sendTransaction(await wire(), { ...base64, preflightCommitment: commitment }).send()).length > 63,
  simulateTransaction: async (at: At) =>
    (await kit.rpc.simulateTransaction(await wire(), { ...base64, ...at }).send()).value.unitsConsumed === 150n,
};

describe('@solana/kit over HTTP', () => {
  for (const [method, isRight] of Object.entries(KIT)) {
    const row = METHODS.find(({ name }) => name === method);
    const commitments = row === undefined ? [] : (commitmentOf(row)?.words ?? []);
    for (const commitment of [undefined, ...commitments])
      test(commitment === undefined ? method : `${method} at ${commitment}`, async () => {
        const at = commitment === undefined ? {} : { commitment };
        assert.equal(await isRight(at as never), true);
      });
  }
  test('getHighestSnapshotSlot is refused by a node without snapshots', async () => {
    await assert.rejects(kit.rpc.getHighestSnapshotSlot().send(), /snapshot/i);
  });
});
