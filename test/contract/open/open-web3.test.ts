// @solana/web3.js on the service without keys, set up with a URL alone: every method that it has, at every commitment that
// the client lets one name. The client checks each answer by its own schema.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  Message,
  PublicKey,
  SendTransactionError,
  SystemProgram,
  VersionedTransaction,
  type Commitment,
  type Connection,
  type Finality,
} from '@solana/web3.js';
import { openFixture, type Fixture } from './open-fixture';
import { TOKEN_PROGRAM } from '../../corpus/values';
import { failureOf, versioned } from '../clients/web3-harness';

let fixture: Fixture;
let connection: Connection;
before(async () => {
  fixture = await openFixture(['--slots-per-epoch', '32']);
  connection = fixture.connection;
});
after(() => fixture.stop());

const own = () => fixture.wallet.publicKey;
const version = { maxSupportedTransactionVersion: 0 } as const;
const wire = async () => Buffer.from(await fixture.transfer(), 'base64');

/** Methods for which the client takes no commitment; those of the next tables run with their default as well. */
const PLAIN: Readonly<Record<string, () => Promise<unknown>>> = {
  getBlockTime: () => connection.getBlockTime(fixture.slot),
  getClusterNodes: () => connection.getClusterNodes(),
  getEpochSchedule: () => connection.getEpochSchedule(),
  getFirstAvailableBlock: async () => (await connection.getFirstAvailableBlock()) === 0,
  getGenesisHash: () => connection.getGenesisHash(),
  getInflationRate: () => connection.getInflationRate(),
  getLeaderSchedule: () => connection.getLeaderSchedule(),
  getMinimumLedgerSlot: async () => (await connection.getMinimumLedgerSlot()) === 0,
  getRecentPerformanceSamples: () => connection.getRecentPerformanceSamples(2),
  getRecentPrioritizationFees: () =>
    connection.getRecentPrioritizationFees({ lockedWritableAccounts: [fixture.receiver] }),
  getSignatureStatuses: () => connection.getSignatureStatuses([fixture.legacy]),
  getSlotLeaders: () => connection.getSlotLeaders(fixture.slot, 3),
  getVersion: () => connection.getVersion(),
  requestAirdrop: () => connection.requestAirdrop(fixture.receiver, 1_000),
};

const ANY: Readonly<Record<string, (commitment?: Commitment) => Promise<unknown>>> = {
  getAccountInfo: (commitment) => connection.getAccountInfo(own(), commitment),
  getParsedAccountInfo: (commitment) => connection.getParsedAccountInfo(fixture.tokens, commitment),
  getBalance: (commitment) => connection.getBalance(own(), commitment),
  getBlockHeight: (commitment) => connection.getBlockHeight(commitment),
  getBlockProduction: (commitment) => connection.getBlockProduction(commitment),
  getEpochInfo: (commitment) => connection.getEpochInfo(commitment),
  getFeeForMessage: async (commitment) =>
    (await connection.getFeeForMessage(Message.from(Buffer.from(await fixture.message(), 'base64')), commitment)).value,
  getInflationGovernor: (commitment) => connection.getInflationGovernor(commitment),
  getLargestAccounts: (commitment) => connection.getLargestAccounts(configOf(commitment)),
  getLatestBlockhash: (commitment) => connection.getLatestBlockhash(commitment),
  getMinimumBalanceForRentExemption: (commitment) => connection.getMinimumBalanceForRentExemption(10, commitment),
  getMultipleAccountsInfo: (commitment) => connection.getMultipleAccountsInfo([own()], commitment),
  getMultipleParsedAccounts: (commitment) =>
    connection.getMultipleParsedAccounts([fixture.tokens], configOf(commitment)),
  getProgramAccounts: (commitment) => connection.getProgramAccounts(new PublicKey(TOKEN_PROGRAM), commitment),
  getParsedProgramAccounts: (commitment) =>
    connection.getParsedProgramAccounts(new PublicKey(TOKEN_PROGRAM), commitment),
  getSlot: (commitment) => connection.getSlot(commitment),
  getSlotLeader: (commitment) => connection.getSlotLeader(commitment),
  getStakeMinimumDelegation: (commitment) => connection.getStakeMinimumDelegation(configOf(commitment)),
  getSupply: (commitment) => connection.getSupply(commitment),
  getTokenAccountBalance: (commitment) => connection.getTokenAccountBalance(fixture.tokens, commitment),
  getTokenAccountsByOwner: (commitment) =>
    connection.getTokenAccountsByOwner(own(), { mint: fixture.mint }, commitment),
  getParsedTokenAccountsByOwner: (commitment) =>
    connection.getParsedTokenAccountsByOwner(own(), { mint: fixture.mint }, commitment),
  getTokenLargestAccounts: (commitment) => connection.getTokenLargestAccounts(fixture.mint, commitment),
  getTokenSupply: (commitment) => connection.getTokenSupply(fixture.mint, commitment),
  getTransactionCount: (commitment) => connection.getTransactionCount(commitment),
  getVoteAccounts: (commitment) => connection.getVoteAccounts(commitment),
  isBlockhashValid: async (commitment) => {
    const { blockhash } = await connection.getLatestBlockhash('finalized');
    return (await connection.isBlockhashValid(blockhash, configOf(commitment))).value;
  },
  sendRawTransaction: async (commitment) =>
    connection.sendRawTransaction(await wire(), commitment && { preflightCommitment: commitment }),
  simulateTransaction: async (commitment) => {
    const transaction = VersionedTransaction.deserialize(await wire());
    return (await connection.simulateTransaction(transaction, configOf(commitment))).value.err === null;
  },
};

