// The options of the service in the place of solana-test-validator: what is refused, and with which words.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Keypair } from '@solana/web3.js';
import { readOptions } from '../../../localnet/options';
import { closed, freePair, listening } from '../../support/wire/ports';
import { failedStart } from './open-harness';

describe('The command line', () => {
  const refusals: readonly (readonly [args: readonly string[], said: string])[] = [
    [['--no-such'], 'Unknown option: --no-such'],
    [['--account', someAddress()], '--account needs ADDRESS FILE'],
    [
      ['--account', 'x', 'y'],
      '--account: not allowed: x y; an account from a file of "solana account --output json"; "-" takes the address in the file',
    ],
    [['--slots-per-epoch', '31'], '--slots-per-epoch: not allowed: 31; it takes a whole number from 32 to 999999999'],
    [['--rpc-port', '65535'], '--rpc-port: not allowed: 65535; it takes a whole number from 1 to 65534'],
    [['--bind-address', '0.0.0.0'], '--bind-address 0.0.0.0 needs --open: what keys protect stays on 127.0.0.1'],
    [
      ['--bind-address', '10.0.0.1', '--open'],
      '--bind-address: not allowed: 10.0.0.1; 127.0.0.1, or with --open 0.0.0.0: its two ports on every interface of this machine (default: 127.0.0.1)',
    ],
    [
      ['--clone-feature-set'],
      '--clone-feature-set is not offered: features are those of mainnet, and with --fork those of its source; see --feature-set and --deactivate-feature',
    ],
    [
      ['--transaction-account-lock-limit', '64'],
      '--transaction-account-lock-limit is not offered: the limit follows from the features: 64, or 128 with --feature-set all',
    ],
    [
      ['--deactivate-feature', 'none'],
      '--deactivate-feature: not allowed: none; a feature that is not active, by its address',
    ],
    [
      ['--feature-set', 'devnet'],
      '--feature-set: not allowed: devnet; the features that are active: mainnet (default without --fork), or all (every one of the engine); a fork has those of its source',
    ],
  ];
  for (const [args, said] of refusals)
    test(`${args.join(' ')} is refused by name`, () => {
      assert.deepEqual(readOptions(args), { ok: false, message: said });
    });
  test('A refusal ends the start with code 1 and names the option', async () => {
    const { code, stdout, stderr } = await failedStart(['--open', '--clone-feature-set']);
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /^--clone-feature-set is not offered: /);
  });
  test('A set of features is left open until it is named; single ones are switched off together or one by one', () => {
    const [one, two, three] = [someAddress(), someAddress(), someAddress()];
    const features = (...args: string[]): unknown => {
      const read = readOptions(args);
      return read.ok ? [read.options.featureSet, read.options.inactiveFeatures] : read.message;
    };
    assert.deepEqual(features(), [undefined, []]);
    assert.deepEqual(features('--feature-set', 'mainnet'), ['mainnet', []]);
    const named = ['--deactivate-feature', one, two, '--deactivate-feature', three];
    assert.deepEqual(features('--feature-set', 'all', ...named), ['all', [one, two, three]]);
  });
  test('A feature that the engine does not know is switched off with a notice', async (t) => {
    const [feature, port] = [someAddress(), await freePair()];
    const taken = await listening(port);
    t.after(() => closed(taken));
    const { stderr } = await failedStart(['--deactivate-feature', feature, '--faucet-port', String(port)]);
    const [notice, failure = ''] = stderr.split('\n');
    assert.equal(notice, `--deactivate-feature ${feature} changes nothing: the engine does not know this feature.`);
    assert.match(failure, /is in use/);
  });
});

function someAddress(): string {
  return Keypair.generate().publicKey.toBase58();
}
