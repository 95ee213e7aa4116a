// The service's options about consensus: what they mean together, what is refused, and what the help says.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { helpText, readOptions } from '../../../localnet/options';
import type { Options } from '../../../localnet/optionTypes';

function read(...args: readonly string[]): Options {
  const answer = readOptions(args);
  assert.ok(answer.ok, answer.ok ? '' : answer.message);
  return answer.options;
}

function refusal(...args: readonly string[]): string {
  const answer = readOptions(args);
  assert.ok(!answer.ok, `${args.join(' ')} was taken`);
  return answer.message;
}

describe('the consensus that options name', () => {
  test('is left open without one, for a kept ledger or the default to say', () => {
    const { consensus, slotMs, finalityLag, agave } = read();
    assert.deepEqual([consensus, slotMs, finalityLag, agave], [undefined, undefined, undefined, undefined]);
    assert.equal(read('--agave', '4.4').consensus, undefined);
  });

  test('is that of --consensus and --alpenglow, and TowerBFT with a release that knows nothing else', () => {
    assert.equal(read('--consensus', 'alpenglow').consensus, 'alpenglow');
    assert.equal(read('--alpenglow').consensus, 'alpenglow');
    assert.equal(read('--alpenglow', '--consensus', 'alpenglow').consensus, 'alpenglow');
    assert.equal(read('--consensus', 'tower').consensus, 'tower');
    assert.equal(read('--agave', '4.2').consensus, 'tower');
    assert.equal(read('--agave', '3.1').consensus, 'tower');
    assert.equal(read('--consensus', 'tower', '--agave', '4.4').consensus, 'tower');
    assert.match(refusal('--consensus', 'towerbft'), /--consensus: not allowed: towerbft; alpenglow .* or tower/);
  });

  test('cannot be both', () => {
    assert.match(refusal('--alpenglow', '--consensus', 'tower'), /name two kinds of consensus/);
    assert.match(refusal('--consensus', 'tower', '--alpenglow'), /name two kinds of consensus/);
    for (const option of [['--alpenglow'], ['--consensus', 'alpenglow']])
      assert.match(
        refusal(...option, '--agave', '4.2'),
        /do not know Alpenglow. Use --agave 4.4, or --consensus tower/,
      );
  });
});

describe('options of TowerBFT alone', () => {
  for (const option of [['--finality-lag', '5'], ['--votes']]) {
    test(`${option.join(' ')} is refused with Alpenglow, with the reason and the next step`, () => {
      for (const before of [[], ['--alpenglow'], ['--agave', '4.4'], ['--open']])
        assert.match(
          refusal(...before, ...option),
          /belongs to TowerBFT: with Alpenglow .*\. Add --consensus tower, or/,
        );
      assert.equal(read(...option, '--consensus', 'tower').consensus, 'tower');
      assert.equal(read(...option, '--agave', '3.1').consensus, 'tower');
    });
  }

  test('--no-votes says what holds with Alpenglow anyway', () => {
    assert.equal(read('--no-votes').votes, false);
  });
});

describe('the pace', () => {
  test('is that of --slot-ms or --ticks-per-slot with either consensus', () => {
    for (const consensus of ['alpenglow', 'tower']) {
      assert.equal(read('--consensus', consensus, '--slot-ms', '50').slotMs, 50);
      assert.equal(read('--consensus', consensus, '--ticks-per-slot', '64').slotMs, 400);
    }
  });

  test('has its defaults in the help', () => {
    const help = helpText();
    assert.match(help, /--consensus NAME .*\(default: alpenglow\)/);
    assert.match(help, /--slot-ms N .*\(default: 200; tower: 400\)/);
    assert.match(help, /--ticks-per-slot N .* 6\.25 ms \(default: 32; tower: 64\)/);
    assert.match(help, /--finality-lag N .*with --consensus tower, 2 to 150 \(default: 31\)/);
    assert.match(help, /--agave LINE .*\(default: 4\.4; tower: 4\.2\)/);
  });
});
