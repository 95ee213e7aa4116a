// Stake, vote and loader: the unmodified @solana/web3.js makes their accounts and changes them on the service; what
// jsonParsed gives for the accounts and the instructions is what was asked for.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  AddressLookupTableProgram,
  Authorized,
  ComputeBudgetProgram,
  Keypair,
  Lockup,
  PublicKey,
  StakeAuthorizationLayout,
  StakeProgram,
  SystemProgram,
  SYSVAR_CLOCK_PUBKEY,
  SYSVAR_RENT_PUBKEY,
  SYSVAR_STAKE_HISTORY_PUBKEY,
  Transaction,
  TransactionInstruction,
  VoteAuthorizationLayout,
  VoteInit,
  VoteProgram,
  type Connection,
} from '@solana/web3.js';
import type { Localnet } from '../../support/process/localnet';
import { send, web3Session } from '../clients/web3-harness';

const SOL = 1_000_000_000;
const LOADER = new PublicKey('BPFLoaderUpgradeab1e11111111111111111111111');

let local: Localnet;
let connection: Connection;
let payer: Keypair;
let me: PublicKey;
web3Session((session) => {
  ({ local, connection, payer } = session);
  me = payer.publicKey;
});

interface Parsed {
  readonly type: string;
  readonly info: Readonly<Record<string, unknown>>;
}

/** A value as JSON has it: keys as their text. */
const json = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** Executes instructions and returns the last of them as the ledger parses it. */
async function done(
  instructions: readonly TransactionInstruction[] | Transaction,
  signers: readonly Keypair[] = [],
): Promise<Parsed> {
  const list = instructions instanceof Transaction ? instructions.instructions : instructions;
  const signature = await send(connection, list, [payer, ...signers]);
  const found = await connection.getParsedTransaction(signature, { commitment: 'confirmed' });
  const last = found?.transaction.message.instructions.at(-1);
  assert.ok(last && 'parsed' in last, 'the instruction is parsed');
  return last.parsed as Parsed;
}

/** The account as jsonParsed. */
async function account(address: PublicKey, program: string): Promise<Parsed> {
  const { value } = await connection.getParsedAccountInfo(address);
  assert.ok(value && 'parsed' in value.data, 'the account is parsed');
  assert.equal(value.data.program, program);
  return value.data.parsed as Parsed;
}

/** A vote account of the wallet's, with its node. */
async function voteAccount(): Promise<{ readonly vote: PublicKey; readonly node: Keypair; readonly parsed: Parsed }> {
  const [vote, node] = [Keypair.generate(), Keypair.generate()];
  const create = VoteProgram.createAccount({
    fromPubkey: me,
    votePubkey: vote.publicKey,
    voteInit: new VoteInit(node.publicKey, me, me, 7),
    lamports: SOL,
  });
  return { vote: vote.publicKey, node, parsed: await done(create, [vote, node]) };
}

async function stakeAccount(lamports = 3 * SOL): Promise<{ readonly stake: PublicKey; readonly parsed: Parsed }> {
  const stake = Keypair.generate();
  const create = StakeProgram.createAccount({
    fromPubkey: me,
    stakePubkey: stake.publicKey,
    authorized: new Authorized(me, me),
    lockup: new Lockup(0, 0, PublicKey.default),
    lamports,
  });
  return { stake: stake.publicKey, parsed: await done(create, [stake]) };
}

