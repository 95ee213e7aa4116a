// The terminal over gRPC, `watch`, files in parallel, completion scripts, exact numbers on every transport, and Ctrl+C.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { describe, test } from 'node:test';
import { resultOf, startSink, urlOptions, type CliResult, testWorkspace } from '../../support/process/cli';
import { begin, grpcService, requestOf, slotUpdate } from '../../support/wire/grpcServices';
import { httpServer, webSocketServer } from '../../support/wire/hostile';
import { testLedger } from '../../support/process/localnet';

const work = testWorkspace();
const local = testLedger(['--plan', 'Ultra', '--slot-ms', '60'], { clock: 'running' });

const urls = (): string[] => urlOptions(local.ready);
const keys = () => ({
  SOLANA_RPC_KEY: local.ready.keys.rpc.key,
  SOLANA_GRPC_KEY: local.ready.keys.grpc.key,
  SOLANA_SWQOS_KEY: local.ready.keys.swqos.key,
});
const cli = (args: readonly string[], env: Readonly<Record<string, string>> = keys()): Promise<CliResult> =>
  work.run([...args, ...urls()], { env });
const run = (text: string, ...options: string[]): Promise<CliResult> =>
  cli(['run', work.write('file.jsonrpc', text), '--json', ...options]);
const row = ({ stdout }: CliResult) =>
  (
    JSON.parse(stdout) as {
      requests: readonly {
        readonly status: string;
        readonly httpStatus?: number;
        readonly error?: { readonly kind: string; readonly message: string; readonly hint?: string };
        readonly response?: Readonly<Record<string, unknown>>;
        readonly messages?: readonly unknown[];
      }[];
    }
  ).requests[0];

const SLOTS = '### s\n# @name slots\n# @until 2 messages or 20s\nGRPC geyser.Geyser/Subscribe\n{"slots":{"all":{}}}\n';

describe('gRPC', () => {
  test('a call’s message is the response, and is asked under result', async () => {
    const result = await run('### v\nGRPC geyser.Geyser/GetSlot\n{}\n?? result.slot > 0\n?? status == 200');
    assert.equal(result.code, 0, result.stdout);
    assert.match(String(row(result)?.response?.['slot']), /^\d+$/);
  });

  test('a stream ends by its @until, its updates are the messages', async () => {
    const result = await run(`${SLOTS}?? messages length 2\n?? messages[0].slot.slot > 0`);
    assert.deepEqual([result.code, row(result)?.messages?.length], [0, 2], result.stdout);
  });

  test('a message that does not fit is refused, and the place is named', async () => {
    const result = await run('### v\nGRPC geyser.Geyser/GetSlot\n{"commitment":"SOON"}');
    assert.deepEqual([result.code, row(result)?.error?.kind], [3, 'invalidRequest']);
    assert.match(row(result)?.error?.message ?? '', /SOON/);
  });

  test('a key of the wrong type is reported with the required one', async () => {
    const wrong = { ...keys(), SOLANA_GRPC_KEY: local.ready.keys.rpc.key };
    const file = work.write('file.jsonrpc', '### v\nGRPC geyser.Geyser/GetSlot\n{}');
    const { code, stdout } = await cli(['run', file], wrong);
    assert.equal(code, 3);
    assert.match(stdout, /file\.jsonrpc:1 {2}wrongKeyType: .*needs a gRPC key/);
    assert.match(stdout, /next: /);
  });

  test('the key does not go to a gRPC service nobody named on the command line', async () => {
    const text = `### v\nGRPC ${local.ready.grpcUrl}/geyser.Geyser/GetSlot\n{}`;
    const file = work.write('file.jsonrpc', text);
    const result = await work.run(['run', file, '--rpc-url', 'https://rpc.example.test/sol', '--json'], {
      env: keys(),
    });
    assert.deepEqual([result.code, row(result)?.error?.kind], [3, 'noKey']);
  });
});

