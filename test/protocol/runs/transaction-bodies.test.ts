// Transactions that are written in a request file, by `solana-rpc run` against the real local service: programs by their
// IDLs, tokens, fees, limits found by simulation, versions. What landed is read back from the chain and decoded.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { encodeBase58, decodeBase58 } from '../../../core/solana/encoding/base58';
import { addressWithSeed } from '../../../core/solana/chain/programAddress';
import { counterProgram } from '../../contract/open/open-counter';
import { type CliResult, testWorkspace } from '../../support/process/cli';
import { sendsOf, startTestLedger, type Localnet } from '../../support/process/localnet';

const IDL = path.join(__dirname, '..', '..', 'fixtures', 'counter', 'idl.json');
const PROGRAM = 'H9W9shDSfQdpiCPPpqZk3NZ15sj6s3nqxQ6qLxZjZVHh';
const TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
const SHOP = encodeBase58(new Uint8Array(32).fill(0x21));

const work = testWorkspace();
let local: Localnet;
let wallet = '';

before(async () => {
  const program = path.join(work.root, 'counter.so');
  writeFileSync(program, counterProgram());
  local = await startTestLedger(['--plan', 'Ultra', '--bpf-program', PROGRAM, program]);
  wallet = local.ready.wallet.address;
  mkdirSync(path.join(work.root, 'config', 'solana-rpc'), { recursive: true });
  mkdirSync(path.join(work.root, 'target', 'idl'), { recursive: true });
  writeFileSync(path.join(work.root, 'target', 'idl', 'counter.json'), readFileSync(IDL));
  work.write('id.json', JSON.stringify([...(decodeBase58(local.ready.wallet.secretKey) ?? [])]));
  work.write(
    'config/solana-rpc/config.json',
    JSON.stringify({
      endpoints: [{ name: 'here', rpcUrl: local.ready.rpcUrl, wsUrl: local.ready.wsUrl, grpcUrl: local.ready.grpcUrl }],
      wallets: { here: path.join(work.root, 'id.json') },
    }),
  );
});
after(() => local.stop());

const run = (text: string, ...more: string[]): Promise<CliResult> => {
  work.write('tx.jsonrpc', text);
  return work.run(['run', 'tx.jsonrpc', '--endpoint', 'here', '--json', ...more], {
    env: { SOLANA_RPC_KEY: local.ready.keys.rpc.key },
  });
};

const send = (name: string, transaction: string): string =>
  `### ${name}\n# @name ${name}\n{ "method": "sendTransaction", "params": [{ "$transaction": ${transaction} }, { "encoding": "base64", "preflightCommitment": "confirmed" }] }\n?? result isString\n` +
  `### ${name} landed\n# @retry 100 every 50ms while result == null\n# @name ${name}-landed\n{ "method": "getTransaction", "params": ["{{${name}.result}}", { "commitment": "confirmed", "encoding": "base64", "maxSupportedTransactionVersion": 1 }] }\n?? result.meta.err isNull\n`;

interface Row {
  readonly name: string | null;
  readonly status: string;
  readonly error?: { readonly message: string };
  readonly response?: { readonly result?: unknown };
}

async function passed(text: string): Promise<ReadonlyMap<string | null, Row>> {
  const { code, stdout, stderr } = await run(text);
  assert.equal(code, 0, `${stdout.slice(0, 4000)}\n${stderr}`);
  const { requests } = JSON.parse(stdout) as { readonly requests: readonly Row[] };
  return new Map(requests.map((row) => [row.name, row]));
}

test("an Anchor program's instruction is written, checked, signed, landed and decoded from a request file alone", async () => {
  const counter = addressWithSeed(wallet, 'counter', PROGRAM) ?? '';
  const text =
    `@counter = ${counter}\n` +
    send(
      'make',
      `{ "instructions": [
        { "createAccount": { "seed": "counter", "owner": "${PROGRAM}", "space": 48, "lamports": 2000000 } },
        { "program": "counter", "instruction": "initialize", "accounts": { "counter": "{{counter}}" } } ] }`,
    ) +
    send(
      'raise',
      `{ "version": 1, "computeUnitLimit": "simulate", "priorityFee": { "lamports": 700 },
         "instructions": [{ "program": "counter", "instruction": "increment", "args": { "amount": 7 }, "accounts": { "counter": "{{counter}}" } }] }`,
    ) +
    `### State\n# @name state\n{ "method": "getAccountInfo", "params": ["{{counter}}", { "encoding": "base64", "commitment": "confirmed" }] }\n`;
  work.write('tx.jsonrpc', text);
  const checked = await work.run(['check', 'tx.jsonrpc']);
  assert.equal(checked.code, 0, checked.stdout);
  const rows = await passed(text);
  const { value } = rows.get('state')?.response?.result as { readonly value: { readonly data: readonly string[] } };
  const data = Buffer.from(value.data[0] ?? '', 'base64');
  assert.equal(data.readBigUInt64LE(8), 7n);
  const { transaction, meta } = rows.get('raise-landed')?.response?.result as {
    readonly transaction: readonly string[];
    readonly meta: { readonly fee: number; readonly computeUnitsConsumed: number };
  };
  assert.equal(meta.fee, 5700);
  const explained = await work.run(['explain', '-'], { input: transaction[0] ?? '' });
  assert.match(explained.stdout, /counter: increment\s+amount: 7/);
  assert.match(explained.stdout, /version: 1/);
  const limit = Number(/compute units: ([\d,]+) asked for/.exec(explained.stdout)?.[1]?.replaceAll(',', ''));
  assert.ok(limit >= meta.computeUnitsConsumed && limit < 10_000, explained.stdout);
});