const SETTLED: Readonly<Record<string, (commitment?: Finality) => Promise<unknown>>> = {
  getBlock: (commitment) => connection.getBlock(fixture.slot, { ...version, ...configOf(commitment) }),
  getParsedBlock: (commitment) => connection.getParsedBlock(fixture.slot, { ...version, ...configOf(commitment) }),
  getBlockSignatures: (commitment) => connection.getBlockSignatures(fixture.slot, commitment),
  getBlocks: (commitment) => connection.getBlocks(fixture.slot, fixture.slot + 3, commitment),
  getInflationReward: (commitment) => connection.getInflationReward([own()], 0, commitment),
  getSignaturesForAddress: (commitment) =>
    connection.getSignaturesForAddress(fixture.receiver, { limit: 5 }, commitment),
  getTransaction: (commitment) => connection.getTransaction(fixture.versioned, { ...version, ...configOf(commitment) }),
  getTransactions: async (commitment) =>
    (await connection.getTransactions([fixture.legacy], { ...version, ...configOf(commitment) }))[0],
  getParsedTransaction: (commitment) =>
    connection.getParsedTransaction(fixture.versioned, { ...version, ...configOf(commitment) }),
  getParsedTransactions: async (commitment) =>
    (await connection.getParsedTransactions([fixture.legacy], { ...version, ...configOf(commitment) }))[0],
};

function configOf<T extends Commitment>(commitment: T | undefined): { readonly commitment?: T } {
  return commitment === undefined ? {} : { commitment };
}

/** One test per method and commitment, and one with the client's default. */
function each<T extends Commitment>(
  calls: Readonly<Record<string, (commitment?: T) => Promise<unknown>>>,
  commitments: readonly T[],
): void {
  for (const [method, ask] of Object.entries(calls))
    for (const commitment of [undefined, ...commitments])
      test(`${method}${commitment === undefined ? '' : ` at ${commitment}`} passes the client's schema`, async () => {
        const answer = await ask(commitment);
        assert.ok(answer !== null && answer !== undefined && answer !== false);
      });
}

describe('@solana/web3.js', () => {
  each(PLAIN, []);
  each(ANY, ['processed', 'confirmed', 'finalized']);
  each(SETTLED, ['confirmed', 'finalized']);
  test('a transaction that would fail brings its logs', async () => {
    const { wallet, receiver } = fixture;
    const tooMuch = SystemProgram.transfer({
      fromPubkey: wallet.publicKey,
      toPubkey: receiver,
      lamports: 900_000_000_000_000,
    });
    // On a blockhash of now: the client keeps one for 30 s, in which the ledger was moved on.
    const { blockhash } = await connection.getLatestBlockhash();
    const error = await failureOf(
      connection.sendTransaction(versioned([tooMuch], [wallet], blockhash)),
      SendTransactionError,
    );
    assert.ok(
      error.logs?.some((line) => line.includes('insufficient lamports')),
      error.logs?.join('\n'),
    );
  });
});