describe('18446744073709551615', () => {
  test('arrives as such when it is chained over HTTPS, WebSocket, priority landing and gRPC', async () => {
    const BIG = '18446744073709551615';
    const sink = await startSink(`{"jsonrpc":"2.0","id":1,"result":${BIG}}`);
    const heard: string[] = [];
    const sockets = await webSocketServer((socket, text) => {
      heard.push(text);
      socket.send('{"jsonrpc":"2.0","id":1,"result":7}');
      socket.send('{"jsonrpc":"2.0","method":"x","params":{"subscription":7,"result":1}}');
    });
    const slots: (bigint | undefined)[] = [];
    const geyser = await grpcService(({ stream, messages: [first = Buffer.alloc(0)] }) => {
      slots.push(requestOf(first).fromSlot);
      begin(stream);
      stream.write(slotUpdate(BigInt(BIG)));
    });
    const profile = { name: 'all', rpcUrl: sink.origin, wsUrl: sockets.origin, grpcUrl: geyser.origin };
    const none = { rpc: 'none', ws: 'none', grpc: 'none', swqos: 'none' };
    work.write('solana-rpc.json', JSON.stringify({ endpoints: [{ ...profile, auth: none }], endpoint: 'all' }));
    const file = work.write(
      'file.jsonrpc',
      `### a\n# @name a\n{"id":1,"method":"getSlot"}\n
### b\n{"id":1,"method":"getBlock","params":["{{a.result}}"]}\n?? result == ${BIG}\n
### c\n# @until 1 messages\nWS\n{"id":1,"method":"slotSubscribe","params":["{{a.result}}"]}\n
### d\nSWQOS\n{"id":1,"method":"sendTransaction","params":["AAAA",{"minContextSlot":"{{a.result}}"}]}\n
### e\n# @until 1 messages\nGRPC geyser.Geyser/Subscribe\n{"fromSlot":"{{a.result}}"}\n?? messages[0].slot.slot == {{a.result}}\n`,
    );
    const { code, stdout } = await work.run(['run', file, '--json']);
    work.write('solana-rpc.json', '{}');
    await Promise.all([sink.close(), sockets.close(), geyser.close()]);
    assert.equal(code, 0, stdout);
    const [, post, swqos] = sink.requests.map(({ body }) => body);
    assert.match(post ?? '', new RegExp(`\\[${BIG}\\]`));
    assert.match(swqos ?? '', new RegExp(`"minContextSlot":${BIG}\\}`));
    assert.match(heard[0] ?? '', new RegExp(`\\[${BIG}\\]`));
    assert.deepEqual(slots, [BigInt(BIG)]);
  });
});

test('a batch that is answered out of order is matched by id', async () => {
  const server = await httpServer(
    (_, response) => void response.end('[{"jsonrpc":"2.0","id":"b","result":2},{"jsonrpc":"2.0","id":1,"result":1}]'),
  );
  const file = work.write(
    'file.jsonrpc',
    `### batch\n# @name both\nPOST ${server.origin}\n[{"id":1,"method":"getSlot"},{"id":"b","method":"getSlot"}]\n?? [1].result == 1\n?? [b].result == 2\n`,
  );
  const { code, stdout } = await work.run(['run', file, '--rpc-url', server.origin]);
  await server.close();
  assert.equal(code, 0, stdout);
});