test('tokens are moved in whole amounts, by what the mint says', async () => {
  const mint = addressWithSeed(wallet, 'mint', TOKEN) ?? '';
  const authority = [...(decodeBase58(wallet) ?? [])];
  const made = send(
    'mint',
    `{ "instructions": [
      { "createAccount": { "seed": "mint", "owner": "${TOKEN}", "space": 82, "lamports": 2000000 } },
      { "program": "${TOKEN}", "data": [${[20, 6, ...authority, 0].join()}], "accounts": [{ "pubkey": "${mint}", "isWritable": true }] } ] }`,
  );
  const account = send('account', `{ "instructions": [{ "createAta": { "mint": "${mint}" } }] }`);
  const rows = await passed(made + account);
  assert.equal(rows.get('account-landed')?.status, 'passed');
  const owned = await local.rpc('getTokenAccountsByOwner', [
    wallet,
    { mint },
    { encoding: 'jsonParsed', commitment: 'confirmed' },
  ]);
  const ata = /"pubkey":"(\w+)"/.exec(owned.text)?.[1] ?? assert.fail(owned.text);
  const paid = await passed(
    send(
      'issue',
      `{ "instructions": [
        { "program": "${TOKEN}", "data": "hex:07404b4c0000000000", "accounts": [{ "pubkey": "${mint}", "isWritable": true }, { "pubkey": "${ata}", "isWritable": true }, { "pubkey": "${wallet}", "isSigner": true }] },
        { "transferToken": { "mint": "${mint}", "to": "${SHOP}", "amount": "2.50", "createAccount": true } },
        { "memo": "thanks" } ] }`,
    ),
  );
  assert.equal(paid.get('issue-landed')?.status, 'passed');
  const shop = await local.rpc('getTokenAccountsByOwner', [
    SHOP,
    { mint },
    { encoding: 'jsonParsed', commitment: 'confirmed' },
  ]);
  assert.match(shop.text, /"uiAmountString":"2.5"/);
});

test('each version lands, with its fee and its tip', async () => {
  for (const version of ['"legacy"', '0', '1']) {
    const rows = await passed(
      send(
        'pay',
        `{ "version": ${version}, "computeUnitLimit": 20000, "priorityFee": { "lamports": 300 }, "tip": { "lamports": 1000000, "account": "${SHOP}" },
           "instructions": [{ "memo": "v${version.replaceAll('"', '')}" }] }`,
      ),
    );
    const { meta, version: found } = rows.get('pay-landed')?.response?.result as {
      readonly meta: { readonly fee: number };
      readonly version: unknown;
    };
    assert.equal(meta.fee, 5300, version);
    assert.equal(found, JSON.parse(version));
  }
});

test('a simulation is not signed, and nothing is asked twice for what is wrong', async () => {
  const simulated = await passed(
    `### S\n# @name s\n{ "method": "simulateTransaction", "params": [{ "$transaction": { "instructions": [{ "memo": "x" }] } }, { "encoding": "base64", "replaceRecentBlockhash": true }] }\n?? result.value.err isNull\n`,
  );
  assert.equal(simulated.get('s')?.status, 'passed');
  const { code, stdout } = await run(
    `### A\n\n{ "method": "sendTransaction", "params": [\n  { "$transaction": { "instructions": [\n    { "memo": "x" },\n    { "program": "counter", "instruction": "increment", "args": { "amuont": 1 }, "accounts": { "counter": "${SHOP}" } } ] } },\n  { "encoding": "base64" }] }\n`,
  );
  assert.notEqual(code, 0);
  const { requests } = JSON.parse(stdout) as { readonly requests: readonly Row[] };
  assert.match(
    requests[0]?.error?.message ?? '',
    /^Line 6, instructions\[1\]\.args\.amuont: "amuont" is not known here\. Did you mean "amount"\?$/,
  );
});

test('a limit that no simulation finds says why, and nothing is sent', async () => {
  const before = await sendsOf(local);
  const { code, stdout } = await run(
    send(
      'bad',
      `{ "computeUnitLimit": "simulate", "instructions": [{ "program": "counter", "instruction": "increment", "args": { "amount": 1 }, "accounts": { "counter": "${SHOP}" } }] }`,
    ),
  );
  assert.notEqual(code, 0);
  assert.match(stdout, /The simulation that finds \\"computeUnitLimit\\" failed/);
  assert.equal(await sendsOf(local), before);
});
