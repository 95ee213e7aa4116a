// `solana-rpc explain` against the local service: landed, failed and unsent transactions.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createKeyPairSignerFromBytes } from '@solana/kit';
import { EXIT } from '../../../cli/exit';
import { decodeBase58 } from '../../../core/solana/encoding/base58';
import { kitV1, newSigner, transferInstruction, type KitConfig } from '../../support/data/v1Transactions';
import { urlOptions, type CliResult, testWorkspace } from '../../support/process/cli';
import { testLedger } from '../../support/process/localnet';

const work = testWorkspace();
const local = testLedger(['--plan', 'Ultra']);

const explain = (args: readonly string[], input?: string): Promise<CliResult> =>
  work.run(['explain', ...args, ...urlOptions(local.ready)], {
    env: { SOLANA_RPC_KEY: local.ready.keys.rpc.key },
    ...(input !== undefined && { input }),
  });

const CONFIG: KitConfig = { priorityFeeLamports: 700n, computeUnitLimit: 10_000, loadedAccountsDataSizeLimit: 131_072 };

/** A transfer of the wallet, in base64. */
async function transfer(lamports: bigint, config = CONFIG): Promise<string> {
  const payer = await createKeyPairSignerFromBytes(decodeBase58(local.ready.wallet.secretKey) ?? new Uint8Array());
  const { json } = await local.rpc('getLatestBlockhash', [{ commitment: 'confirmed' }]);
  const { result } = json as unknown as { readonly result: { readonly value: { readonly blockhash: string } } };
  const { blockhash } = result.value;
  const instructions = [transferInstruction(payer, (await newSigner()).address, lamports)];
  return Buffer.from(await kitV1({ payer, blockhash, instructions, config })).toString('base64');
}

/** Sends without a preflight; the signature of the transaction, which is confirmed at once on this ledger. */
async function landed(transaction: string): Promise<string> {
  const sent = await local.rpc('sendTransaction', [transaction, { encoding: 'base64', skipPreflight: true }]);
  const { result: signature } = sent.json as unknown as { readonly result: string };
  const { text } = await local.rpc('getSignatureStatuses', [[signature]]);
  assert.match(text, /"confirmationStatus":"(confirmed|finalized)"/, sent.text);
  return signature;
}

test('a transaction of the chain is explained by its signature', async () => {
  const { code, stdout, stderr } = await explain([await landed(await transfer(1_000_000n))]);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^outcome: succeeded\n/);
  assert.match(stdout, /\nversion: 1, \d+ of at most 4,096 bytes, [\d,]+ left\n/);
  assert.match(stdout, /\nfee: 5,700 lamports \(0.0000057 SOL\): 5,000 lamports for signatures, 700 for priority\n/);
  assert.match(stdout, /\ncompute units: 150 used of 10,000 asked for\n/);
  assert.match(stdout, /\n {2}1 {2}System Program: transfer\b/);
  assert.match(stdout, /\(\+0.001 SOL\)/);
});

test('a signature on standard input is looked up like one of the command line', async () => {
  const signature = await landed(await transfer(1_000_000n));
  const { code, stdout, stderr } = await explain(['-'], ` ${signature}\n`);
  assert.equal(code, 0, stderr);
  assert.match(stdout, new RegExp(`^outcome: succeeded\nsignature: ${signature}\n`));
});

test('a failure names the call, what the error means and the next step', async () => {
  const { code, stdout } = await explain([await landed(await transfer(10n ** 18n))]);
  assert.equal(code, 0);
  assert.match(
    stdout,
    /^outcome: failed at call 1: [^:\n]*\(ResultWithNegativeLamports, error 1\)\.\n {2}source: System Program\n {2}next: /,
  );
});

test('a transaction on standard input that has not run is explained with its traps', async () => {
  const { code, stdout } = await explain(['-'], await transfer(5n, { computeUnitLimit: 10_000 }));
  assert.equal(code, 0);
  assert.match(stdout, /^outcome: has not run\n/);
  assert.match(stdout, /\nfee: 5,000 lamports .*, 0 for priority\n/);
  assert.match(stdout, /\nnotes:\n {2}loadedAccountsDataSizeLimit: not set: 0 bytes/);
});

