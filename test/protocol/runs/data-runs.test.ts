// Captures, conditions, rows, setup and teardown, environments: `solana-rpc run` against the real local service.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { type CliResult, testWorkspace } from '../../support/process/cli';
import { testLedger } from '../../support/process/localnet';
import { prepare } from '../../support/shared';

const work = testWorkspace();
const local = testLedger(['--plan', 'Ultra']);

prepare(() => {
  const endpoints = [{ name: 'here', rpcUrl: local.ready.rpcUrl, wsUrl: local.ready.wsUrl }];
  const environments = {
    dev: { endpoint: 'here', variables: { least: 1, owner: local.ready.wallet.address } },
    nowhere: { endpoint: 'gone' },
  };
  work.write('solana-rpc.json', JSON.stringify({ endpoints, environments }));
});

const env = (): Record<string, string> => ({
  SOLANA_RPC_KEY: local.ready.keys.rpc.key,
  SOLANA_RPC_ORIGIN: new URL(local.ready.rpcUrl).origin,
});

const run = (text: string, ...more: string[]): Promise<CliResult> => {
  work.write('file.jsonrpc', text);
  return work.run(['run', 'file.jsonrpc', '--env', 'dev', ...more], { env: env() });
};

interface Row {
  readonly title: string;
  readonly status: string;
  readonly row?: number;
  readonly reason?: string;
  readonly request: { readonly params?: readonly unknown[] } | null;
}

async function rows(text: string, ...more: string[]): Promise<readonly Row[]> {
  const { code, stdout, stderr } = await run(text, '--json', ...more);
  assert.equal(code, 0, `${stdout.slice(0, 3000)}\n${stderr}`);
  return (JSON.parse(stdout) as { readonly requests: readonly Row[] }).requests;
}

const FILE = `
### Ready
# @setup
# @capture begin = result
{ "method": "getSlot" }

### Balance
# @name balance
{ "method": "getBalance", "params": ["{{owner}}"] }
?? result.value >= {{least}}

### Each
# @name each
# @foreach row in ./wallets.csv
# @if row.skip != true
{ "method": "getBalance", "params": ["{{row.address}}", { "minContextSlot": "{{= max(begin - 1, 0) }}" }] }
?? result.value >= {{row.least}}

### Rich
# @name rich
# @if balance.result.value < 1
{ "method": "getSlot" }

### Needs rich
{ "method": "getBlock", "params": ["{{rich.result}}"] }

### Of a row
{ "method": "getMultipleAccounts", "params": [["{{owner}}"], { "minContextSlot": "{{each.rows[0].result.context.slot}}", "dataSlice": { "offset": "{{none else 0}}", "length": 0 } }] }

### End
# @teardown
{ "method": "getHealth" }
?? result == "ok"
`;

test('a file with rows, conditions, captures and an environment runs', async () => {
  const { address } = local.ready.wallet;
  work.write(
    'wallets.csv',
    `address,least,skip\n${address},1,\n11111111111111111111111111111111,0,false\n${address},0,true\n`,
  );
  const found = await rows(FILE, '--parallel', '4');
  assert.deepEqual(
    found.map(({ title, row, status }) => [title, row, status]),
    [
      ['Ready', undefined, 'passed'],
      ['Balance', undefined, 'passed'],
      ['Each', 0, 'passed'],
      ['Each', 1, 'passed'],
      ['Each', 2, 'skipped'],
      ['Rich', undefined, 'skipped'],
      ['Needs rich', undefined, 'skipped'],
      ['Of a row', undefined, 'passed'],
      ['End', undefined, 'passed'],
    ],
  );
  assert.match(found[5]?.reason ?? '', /^@if balance\.result\.value < 1 does not hold: the value is \d+\.$/);
  assert.match(found[6]?.reason ?? '', /^It needs "rich", which was skipped: @if/);
  assert.equal(found[3]?.request?.params?.[0], '11111111111111111111111111111111');
});

