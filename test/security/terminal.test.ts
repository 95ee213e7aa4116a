// The terminal with all three keys in its environment: no output, report or saved file repeats one, also where the
// service does, and no child of it is handed one.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { resultOf, testWorkspace } from '../support/process/cli';
import { httpServer, type Hostile } from '../support/wire/hostile';
import { assertNoLeak, echoesOf, escapedEchoesOf, filesWith } from '../support/process/leaks';
import { descendantsOf, type Seen } from '../support/process/processes';

const KEYS = {
  SOLANA_RPC_KEY: "term+rpc/4711'=abcdefghij",
  SOLANA_GRPC_KEY: "term+grpc/4712'=abcdefghij",
  SOLANA_SWQOS_KEY: "term+swqos/4713'=abcdefghij",
} as const;
const SECRETS = Object.values(KEYS);
const KEY = KEYS.SOLANA_RPC_KEY;

const ECHO = [...echoesOf(KEY), ...escapedEchoesOf(KEY)].join(' ');
const ANSWERS: Readonly<Record<string, readonly [number, string]>> = {
  result: [200, `{"jsonrpc":"2.0","id":1,"result":"${ECHO}"}`],
  error: [200, `{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"${ECHO}","data":"${ECHO}"}}`],
  refused: [401, `{"jsonrpc":"2.0","id":1,"error":{"code":401,"message":"${ECHO}"}}`],
  garbage: [200, `<html>${ECHO}`],
  usage: [200, `{"request_count":1,"from":1,"to":2,"key_id":"${ECHO}","methods":[{"method":"${ECHO}","count":1}]}`],
};

describe('a service that repeats the key, in the terminal', () => {
  const work = testWorkspace();
  let service: Hostile;
  /** Requests that brought the key. */
  let keyed = 0;

  before(async () => {
    work.write('a.jsonrpc', '### a\n# @name a\n{"method":"getSlot"}\n?? result == 1\n>>! answer.json\n');
    service = await httpServer(({ url, headers }, response) => {
      if (headers.authorization === `Bearer ${KEY}`) keyed++;
      const [status, body] = ANSWERS[url.split('/')[1] ?? ''] ?? [404, ECHO];
      response.writeHead(status, { 'content-type': 'application/json', 'x-echo': KEY });
      response.end(body);
    });
  });
  after(() => service.close());

  const FORMS: readonly (readonly string[])[] = [[], ['--json'], ['--junit', 'report.xml']];
  for (const answer of ['result', 'error', 'refused', 'garbage'])
    for (const form of FORMS)
      test(`run ${form.join(' ')} with ${answer}: neither output nor files hold a key`, async () => {
        const before = keyed;
        const url = `${service.origin}/${answer}`;
        const { stdout, stderr } = await work.run(['run', 'a.jsonrpc', '--rpc-url', url, ...form], { env: KEYS });
        assert.equal(keyed, before + 1, 'the service was given the key');
        assertNoLeak(`${stdout}\n${stderr}`, SECRETS, 'the output');
        if (answer === 'result') assert.match(work.read('answer.json'), /\[redacted\]/);
        assert.deepEqual(filesWith(work.root, SECRETS), []);
      });

  for (const form of [[], ['--json']])
    test(`usage ${form.join(' ')}: the output holds no key`, async () => {
      const before = keyed;
      const args = ['usage', '--rest-url', `${service.origin}/usage`, ...form];
      const { code, stdout, stderr } = await work.run(args, { env: KEYS });
      assert.deepEqual([code, keyed], [0, before + 1], stderr);
      assert.match(stdout, /\[redacted\]/);
      assertNoLeak(`${stdout}\n${stderr}`, SECRETS, 'the output');
    });
});

describe('children of the terminal', () => {
  const work = testWorkspace();

  const STARTS: Readonly<Record<string, readonly string[]>> = {
    'run --local': ['run', 'long.jsonrpc', '--local'],
    localnet: ['localnet'],
  };
  for (const [name, args] of Object.entries(STARTS))
    test(`${name} hands none of the keys to the service it starts`, async () => {
      work.write('long.jsonrpc', '### a\n# @retry 100000 every 20ms while result >= 0\n{"method":"getSlot"}');
      const env = { ...KEYS, SOLANA_RPC_ORIGIN: 'https://rpc.example.test', KEPT: 'as it is' };
      const child = work.start(args, { env });
      const ended = resultOf(child);
      const services = await until(() => {
        assert.deepEqual(
          [child.exitCode, child.signalCode],
          [null, null],
          'the command ended before it started a service',
        );
        const found = descendantsOf(child.pid ?? 0).filter(({ cmdline }) => cmdline.includes('localnet'));
        // Right after the fork a child still shows what its parent was.
        return found.length > 0 && found.every(isStarted) ? found : undefined;
      });
      child.kill('SIGINT');
      const { stdout, stderr } = await ended;
      for (const { cmdline, environ } of services) {
        assert.ok(environ.includes('KEPT=as it is'), 'an environment was read');
        assertNoLeak(`${cmdline}\n${environ.join('\n')}`, SECRETS, 'the child');
        assert.deepEqual(
          environ.filter((entry) => entry.startsWith('SOLANA_')),
          [],
        );
      }
      assertNoLeak(`${stdout}\n${stderr}`, SECRETS, 'the output');
    });
});

const isStarted = ({ cmdline, environ }: Seen): boolean =>
  cmdline.includes('localnet.js') && environ.some((entry) => entry.startsWith('ELECTRON_RUN_AS_NODE='));

/** Asks again until there is an answer; the test's own time limit ends it. */
async function until<T>(ask: () => T | undefined): Promise<T> {
  for (;;) {
    const answer = ask();
    if (answer !== undefined) return answer;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