test('what has not run is simulated where that is asked for: its outcome, its accounts after it, its blockhash', async () => {
  const { code, stdout, stderr } = await explain(['-', '--simulate'], await transfer(2_000_000_000n));
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^outcome: succeeded\n/);
  assert.match(stdout, /\nblockhash: \w+, blocks left: [1-9]\d*\n/);
  const after = stdout.slice(stdout.indexOf('\naccounts after it:\n'));
  assert.match(after, new RegExp(`\n  ${local.ready.wallet.address}\n    balance: [\\d.,]+ SOL → [\\d.,]+ SOL\n`));
  assert.match(after, /\n {2}\w+, created\n {4}balance: none → 2 SOL\n {4}owner: none → 1{32} \(System Program\)\n/);
  const poor = await explain(['-', '--simulate'], await transfer(10n ** 18n));
  assert.match(poor.stdout, /^outcome: failed at call 1: /);
  assert.ok(!poor.stdout.includes('accounts after it'));
});

test('what has landed is not simulated', async () => {
  const { code, stderr } = await explain([await landed(await transfer(1_000_000n)), '--simulate']);
  assert.equal(code, EXIT.usage);
  assert.match(stderr, /--simulate takes a transaction that has not landed/);
});

test('a file with what a node answered is explained as JSON with all digits', async () => {
  const signature = await landed(await transfer(2_000_000n));
  const { text } = await local.rpc('getTransaction', [
    signature,
    { maxSupportedTransactionVersion: 1, commitment: 'confirmed' },
  ]);
  const { code, stdout } = await explain([work.write('answer.json', text), '--json']);
  assert.equal(code, 0);
  const { outcome, fee, calls } = JSON.parse(stdout) as {
    readonly outcome: object;
    readonly fee: object;
    readonly calls: readonly { readonly name: string; readonly path: readonly number[] }[];
  };
  assert.deepEqual(outcome, { kind: 'succeeded' });
  assert.deepEqual(fee, { base: 5_000, total: 5_700, priority: 700 });
  assert.deepEqual(
    calls.map(({ name, path }) => [name, path]),
    [['transfer', [0]]],
  );
});

test('two transactions as a difference of their views: a failed and a landed one', async () => {
  const [failed, landedOne] = [await landed(await transfer(10n ** 18n)), await landed(await transfer(3_000_000n))];
  const { code, stdout } = await explain([failed, landedOne]);
  assert.equal(code, 0);
  assert.match(
    stdout,
    /^- outcome: failed at call 1: .*\n- {3}source: System Program\n- {3}next: .*\n- signature: .*\n\+ outcome: succeeded\n/,
  );
  assert.match(stdout, /\n {2}calls:\n/);
  assert.match(stdout, /\n- {3}1 {2}System Program: transfer .*FAILED/);
  assert.match(stdout, /\n\+ {3}1 {2}System Program: transfer {2}150 CU\n/);
  const asJson = JSON.parse((await explain([failed, landedOne, '--json'])).stdout) as {
    readonly first: { readonly outcome: { readonly kind: string } };
    readonly second: { readonly outcome: { readonly kind: string } };
    readonly lines: readonly { readonly mark: string; readonly text: string }[];
  };
  assert.deepEqual([asJson.first.outcome.kind, asJson.second.outcome.kind], ['failed', 'succeeded']);
  assert.deepEqual(asJson.lines.map(({ mark, text }) => `${mark} ${text}\n`).join(''), stdout);
});

/** Inputs that are not a transaction: arguments, standard input, exit code, expected message. */
const REFUSED: readonly (readonly [args: readonly string[], input: string | undefined, code: number, said: RegExp])[] =
  [
    [[], undefined, 1, /What is to be explained\?/],
    [['a', 'b', 'c'], undefined, 1, /What is to be explained\?/],
    [['-', '-'], 'AA==', 1, /one of the two transactions/],
    [['missing.txt'], undefined, 1, /missing.txt cannot be read/],
    [['-'], 'neither', 1, /-: /],
    [['-'], '{ "a": ', 1, /looks like JSON but cannot be parsed/],
    [['-'], '{ "result": null }', 1, /-: /],
    [['-', '--key-stdin'], 'AA==', 1, /Standard input holds either/],
    [['1'.repeat(64)], undefined, 3, /No confirmed transaction has the signature 1111/],
  ];

for (const [args, input, code, said] of REFUSED)
  test(`explain ${args.join(' ') || 'nothing'} (${input ?? 'no input'}) is refused with the next step`, async () => {
    const ended = await explain(args, input);
    assert.equal(ended.code, code, ended.stdout + ended.stderr);
    assert.match(ended.stderr, said);
    assert.equal(ended.stdout, '');
  });
