// Where the terminal's keys go, and where they never show: argv, output, children, other hosts.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { startLocalnet, type Localnet } from '../support/localnet';
import { childrenOf, isAlive, resultOf, startSink, Workspace, type Sink } from '../support/cli';

const KEY = 'key-nobody-else-may-read-4711';
const FILE = '### a\n{"method":"getSlot"}';

const work = new Workspace();
let local: Localnet;
let sink: Sink;

before(async () => {
  work.write('a.jsonrpc', FILE);
  sink = await startSink();
  local = await startLocalnet(['--plan', 'Ultra']);
});
after(async () => {
  await local.stop();
  await sink.close();
  work.dispose();
});

const carriesKey = (seen: Sink['requests'][number]): boolean => JSON.stringify(seen).includes(KEY);

describe('a key on the command line', () => {
  const FORMS = [
    ['run', 'a.jsonrpc', '--api-key', KEY],
    ['run', 'a.jsonrpc', `--api-key=${KEY}`],
    ['run', 'a.jsonrpc', '--key', KEY],
    ['run', 'a.jsonrpc', '--rpc-url', `https://example.org/sol?api_key=${KEY}`],
    ['run', 'a.jsonrpc', '--rpc-url', `https://user:${KEY}@example.org/sol`],
    ['run', 'a.jsonrpc', '--var', `SOLANA_RPC_KEY=${KEY}`],
    ['usage', '--token', KEY],
    ['localnet', `--rpc-key=${KEY}`],
  ];
  for (const args of FORMS) {
    test(`${args.join(' ').replace(KEY, 'KEY')} is refused with a sentence that does not repeat it`, async () => {
      const { code, stdout, stderr } = await work.run(args);
      assert.deepEqual([code, stdout], [1, '']);
      assert.match(stderr, /does not belong on the command line/);
      assert.doesNotMatch(stderr, new RegExp(KEY));
    });
  }
});

describe('a key of the environment', () => {
  const env = { SOLANA_RPC_KEY: KEY };

  test('goes to an origin of the command line', async () => {
    const { code } = await work.run(['run', 'a.jsonrpc', '--rpc-url', `${sink.origin}/sol`], { env });
    assert.equal(code, 0);
    assert.equal(sink.requests.at(-1)?.headers.authorization, `Bearer ${KEY}`);
  });

  test('is not sent to where a project points: exit 3, noKey, no connection', async () => {
    work.write(
      'solana-rpc.json',
      JSON.stringify({ endpoints: [{ name: 'theirs', rpcUrl: `${sink.origin}/sol` }], endpoint: 'theirs' }),
    );
    const seen = sink.requests.length;
    const { code, stdout } = await work.run(['run', 'a.jsonrpc', '--json'], { env });
    assert.equal(code, 3);
    assert.equal((JSON.parse(stdout) as { requests: { error: { kind: string } }[] }).requests[0]?.error.kind, 'noKey');
    assert.equal(sink.requests.length, seen);
  });

  test('goes there once SOLANA_RPC_ORIGIN names exactly that origin', async () => {
    const { code } = await work.run(['run', 'a.jsonrpc'], { env: { ...env, SOLANA_RPC_ORIGIN: sink.origin } });
    assert.equal(code, 0);
    assert.ok(carriesKey(sink.requests.at(-1) ?? { headers: {}, url: '', body: '' }));
  });

  test('goes to an endpoint of the user-level configuration, which outranks the project’s of the same name', async () => {
    await work.folder('config/solana-rpc');
    work.write(
      'config/solana-rpc/config.json',
      JSON.stringify({ endpoints: [{ name: 'theirs', rpcUrl: `${local.ready.rpcUrl}` }] }),
    );
    const { code } = await work.run(['run', 'a.jsonrpc'], { env: { SOLANA_RPC_KEY: local.ready.keys.rpc.key } });
    assert.equal(code, 0);
    work.write('config/solana-rpc/config.json', '{}');
  });

  test('does not follow a request line to another host', async () => {
    work.write('away.jsonrpc', `### a\nPOST ${sink.origin}/sol\n\n{"method":"getSlot"}`);
    const seen = sink.requests.length;
    const { code } = await work.run(['run', 'away.jsonrpc', '--rpc-url', local.ready.rpcUrl], { env });
    assert.equal(code, 3);
    assert.equal(sink.requests.length, seen);
  });

  test('cannot be read by a request', async () => {
    work.write('leak.jsonrpc', '### a\n{"method":"getSlot","params":["{{$processEnv SOLANA_RPC_KEY}}"]}');
    const { code, stdout, stderr } = await work.run(
      ['run', 'leak.jsonrpc', '--rpc-url', `${sink.origin}/sol`, '--json'],
      { env },
    );
    assert.equal(code, 2);
    assert.ok(!(stdout + stderr).includes(KEY));
  });

  test('is in no output, also when the service sends it back', async () => {
    const echoing = await startSink(`{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"you sent ${KEY}"}}`);
    for (const more of [['--json'], [], ['--junit', 'echo.xml']]) {
      const { stdout, stderr } = await work.run(['run', 'a.jsonrpc', '--rpc-url', echoing.origin, ...more], { env });
      assert.ok(!(stdout + stderr).includes(KEY), more.join(' '));
    }
    await echoing.close();
    assert.ok(!work.read('echo.xml').includes(KEY));
  });
});

describe('a key on standard input', () => {
  test('one line is the RPC key', async () => {
    const { code } = await work.run(['run', 'a.jsonrpc', '--rpc-url', `${sink.origin}/sol`, '--key-stdin'], {
      input: `${KEY}\n`,
    });
    assert.deepEqual([code, sink.requests.at(-1)?.headers.authorization], [0, `Bearer ${KEY}`]);
  });

  test('lines with a type give one key each, and an empty input is refused', async () => {
    const args = ['run', 'a.jsonrpc', '--rpc-url', `${sink.origin}/sol`, '--key-stdin'];
    assert.equal((await work.run(args, { input: `grpc=other\nrpc=${KEY}` })).code, 0);
    assert.equal((await work.run(args, { input: '\n' })).code, 1);
  });
});

describe('a service started for a run', () => {
  test('gets no key of ours, and is gone after Ctrl+C', async () => {
    work.write('long.jsonrpc', '### a\n# @retry 100000 every 20ms while result >= 0\n{"method":"getSlot"}');
    const child = work.start(['run', 'long.jsonrpc', '--local'], {
      env: { SOLANA_RPC_KEY: KEY, SOLANA_RPC_ORIGIN: sink.origin },
    });
    const ended = resultOf(child);
    const pid = child.pid ?? 0;
    const [service = 0] = await until(
      () => childrenOf(pid),
      (found) => found.length > 0,
    );
    const environment = await until(
      () => readFileSync(`/proc/${service}/environ`, 'utf8'),
      (text) => text.includes('ELECTRON_RUN_AS_NODE'),
    );
    assert.ok(!environment.includes(KEY));
    assert.ok(!environment.includes('SOLANA_'));
    assert.ok(!readFileSync(`/proc/${service}/cmdline`, 'utf8').includes(KEY));
    child.kill('SIGINT');
    const { stdout } = await ended;
    assert.ok(!isAlive(service));
    assert.ok(!stdout.includes(KEY));
  });
});

/** Asks again until the answer is good; the test's own time limit ends it. */
async function until<T>(ask: () => T, isGood: (answer: T) => boolean): Promise<T> {
  for (;;) {
    const answer = ask();
    if (isGood(answer)) return answer;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
