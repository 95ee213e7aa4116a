// `check`, `usage`, `localnet` and the help of the built terminal command.
import assert from 'node:assert/strict';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { describe, test } from 'node:test';
import { COMMANDS } from '../../../cli/options';
import { encodeBase58 } from '../../../core/solana/encoding/base58';
import { attachSignature, transferMessage } from '../../../core/solana/wire/message';
import { testLedger } from '../../support/process/localnet';
import { isAlive, resultOf, startSink, testWorkspace } from '../../support/process/cli';
import { prepare } from '../../support/shared';

const work = testWorkspace();

describe('help', () => {
  test('names the commands that work, and only those', async () => {
    const { code, stdout } = await work.run(['--help']);
    assert.equal(code, 0);
    for (const name of Object.keys(COMMANDS)) assert.match(stdout, new RegExp(`^ {2}${name} `, 'm'));
    for (const name of ['run', 'watch', 'check', 'usage', 'completion', 'localnet']) assert.ok(name in COMMANDS, name);
  });

  test('of a command names its options', async () => {
    const { code, stdout } = await work.run(['run', '--help']);
    assert.equal(code, 0);
    assert.match(stdout, /--junit FILE/);
  });

  test('of a command is asked for in two ways, and of no command is refused', async () => {
    for (const name of Object.keys(COMMANDS))
      assert.deepEqual(await work.run(['help', name]), await work.run([name, '--help']), name);
    assert.deepEqual(await work.run(['help']), await work.run(['--help']));
    const { code, stderr } = await work.run(['help', 'nothing']);
    assert.deepEqual([code, stderr], [1, 'There is no command "nothing". See: solana-rpc --help\n']);
  });

  test('--version prints the version', async () => {
    assert.match((await work.run(['--version'])).stdout, /^\d+\.\d+\.\d+\n$/);
  });
});

describe('colours', () => {
  test('are those of --color, else of FORCE_COLOR, else of the terminal', async () => {
    work.write('slot.jsonrpc', '### Slot\n{ "method": "getSlot" }\n');
    const isPainted = async (args: readonly string[], env: Readonly<Record<string, string>>): Promise<boolean> => {
      const { code, stdout } = await work.run(['check', 'slot.jsonrpc', ...args], { env });
      assert.equal(code, 0);
      return stdout.includes('\u001b[');
    };
    assert.equal(await isPainted([], {}), false);
    assert.equal(await isPainted([], { FORCE_COLOR: '1' }), true);
    assert.equal(await isPainted([], { FORCE_COLOR: '0' }), false);
    assert.equal(await isPainted(['--color', 'always'], { NO_COLOR: '1' }), true);
    assert.equal(await isPainted(['--color=never'], { FORCE_COLOR: '1' }), false);
    assert.equal(await isPainted(['--color', 'auto'], { NO_COLOR: '1' }), false);
    const { code, stderr } = await work.run(['check', 'slot.jsonrpc', '--color', 'blue']);
    assert.deepEqual([code, stderr], [1, '--color takes one of: always, never, auto.\n']);
  });
});

