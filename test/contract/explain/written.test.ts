// The accounts that a simulation writes, compared with their present content: simulated on the local ledger.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import * as spl from '@solana/spl-token';
import { explainedExchange, explainedText } from '../../../core/solana/explain/given';
import { isSimulatable } from '../../../core/solana/explain/simulation';
import { simulationRequests } from '../../../core/solana/explain/simulationRequests';
import { explanationLines } from '../../../core/solana/explain/text';
import { parseJson } from '../../../core/solana/json/json';
import { wireText } from '../../../localnet/wireJson';
import { script } from '../../support/programs/puppet';
import { textOf, transfer } from '../rpc/rpc-harness';
import { Stage } from './stage';

let stage: Stage;
before(async () => {
  stage = await Stage.open();
  stage.begin('written');
});
after(() => stage.close());

interface Shown {
  /** About the blockhash. */
  readonly blockhash: string;
  /** About accounts and the notes. */
  readonly lines: readonly string[];
}

/** Of the simulation of a transaction, as every place asks for it. */
async function shown(wire: string): Promise<Shown> {
  const given = explainedText(wire, stage.programs);
  assert.ok(typeof given === 'object' && isSimulatable(given));
  const { before: asked, simulation } = simulationRequests(wire, given.accounts);
  const held = await stage.bench.call(asked.method, ...asked.params);
  const result = await stage.bench.call(simulation.method, ...simulation.params);
  const response = parseJson(wireText({ result }));
  const request = parseJson(JSON.stringify(simulation));
  const explained = explainedExchange(request, response, stage.programs, parseJson(wireText({ result: held })));
  assert.ok(typeof explained === 'object');
  const lines = explanationLines(explained).map((line) => stage.readable(line));
  const from = lines.indexOf('accounts after it:');
  return {
    blockhash: lines.find((line) => line.startsWith('blockhash: '))?.replace(/^blockhash: \S+, /, '') ?? '',
    lines: lines.slice(from < 0 ? lines.indexOf('notes:') : from),
  };
}

test('tokens that move, an account that is created, and an unchanged account', async () => {
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
  stage.bench.slots(3);
  assert.deepEqual((await shown(wire)).lines, [
    'accounts after it:',
    '  <payer>',
    '    balance: 10 SOL → 7.999995 SOL',
    '  <tokens of payer>, SPL Token account',
    '    amount: 10,000,000 raw → 7,500,000 raw',
    '  <tokens of customer>, SPL Token account',
    '    amount: 5 raw → 2,500,005 raw',
    '  <shop>, created',
    '    balance: none → 2 SOL',
    '    owner: none → 11111111111111111111111111111111 (System Program)',
    '    size: none → 0 bytes',
    '  <idle>',
    'notes:',
    '  <idle> is writable but does not change.',
  ]);
});

test('a token account that is created has all its fields; after closing, it is gone', async () => {
  const payer = stage.payer('payer');
  stage.mint('mint', 'payer');
  const old = stage.holding('old', 'payer', 0n);
  const wallet = stage.publicKey('payer');
  const made = spl.getAssociatedTokenAddressSync(stage.publicKey('mint'), stage.publicKey('customer'));
  stage.named(made.toBase58(), 'made');
  const wire = await stage.wire(
    [
      spl.createAssociatedTokenAccountInstruction(wallet, made, stage.publicKey('customer'), stage.publicKey('mint')),
      spl.createCloseAccountInstruction(old, wallet, wallet),
    ],
    [payer],
  );
  stage.bench.slots(3);
  const { lines } = await shown(wire);
  const at = (name: string): readonly string[] => {
    const from = lines.findIndex((line) => line.startsWith(`  <${name}>`));
    const to = lines.findIndex((line, index) => index > from && !line.startsWith('    '));
    return lines.slice(from, to < 0 ? undefined : to);
  };
  assert.deepEqual(at('old'), [
    '  <old>, SPL Token account, closed',
    '    balance: 0.00203928 SOL → none',
    `    owner: ${spl.TOKEN_PROGRAM_ID.toBase58()} (SPL Token Program) → none`,
    '    size: 165 bytes → none',
  ]);
  const created = at('made');
  assert.equal(created[0], '  <made>, SPL Token account, created');
  assert.ok(
    created.includes(`    owner: none → ${spl.TOKEN_PROGRAM_ID.toBase58()} (SPL Token Program)`),
    created.join('\n'),
  );
  assert.ok(created.includes('    mint: none → <mint>'), created.join('\n'));
});

test('bytes of an unknown layout are counted where a program wrote them', async () => {
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
  stage.bench.slots(3);
  assert.deepEqual((await shown(wire)).lines, [
    'accounts after it:',
    '  <payer>',
    '    balance: 10 SOL → 9.999995 SOL',
    '  <state>',
    '    data: as it was → 1 bytes differ',
  ]);
});

test('a run that fails leaves no accounts after it: none is called closed', async () => {
  const payer = stage.payer('payer');
  const wire = await stage.wire([transfer(payer.address, stage.address('shop'), 20_000_000_000n)], [payer]);
  stage.bench.slots(3);
  assert.deepEqual(
    (await shown(wire)).lines.filter((line) => line.includes('closed')),
    [],
  );
});

test('a blockhash says for how many blocks it is good, as the node counts them; an old one is expired', async () => {
  const payer = stage.payer('payer');
  const { value: newest } = await stage.bench.call('getLatestBlockhash', { commitment: 'confirmed' });
  const wire = stage.wireOn(
    textOf(newest?.['blockhash']),
    [transfer(payer.address, stage.address('shop'), 1_000_000n)],
    [payer],
  );
  const left = async (): Promise<number> =>
    Number(newest?.['lastValidBlockHeight']) -
    Number(await stage.bench.call('getBlockHeight', { commitment: 'confirmed' }));
  assert.equal((await shown(wire)).blockhash, 'blocks left: 150');
  for (const passed of [8, 132]) {
    stage.bench.slots(passed);
    assert.equal((await shown(wire)).blockhash, `blocks left: ${await left()}`);
  }
  assert.equal((await shown(wire)).lines.at(-1), `  Its blockhash is good for ${await left()} more blocks.`);
  stage.bench.slots(await left());
  assert.equal((await shown(wire)).blockhash, 'expired or unknown');
  assert.match((await shown(wire)).lines.at(-1) ?? '', /Its blockhash has expired/);
});
