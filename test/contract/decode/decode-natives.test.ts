// The decoders against the local service's own jsonParsed, for the accounts of the stake, vote and config programs. The
// two name some things differently: a node shows every vote account in the form of the newest.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { keyOf, layOut, type Part } from '../../support/data/layouts';
import { VOTES } from '../../support/data/voteAccounts';
import { plainFields, put } from './decode-both';
import { Bench, bytesOf } from '../rpc/rpc-harness';

const STAKE = 'Stake11111111111111111111111111111111111111';
const VOTE = 'Vote111111111111111111111111111111111111111';
const CONFIG = 'Config1111111111111111111111111111111111111';
const VALIDATOR_INFO = 'Va1idator1nfo111111111111111111111111111111';
const NEVER = 2n ** 64n - 1n;

let bench: Bench;
before(async () => {
  bench = await Bench.open();
});
after(() => bench.close());

const META: readonly Part[] = [[8, 2_282_880], keyOf(0xaa), keyOf(0xbb), [8, -5], [8, 6], keyOf(0xcc)];
const DELEGATION: readonly Part[] = [
  keyOf(0xdd),
  [8, NEVER],
  [8, 100],
  [8, NEVER],
  new Uint8Array(Float64Array.of(0.25).buffer),
  [8, 77],
];

type Fields = Record<string, unknown>;

describe('decoders and the service agree on', () => {
  for (const [state, parts] of [
    ['initialized', [[4, 1], ...META, new Uint8Array(76)]],
    ['delegated', [[4, 2], ...META, ...DELEGATION, [1, 0], new Uint8Array(3)]],
  ] as readonly (readonly [string, Part[]])[])
    test(`a stake that is ${state}`, async () => {
      const { info, type, decoded } = await put(bench, STAKE, layOut(...parts));
      const fields = plainFields(decoded.fields);
      const { rentExemptReserve, staker, withdrawer, lockup, voter, stake, activationEpoch, creditsObserved } = fields;
      assert.deepEqual([type, fields['state']], [state, state]);
      assert.deepEqual(info['meta'], { rentExemptReserve, authorized: { staker, withdrawer }, lockup });
      const deactivationEpoch = fields['deactivationEpoch'] ?? String(NEVER);
      const delegation = { voter, stake, activationEpoch, deactivationEpoch };
      assert.deepEqual(info['stake'], voter === undefined ? null : { delegation, creditsObserved });
    });

  for (const [version, data] of VOTES)
    test(`a vote account of version ${version}`, async () => {
      const { info, decoded } = await put(bench, VOTE, layOut(data, new Uint8Array(300)));
      const fields = plainFields(decoded.fields);
      for (const name of ['nodePubkey', 'authorizedWithdrawer', 'rootSlot', 'lastTimestamp'])
        assert.deepEqual(fields[name], info[name], name);
      const votes = (fields['votes'] as Fields[]).map((vote) => ({ latency: '0', ...vote }));
      assert.deepEqual(votes, info['votes']);
      const voters = fields['authorizedVoters'] ?? [
        { epoch: fields['authorizedVoterEpoch'], authorizedVoter: fields['authorizedVoter'] },
      ];
      assert.deepEqual(voters, info['authorizedVoters']);
      const credits = (fields['epochCredits'] as Fields[]).map(({ previousCredits, ...rest }) => ({
        ...rest,
        previousCredits,
      }));
      assert.deepEqual(credits, info['epochCredits']);
      assert.equal(
        fields['inflationRewardsCommission'] ?? `${String(fields['commission'])}00`,
        info['inflationRewardsCommissionBps'],
      );
      assert.deepEqual(fields['blsPubkey'] ?? null, info['blsPubkeyCompressed']);
    });

  test('what a validator says of itself', async () => {
    const said = JSON.stringify({ name: 'One', website: 'https://one' });
    const { info, decoded } = await put(
      bench,
      CONFIG,
      layOut([1, 2], bytesOf(VALIDATOR_INFO), [1, 0], keyOf(0xaa), [1, 1], [8, said.length], said),
    );
    const { keys, configData } = plainFields(decoded.fields);
    assert.deepEqual([keys, JSON.parse(String(configData))], [info['keys'], info['configData']]);
  });
});