describe('check', () => {
  test('says of a file that it holds no request', async () => {
    work.write('empty.jsonrpc', '# notes\n@a = 1\n');
    work.write('slot.jsonrpc', '### Slot\n{ "method": "getSlot" }\n');
    for (const verb of ['check', 'run']) {
      const { code, stderr } = await work.run([verb, 'empty.jsonrpc']);
      assert.deepEqual([code, stderr], [0, 'empty.jsonrpc holds no request.\n'], verb);
    }
    const { stderr } = await work.run(['check', 'slot.jsonrpc', 'empty.jsonrpc']);
    assert.equal(stderr, 'empty.jsonrpc holds no request.\n');
  });

  test('knows no file outside the working directory: next to it under a longer name, or behind a link', async () => {
    const evil = `${work.root}-evil`;
    mkdirSync(evil);
    try {
      for (const folder of [work.root, evil]) {
        writeFileSync(path.join(folder, 'memo.txt'), 'memo');
        writeFileSync(path.join(folder, 'more.jsonrpc'), '@x = 1\n');
      }
      symlinkSync(evil, path.join(work.root, 'link'));
      symlinkSync(path.join(evil, 'memo.txt'), path.join(work.root, 'linked.txt'));
      const request = (file: string): string => `### a\n{"method":"sendTransaction","params":["{{$file ${file}}}"]}\n`;
      const codesOf = async (text: string): Promise<readonly string[]> => {
        work.write('links.jsonrpc', text);
        const { stdout } = await work.run(['check', 'links.jsonrpc', '--json']);
        const report = JSON.parse(stdout) as {
          readonly files: readonly {
            readonly diagnostics: readonly { readonly code: string; readonly severity: string }[];
          }[];
        };
        return report.files.flatMap(({ diagnostics }) =>
          diagnostics.filter(({ severity }) => severity === 'error').map(({ code }) => code),
        );
      };
      assert.deepEqual(await codesOf(request('./memo.txt')), []);
      for (const file of [`../${path.basename(evil)}/memo.txt`, './link/memo.txt', './linked.txt'])
        assert.deepEqual(await codesOf(request(file)), ['unresolved-variable'], file);
      const slot = '### a\n{"method":"getSlot"}\n';
      assert.deepEqual(await codesOf(`${slot}>> ./out.txt\n`), []);
      for (const file of [`../${path.basename(evil)}/out.txt`, './link/out.txt'])
        assert.deepEqual(await codesOf(`${slot}>> ${file}\n`), ['bad-redirect'], file);
      assert.deepEqual(await codesOf(`# @import ./more.jsonrpc\n${slot}`), []);
      for (const file of [`../${path.basename(evil)}/more.jsonrpc`, './link/more.jsonrpc'])
        assert.deepEqual(await codesOf(`# @import ${file}\n${slot}`), ['import-failed'], file);
    } finally {
      rmSync(evil, { recursive: true });
    }
  });

  interface Checked {
    readonly ok: boolean;
    readonly files: readonly {
      readonly file: string;
      readonly diagnostics: readonly {
        readonly code: string;
        readonly severity: string;
        readonly range: unknown;
        readonly fixes: readonly string[];
      }[];
    }[];
  }

  test('lists every file as it was given, with zero-based positions and the titles of fixes', async () => {
    work.write('clean.jsonrpc', '### a\n{"method":"getSlot"}');
    work.write('typo.jsonrpc', '### a\n{"method":"getSlott"}');
    const { code, stdout } = await work.run(['check', './clean.jsonrpc', 'typo.jsonrpc', '--json']);
    const report = JSON.parse(stdout) as Checked;
    assert.deepEqual(
      [code, report.ok, report.files.map(({ file }) => file)],
      [2, false, ['./clean.jsonrpc', 'typo.jsonrpc']],
    );
    assert.deepEqual(report.files[0]?.diagnostics, []);
    const [found] = report.files[1]?.diagnostics ?? [];
    assert.deepEqual([found?.code, found?.severity], ['unknown-method', 'error']);
    assert.deepEqual(found?.range, { start: { line: 1, character: 10 }, end: { line: 1, character: 20 } });
    assert.ok(found?.fixes.some((title) => title.includes('getSlot')));
  });

  test('shows people the line with a caret under the place', async () => {
    const { stdout } = await work.run(['check', 'typo.jsonrpc']);
    assert.match(stdout, /^typo\.jsonrpc:2:11: error unknown-method: /);
    assert.match(stdout, /2 \| \{"method":"getSlott"\}\n +\| {11}\^{10}\n/);
  });

  test('warnings alone are no failure', async () => {
    work.write('warn.jsonrpc', '### a\n# @nmae a\n{"method":"getSlot"}');
    assert.equal((await work.run(['check', 'warn.jsonrpc'])).code, 0);
  });

  test('knows the sender of a named endpoint, provider or address, and misses its tip', async () => {
    const built = transferMessage({
      from: encodeBase58(new Uint8Array(32).fill(1)),
      to: encodeBase58(new Uint8Array(32).fill(7)),
      lamports: 1n,
      blockhash: encodeBase58(new Uint8Array(32).fill(9)),
    });
    assert.ok(built.ok);
    const text = Buffer.from(attachSignature(built.message, new Uint8Array(64).fill(3))).toString('base64');
    work.write('tip.jsonrpc', `### a\nSWQOS\n{"method":"sendTransaction","params":["${text}",{"encoding":"base64"}]}`);
    work.write(
      'solana-rpc.json',
      JSON.stringify({
        endpoints: [
          { name: 'plain', rpcUrl: 'https://rpc.service.test/sol' },
          { name: 'sender', rpcUrl: 'https://rpc.service.test/sol', swqosUrl: 'https://sender.helius-rpc.com/fast' },
        ],
        endpoint: 'plain',
      }),
    );
    const tipOf = async (...options: readonly string[]): Promise<string | undefined> => {
      const { code, stdout, stderr } = await work.run(['check', 'tip.jsonrpc', ...options]);
      assert.equal(code, 0, stdout + stderr);
      return /sender-tip: (.*)/.exec(stdout)?.[1];
    };
    try {
      assert.equal(await tipOf(), undefined);
      assert.equal(await tipOf('--provider', 'quicknode', '--rpc-url', 'https://a.quiknode.pro/{key}/'), undefined);
      for (const options of [
        ['--provider', 'helius'],
        ['--endpoint', 'sender'],
      ])
        assert.match(
          (await tipOf(...options)) ?? '',
          /Helius Sender wants a tip: .*1000000 lamports/,
          options.join(' '),
        );
      const nozomi = ['--swqos-url', 'https://ams1.nozomi.temporal.xyz/?c={key}'];
      assert.match((await tipOf(...nozomi)) ?? '', /Nozomi .*100000 lamports/);
      assert.match((await tipOf('--endpoint', 'plain', ...nozomi)) ?? '', /Nozomi /);
      const { code, stderr } = await work.run(['check', 'tip.jsonrpc', '--endpoint', 'other']);
      assert.equal(code, 1);
      assert.match(stderr, /There is no endpoint "other"\. Known: plain, sender\./);
    } finally {
      rmSync(path.join(work.root, 'solana-rpc.json'));
    }
  });

  test('knows variables of --var', async () => {
    work.write('var.jsonrpc', '### a\n{"method":"getBalance","params":["{{who}}"]}');
    assert.equal((await work.run(['check', 'var.jsonrpc'])).code, 2);
    assert.equal((await work.run(['check', 'var.jsonrpc', '--var', `who=${'1'.repeat(32)}`])).code, 0);
  });

  test('sends nothing', async () => {
    const sink = await startSink();
    work.write('send.jsonrpc', `### a\nPOST ${sink.origin}/sol\n\n{"method":"getSlot"}`);
    await work.run(['check', 'send.jsonrpc']);
    await sink.close();
    assert.equal(sink.requests.length, 0);
  });
});

