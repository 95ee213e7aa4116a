// Answers have the shapes of one line of Agave: the newest, or with `agave: '3.1'` the older one. Never some of each.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { encodeBase58 } from '../../../core/solana/encoding/base58';
import type { JsonValue } from '../../../core/solana/json/json';
import { wireText } from '../../../localnet/wireJson';
import type { AgaveLine } from '../../../localnet/ledger/types';
import { createKeyPairSignerFromBytes } from '@solana/kit';
import { kitV1, transferInstruction } from '../../support/data/v1Transactions';
import { Bench, freshKey, textOf, type Instruction, type Loose } from './rpc-harness';
import { FULL, plain, text } from '../v1/v1-bench';

const RENT = 'SysvarRent111111111111111111111111111111111';
const TOKEN_2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb';
const PARSED = { encoding: 'jsonParsed', commitment: 'processed' } as const;

const LEVELS = ['processed', 'confirmed', 'finalized'] as const;

/** An answer of getSignatureStatuses. */
interface Statuses {
  readonly context: { readonly slot: number };
  readonly value: readonly ({ readonly confirmationStatus: string } | null)[];
}

/** The differences between the release lines, as this test finds them in the answers. */
interface Signs {
  readonly version: string;
  readonly rent: readonly string[];
  readonly delegation: readonly string[];
  readonly vote: readonly string[];
  readonly voteRow: boolean;
  readonly clientId: unknown;
  readonly unknownBound: string;
  readonly row: boolean;
  readonly record: boolean;
  readonly topHeight: unknown;
  readonly v1: string;
  readonly deposit: readonly string[];
  /** Of a call with a minContextSlot that is far: getTransaction, getSignatureStatuses. */
  readonly farRead: string;
  readonly emptyConfig: string;
  readonly unknownLeader: string;
  /** Whose key the schedule has under keyByVoteAccount. */
  readonly scheduleKey: 'identity' | 'vote';
  readonly base58: string;
}

const SINCE_4_2 = {
  rent: ['lamportsPerByte'],
  delegation: ['activationEpoch', 'deactivationEpoch', 'stake', 'voter'],
  vote: [
    'authorizedVoters',
    'authorizedWithdrawer',
    'blockRevenueCollector',
    'blockRevenueCommissionBps',
    'blsPubkeyCompressed',
    'commission',
    'epochCredits',
    'inflationRewardsCollector',
    'inflationRewardsCommissionBps',
    'lastTimestamp',
    'nodePubkey',
    'pendingDelegatorRewards',
    'priorVoters',
    'rootSlot',
    'votes',
  ],
  voteRow: true,
  clientId: 'Agave',
  unknownBound: '-32020',
  row: true,
  record: true,
  topHeight: 1,
  v1: 'taken',
  deposit: ['account', 'amount', 'decimals', 'mint', 'owner'],
} as const;

/** Behaviour before 4.4, where 4.4 changed it. */
const BEFORE_4_4 = {
  farRead: 'taken',
  emptyConfig: '-32602',
  unknownLeader: '{}',
  scheduleKey: 'identity',
  base58: 'taken',
} as const;

const SIGNS: Readonly<Record<AgaveLine, Signs>> = {
  '4.4': {
    ...SINCE_4_2,
    version: '4.4.0',
    farRead: '-32016',
    emptyConfig: 'taken',
    unknownLeader: '-32022',
    scheduleKey: 'vote',
    base58: '-32602',
  },
  '4.2': { ...SINCE_4_2, ...BEFORE_4_4, version: '4.2.0' },
  '3.1': {
    ...BEFORE_4_4,
    version: '3.1.0',
    rent: ['burnPercent', 'exemptionThreshold', 'lamportsPerByteYear'],
    delegation: ['activationEpoch', 'deactivationEpoch', 'stake', 'voter', 'warmupCooldownRate'],
    vote: [
      'authorizedVoters',
      'authorizedWithdrawer',
      'commission',
      'epochCredits',
      'lastTimestamp',
      'nodePubkey',
      'priorVoters',
      'rootSlot',
      'votes',
    ],
    voteRow: false,
    clientId: undefined,
    unknownBound: '[]',
    row: false,
    record: false,
    topHeight: null,
    v1: '-32602',
    deposit: ['amount', 'decimals', 'destination', 'mint', 'owner', 'source'],
  },
};

