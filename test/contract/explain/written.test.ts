// What a simulation leaves in the accounts that it writes, beside what they hold now: simulated on the local ledger.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import * as spl from '@solana/spl-token';
import { explainedExchange } from '../../../core/explain/given';
import { explanationLines } from '../../../core/explain/text';
import { parseJson, type JsonValue } from '../../../core/values/json/json';
import { wireText } from '../../../localnet/wireJson';
import { script } from '../../support/programs/puppet';
import { transfer } from '../rpc/rpc-harness';
import { Stage } from './stage';

let stage: Stage;
before(async () => {
  stage = await Stage.open();
  stage.begin('written');
});
after(() => stage.close());

/** The lines about accounts and the notes, of a simulation of a transaction with what its accounts hold before. */
async function linesOf(wire: string, addresses: readonly string[]): Promise<readonly string[]> {
  const config = { encoding: 'base64', commitment: 'processed' } as const;
  const held = await stage.bench.call('getMultipleAccounts', [...addresses], config);
  const params: JsonValue[] = [wire, { ...config, accounts: { encoding: 'base64', addresses: [...addresses] } }];
  const result = parseJson(wireText(await stage.bench.call('simulateTransaction', ...params)));
  const explained = explainedExchange({ method: 'simulateTransaction', params }, { result }, stage.programs, {
    result: parseJson(wireText(held)),
  });
  assert.ok(typeof explained === 'object');
  const lines = explanationLines(explained).map((line) => stage.readable(line));
  return lines.slice(lines.indexOf('accounts after it:'));
}

test('tokens that move, an account that is created, one that stays as it is', async () => {
  const payer = stage.payer('payer');
  stage.mint('mint', 'payer');
  const [from, to] = [
    stage.holding('tokens of payer', 'payer', 10_000_000n),
    stage.holding('tokens of customer', 'customer', 5n),
  ];
  const idle = stage.payer('idle', 1_000_000_000n);
  const pay = spl.createTransferCheckedInstruction(
    from,
    stage.publicKey('mint'),
    to,
    stage.publicKey('payer'),
    2_500_000n,
    6,
  );
  const wire = await stage.wire(
    [pay, transfer(payer.address, stage.address('shop'), 2_000_000_000n), transfer(payer.address, idle.address, 0n)],
    [payer],
  );
  const names = ['payer', 'tokens of payer', 'tokens of customer', 'shop', 'idle'];
  assert.deepEqual(
    await linesOf(
      wire,
      names.map((name) => stage.address(name)),
    ),
    [
      'accounts after it:',
      '  <payer>',
      '    10 SOL → 7.999995 SOL (-2.000005 SOL)',
      '  <tokens of payer>, SPL Token account',
      '    amount: 10,000,000 raw → 7,500,000 raw',
      '  <tokens of customer>, SPL Token account',
      '    amount: 5 raw → 2,500,005 raw',
      '  <shop>, created',
      '  <idle>',
      'notes:',
      '  <idle> is writable, and nothing of it changes.',
    ],
  );
});

test('a program that writes bytes whose layout nobody knows', async () => {
  const payer = stage.payer('payer');
  const data = Buffer.alloc(40);
  stage.bench.ledger.cheats.setAccount(stage.address('state'), {
    lamports: 2_000_000n,
    owner: stage.address('alpha'),
    data,
  });

  const write = {
    program: stage.address('alpha'),
    accounts: [{ address: stage.address('state'), writable: true }],
    data: script({ act: 'write', account: 0, byte: 9 }),
  };
  const wire = await stage.wire([write], [payer]);
  assert.deepEqual(await linesOf(wire, [stage.address('state')]), [
    'accounts after it:',
    '  <state>',
    '    bytes of its data that change: 1',
  ]);
});