describe('parsed vote program', { concurrency: true }, () => {
  test('an account is created, and parsed', async () => {
    const { vote, node, parsed } = await voteAccount();
    assert.deepEqual(
      parsed,
      json({
        type: 'initialize',
        info: {
          voteAccount: vote,
          rentSysvar: SYSVAR_RENT_PUBKEY,
          clockSysvar: SYSVAR_CLOCK_PUBKEY,
          node: node.publicKey,
          authorizedVoter: me,
          authorizedWithdrawer: me,
          commission: 7,
        },
      }),
    );
    const { type, info } = await account(vote, 'vote');
    assert.equal(type, 'vote');
    const { epochCredits, ...rest } = info;
    assert.deepEqual(
      rest,
      json({
        nodePubkey: node.publicKey,
        authorizedWithdrawer: me,
        commission: 7,
        votes: [],
        rootSlot: null,
        authorizedVoters: [{ epoch: 0, authorizedVoter: me }],
        priorVoters: [],
        lastTimestamp: { slot: 0, timestamp: 0 },
        inflationRewardsCollector: vote,
        inflationRewardsCommissionBps: 700,
        blockRevenueCollector: node.publicKey,
        blockRevenueCommissionBps: 10_000,
        pendingDelegatorRewards: '0',
        blsPubkeyCompressed: null,
      }),
    );
    assert.deepEqual(epochCredits, []);
  });
  test('authorize and withdraw are parsed', async () => {
    const { vote } = await voteAccount();
    const newAuthority = Keypair.generate().publicKey;
    const authorized = await done(
      VoteProgram.authorize({
        votePubkey: vote,
        authorizedPubkey: me,
        newAuthorizedPubkey: newAuthority,
        voteAuthorizationType: VoteAuthorizationLayout.Voter,
      }),
    );
    assert.deepEqual(
      authorized,
      json({
        type: 'authorize',
        info: {
          voteAccount: vote,
          clockSysvar: SYSVAR_CLOCK_PUBKEY,
          authority: me,
          newAuthority,
          authorityType: 'Voter',
        },
      }),
    );
    const withdrawn = await done(
      VoteProgram.withdraw({ votePubkey: vote, authorizedWithdrawerPubkey: me, lamports: 1_000, toPubkey: me }),
    );
    assert.deepEqual(
      withdrawn,
      json({
        type: 'withdraw',
        info: { voteAccount: vote, destination: me, withdrawAuthority: me, lamports: 1_000 },
      }),
    );
  });
  test('the node is changed', async () => {
    const { vote } = await voteAccount();
    const node = Keypair.generate();
    const parsed = await done(
      VoteProgram.updateValidatorIdentity({
        votePubkey: vote,
        authorizedWithdrawerPubkey: me,
        nodePubkey: node.publicKey,
      }),
      [node],
    );
    assert.deepEqual(
      parsed,
      json({
        type: 'updateValidatorIdentity',
        info: { voteAccount: vote, newValidatorIdentity: node.publicKey, withdrawAuthority: me },
      }),
    );
  });
});

describe('parsed stake program', { concurrency: true }, () => {
  test('an account is created, and parsed', async () => {
    const { stake, parsed } = await stakeAccount();
    const lockup = { unixTimestamp: 0, epoch: 0, custodian: PublicKey.default };
    assert.deepEqual(
      parsed,
      json({
        type: 'initialize',
        info: {
          stakeAccount: stake,
          rentSysvar: SYSVAR_RENT_PUBKEY,
          authorized: { staker: me, withdrawer: me },
          lockup,
        },
      }),
    );
    assert.deepEqual(
      await account(stake, 'stake'),
      json({
        type: 'initialized',
        info: {
          // The program writes the same reserve at every rent.
          meta: { rentExemptReserve: '2282880', authorized: { staker: me, withdrawer: me }, lockup },
          stake: null,
        },
      }),
    );
  });
  test('a delegation is parsed with its amounts as strings, then its end', async () => {
    const [{ vote }, { stake }] = [await voteAccount(), await stakeAccount()];
    const delegated = await done(StakeProgram.delegate({ stakePubkey: stake, authorizedPubkey: me, votePubkey: vote }));
    assert.equal(delegated.type, 'delegate');
    const { stakeConfigAccount, ...accounts } = delegated.info;
    assert.deepEqual(
      accounts,
      json({
        stakeAccount: stake,
        voteAccount: vote,
        clockSysvar: SYSVAR_CLOCK_PUBKEY,
        stakeHistorySysvar: SYSVAR_STAKE_HISTORY_PUBKEY,
        stakeAuthority: me,
      }),
    );
    assert.equal(stakeConfigAccount, 'StakeConfig11111111111111111111111111111111');
    const rent = await connection.getMinimumBalanceForRentExemption(StakeProgram.space);
    const { type, info } = await account(stake, 'stake');
    assert.equal(type, 'delegated');
    assert.deepEqual(
      info['stake'],
      json({
        delegation: {
          voter: vote,
          stake: String(3 * SOL - rent),
          activationEpoch: '0',
          deactivationEpoch: '18446744073709551615',
        },
        creditsObserved: 0,
      }),
    );
    assert.deepEqual(
      await done(StakeProgram.deactivate({ stakePubkey: stake, authorizedPubkey: me })),
      json({
        type: 'deactivate',
        info: { stakeAccount: stake, clockSysvar: SYSVAR_CLOCK_PUBKEY, stakeAuthority: me },
      }),
    );
  });
  test('split, merge and withdraw', async () => {
    const { stake } = await stakeAccount();
    const other = Keypair.generate();
    const rent = await connection.getMinimumBalanceForRentExemption(StakeProgram.space);
    const split = StakeProgram.split(
      { stakePubkey: stake, authorizedPubkey: me, splitStakePubkey: other.publicKey, lamports: SOL },
      rent,
    );
    assert.deepEqual(
      await done(split, [other]),
      json({
        type: 'split',
        info: { stakeAccount: stake, newSplitAccount: other.publicKey, lamports: SOL, stakeAuthority: me },
      }),
    );
    const merged = await done(
      StakeProgram.merge({ stakePubkey: stake, sourceStakePubKey: other.publicKey, authorizedPubkey: me }),
    );
    const sysvars = { clockSysvar: SYSVAR_CLOCK_PUBKEY, stakeHistorySysvar: SYSVAR_STAKE_HISTORY_PUBKEY };
    assert.deepEqual(
      merged,
      json({
        type: 'merge',
        info: { destination: stake, source: other.publicKey, ...sysvars, stakeAuthority: me },
      }),
    );
    const withdrawn = await done(
      StakeProgram.withdraw({ stakePubkey: stake, authorizedPubkey: me, toPubkey: me, lamports: 5_000 }),
    );
    assert.deepEqual(
      withdrawn,
      json({
        type: 'withdraw',
        info: { stakeAccount: stake, destination: me, lamports: 5_000, ...sysvars, withdrawAuthority: me },
      }),
    );
  });
  test('authorize names the kind of authority', async () => {
    const { stake } = await stakeAccount();
    const newAuthority = Keypair.generate().publicKey;
    const parsed = await done(
      StakeProgram.authorize({
        stakePubkey: stake,
        authorizedPubkey: me,
        newAuthorizedPubkey: newAuthority,
        stakeAuthorizationType: StakeAuthorizationLayout.Withdrawer,
      }),
    );
    assert.deepEqual(
      parsed,
      json({
        type: 'authorize',
        info: {
          stakeAccount: stake,
          newAuthority,
          authorityType: 'Withdrawer',
          clockSysvar: SYSVAR_CLOCK_PUBKEY,
          authority: me,
        },
      }),
    );
  });
});

