// `solana-rpc run` as it is built, against the local service: exit codes, the JSON document, reports, files.
import assert from 'node:assert/strict';
import { hostname } from 'node:os';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { testLedger } from '../../support/process/localnet';
import { startSink, type CliResult, testWorkspace } from '../../support/process/cli';

const work = testWorkspace();
const local = testLedger(['--plan', 'Ultra']);

/** Runs a text as a file against the local service, with its key in the environment. */
function run(text: string, ...options: string[]): Promise<CliResult> {
  const file = work.write('file.jsonrpc', text);
  return work.run(['run', file, '--rpc-url', local.ready.rpcUrl, ...options], {
    env: { SOLANA_RPC_KEY: local.ready.keys.rpc.key },
  });
}

const GOOD = '### slot\n# @name slot\n{"method":"getSlot"}\n?? result >= 0\n';

test('the request file in the README runs unchanged', async () => {
  const readme = readFileSync(path.join(import.meta.dirname, '..', '..', '..', 'README.md'), 'utf8');
  const [, text] = /```jsonrpc\n(.*?)```/s.exec(readme) ?? [];
  assert.ok(text !== undefined);
  const { code, stdout } = await work.run(['run', work.write('readme.jsonrpc', text), '--local']);
  assert.equal(code, 0, stdout);
});

describe('exit codes', () => {
  test('is 0 when all is good', async () => {
    assert.equal((await run(GOOD)).code, 0);
  });

  test('is 1 for a wrong command line, with one sentence on stderr and nothing on stdout', async () => {
    for (const args of [
      [],
      ['walk'],
      ['run'],
      ['run', 'no.jsonrpc'],
      ['run', 'x', '--no-such'],
      ['run', 'x', '--timeout', 'soon'],
    ]) {
      const { code, stdout, stderr } = await work.run(args);
      assert.deepEqual([code, stdout], [1, ''], args.join(' '));
      assert.notEqual(stderr, '');
    }
  });

  test('is 1 for a request that asks for confirmation; with --yes it is sent', async () => {
    const text = '### a\n# @note sure?\n{"method":"getSlot"}';
    assert.equal((await run(text)).code, 1);
    assert.equal((await run(text, '--yes')).code, 0);
  });

  test('is 2 for an invalid file: nothing is sent and the report is printed all the same', async () => {
    const sink = await startSink();
    const file = work.write('bad.jsonrpc', `${GOOD}### b\n{"method":"getSlot","params":["{{no}}"]}`);
    const { code, stdout, stderr } = await work.run(['run', file, '--rpc-url', sink.origin, '--json']);
    await sink.close();
    assert.deepEqual([code, sink.requests.length, (JSON.parse(stdout) as { ok: boolean }).ok], [2, 0, false]);
    assert.match(stderr, /bad\.jsonrpc:6:32: error unresolved-variable/);
  });

  test('is 3 for an RPC error and for a service that is not there', async () => {
    assert.equal((await run('### a\n{"method":"noSuchMethod"}')).code, 3);
    const file = work.write('gone.jsonrpc', GOOD);
    assert.equal((await work.run(['run', file, '--rpc-url', 'http://127.0.0.1:9/sol'])).code, 3);
  });

  test('is 4 for an assertion that fails', async () => {
    assert.equal((await run('### a\n{"method":"getSlot"}\n?? result == "x"')).code, 4);
  });

  test('of several reasons the failed request counts more than the assertion', async () => {
    assert.equal(
      (await run('### a\n{"method":"getSlot"}\n?? result == "x"\n### b\n{"method":"noSuchMethod"}')).code,
      3,
    );
  });
});

