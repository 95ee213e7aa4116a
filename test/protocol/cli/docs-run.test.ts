// Runs the examples of the pages as written: requests by the built command against one local service, over the transport
// that they name; commands by a shell, with that service in the place of an endpoint.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { COMMANDS } from '../../../cli/options';
import { decodeBase58 } from '../../../core/solana/encoding/base58';
import { member } from '../../../core/solana/json/json';
import { TOKEN_PROGRAM } from '../../../core/solana/chain/addresses';
import { associatedAddress } from '../../../core/solana/wire/wellKnown';
import { counterProgram } from '../../contract/open/open-counter';
import { BLOCKS, ROOT, isRunnable, type PageBlock } from '../../support/pages/pageBlocks';
import { misfits, readShape } from '../../support/pages/shapes';
import { resultOf, Workspace, type CliResult, testWorkspace } from '../../support/process/cli';
import { newKeypair } from '../../support/data/keypairs';
import { startTestLedger, type Localnet } from '../../support/process/localnet';
import { freePair } from '../../support/wire/ports';

/** In the examples. */
const WALLETS = ['9B5XszUGdMaxCZ7uSQhPzdks5ZQSmWxrmzCSvtJ6Ns6g', '4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T'];
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const PROGRAM_ID = 'H9W9shDSfQdpiCPPpqZk3NZ15sj6s3nqxQ6qLxZjZVHh';
const WRAPPED_SOL = 'So11111111111111111111111111111111111111112';

const work = testWorkspace();
const blocks = BLOCKS.filter(isRunnable);
let local: Localnet;
/** Of a transaction that landed. */
let signature = '';
/** That transaction in base64. */
let signed = '';

const NODE = process.execPath;
/** Runs a program that serves until Ctrl+C: to its first line, then ends it as a person does. */
const UNTIL_READY = `
const child = require('child_process').spawn(process.execPath, process.argv.slice(1), { stdio: ['inherit', 'pipe', 'inherit'] });
child.stdout.once('data', () => child.kill('SIGINT'));
child.once('exit', (code) => process.exit(code ?? 1));`;

/** Programs in front of PATH: ours, and a reader in the place of other people's. */
const TOOLS: Readonly<Record<string, string>> = {
  'solana-rpc': `case "$1 $2" in
  "localnet --shim") exec "${NODE}" dist/cli.js "$@";;
  "localnet "*"--open"*|"localnet --open"*) set -- "$@" --rpc-port "$OPEN_PORT";;
  "watch "*) set -- "$@" --count 1;;
esac
case "$1" in localnet) exec "${NODE}" -e "$UNTIL_READY" dist/cli.js "$@";; esac
exec "${NODE}" dist/cli.js "$@"`,
  // From a checkout the command is `node dist/cli.js`.
  node: `[ "$1" = dist/cli.js ] || exit 1
shift
exec solana-rpc "$@"`,
  pass: `printf '%s\\n' "$SOLANA_RPC_KEY"`,
  // Anchor starts the validator that it finds.
  anchor: `case "$*" in *--skip-local-validator*) exit 0;; esac
exec solana-test-validator --version`,
};

/** A mint with six decimals, whose authority is the wallet (SPL Token's layout). */
function mintData(authority: Uint8Array): string {
  const data = Buffer.alloc(82);
  data.writeUInt32LE(1, 0);
  data.set(authority, 4);
  data.writeBigUInt64LE(1_000_000_000n, 36);
  data[44] = 6;
  data[45] = 1;
  return data.toString('base64');
}

/** Wallets that a request names. */
const NAMED = { sponsor: newKeypair(), owner: newKeypair() };