for (const line of ['4.4', '4.2', '3.1'] as const)
  describe(`Agave ${line}`, () => {
    const expected = SIGNS[line];
    let bench: Bench;
    let signature: string;
    before(async () => {
      bench = await Bench.open({ consensus: line === '4.4' ? 'alpenglow' : 'tower', agave: line });
      signature = await bench.transfer(freshKey().address);
      bench.finalize();
    });
    after(() => bench.close());

    const parsed = async (address: string): Promise<Loose> => {
      const { value } = await bench.call('getAccountInfo', address, PARSED);
      return value?.['data']?.['parsed']?.['info'] ?? {};
    };
    const outcome = async (method: string, ...params: JsonValue[]): Promise<string> => {
      const answer = await bench.ledger.rpc.call(method, params, { staked: false });
      return answer.ok ? 'taken' : String(answer.error.code);
    };
    const names = (value: object): string[] => Object.keys(value).sort();

    test('the version is that of the line, everywhere', async () => {
      assert.equal((await bench.call('getVersion'))['solana-core'], expected.version);
      const { context } = await bench.call('getBalance', bench.wallet.address);
      assert.equal(context?.['apiVersion'], expected.version);
      const [node] = plain(await bench.call('getClusterNodes')) as [{ version: string; clientId?: string }];
      assert.equal(node.version, expected.version);
      assert.equal(node.clientId, expected.clientId);
    });
    test('parsed accounts: rent, stake, vote', async () => {
      const { stake, vote } = bench.ledger.validator;
      assert.deepEqual(names(await parsed(RENT)), expected.rent);
      assert.deepEqual(names((await parsed(stake.address))['stake']?.['delegation'] ?? {}), expected.delegation);
      const state = await parsed(vote.address);
      assert.deepEqual(names(state), expected.vote);
      const [first] = plain(state['votes']) as [object];
      assert.equal(names(first).includes('latency'), line !== '3.1');
    });
    test('rows of votes, signatures and transactions have its members', async () => {
      const { current } = await bench.call('getVoteAccounts');
      assert.equal('inflationRewardsCommissionBps' in (current?.[0] ?? {}), expected.voteRow);
      const rows = await bench.call('getSignaturesForAddress', bench.wallet.address);
      assert.equal('transactionIndex' in (rows[0] ?? {}), expected.row);
      const record = await bench.call('getTransaction', signature);
      assert.equal('transactionIndex' in record, expected.record);
      assert.equal(record['transaction']?.['message']?.['instructions']?.[0]?.['stackHeight'], expected.topHeight);
    });
    test('an unknown bound of a page is taken or refused as there', async () => {
      const bound = encodeBase58(randomBytes(64));
      const answer = await bench.ledger.rpc.call('getSignaturesForAddress', [bench.wallet.address, { before: bound }], {
        staked: false,
      });
      assert.equal(answer.ok ? wireText(answer.result) : String(answer.error.code), expected.unknownBound);
    });
    test('transactions of version 1 are taken or refused as there', async () => {
      const payer = await createKeyPairSignerFromBytes(bench.ledger.wallet.secretKey);
      const instructions = [transferInstruction(payer, bench.wallet.address, 1n)];
      const wire = text(await kitV1({ payer, blockhash: await bench.blockhash(), instructions, config: FULL }));
      assert.equal(
        await outcome('simulateTransaction', wire, { encoding: 'base64', commitment: 'processed' }),
        expected.v1,
      );
    });
    test('a read that asks for a far slot waits or is refused as there', async () => {
      const least = { minContextSlot: 1_000_000 };
      assert.equal(await outcome('getTransaction', signature, least), expected.farRead);
      const statuses = { ...least, searchTransactionHistory: true };
      assert.equal(await outcome('getSignatureStatuses', [signature], statuses), expected.farRead);
    });
    test('statuses with a config that says nothing of the history are taken or refused as there', async () => {
      assert.equal(await outcome('getSignatureStatuses', [signature], {}), expected.emptyConfig);
    });
    test('the schedule of an unknown leader, and by vote account, is answered as there', async () => {
      const stranger = { identity: freshKey().address };
      const answer = await bench.ledger.rpc.call('getLeaderSchedule', [stranger], { staked: false });
      assert.equal(answer.ok ? wireText(answer.result) : String(answer.error.code), expected.unknownLeader);
      const schedule = await bench.call('getLeaderSchedule', { keyByVoteAccount: true });
      assert.deepEqual(Object.keys(schedule), [bench.ledger.validator[expected.scheduleKey].address]);
    });
    test('base58 is answered or refused to a reader of version 1 as there', async () => {
      const config = { encoding: 'base58', maxSupportedTransactionVersion: 1 };
      assert.equal(await outcome('getTransaction', signature, config), expected.base58);
      assert.equal(
        await outcome('getTransaction', signature, { ...config, maxSupportedTransactionVersion: 0 }),
        'taken',
      );
    });
    test('a confidential deposit names its accounts', async () => {
      const keys = ['account', 'mint', 'owner', 'more'].map((name) => freshKey(name).address);
      const instruction: Instruction = {
        program: TOKEN_2022,
        accounts: keys.map((address) => ({ address })),
        data: Buffer.concat([Uint8Array.of(27, 5), Buffer.alloc(8, 1), Uint8Array.of(2)]),
      };
      const wire = await bench.signed([instruction]);
      const sent = await bench.call('sendTransaction', wire, { encoding: 'base64', skipPreflight: true });
      bench.finalize();
      const shown = await bench.call('getTransaction', textOf(sent), { encoding: 'jsonParsed' });
      const info = shown['transaction']?.['message']?.['instructions']?.[0]?.['parsed']?.['info'];
      assert.deepEqual(
        names(info ?? {})
          .filter((name) => name !== 'signers')
          .map((name) => name.replace('multisigOwner', 'owner')),
        expected.deposit,
      );
    });
  });

