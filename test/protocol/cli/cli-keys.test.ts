// Where the terminal's keys go, and where they never show: argv, output, children, other hosts.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { startTestLedger, type Localnet } from '../../support/process/localnet';
import { childrenOf, isAlive, resultOf, startSink, type Sink, testWorkspace } from '../../support/process/cli';

const KEY = 'key-nobody-else-may-read-4711';
const FILE = '### a\n{"method":"getSlot"}';

const work = testWorkspace();
let local: Localnet;
let sink: Sink;

before(async () => {
  work.write('a.jsonrpc', FILE);
  sink = await startSink();
  local = await startTestLedger(['--plan', 'Ultra']);
});
after(async () => {
  await local.stop();
  await sink.close();
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
    ['run', 'a.jsonrpc', '--rpc-url', `https://example.org/v2/${KEY}`],
    ['run', 'a.jsonrpc', `--rpc-url=https://example.org/v2/${KEY}/`],
    ['run', 'a.jsonrpc', '--ws-url', `example.org/v2/${KEY}`],
    ['run', 'a.jsonrpc', '--rpc-url', `https://example.org/?k=${KEY}`],
    ['run', 'a.jsonrpc', '--rpc-url', `https://example.org/?k=short`],
    ['run', 'a.jsonrpc', '--rpc-url', `https://example.org/?region=${KEY}`],
    ['run', 'a.jsonrpc', '--rpc-url', `https://example.org/#${KEY}`],
    ['run', 'a.jsonrpc', '--rpc-url', `https://${KEY}@example.org/sol`],
    ['run', 'a.jsonrpc', '--var', `apikey=${KEY}`],
    ['run', 'a.jsonrpc', `--var=apikey=${KEY}`],
    ['run', 'a.jsonrpc', '--var', `x-api-key=${KEY}`],
    ['run', 'a.jsonrpc', '--var', `token=${KEY}`],
    ['run', 'a.jsonrpc', '--var', `url=https://example.org/v2/${KEY}`],
    ['run', `SOLANA_GRPC_KEY=${KEY}`],
    ['run', KEY],
    ['check', KEY],
    ['watch', KEY],
    ['usage', KEY],
    ['localnet', KEY],
    [KEY],
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

describe('values on the command line that are not keys', () => {
  const MINT = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
  for (const more of [
    ['--var', `token=${MINT}`],
    ['--var', `key=${MINT}`],
    ['--var', 'token=USDC'],
    ['--var', 'note=https://example.org/docs/getting-started'],
  ])
    test(`${more.join(' ')} is taken`, async () => {
      const { code } = await work.run(['run', 'a.jsonrpc', '--rpc-url', `${sink.origin}/sol?region=eu`, ...more]);
      assert.equal(code, 0);
    });

  test('an endpoint that is not there is not repeated where it may be a key', async () => {
    const { code, stderr } = await work.run(['run', 'a.jsonrpc', '--endpoint', KEY]);
    assert.equal(code, 1);
    assert.doesNotMatch(stderr, new RegExp(KEY));
  });
});

describe('a variable of the environment', () => {
  const env = { SECRET_TOKEN: 'value-of-the-variable' };
  const FORMS: readonly (readonly [string, string])[] = [
    ['in a body', '### a\n{"method":"getSlot","params":["{{$processEnv SECRET_TOKEN}}"]}'],
    ['in a header', '### a\nPOST\nX-Mine: {{$processEnv SECRET_TOKEN}}\n\n{"method":"getSlot"}'],
    ['in the URL', '### a\nPOST https://example.invalid/{{$processEnv SECRET_TOKEN}}\n\n{"method":"getSlot"}'],
    [
      'through variables',
      '@a = {{$processEnv SECRET_TOKEN}}\n@b = x{{a}}\n### a\n{"method":"getSlot","params":["{{b}}"]}',
    ],
    ['through an imported file', '# @import secret.jsonrpc\n### a\n{"method":"getSlot","params":["{{mine}}"]}'],
    [
      'through the answer of this machine',
      '### a\n# @name echo\nPOST LOCAL\n\n{"method":"getSlot","params":["{{$processEnv SECRET_TOKEN}}"]}\n### b\n{"method":"getSlot","params":["{{echo.result}}"]}',
    ],
  ];
  const away = ['--rpc-url', 'https://example.invalid/sol'];
  for (const [how, text] of FORMS)
    test(`${how} does not leave this machine without --allow-env: exit 2, nothing sent`, async () => {
      work.write('secret.jsonrpc', '@mine = {{$processEnv SECRET_TOKEN}}\n');
      work.write('env.jsonrpc', text.replace('LOCAL', `${sink.origin}/sol`));
      const seen = sink.requests.length;
      const { code, stdout, stderr } = await work.run(['run', 'env.jsonrpc', ...away, '--json'], { env });
      assert.equal(code, 2, stderr);
      assert.match(stderr, /--allow-env SECRET_TOKEN/);
      assert.match(stdout, /--allow-env SECRET_TOKEN/);
      assert.ok(!(stdout + stderr).includes(env.SECRET_TOKEN));
      assert.equal(sink.requests.length, seen);
      const allowed = await work.run(['run', 'env.jsonrpc', ...away, '--allow-env', 'SECRET_TOKEN'], { env });
      assert.equal(allowed.code, 3, allowed.stderr);
    });

  test('goes to this machine', async () => {
    work.write('env.jsonrpc', FORMS[0]?.[1] ?? '');
    assert.equal((await work.run(['run', 'env.jsonrpc', '--rpc-url', `${sink.origin}/sol`], { env })).code, 0);
    assert.match(sink.requests.at(-1)?.body ?? '', /value-of-the-variable/);
  });

  test('of a file of variables goes anywhere, as it does by its name', async () => {
    work.write('env.jsonrpc', FORMS[0]?.[1] ?? '');
    work.write('mine.env', 'SECRET_TOKEN=given\n');
    assert.equal((await work.run(['run', 'env.jsonrpc', ...away, '--var-file', 'mine.env'], { env })).code, 3);
  });

  test('that is a key, or has the value of one, is never read', async () => {
    work.write('env.jsonrpc', '### a\n{"method":"getSlot","params":["{{$processEnv COPY}}"]}');
    const args = ['run', 'env.jsonrpc', '--rpc-url', `${sink.origin}/sol`];
    const copied = await work.run([...args, '--allow-env', 'COPY'], { env: { SOLANA_RPC_KEY: KEY, COPY: KEY } });
    assert.equal(copied.code, 2);
    assert.equal((await work.run([...args, '--allow-env', 'SOLANA_RPC_KEY'])).code, 1);
    assert.equal((await work.run([...args, '--allow-env', 'A=B'])).code, 1);
  });

  test('stops watch of a file as well', async () => {
    work.write('env.jsonrpc', FORMS[0]?.[1].replace('### a', '### a\n# @name a') ?? '');
    const { code, stderr } = await work.run(['watch', 'env.jsonrpc#a', ...away], { env });
    assert.equal(code, 2);
    assert.match(stderr, /--allow-env SECRET_TOKEN/);
  });
});

describe('a URL in a file', () => {
  test('is asked without a profile and without a key', async () => {
    work.write('own.jsonrpc', `### a\nPOST ${sink.origin}/sol\n\n{"method":"getSlot"}`);
    const { code, stderr } = await work.run(['run', 'own.jsonrpc']);
    assert.equal(code, 0, stderr);
    assert.equal(sink.requests.at(-1)?.headers.authorization, undefined);
  });

  test('that needs a key fails with noKey and names its host', async () => {
    work.write('own.jsonrpc', `### a\nPOST ${local.ready.rpcUrl}\n\n{"method":"getSlot"}`);
    const { code, stdout } = await work.run(['run', 'own.jsonrpc', '--json']);
    assert.equal(code, 3);
    const { host } = new URL(local.ready.rpcUrl);
    const { error } =
      (JSON.parse(stdout) as { requests: { error: { kind: string; message: string } }[] }).requests[0] ?? {};
    assert.deepEqual([error?.kind, error?.message.includes(host)], ['noKey', true]);
  });

  test('is refused over plaintext off this machine, and names https', async () => {
    work.write('own.jsonrpc', '### a\nPOST http://192.0.2.1/sol\n\n{"method":"getSlot"}');
    const { code, stdout } = await work.run(['run', 'own.jsonrpc']);
    assert.equal(code, 3);
    assert.match(stdout, /https:\/\/192\.0\.2\.1/);
  });
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

  test('goes nowhere with a request that is asked without a key', async () => {
    work.write('none.jsonrpc', '### a\n# @auth none\n{"method":"getSlot"}');
    const seen = sink.requests.length;
    const args = ['run', 'none.jsonrpc'];
    const { code } = await work.run(args, { env: { ...env, SOLANA_RPC_ORIGIN: sink.origin } });
    assert.equal(code, 0);
    assert.equal((await work.run(args)).code, 0);
    assert.equal(sink.requests.length, seen + 2);
    assert.ok(!sink.requests.slice(seen).some((one) => carriesKey(one) || one.headers.authorization !== undefined));
  });

  test('goes there once SOLANA_RPC_ORIGIN names exactly that origin', async () => {
    const { code } = await work.run(['run', 'a.jsonrpc'], { env: { ...env, SOLANA_RPC_ORIGIN: sink.origin } });
    assert.equal(code, 0);
    assert.ok(carriesKey(sink.requests.at(-1) ?? { headers: {}, url: '', body: '' }));
  });

  test('goes where a template of SOLANA_RPC_ORIGIN says {key}, in a project’s URL of that origin and path alone', async () => {
    const run = async (rpcUrl: string, origin: string) => {
      work.write('solana-rpc.json', JSON.stringify({ endpoints: [{ name: 'ci', rpcUrl }], endpoint: 'ci' }));
      const seen = sink.requests.length;
      const { code } = await work.run(['run', 'a.jsonrpc', '--json'], { env: { ...env, SOLANA_RPC_ORIGIN: origin } });
      return [code, ...sink.requests.slice(seen).map(({ url, headers }) => [url, headers.authorization])];
    };
    const template = `${sink.origin}/v2/{key}`;
    assert.deepEqual(await run(template, `https://other.test, ${template}`), [0, [`/v2/${KEY}`, undefined]]);
    assert.deepEqual(await run(`${sink.origin}/v2`, template), [0, [`/v2/${KEY}`, undefined]]);
    const query = `${sink.origin}/main?token={key}`;
    assert.deepEqual(await run(query, query), [0, [`/main?token=${KEY}`, undefined]]);
    assert.deepEqual(await run(template, sink.origin), [3]);
    assert.deepEqual(await run(`${sink.origin}/elsewhere/{key}`, template), [3]);
    work.write(
      'solana-rpc.json',
      JSON.stringify({ endpoints: [{ name: 'theirs', rpcUrl: `${sink.origin}/sol` }], endpoint: 'theirs' }),
    );
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

  for (const [place, file] of [
    ['the project', 'solana-rpc.json'],
    ['the user-level configuration', 'config/solana-rpc/config.json'],
  ] as const)
    test(`is not sent as Bearer where ${place} names a form that does not exist: the forms are listed`, async () => {
      await work.folder('config/solana-rpc');
      const before = work.write('solana-rpc.json', '{}') && work.write('config/solana-rpc/config.json', '{}');
      assert.ok(before);
      const profile = { name: 'odd', rpcUrl: `${sink.origin}/sol`, auth: { rpc: 'digest' } };
      work.write(file, JSON.stringify({ endpoints: [profile], endpoint: 'odd' }));
      const seen = sink.requests.length;
      const { code, stderr } = await work.run(['run', 'a.jsonrpc'], {
        env: { ...env, SOLANA_RPC_ORIGIN: sink.origin },
      });
      work.write(file, '{}');
      assert.equal(code, 1);
      assert.match(stderr, /"odd": auth\.rpc .*none, bearer, basic, query, query:NAME, header:NAME or path/);
      assert.equal(sink.requests.length, seen);
    });

  test('goes where a URL of the command line says {key}', async () => {
    const { code } = await work.run(['run', 'a.jsonrpc', '--rpc-url', `${sink.origin}/v2/{key}`], { env });
    assert.equal(code, 0);
    assert.equal(sink.requests.at(-1)?.url, `/v2/${KEY}`);
    assert.equal(sink.requests.at(-1)?.headers.authorization, undefined);
  });

  test('does not follow a request line to another host', async () => {
    work.write('away.jsonrpc', `### a\nPOST ${sink.origin}/sol\n\n{"method":"getSlot"}`);
    const { code } = await work.run(['run', 'away.jsonrpc', '--rpc-url', local.ready.rpcUrl], { env });
    assert.equal(code, 0);
    const asked = sink.requests.at(-1);
    assert.ok(asked !== undefined && !carriesKey(asked), 'asked without the key');
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
  test('gets none of our keys, and is gone after Ctrl+C', async () => {
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
