// Keys in the terminal are guarded against command lines, files of variables and requests. Tested without starting it.
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, test } from 'node:test';
import { Readable } from 'node:stream';
import { readArguments } from '../../../cli/options';
import { keyPort, listedOrigins, parseKeys, readGivenKeys } from '../../../cli/session/keys';
import { refuseKeys, refuseKeyWords, shownArgument } from '../../../cli/session/keysInArgv';
import { createPorts, type PortOptions } from '../../../cli/session/ports';
import { walletFiles } from '../../../cli/session/wallets';
import { encodeBase58 } from '../../../core/solana/encoding/base58';
import { allowedEnvironment, readVariables } from '../../../cli/session/variables';
import { UsageError } from '../../../cli/exit';
import type { PlacedProfile } from '../../../core/service/profiles/profile';
import { Chains } from '../../../core/requests/run/chains';
import { Secret } from '../../../core/service/keys/secret';
import type { Net } from '../../../net/api';
import { testFolder } from '../../support/folder';

const KEY = 'key-nobody-else-may-read-4711';
const home = testFolder('key-guards');
const { signal } = new AbortController();

describe('a command line that holds a key', () => {
  for (const args of [
    ['--api-key', KEY],
    ['--token=short'],
    ['--rpc-url', 'https://user:word@example.org/sol'],
    ['--rpc-url', `https://example.org/v2/${KEY}`],
    ['--rpc-url', 'https://example.org/?k=short'],
    ['--rpc-url', `https://example.org/?region=${KEY}`],
    ['--var', 'SOLANA_RPC_KEY=short'],
    ['--var', 'apikey=short'],
    ['--var', `url=https://example.org/v2/${KEY}`],
  ])
    test(`${args.join(' ').replaceAll(KEY, 'KEY')} is refused, and the key not repeated`, () => {
      assert.throws(
        () => refuseKeys(args),
        (error) => error instanceof UsageError && !error.message.includes(KEY),
      );
    });

  test('as a word is refused; an address, a name and a file are not taken for keys', () => {
    const file = path.join(home, KEY);
    writeFileSync(file, '');
    assert.throws(() => refuseKeyWords([KEY]), UsageError);
    refuseKeyWords(['EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', 'quickstart.jsonrpc', file]);
    assert.equal(shownArgument(KEY), '…');
    assert.equal(shownArgument('devnet'), 'devnet');
  });
});

describe('keys of standard input', () => {
  test('are bounded', async () => {
    await assert.rejects(readGivenKeys({}, Readable.from([Buffer.alloc(20_000, 'a')])), /too long/);
  });

  test('are one of a type', () => assert.throws(() => parseKeys('rpc=a\nrpc=b'), /two keys/));
});

describe('a key of the environment', () => {
  const keys = new Map([['rpc', new Secret(KEY)]] as const);
  const kindAt = async (type: 'rpc' | 'grpc', origin: string): Promise<string> => {
    const allowed = new Set(['https://own.example', 'https://mainnet.helius-rpc.com']);
    return (await keyPort(keys, allowed).key({ type, profile: 'p', origin, interface: 'rpc' }, signal)).kind;
  };

  test('goes to no origin that was not allowed', async () => {
    assert.equal(await kindAt('rpc', 'https://own.example'), 'lease');
    assert.equal(await kindAt('rpc', 'https://own.example.evil'), 'none');
    assert.throws(() => listedOrigins('own.example'), /not an origin/);
  });

  test('is not used for gRPC if the provider has keys of several types', async () => {
    assert.equal(await kindAt('grpc', 'https://own.example'), 'none');
  });
});

describe('variables', () => {
  test('of a file are no keys, and none is allowed', async () => {
    const file = path.join(home, 'variables.env');
    writeFileSync(file, `SOLANA_RPC_KEY=${KEY}\nexport SOLANA_RPC_ORIGIN=https://sink.example\nMINE=1\n`);
    const { values, environment } = await readVariables(readArguments('run', ['a.jsonrpc', '--env-file', file]));
    assert.deepEqual([...environment.keys()], ['MINE']);
    assert.deepEqual([...values.keys()], ['MINE']);
    const given = readArguments('run', ['a.jsonrpc', '--allow-env', 'SOLANA_RPC_KEY']);
    assert.throws(() => allowedEnvironment(given), /no request reads a key/);
  });

  test('of a file with long runs of blanks are read in one pass', async () => {
    const file = path.join(home, 'blanks.env');
    // The cost of a square would take this test to its limit.
    const blanks = ' '.repeat(100_000);
    writeFileSync(
      file,
      `A=${blanks}x${blanks}\n${blanks}export  B = "${blanks}" ${blanks}\nC=${blanks}x\u2028x\n${blanks}\n`,
    );
    const { environment } = await readVariables(readArguments('run', ['a.jsonrpc', '--env-file', file]));
    assert.deepEqual(
      [...environment],
      [
        ['A', 'x'],
        ['B', blanks],
        ['C', 'x\u2028x'],
      ],
    );
  });

  test('of a file refer to each other, never to the environment', async () => {
    const file = path.join(home, 'references.env');
    writeFileSync(file, 'A="x" # one\nB=${A}/y\nC=${PATH}\n');
    const { environment, values } = await readVariables(readArguments('run', ['a.jsonrpc', '--env-file', file]));
    assert.deepEqual(Object.fromEntries(environment), { A: 'x', B: 'x/y' });
    assert.deepEqual([...values.keys()], ['A', 'B']);
  });
});