describe('usage', () => {
  const local = testLedger(['--plan', 'Ultra']);
  prepare(async () => {
    for (let i = 0; i < 3; i++) await local.rpc('getSlot');
  });
  const usage = (...args: string[]) =>
    work.run(['usage', '--rest-url', local.ready.restUrl, ...args], {
      env: { SOLANA_RPC_KEY: local.ready.keys.rpc.key },
    });

  test('--json is the summary of the service', async () => {
    const { code, stdout } = await usage('--json');
    const summary = JSON.parse(stdout) as { request_count: number; methods: { method: string; count: number }[] };
    assert.deepEqual([code, summary.request_count], [0, 3]);
    assert.deepEqual(
      summary.methods.map(({ method, count }) => [method, count]),
      [['getSlot', 3]],
    );
  });

  test('prints a table for people, and of one key alone', async () => {
    const { code, stdout } = await usage('--from', '1h', '--key-id', local.ready.keys.rpc.keyId);
    assert.equal(code, 0);
    assert.match(stdout, /getSlot +3 +0\n/);
    assert.match(stdout, /3 requests/);
  });

  test('an unknown key id is a failed request, a strange time a wrong command line', async () => {
    assert.equal((await usage('--key-id', 'no-such-key')).code, 3);
    assert.equal((await usage('--from', 'yesterday')).code, 1);
  });
});

describe('localnet', () => {
  test('prints one ready line, restarts after a crash and says so, and ends with Ctrl+C without an orphan', async () => {
    const child = work.start(['localnet', '--json', '--slot-ms', '50']);
    const ended = resultOf(child);
    if (child.stdout === null || child.stderr === null) throw new Error('The child has no pipes');
    const lines = createInterface({ input: child.stdout });
    const [first] = (await once(lines, 'line')) as [string];
    const ready = JSON.parse(first) as { pid: number; rpcUrl: string; keys: { rpc: { key: string } } };
    assert.match(ready.rpcUrl, /^http:\/\/127\.0\.0\.1:\d+\/sol$/);
    assert.ok(ready.keys.rpc.key.length > 10);
    process.kill(ready.pid, 'SIGKILL');
    const [second] = (await once(lines, 'line')) as [string];
    const again = JSON.parse(second) as { pid: number; rpcUrl: string };
    assert.notEqual(again.pid, ready.pid);
    assert.equal(again.rpcUrl, ready.rpcUrl);
    child.kill('SIGINT');
    const { code, stderr } = await ended;
    assert.equal(code, 0);
    assert.match(stderr, /Starting it again/);
    assert.ok(!isAlive(again.pid));
  });

  test('into a pipe it says where everything is and how to stop it, and no secret', async () => {
    const child = work.start(['localnet']);
    const ended = resultOf(child);
    if (child.stdout === null) throw new Error('The child has no pipe');
    for await (const line of createInterface({ input: child.stdout })) if (/^ {2}wallet /.test(line)) break;
    child.kill('SIGINT');
    const { code, stdout } = await ended;
    assert.equal(code, 0);
    assert.match(stdout, /Stop it with Ctrl\+C[^]*RPC +http[^]*WebSocket +ws[^]*gRPC +http[^]*Dashboard +http/);
    assert.match(stdout, /RPC key +key_\w+ \(shown on a terminal, or with --json\)/i);
    assert.doesNotMatch(stdout, /rpc_|grpc_|swqos_|admin_/);
  });

  test('an option the service does not know is an error with its words', async () => {
    const { code, stderr } = await work.run(['localnet', '--no-such']);
    assert.equal(code, 1);
    assert.match(stderr, /Unknown option: --no-such/);
  });
});