before(async () => {
  const program = path.join(work.root, 'target', 'deploy', 'NAME.so');
  mkdirSync(path.dirname(program), { recursive: true });
  writeFileSync(program, counterProgram());
  local = await startTestLedger(['--plan', 'Ultra', '--instant', '--bpf-program', PROGRAM_ID, program], {
    clock: 'running',
  });
  const { rpcUrl, wsUrl, grpcUrl, restUrl, wallet } = local.ready;
  const here = { name: 'here', rpcUrl, wsUrl, grpcUrl, restUrl };
  const keypair = path.join(work.root, 'id.json');
  mkdirSync(path.join(work.root, 'config', 'solana-rpc'), { recursive: true });
  work.write('id.json', JSON.stringify([...(decodeBase58(wallet.secretKey) ?? [])]));
  work.write(
    'config/solana-rpc/config.json',
    JSON.stringify({
      endpoints: [here],
      endpoint: 'here',
      wallets: { here: keypair, sponsor: '~/sponsor.json', owner: '~/owner.json' },
    }),
  );
  for (const [name, { file }] of Object.entries(NAMED)) work.write(`${name}.json`, file);
  symlinkSync(path.join(ROOT, 'dist'), path.join(work.root, 'dist'));
  cpSync(path.join(ROOT, 'examples'), path.join(work.root, 'examples'), { recursive: true });
  cpSync(path.join(ROOT, 'test', 'corpus', 'valid', 'wallets.csv'), path.join(work.root, 'wallets.csv'));
  mkdirSync(path.join(work.root, 'tools'));
  for (const [name, text] of Object.entries(TOOLS))
    writeFileSync(path.join(work.root, 'tools', name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  await plantAccounts(wallet.address);
  const sent = await command(['run', work.write('send.jsonrpc', SEND), '--json']);
  const rows = (JSON.parse(sent.stdout) as { readonly requests: readonly Row[] }).requests;
  [signature, signed] = [String(rows[0]?.response.result), String(rows[0]?.request.params[0])];
  assert.equal(sent.code, 0, sent.stdout);
});
after(() => local.stop());

interface Row {
  readonly response: { readonly result: unknown };
  readonly request: { readonly params: readonly unknown[] };
}

const SEND = `### Lands
{ "method": "sendTransaction", "params": ["{{$transfer ${WALLETS[0]} 1000000}}", { "encoding": "base64" }] }
`;

/** Creates the accounts that the examples expect on the ledger. */
async function plantAccounts(wallet: string): Promise<void> {
  for (const address of WALLETS) await local.cheat('fund', { address, lamports: 900_000 });
  for (const { address } of Object.values(NAMED)) await local.cheat('fund', { address, lamports: 1_000_000_000 });
  const authority = decodeBase58(wallet) ?? new Uint8Array();
  const mint = { address: USDC, lamports: 10_000_000, owner: TOKEN_PROGRAM, data: mintData(authority) };
  await local.cheat('setAccount', mint);
  const account = associatedAddress(wallet, USDC, TOKEN_PROGRAM);
  await local.cheat('setTokenAccount', { address: account, mint: USDC, owner: wallet, amount: 100_000_000 });
}

const keyEnv = (): Record<string, string> => ({
  SOLANA_RPC_KEY: local.ready.keys.rpc.key,
  SOLANA_GRPC_KEY: local.ready.keys.grpc.key,
  SOLANA_SWQOS_KEY: local.ready.keys.swqos.key,
});

const command = (args: readonly string[]): Promise<CliResult> => work.run(args, { env: keyEnv() });

/** Runs a block with bash in the workspace; it ends at the first command that fails. */
async function shell(text: string, input = ''): Promise<CliResult> {
  const child = spawn('bash', ['-e', '-o', 'pipefail', '-c', text], {
    cwd: work.root,
    env: {
      PATH: `${path.join(work.root, 'tools')}:${process.env['PATH'] ?? ''}`,
      HOME: work.root,
      XDG_CONFIG_HOME: path.join(work.root, 'config'),
      OPEN_PORT: String(await freePair()),
      UNTIL_READY,
      ...keyEnv(),
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  return resultOf(child);
}

/** The words of a page that are the reader's own. */
const placed = (text: string): string =>
  text
    .replace(/https:\/\/HOST\/sol|(?<=--url )devnet|(?<=--fork )URL/g, local.ready.rpcUrl)
    .replace(/wss:\/\/HOST\/ws\/sol/g, local.ready.wsUrl)
    .replace(/https:\/\/HOST/g, local.ready.restUrl)
    .replace(/(?<=--clone-upgradeable-program )ADDRESS|PROGRAM_ID/g, PROGRAM_ID)
    .replace(/(?<=--clone )ADDRESS/g, WRAPPED_SOL)
    .replace(/\bADDRESS\b/g, WALLETS[0] ?? '')
    .replace(/\bSIGNATURE\b/g, signature)
    .replace(/FILE#NAME/g, 'streams.jsonrpc#slots')
    .replace(/(?<=explain )FILE/g, 'signed.txt')
    .replace(/WHAT OTHER/g, `${signature} signed.txt`)
    .replace(/f0VMRg…/g, counterProgram().toString('base64'))
    .replace(/"…"/g, JSON.stringify(signature));

const FILES: Readonly<Record<string, () => string>> = {
  'checks.jsonrpc': () => '### Slot\n{ "method": "getSlot" }\n',
  'requests.http': () =>
    'POST https://h.example\nContent-Type: application/json\n\n{"jsonrpc":"2.0","id":1,"method":"getSlot"}\n',
  'streams.jsonrpc': () => '### Slots\n# @name slots\nWS\n{ "method": "slotSubscribe" }\n',
  'signed.txt': () => signed,
  'accounts.jsonrpc': () => textUnder('Accounts from elsewhere', 'jsonrpc'),
};

function textUnder(heading: string, language: string): string {
  const found = BLOCKS.find((block) => block.heading === heading && block.language === language);
  assert.ok(found !== undefined, `${heading} has a block of ${language}`);
  return found.text;
}

const withFiles = (): void => {
  for (const [name, text] of Object.entries(FILES)) work.write(name, text());
};

const title = ({ page, line, text }: PageBlock): string => `${page}:${line} ${text.split('\n')[0] ?? ''}`;
const of = (language: string): readonly PageBlock[] => blocks.filter((block) => block.language === language);

describe('requests', () => {
  for (const block of of('jsonrpc'))
    test(`${title(block)} and what follows passes`, async () => {
      const confirmed = /^# @note /m.test(block.text) ? ['--yes'] : [];
      const { code, stdout, stderr } = await command(['run', work.write('block.jsonrpc', block.text), ...confirmed]);
      assert.equal(code, 0, stdout + stderr);
    });
});

describe('commands', () => {
  for (const block of of('sh'))
    test(title(block), async () => {
      withFiles();
      // Each line is a command by itself where the block is a list of forms, each with what it is for.
      const forms = block.text.split('\n').filter((line) => line.includes('  # '));
      for (const text of forms.length > 1 ? forms : [block.text]) {
        const { code, stdout, stderr } = await shell(onlyBash(placed(text)), signed);
        assert.equal(code, 0, `${text}\n${stdout}${stderr}`);
      }
    });
});

/** Scripts of other shells are made and not read: completion.test.ts has those shells. */
const onlyBash = (text: string): string =>
  text.replace('"${fpath[1]}/_solana-rpc"', '_solana-rpc').replace('| source', '> completion.fish');

describe('cheat codes', () => {
  for (const block of of('jsonc'))
    test(`${title(block).slice(0, 90)} answers with a result`, async () => {
      if (block.text.includes('"snapshot-1"')) await local.cheat('snapshot');
      const answer = await local.admin('POST', '/rpc', JSON.parse(placed(block.text)));
      assert.ok(member(answer.json, 'result') !== undefined, answer.text);
    });
});

/** The JSON blocks of a page that run here, by their line. */
const jsonOf = (page: string): readonly string[] =>
  of('json').flatMap((block) => (block.page === page ? [block.text] : []));

describe('documents', () => {
  test('are those of two pages', () => {
    assert.deepEqual([...new Set(of('json').map(({ page }) => page))].sort(), [
      'docs/cli.md',
      'docs/custom-methods.md',
    ]);
  });

  test("docs/cli.md: the project's file and the user's own choose an endpoint, an environment and a wallet", async () => {
    const [project = '', own = '', ...more] = jsonOf('docs/cli.md').map(placed);
    assert.deepEqual(more, []);
    const other = new Workspace();
    other.write('solana-rpc.json', project);
    other.write('throw-away.json', work.read('id.json'));
    await other.folder('config/solana-rpc');
    other.write('config/solana-rpc/config.json', own.replace('/home/you', other.root));
    const run = async (address: string, least: string, ...options: string[]): Promise<string> => {
      const text = `### Least\n{ "method": "getBalance", "params": ["${address}"] }\n?? result.value > ${least}\n`;
      const ran = await other.run(['run', other.write('a.jsonrpc', text), '--json', ...options], { env: keyEnv() });
      assert.equal(ran.code, 0, ran.stdout + ran.stderr);
      return ran.stdout;
    };
    const byProject = await run('{{owner}}', '{{least}}', '--env', 'dev', '--var', `owner=${WALLETS[0]}`);
    const byOwn = await run('{{$wallet}}', '0', '--endpoint', 'mine');
    other.dispose();
    assert.match(byProject, /"endpoint": ?"main"/);
    assert.match(byOwn, new RegExp(`"endpoint": ?"mine"[^]*${local.ready.wallet.address}`));
  });

  test('docs/custom-methods.md: with the two documents its request has no finding', async () => {
    const [project = '', openrpc = '', ...more] = jsonOf('docs/custom-methods.md');
    assert.deepEqual(more, []);
    const other = new Workspace();
    other.write('solana-rpc.json', project);
    other.write('das.openrpc.json', openrpc);
    const request = BLOCKS.find(({ page, language }) => page === 'docs/custom-methods.md' && language === 'jsonrpc');
    const ran = await other.run(['check', other.write('a.jsonrpc', request?.text ?? ''), '--json']);
    other.dispose();
    assert.equal(ran.code, 0, ran.stdout);
    assert.deepEqual((JSON.parse(ran.stdout) as { files: { diagnostics: unknown[] }[] }).files[0]?.diagnostics, []);
  });
});

describe('docs/cli.md: what it says of', () => {
  const shapes = BLOCKS.filter(
    ({ page, language, text }) => page === 'docs/cli.md' && language === 'text' && text.startsWith('{'),
  ).map(({ text }) => readShape(text));
  const [report, gap, findings] = shapes;

  test('three documents is read', () => assert.equal(shapes.length, 3));

  test('the report of a run is what the command prints', async () => {
    const text = [
      '### a\n# @name a\n{ "method": "getSlot" }\n?? result > 0\n?? result isString',
      '### b\n{ "method": "getSlto" }',
      '### c\n# @until 1 messages or 10s\nWS\n{ "method": "slotSubscribe" }',
      `### d\n# @if a.result < 0\n{ "method": "getSlot" }`,
      `### e\nSWQOS\n{ "method": "sendTransaction", "params": ["{{$transfer ${WALLETS[1]} 3000000}}", { "encoding": "base64" }] }`,
    ].join('\n\n');
    const { stdout } = await command(['run', work.write('report.jsonrpc', `${text}\n`), '--json']);
    assert.deepEqual(misfits(JSON.parse(stdout), report), []);
    assert.match(stdout, /"landing"/);
  });

  test('the findings of check is what the command prints', async () => {
    const { stdout } = await command([
      'check',
      work.write('bad.jsonrpc', '### a\n{ "method": "getSlto" }\n'),
      '--json',
    ]);
    assert.deepEqual(misfits(JSON.parse(stdout), findings), []);
  });

  test('a gap has a newest slot and a first one', () => {
    assert.deepEqual(misfits({ gap: { fromSlot: 1, toSlot: 2, isFilled: true, reason: 'x' } }, gap), []);
  });

  test('the verbs is what the program has', async () => {
    const text = BLOCKS.find(({ page, language }) => page === 'docs/cli.md' && language === 'text')?.text ?? '';
    const verbs = [...text.matchAll(/^solana-rpc (\w+)/gm)].map(([, verb = '']) => verb);
    assert.deepEqual([...verbs].sort(), Object.keys(COMMANDS).sort());
    for (const verb of verbs) assert.equal((await work.run([verb, '--help'])).code, 0, verb);
  });
});