describe('--json', () => {
  test('is one document with the documented members, one-based lines and the exact body', async () => {
    const { stdout, stderr } = await run(`\n${GOOD}`, '--json');
    const report = JSON.parse(stdout) as Record<string, unknown> & { requests: Record<string, unknown>[] };
    assert.deepEqual(Object.keys(report), ['ok', 'summary', 'requests']);
    assert.deepEqual(Object.keys(report['summary'] as object), ['total', 'passed', 'failed', 'skipped', 'durationMs']);
    const [row] = report.requests;
    assert.deepEqual(
      { ...row, durationMs: 0, response: 0, assertions: 0 },
      {
        file: 'file.jsonrpc',
        line: 2,
        name: 'slot',
        title: 'slot',
        method: 'getSlot',
        transport: 'POST',
        endpoint: new URL(local.ready.rpcUrl).host,
        status: 'passed',
        httpStatus: 200,
        durationMs: 0,
        request: { jsonrpc: '2.0', id: 1, method: 'getSlot' },
        response: 0,
        assertions: 0,
      },
    );
    assert.deepEqual(Object.keys((row?.['assertions'] as object[])[0] ?? {}), ['text', 'passed', 'actual']);
    assert.equal(stderr, '');
  });

  test('keeps every digit of a u64, sent and received', async () => {
    const sink = await startSink('{"jsonrpc":"2.0","id":1,"result":18446744073709551615}');
    const file = work.write('u64.jsonrpc', '### a\n{"method":"a","params":[9007199254740993]}');
    const { stdout } = await work.run(['run', file, '--rpc-url', sink.origin, '--json']);
    await sink.close();
    assert.match(sink.requests[0]?.body ?? '', /\[9007199254740993\]/);
    assert.match(stdout, /9007199254740993/);
    assert.match(stdout, /18446744073709551615/);
  });

  test('lists only what was selected, with what it needs', async () => {
    const text =
      '### a\n# @name a\n{"method":"getSlot"}\n### b\n# @name b\n{"method":"getSlot","params":[{"minContextSlot": {{a.result}}}]}\n### c\n{"method":"getSlot"}';
    const { stdout } = await run(text, '--json', '--name', 'b');
    const { requests } = JSON.parse(stdout) as { requests: { name: string }[] };
    assert.deepEqual(
      requests.map((row) => row.name),
      ['a', 'b'],
    );
  });
});

describe('reports for people and build servers', () => {
  const HOSTILE = '### <b>\u001b[31m & "q" \u0007\u202etxt\n{"method":"getSlot"}\n?? result == "<\u202e&\u009b>"';

  test('text escapes what could steer a terminal, and uses no colour in a pipe', async () => {
    const { stdout } = await run(HOSTILE);
    assert.doesNotMatch(stdout, /[\u0000-\u0009\u000b-\u001f\u202e]/);
    assert.match(stdout, /FAIL/);
    assert.match(stdout, /file\.jsonrpc:3 {2}\?\? result ==/);
  });

  test('JUnit is well-formed XML for any content of the file', async () => {
    const before = Date.now();
    await run(HOSTILE, '--junit', 'report.xml');
    const [, timestamp = '', host] =
      /<testsuite [^>]* timestamp="([\d-]{10}T[\d:]{8})" hostname="([^"]*)">/.exec(work.read('report.xml')) ?? [];
    const startedAt = Date.parse(`${timestamp}Z`);
    assert.ok(startedAt >= before - 1_000 && startedAt <= Date.now(), timestamp);
    assert.equal(host, hostname());
    const xml = work.read('report.xml');
    assertWellFormed(xml);
    assert.match(xml, /<testcase name="&lt;b&gt;\\u001b\[31m &amp; &quot;q&quot; /);
    assert.match(xml, /failures="1" errors="0"/);
  });

  test('the end of the program logs of a failed preflight is shown under it, sanitised', async () => {
    const logs = [
      'the first',
      ...Array.from({ length: 19 }, (_, at) => `line ${at}`),
      'Program x failed: \u001b[31m<0x1>',
    ];
    const data = { err: { InstructionError: [0, { Custom: 1 }] }, logs };
    const sink = await startSink(
      JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: -32002, message: 'Simulation failed', data } }),
    );
    const file = work.write('send.jsonrpc', '### s\n{"method":"sendTransaction","params":["AA=="]}\n');
    const { code, stdout } = await work.run(['run', file, '--rpc-url', sink.origin, '--junit', 'report.xml']);
    await sink.close();
    assert.equal(code, 3);
    assert.match(stdout, /failed\.\n +… 1 more before\n +line 0\n[^]* +line 18\n +Program x failed: .*<0x1>\n +next: /);
    assert.doesNotMatch(stdout, /the first|\u001b/);
    const xml = work.read('report.xml');
    assertWellFormed(xml);
    assert.match(xml, /&#10;line 18&#10;Program x failed: .*&lt;0x1&gt;<\/error>/);
  });
});

