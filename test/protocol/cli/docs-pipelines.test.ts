// The recipes of docs/streams.md for other people's tools: each line runs in a shell, the real `solana-rpc` in front of the
// pipe, behind it a reader in the tool's place; the query over a file runs in DuckDB itself.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { DuckDBInstance } from '@duckdb/node-api';
import { parse } from 'yaml';
import { codeBlocksOf, type CodeBlock } from '../../support/data/markdown';
import { testWorkspace } from '../../support/process/cli';
import { testLedger } from '../../support/process/localnet';
import { prepare } from '../../support/shared';

const root = path.join(import.meta.dirname, '..', '..', '..');
const blocks = codeBlocksOf(readFileSync(path.join(root, 'docs', 'streams.md'), 'utf8')).filter(
  ({ heading }) => heading === 'On to other programs',
);
/** Lines that a pipeline carries, and those of an insert of ClickHouse in place of a thousand. */
const LINES = 300;
const INSERT = 200;
/** Lines of the test that makes each transfer itself. */
const FEW_LINES = 40;
const TRAFFIC = 800;

const work = testWorkspace();
const local = testLedger(['--plan', 'Ultra', '--traffic', String(TRAFFIC)], { clock: 'running' });
let tools: string;

/** The command as it is written in a recipe, and a reader that counts the lines it is given, each of them JSON. */
const PROGRAMS: Readonly<Record<string, string>> = {
  'solana-rpc': `exec "${process.execPath}" "${path.join(root, 'dist', 'cli.js')}" "$@" --count "$LINES"`,
  ...Object.fromEntries(
    ['kcat', 'vector', 'clickhouse-client'].map((name) => [
      name,
      `case "$*" in *CREATE*) exit 0;; esac\nexec "${process.execPath}" -e 'const lines = require("fs").readFileSync(0, "utf8").trimEnd().split("\\n"); lines.forEach((line) => JSON.parse(line)); console.log(process.argv[1], lines.length)' ${name}`,
    ]),
  ),
};

prepare(async () => {
  tools = await work.folder('tools');
  for (const [name, text] of Object.entries(PROGRAMS))
    writeFileSync(path.join(tools, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  const { rpcUrl, grpcUrl } = local.ready;
  mkdirSync(path.join(work.root, 'config', 'solana-rpc'), { recursive: true });
  const profile = { endpoints: [{ name: 'local', rpcUrl, grpcUrl }], endpoint: 'local' };
  work.write(path.join('config', 'solana-rpc', 'config.json'), JSON.stringify(profile));
  work.write('streams.jsonrpc', block('jsonrpc', '@name transfers').text);
});

function block(language: string, words: string): CodeBlock {
  const found = blocks.find((one) => one.language === language && one.text.includes(words));
  assert.ok(found !== undefined, `a block of ${language} with ${words}`);
  return found;
}

/** Runs a block by a shell in the folder of the stream's file; the stream ends after so many lines. Returns its output. */
async function run(text: string, lines = LINES): Promise<string> {
  const child = spawn('sh', ['-e', '-c', text], {
    cwd: work.root,
    env: {
      PATH: `${tools}:${process.env['PATH'] ?? ''}`,
      HOME: work.root,
      XDG_CONFIG_HOME: path.join(work.root, 'config'),
      SOLANA_GRPC_KEY: local.ready.keys.grpc.key,
      LINES: String(lines),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  assert.equal(code, 0, printed);
  return printed;
}

for (const [tool, words] of [
  ['kcat', [`kcat ${LINES}`]],
  ['vector', [`vector ${LINES}`]],
  ['clickhouse-client', [`clickhouse-client ${INSERT}`, `clickhouse-client ${LINES - INSERT}`]],
] as const)
  test(`${tool} gets each update as a line of JSON`, async () => {
    const text = block('sh', tool).text.replace('--lines=1000', `--lines=${INSERT}`);
    assert.deepEqual((await run(text)).trim().split('\n'), words);
  });

test("Vector's configuration is YAML whose sink reads its source", () => {
  const { sources, sinks } = parse(block('yaml', 'vector.yaml').text) as Readonly<
    Record<'sources' | 'sinks', Readonly<Record<string, { readonly inputs?: readonly string[] }>>>
  >;
  assert.deepEqual(Object.values(sinks)[0]?.inputs, Object.keys(sources));
});

test('DuckDB opens the file that the recipe writes, and its query sums the fees of every line', async (t) => {
  const { text } = block('sh', 'duckdb');
  const [write = '', query = ''] = text.split('duckdb -c ');
  await local.cheat('traffic', { perSecond: 0 });
  await local.cheat('pauseClock');
  t.after(async () => {
    await local.cheat('resumeClock');
    await local.cheat('traffic', { perSecond: TRAFFIC });
  });
  let isWriting = true;
  const writing = run(write.replace(/ --count \d+/, ''), FEW_LINES).finally(() => (isWriting = false));
  // Awaited once no more transfers are needed; a failure before that must not count as unhandled.
  writing.catch(() => undefined);
  // Two transfers, then the next slot: however fast the lines are read, they are those of many slots.
  while (isWriting) {
    for (const lamports of [1_000, 2_000]) await local.rpc('requestAirdrop', [local.ready.wallet.address, lamports]);
    await local.slots(1);
  }
  await writing;
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  const sql = query.trim().slice(1, -1).replace('transfers.ndjson', path.join(work.root, 'transfers.ndjson'));
  const rows = (await connection.runAndReadAll(sql)).getRowObjectsJson();
  connection.closeSync();
  const sum = (name: string): number => rows.reduce((all, row) => all + Number(row[name]), 0);
  const fees = work
    .read('transfers.ndjson')
    .trimEnd()
    .split('\n')
    .map(
      (line) =>
        JSON.parse(line) as {
          readonly transaction?: { readonly transaction: { readonly meta: { readonly fee: string } } };
        },
    )
    .flatMap(({ transaction }) => (transaction === undefined ? [] : [Number(transaction.transaction.meta.fee)]));
  assert.ok(rows.length > 1);
  assert.equal(sum('transfers'), fees.length);
  assert.equal(
    sum('fees'),
    fees.reduce((all, fee) => all + fee, 0),
  );
});