describe('parsed upgradeable loader', () => {
  test('a buffer is created and written, and parsed with its bytes', async () => {
    const buffer = Keypair.generate();
    const space = 37 + 6;
    const create = SystemProgram.createAccount({
      fromPubkey: me,
      newAccountPubkey: buffer.publicKey,
      space,
      lamports: SOL,
      programId: LOADER,
    });
    const keys = [
      { pubkey: buffer.publicKey, isSigner: false, isWritable: true },
      { pubkey: me, isSigner: true, isWritable: false },
    ];
    const initialize = new TransactionInstruction({ programId: LOADER, keys, data: Buffer.from([0, 0, 0, 0]) });
    assert.deepEqual(
      await done([create, initialize], [buffer]),
      json({ type: 'initializeBuffer', info: { account: buffer.publicKey, authority: me } }),
    );
    const bytes = Buffer.from('abcdef');
    const data = Buffer.alloc(16);
    data.writeUInt32LE(1, 0);
    data.writeBigUInt64LE(BigInt(bytes.length), 8);
    const write = new TransactionInstruction({ programId: LOADER, keys, data: Buffer.concat([data, bytes]) });
    assert.deepEqual(
      await done([write]),
      json({
        type: 'write',
        info: { offset: 0, bytes: bytes.toString('base64'), account: buffer.publicKey, authority: me },
      }),
    );
    assert.deepEqual(
      await account(buffer.publicKey, 'bpf-upgradeable-loader'),
      json({ type: 'buffer', info: { authority: me, data: [bytes.toString('base64'), 'base64'] } }),
    );
  });
});

describe('parsed instructions of other programs', () => {
  test('the compute budget stays as bytes, as on nodes', async () => {
    const signature = await send(connection, [ComputeBudgetProgram.setComputeUnitLimit({ units: 50_000 })], [payer]);
    const found = await connection.getParsedTransaction(signature);
    const [first] = found?.transaction.message.instructions ?? [];
    assert.ok(first && 'data' in first && !('parsed' in first));
  });
  test('a lookup table is created by CPI, and its instructions are parsed, inner ones included', async () => {
    await local.slots(2);
    const recentSlot = (await connection.getSlot('finalized')) - 1;
    const [create, table] = AddressLookupTableProgram.createLookupTable({ authority: me, payer: me, recentSlot });
    const signature = await send(connection, [create], [payer]);
    const found = await connection.getParsedTransaction(signature);
    const inner = found?.meta?.innerInstructions?.[0]?.instructions ?? [];
    const types = inner.map((one) => ('parsed' in one ? (one.parsed as Parsed).type : undefined));
    assert.deepEqual(types, ['transfer', 'allocate', 'assign']);
    const { type } = await account(table, 'address-lookup-table');
    assert.equal(type, 'lookupTable');
  });
});