/** Tags are balanced, attributes quoted, no bare "&" or "<" and no character XML 1.0 cannot hold. */
function assertWellFormed(xml: string): void {
  assert.doesNotMatch(xml, /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/);
  assert.doesNotMatch(xml, /&(?!(?:amp|lt|gt|quot|apos|#\d+);)/);
  const open: string[] = [];
  const rest = xml
    .replace(/^<\?xml[^?]*\?>/, '')
    .replace(/<(\/?)(\w+)((?: \w+="[^"<]*")*)(\/?)>/g, (...[, close, name, , empty]: readonly string[]) => {
      if (close === '/') assert.equal(open.pop(), name);
      else if (empty !== '/') open.push(name ?? '');
      return '';
    });
  assert.deepEqual(open, []);
  assert.doesNotMatch(rest, /[<>]/);
}

describe('files of a run', () => {
  const outside = path.join(os.tmpdir(), `solana-rpc-outside-${process.pid}`);
  before(() => {
    mkdirSync(outside, { recursive: true });
    writeFileSync(path.join(outside, 'secret.txt'), 'outside');
  });
  after(() => rmSync(outside, { recursive: true, force: true }));

  test('$file, also through a link, does not leave the working directory', async () => {
    symlinkSync(outside, path.join(work.root, 'link'));
    for (const name of [path.join(outside, 'secret.txt'), './link/secret.txt', '../secret.txt']) {
      const { code, stderr } = await run(`### a\n{"method":"getSlot","params":["{{$file ${name}}}"]}`);
      assert.equal(code, 2, name);
      assert.doesNotMatch(stderr, /"outside"/);
    }
  });

  test('>> saves the body inside the working directory and nowhere else', async () => {
    assert.equal((await run('### a\n{"method":"getSlot"}\n>> out/slot.json')).code, 0);
    assert.match(work.read('out/slot.json'), /"result":\d+/);
    assert.equal((await run('### a\n{"method":"getSlot"}\n>> out/slot.json')).code, 3);
    assert.equal((await run('### a\n{"method":"getSlot"}\n>>! out/slot.json')).code, 0);
    assert.equal((await run('### a\n{"method":"getSlot"}\n>> ./link/slot.json')).code, 2);
  });

  test('a variable of the environment that a service here repeats is neither saved nor sent on', async () => {
    const sink = await startSink();
    const secret = 'value-of-the-variable';
    const file = work.write(
      'carried.jsonrpc',
      '### ask\n# @name ask\nPOST {{here}}\n\n{"method":"getSlot","id":"{{$processEnv MY_SECRET}}"}\n>>! ./cache.txt\n\n### send\nPOST https://example.invalid\n\n{"method":"getSlot","params":["{{$file ./cache.txt}}"]}\n',
    );
    work.write('cache.txt', 'before');
    const runAt = (url: string, ...options: string[]): Promise<CliResult> =>
      work.run(['run', file, '--rpc-url', url, '--var', `here=${url}`, ...options], {
        env: { MY_SECRET: secret, SOLANA_RPC_KEY: local.ready.keys.rpc.key },
      });
    const { code, stdout, stderr } = await runAt(sink.origin);
    await sink.close();
    assert.equal(code, 2, stdout + stderr);
    assert.match(
      stderr,
      /carried\.jsonrpc:6:1: .*MY_SECRET.*may not be saved to \.\/cache\.txt\..*--allow-env MY_SECRET/,
    );
    assert.deepEqual([sink.requests, work.read('cache.txt')], [[], 'before']);
    assert.ok(!(stdout + stderr).includes(secret));
    await runAt(local.ready.rpcUrl, '--name', 'ask', '--allow-env', 'MY_SECRET');
    assert.match(work.read('cache.txt'), /value-of-the-variable/);
  });

  test('variables come from --var and --env-file, --var first', async () => {
    work.write('vars.env', '# comment\nexport A="one"\nB=2\nSOLANA_RPC_KEY=never\n');
    const text =
      '### a\n{"method":"getSlot","params":[]}\n?? status == 200\n### b\n{"method":"noSuch","params":["{{A}}","{{B}}","{{$processEnv A}}"]}\n?? error.code == -32601';
    const { stdout } = await run(text, '--json', '--env-file', 'vars.env', '--var', 'A=18446744073709551615');
    assert.match(stdout.replaceAll(/\s/g, ''), /"params":\[18446744073709551615,2,"one"\]/);
    const leak = await run('### a\n{"method":"getSlot","params":["{{SOLANA_RPC_KEY}}"]}', '--env-file', 'vars.env');
    assert.equal(leak.code, 2);
  });
});

const EXAMPLES: readonly (readonly [file: string, requests: number])[] = [
  ['quickstart.jsonrpc', 11],
  ['https.jsonrpc', 7],
  ['websocket.jsonrpc', 6],
  ['grpc.jsonrpc', 6],
  ['swqos.jsonrpc', 3],
];
test('every example runs against a service started for it, and all of it passes', async () => {
  const folder = path.join(import.meta.dirname, '..', '..', '..', 'examples');
  const files = EXAMPLES.map(([file]) => path.join(folder, file));
  const { code, stdout, stderr } = await work.run(['run', ...files, '--local', '--json', '--junit', 'out.xml']);
  assert.equal(code, 0, stdout + stderr);
  const { requests } = JSON.parse(stdout) as {
    requests: readonly { readonly file: string; readonly status: string }[];
  };
  for (const [file, count] of EXAMPLES) {
    const passed = requests.filter((row) => row.file.endsWith(file) && row.status === 'passed');
    assert.equal(passed.length, count, file);
  }
  assert.match(work.read('out.xml'), /failures="0" errors="0"/);
});