test('rows have separate names in the terminal and in JUnit, where a skip has its reason', async () => {
  const { stdout } = await run(FILE, '--junit', 'report.xml');
  assert.match(stdout, /ok +Each \[0\]/);
  assert.match(stdout, /@if row\.skip != true does not hold: the value is true\./);
  const xml = work.read('report.xml');
  assert.match(xml, /<testcase name="Each \[1\]"/);
  assert.match(xml, /<skipped message="It needs &quot;rich&quot;/);
});

test('check knows the environment, and --env names an existing one', async () => {
  work.write('file.jsonrpc', FILE);
  const checked = await work.run(['check', 'file.jsonrpc', '--env', 'dev']);
  assert.equal(checked.code, 0, checked.stdout);
  assert.equal((await work.run(['check', 'file.jsonrpc'])).code, 2);
  const unknown = await work.run(['run', 'file.jsonrpc', '--env', 'prod']);
  assert.deepEqual([unknown.code, unknown.stderr.includes('Known: dev, nowhere.')], [1, true], unknown.stderr);
});

test('--name runs a request of an imported file', async () => {
  work.write('lib.jsonrpc', '### Slot\n# @name remote\n{ "method": "getSlot" }\n### other\n{ "method": "getSlot" }\n');
  const found = await rows('# @import ./lib.jsonrpc\n### a\n{ "method": "getHealth" }\n', '--name', 'remote');
  assert.deepEqual(
    found.map(({ title, status }) => [title, status]),
    [['Slot', 'passed']],
  );
});

test('a file of rows follows the rules of every file that a request names', async (t) => {
  const each = (name: string): string =>
    `### each\n# @foreach row in ${name}\n{ "method": "getBalance", "params": ["{{row.address}}"] }\n`;
  const outside = path.join(tmpdir(), `rows-${process.pid}.csv`);
  t.after(() => rmSync(outside, { force: true }));
  writeFileSync(outside, 'address\nx\n');
  symlinkSync(outside, path.join(work.root, 'link.csv'));
  work.write('large.csv', '');
  truncateSync(path.join(work.root, 'large.csv'), 17 * 1024 * 1024);
  const names = [outside, '../rows.csv', './link.csv', './large.csv', './none.csv'];
  if (spawnSync('mkfifo', [path.join(work.root, 'pipe.csv')]).status === 0) names.push('./pipe.csv');
  for (const name of names) {
    const { code, stderr } = await run(each(name));
    assert.equal(code, 2, name);
    assert.match(stderr, /Nothing was sent/, name);
  }
});

test('Ctrl+C: the teardown runs all the same', async () => {
  const text =
    '### first\n{ "method": "getSlot" }\n### wait\n# @until 5m\nWS\n{ "method": "slotSubscribe" }\n### late\n# @teardown\n{ "method": "getSlot" }\n';
  work.write('file.jsonrpc', text);
  const child = work.start(['run', 'file.jsonrpc', '--env', 'dev'], { env: env() });
  let out = '';
  const begun = new Promise<void>((resolve) => {
    child.stdout?.on('data', (part: Buffer) => {
      out += part.toString();
      if (out.includes('first')) resolve();
    });
  });
  const ended = once(child, 'close');
  await Promise.race([begun, ended]);
  child.kill('SIGINT');
  await ended;
  assert.match(out, /ok +first/);
  assert.match(out, /(?:FAIL|skip) +wait/);
  assert.match(out, /ok +late/);
});

test('rows and requests of imported files run with --jobs, too', async () => {
  work.write('lib.jsonrpc', '### Slot\n# @name remote\n{ "method": "getSlot" }\n');
  work.write('one.jsonrpc', '### Each\n# @foreach row in [1, 2]\n{ "id": "{{row}}", "method": "getSlot" }\n');
  work.write('two.jsonrpc', '# @import ./lib.jsonrpc\n### Last\n{ "method": "getHealth" }\n');
  const ran = async (...more: string[]): Promise<readonly (readonly [string, number | undefined, string])[]> => {
    const args = ['run', 'one.jsonrpc', 'two.jsonrpc', '--env', 'dev', '--jobs', '2', '--json', ...more];
    const { stdout } = await work.run(args, { env: env() });
    const { requests } = JSON.parse(stdout) as { readonly requests: readonly Row[] };
    return requests.map(({ title, row, status }) => [title, row, status] as const);
  };
  assert.deepEqual(await ran(), [
    ['Each', 0, 'passed'],
    ['Each', 1, 'passed'],
    ['Last', undefined, 'passed'],
  ]);
  assert.deepEqual(await ran('--name', 'remote'), [['Slot', undefined, 'passed']]);
});