describe('watch', () => {
  test('a stream of a file, as one JSON document per line', async () => {
    const file = work.write('slots.jsonrpc', SLOTS);
    const { code, stdout } = await cli(['watch', `${file}#slots`, '--count', '2']);
    const lines = stdout.trim().split('\n');
    assert.deepEqual([code, lines.length], [0, 2], stdout);
    assert.ok(lines.every((line) => 'slot' in (JSON.parse(line) as object)));
  });

  for (const options of [[], ['--grpc']])
    test(`an account${options.join('')}: how it is, then each change, until Ctrl+C`, async () => {
      const { address } = local.ready.wallet;
      const child = work.start(['watch', address, ...options, ...urls()], { env: keys() });
      const ended = resultOf(child);
      assert.ok(child.stdout !== null);
      const lines = createInterface({ input: child.stdout });
      const [now] = (await once(lines, 'line')) as [string];
      assert.match(now, options.length === 0 ? /"lamports":\d+/ : /"lamports":"\d+"/);
      const next = once(lines, 'line');
      await local.cheat('fund', { address, lamports: 5 });
      const [change] = (await next) as [string];
      assert.match(change, options.length === 0 ? /"lamports":\d+/ : /"lamports":"\d+"/);
      child.kill('SIGINT');
      assert.equal((await ended).code, 0);
    });

  test('a standstill of the ledger is shown on a terminal and alongside the lines, until it ends', async (t) => {
    const file = `${work.write('slots.jsonrpc', '### s\n# @name slots\nWS\n{"id":1,"method":"slotSubscribe"}\n')}#slots`;
    const terminal = work.terminal(['watch', file, ...urls()], { env: keys() });
    const child = work.start(['watch', file, '--json', ...urls()], { env: keys() });
    const ended = resultOf(child);
    assert.ok(child.stderr !== null && child.stdout !== null);
    const notes = createInterface({ input: child.stderr });
    const note = once(notes, 'line');
    await terminal.shows('● live · ');
    await local.cheat('pauseClock', {});
    t.after(() => local.cheat('resumeClock', {}));
    const still = await terminal.shows('◔ live, no new slot for 1');
    assert.match(((await note) as [string])[0], /^no new slot for 1\d s, though the connection is open$/);
    await local.cheat('resumeClock', {});
    await terminal.shows('● live · ', still);
    child.kill('SIGINT');
    terminal.type('\u0003');
    assert.deepEqual([(await ended).code, await terminal.ended()], [0, 0]);
  });

  test('follows a transaction until it is finalized', async () => {
    const text = '### s\n# @name s\n{"method":"requestAirdrop","params":["{{to}}",1000000]}';
    const sent = await run(text, '--var', `to=${local.ready.wallet.address}`);
    const signature = String(row(sent)?.response?.['result']);
    const { code, stdout } = await cli(['watch', signature]);
    assert.equal(code, 0, stdout);
    assert.match(stdout.trim().split('\n').at(-1) ?? '', /"level":"finalized"/);
  });

  test('an invalid address is refused, and a refused key ends it with its next step', async () => {
    assert.equal((await cli(['watch', 'nonsense'])).code, 1);
    const wrong = await cli(['watch', local.ready.wallet.address], { SOLANA_RPC_KEY: 'not-a-key' });
    assert.equal(wrong.code, 3);
    assert.match(wrong.stderr, /keyRejected: .*\n {2}next: /);
  });
});

describe('--jobs', () => {
  test('files run at the same time, and the report keeps their order', async () => {
    const waiting: (() => void)[] = [];
    // Each answer waits for the other question: one after the other they would never come.
    const server = await httpServer((_, response) => {
      waiting.push(() => response.end('{"jsonrpc":"2.0","id":1,"result":1}'));
      if (waiting.length === 2) for (const answer of waiting) answer();
    });
    const files = ['a.jsonrpc', 'b.jsonrpc'].map((name) => work.write(name, `### ${name}\n{"method":"getSlot"}\n`));
    const { code, stdout } = await work.run(['run', ...files, '--rpc-url', server.origin, '--jobs', '2']);
    await server.close();
    assert.equal(code, 0, stdout);
    assert.ok(stdout.indexOf('a.jsonrpc') < stdout.indexOf('b.jsonrpc'));
  });

  test('a faulty file stops all of them before anything is sent', async (t) => {
    const sink = await startSink();
    t.after(() => sink.close());
    const files = [
      work.write('a.jsonrpc', '### a\n{"method":"getSlot"}\n'),
      work.write('b.jsonrpc', '### b\n{"method":"getSlot","params":["{{no}}"]}\n'),
    ];
    const { code } = await work.run(['run', ...files, '--rpc-url', sink.origin, '--jobs', '2']);
    assert.deepEqual([code, sink.requests.length], [2, 0]);
  });

  const OUTSIDE: readonly (readonly [what: string, text: string, said: RegExp])[] = [
    ['a file', '{"method":"getSlot","params":["{{$file ./none.txt}}"]}', /b\.jsonrpc:2:\d+: .*none\.txt is not there/],
    ['an environment variable', '{"method":"getSlot","params":["{{$processEnv NONE}}"]}', /b\.jsonrpc:2:\d+: .*NONE/],
    ['an answer to @prompt', '# @prompt who\n{"method":"getSlot","params":["{{who}}"]}', /b\.jsonrpc:2:\d+: .*who/],
  ];
  for (const [what, text, said] of OUTSIDE)
    test(`${what} that is not there stops all files before anything is sent`, async (t) => {
      const sink = await startSink();
      t.after(() => sink.close());
      const files = [
        work.write('a.jsonrpc', '### a\n{"method":"getSlot"}\n'),
        work.write('b.jsonrpc', `### b\n${text}\n`),
        work.write('c.jsonrpc', '### c\n{"method":"getSlot"}\n'),
      ];
      const options = ['--rpc-url', sink.origin, '--jobs', '2', '--json'];
      const { code, stdout, stderr } = await work.run(['run', ...files, ...options]);
      assert.deepEqual([code, sink.requests.length], [2, 0]);
      assert.match(stderr, said);
      const { requests } = JSON.parse(stdout) as { requests: { file: string; status: string }[] };
      assert.deepEqual(
        requests.map(({ file, status }) => `${file} ${status}`),
        ['a.jsonrpc skipped', 'b.jsonrpc failed', 'c.jsonrpc skipped'],
      );
    });

  test('questions of several files are asked one after the other', async (t) => {
    const sink = await startSink();
    t.after(() => sink.close());
    const files = ['a.jsonrpc', 'b.jsonrpc'].map((name) =>
      work.write(name, `### ${name}\n# @note Send ${name}?\n{"method":"getSlot"}\n`),
    );
    const terminal = work.terminal(['run', ...files, '--rpc-url', sink.origin, '--jobs', '2']);
    const first = await terminal.shows('[y/N] ');
    assert.doesNotMatch(terminal.screen.slice(first), /\[y\/N\]/);
    terminal.type('y\r');
    await terminal.shows('[y/N] ', first);
    terminal.type('n\r');
    assert.equal(await terminal.ended(), 1);
    assert.equal(sink.requests.length, 1);
  });

  test('a name is looked for in all files', async () => {
    const files = [
      work.write('a.jsonrpc', '### a\n# @name a\n{"method":"getSlot"}\n'),
      work.write('b.jsonrpc', '### b\n# @name b\n{"method":"getSlot"}\n'),
    ];
    const { code, stdout } = await cli(['run', ...files, '--jobs', '2', '--name', 'b', '--json']);
    assert.equal(code, 0, stdout);
    assert.equal((JSON.parse(stdout) as { summary: { total: number } }).summary.total, 1);
    assert.equal((await cli(['run', ...files, '--jobs', '2', '--name', 'c'])).code, 1);
  });
});