describe('the ports of a run', () => {
  const pair = generateKeyPairSync('ed25519');
  const keypair = Buffer.concat([
    Buffer.from(pair.privateKey.export({ format: 'jwk' }).d ?? '', 'base64url'),
    Buffer.from(pair.publicKey.export({ format: 'jwk' }).x ?? '', 'base64url'),
  ]);
  const wallet = path.join(home, 'id.json');
  writeFileSync(wallet, JSON.stringify([...keypair]));

  const ports = (placed: PlacedProfile, more: Partial<PortOptions> = {}) =>
    createPorts({
      // Nothing is sent here.
      net: {} as Net,
      find: () => placed,
      known: [placed],
      workspace: home,
      spillFile: () => path.join(home, 'spill'),
      environment: { SOLANA_RPC_KEY: KEY, COPY: KEY, PLAIN: 'plain' },
      extraEnvironment: new Map([['GIVEN', '1']]),
      allowedEnvironment: new Set(['ALLOWED']),
      yes: false,
      localWallet: undefined,
      wallets: new Map([['p', wallet]]),
      onProgress: () => undefined,
      chains: new Chains(),
      signal,
      ...more,
    });
  const placed = (rpcUrl: string, source: PlacedProfile['source'] = 'user'): PlacedProfile => ({
    profile: { name: 'p', rpcUrl },
    source,
  });
  const away = placed('https://rpc.example/sol');

  test('give no request a key, nor its value under another name', () => {
    const { environment } = ports(away);
    assert.match(environment.refusal('SOLANA_RPC_KEY') ?? '', /is for a key/);
    assert.match(environment.refusal('solana_rpc_origin') ?? '', /is for a key/);
    assert.match(environment.refusal('COPY') ?? '', /has the value of a key/);
    assert.equal(environment.refusal('PLAIN'), undefined);
  });

  test('let only variables leave that the user named or gave', () => {
    const { environment } = ports(away);
    assert.deepEqual(
      ['PLAIN', 'ALLOWED', 'GIVEN'].map((name) => environment.isAllowed(name)),
      [false, true, true],
    );
  });

  test('sign for no endpoint of a project', async () => {
    const signed = await ports(placed('http://127.0.0.1:8899', 'workspace')).wallet.sign('p', Buffer.from('message'), [
      undefined,
    ]);
    assert.ok(!signed.ok && /no wallet/.test(signed.error.message));
  });

  test('ask before each signature off this machine, and take silence for no', async () => {
    const questions: string[] = [];
    const asked = ports(away, { confirm: async (question) => questions.push(question) < 0 });
    const refused = await asked.wallet.sign('p', Buffer.from('message'), [undefined]);
    assert.ok(!refused.ok && refused.error.kind === 'confirmation');
    assert.match(questions.join(), /Sign a transaction for rpc\.example\?$/);
    // A test's standard input is not a terminal.
    const silent = await ports(away).wallet.sign('p', Buffer.from('message'), [undefined]);
    assert.ok(!silent.ok && silent.error.kind === 'confirmation');
    assert.ok((await ports(placed('http://127.0.0.1:8899')).wallet.sign('p', Buffer.from('message'), [undefined])).ok);
  });

  test('ask before a wallet signs that a request names, on this machine, too', async () => {
    const here = placed('http://127.0.0.1:8899');
    const wallets = new Map([['sponsor', wallet]]);
    const questions: string[] = [];
    const confirm = async (question: string): Promise<boolean> => questions.push(question) > 0;
    const asked = ports(here, { wallets, confirm }).wallet;
    const address = await asked.address('p', 'sponsor');
    assert.deepEqual(address, { ok: true, value: encodeBase58(keypair.subarray(32)) });
    assert.deepEqual(questions, []);
    assert.ok((await asked.sign('p', Buffer.from('message'), ['sponsor'])).ok);
    assert.match(
      questions.join(),
      /wallet "sponsor": \w+\n\nSign a transaction for 127\.0\.0\.1:8899 with the wallet "sponsor"\?$/,
    );
    const silent = await ports(here, { wallets }).wallet.sign('p', Buffer.from('message'), ['sponsor']);
    assert.ok(!silent.ok && silent.error.kind === 'confirmation');
  });

  test('know no wallet that the user did not name, nor any for an endpoint of a project', async () => {
    const unnamed = await ports(away).wallet.address('p', wallet);
    assert.ok(!unnamed.ok && /^There is no wallet "/.test(unnamed.error.message));
    const ofProject = await ports(placed('http://127.0.0.1:8899', 'workspace')).wallet.address('p', 'p');
    assert.ok(!ofProject.ok && /endpoint of the project/.test(ofProject.error.message));
  });

  test('read no keypair whose public key is another one, and say nothing of the file', async () => {
    const odd = path.join(home, 'odd.json');
    writeFileSync(odd, JSON.stringify([...keypair.subarray(0, 63), (keypair[63] ?? 0) ^ 1]));
    const read = await ports(away, { wallets: new Map([['p', odd]]) }).wallet.address('p');
    assert.ok(!read.ok && /is not a keypair/.test(read.error.message) && !read.error.message.includes(odd));
    const gone = await ports(away, { wallets: new Map([['p', `${odd}x`]]) }).wallet.address('p');
    assert.ok(!gone.ok && /is not there\.$/.test(gone.error.message), JSON.stringify(gone));
  });

  test('take keypair files of the command line over those of the configuration', () => {
    const given = readArguments('run', ['a.jsonrpc', '--wallet', `p=${wallet}`, '--wallet', 'sponsor=~/s.json']);
    const files = walletFiles(given, new Map([['p', '/other.json']]));
    assert.deepEqual(
      [...files],
      [
        ['p', wallet],
        ['sponsor', path.join(os.homedir(), 's.json')],
      ],
    );
    for (const odd of ['sponsor', '=a.json', 'sponsor='])
      assert.throws(() => walletFiles(readArguments('run', ['a.jsonrpc', '--wallet', odd]), new Map()), /NAME=FILE/);
  });
});