describe('from Agave 4.4 on', () => {
  let bench: Bench;
  before(async () => {
    bench = await Bench.open({ consensus: 'tower', agave: '4.4' });
    bench.slots(10);
  });
  after(() => bench.close());
  const slotAt = async (commitment: string): Promise<number> => Number(await bench.call('getSlot', { commitment }));

  test('the commitment of getSignatureStatuses picks the status cache; without one it is processed', async () => {
    const signature = await bench.transfer(freshKey().address);
    const seen = async (): Promise<unknown> => {
      const rows: unknown[] = [];
      for (const config of [null, {}, ...LEVELS.map((commitment) => ({ commitment }))]) {
        const { value, context } = plain(await bench.call('getSignatureStatuses', [signature], config)) as Statuses;
        rows.push([value[0]?.confirmationStatus ?? null, context.slot]);
      }
      return rows;
    };
    /** The slot that each level reads: at processed the newest that is complete, as at confirmed. */
    const slots = async (): Promise<readonly [number, number]> => [
      await slotAt('confirmed'),
      await slotAt('finalized'),
    ];
    const [open, root] = await slots();
    const unseen = [null, open];
    assert.deepEqual(await seen(), [unseen, unseen, unseen, unseen, [null, root]]);
    bench.slots(1);
    const confirmed = ['confirmed', open + 1];
    assert.deepEqual(await seen(), [confirmed, confirmed, confirmed, confirmed, [null, root + 1]]);
    bench.finalize();
    const [later, final] = await slots();
    const finalized = ['finalized', later];
    assert.deepEqual(await seen(), [finalized, finalized, finalized, finalized, ['finalized', final]]);
  });

  test('a node before it ignores the commitment of getSignatureStatuses', async (t) => {
    const older = await Bench.open({ consensus: 'tower', agave: '4.2' });
    t.after(() => older.close());
    const signature = await older.transfer(freshKey().address);
    older.slots(1);
    const config = { commitment: 'finalized', searchTransactionHistory: false };
    const { value } = plain(await older.call('getSignatureStatuses', [signature], config)) as Statuses;
    assert.equal(value[0]?.confirmationStatus, 'confirmed');
  });

  test('a status is refused at a commitment that there is not', async () => {
    const { code } = await bench.fails('getSignatureStatuses', [encodeBase58(randomBytes(64))], { commitment: 'max' });
    assert.equal(code, -32602);
  });

  for (const [method, level, reads] of [
    ['getTransaction', 'confirmed', 'confirmed'],
    ['getTransaction', 'finalized', 'finalized'],
    ['getTransaction', undefined, 'finalized'],
    ['getSignatureStatuses', 'processed', 'confirmed'],
    ['getSignatureStatuses', 'confirmed', 'confirmed'],
    ['getSignatureStatuses', 'finalized', 'finalized'],
    ['getSignatureStatuses', undefined, 'confirmed'],
  ] as const)
    test(`${method} at ${level ?? 'no level'} refuses a least slot after the ${reads} one, and names that`, async () => {
      const signature = encodeBase58(randomBytes(64));
      const subject = method === 'getTransaction' ? signature : [signature];
      const config = level === undefined ? {} : { commitment: level };
      for (let step = 0; step < 2; step++) {
        const contextSlot = await slotAt(reads);
        await bench.call(method, subject, { ...config, minContextSlot: contextSlot });
        const { code, data } = await bench.fails(method, subject, { ...config, minContextSlot: contextSlot + 1 });
        assert.deepEqual([code, plain(data as Loose)], [-32016, { contextSlot }]);
        bench.slots(1);
      }
    });
});