test('a place to save in that is taken, or outside, is refused before the request is sent', async (t) => {
  const sink = await startSink();
  t.after(() => sink.close());
  work.write('there.json', 'mine');
  // A place outside is a fault of the file, and stops the run; a taken place is found when saving.
  for (const [place, exit] of [
    ['there.json', 3],
    ['../outside.json', 2],
    ['/tmp/outside.json', 2],
  ] as const) {
    const file = work.write('file.jsonrpc', `### a\n{"method":"getSlot"}\n>> ${place}\n`);
    const { code } = await work.run(['run', file, '--rpc-url', sink.origin]);
    assert.equal(code, exit, place);
  }
  assert.deepEqual([sink.requests.length, work.read('there.json')], [0, 'mine']);
});

test('Ctrl+C in the middle of a response leaves no file and no part of one', async () => {
  let begun = (): void => undefined;
  const asked = new Promise<void>((resolve) => (begun = resolve));
  const server = await httpServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('{"jsonrpc":"2.0","id":1,"res', begun);
  });
  const file = work.write('file.jsonrpc', '### a\n{"method":"getSlot"}\n>> saved.json\n');
  const before = readdirSync(work.root);
  const child = work.start(['run', file, '--rpc-url', server.origin]);
  const ended = resultOf(child);
  await asked;
  child.kill('SIGINT');
  const { code, stdout } = await ended;
  await server.close();
  assert.equal(code, 3);
  assert.match(stdout, /cancelled/);
  assert.deepEqual(readdirSync(work.root), before);
});

test('a send whose answer was lost names the signature and the command that looks it up', async () => {
  const server = await httpServer((_, response) => void response.destroy());
  const transaction = Buffer.concat([Buffer.from([1]), Buffer.alloc(64, 7), Buffer.alloc(70)]).toString('base64');
  const file = work.write(
    'file.jsonrpc',
    `### a\n{"method":"sendTransaction","params":["${transaction}",{"encoding":"base64"}]}\n`,
  );
  const { code, stdout } = await work.run(['run', file, '--rpc-url', server.origin]);
  await server.close();
  assert.equal(code, 3);
  assert.match(stdout, /ambiguous: /);
  assert.match(stdout, /next: .*solana-rpc watch [1-9A-HJ-NP-Za-km-z]{64,88}\n/);
});
