// Copied requests run as they are against the local service: by curl, by the unmodified @solana/kit and
// @solana/web3.js. What reaches the service is the request of the file, with the key of the environment.
import assert from 'node:assert/strict';
import { execFile, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import type { CopyForm } from '../../../core/requests/copy/request';
import { parseDocument } from '../../../core/requests/document/document';
import { copyOffers } from '../../../core/requests/language/features/copyAs';
import { createLanguageService } from '../../../core/requests/language/service';
import { METHODS } from '../../../core/requests/methods';
import {
  isJsonArray,
  isJsonObject,
  member,
  parseJson,
  printJson,
  type JsonValue,
} from '../../../core/solana/json/json';
import { startTestLedger, type Localnet } from '../../support/process/localnet';
import { startRecorder, type Recorded, type Recorder } from '../../support/wire/recorder';
import { METHODS as FACTS } from '../../corpus/methods';
import { TRANSACTION } from '../../corpus/values';
import { bodyOf, callsOf } from '../../corpus/variants';

const service = createLanguageService({ surroundings: () => ({}), log: (message) => assert.fail(message) });
const CLIENTS = path.join(__dirname, '..', '..', 'node_modules');

let local: Localnet;
let recorder: Recorder;
let folder: string;
before(async () => {
  // A leader schedule of a real epoch has 432,000 slots, and dozens of calls answer it to clients that read it slowly.
  local = await startTestLedger(['--plan', 'Shared Metal', '--slots-per-epoch', '64']);
  recorder = await startRecorder(local.ready);
  await mkdir(CLIENTS, { recursive: true });
  folder = await mkdtemp(path.join(CLIENTS, '.copied-'));
});
after(async () => {
  await rm(folder, { recursive: true, force: true });
  await recorder.close();
  await local.stop();
});

/** Every script sends to a separate address. */
let scripts = 0;

interface Copied {
  readonly script: number;
  readonly body: JsonValue;
  /** Undefined where the form says why it cannot be. */
  readonly text: string | undefined;
  readonly reason: string;
}

function copy(block: string, form: CopyForm): Copied {
  const script = ++scripts;
  const profile = { name: 'test', rpcUrl: recorder.httpUrl(script), wsUrl: recorder.wsUrl(script) };
  const copies = service.copies(parseDocument('file:///a.jsonrpc', 0, block), 0, profile, copyOffers);
  assert.equal(copies.kind, 'offers', JSON.stringify(copies));
  const written = copies.offers.find((offer) => offer.form === form)?.written;
  assert.ok(written !== undefined, `${form} is not offered for ${block}`);
  const body = parseJson(block.slice(block.search(/[[{]/)));
  return written.kind === 'text'
    ? { script, body, text: written.text, reason: '' }
    : { script, body, text: undefined, reason: written.reason };
}

const keys = (): Record<string, string> => ({
  SOLANA_RPC_KEY: local.ready.keys.rpc.key,
  SOLANA_SWQOS_KEY: local.ready.keys.swqos.key,
});

/** Runs scripts for the clients in one process; the message of each that threw. */
async function runAll(copied: readonly Copied[]): Promise<readonly (string | null)[]> {
  const files = await Promise.all(
    copied.map(async ({ script, text = '' }) => {
      const file = path.join(folder, `${script}.mjs`);
      await writeFile(file, text);
      return file;
    }),
  );
  const child = fork(path.join(__dirname, 'copied-scripts.mjs'), [files.join('\n')], {
    execArgv: [],
    env: { ...process.env, ...keys() },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [ends] = (await once(child, 'message')) as [readonly (string | null)[]];
  return ends;
}

/** Params without the parts that a client adds or omits because they mean the same to the service. */
function meaning(value: JsonValue | undefined): string {
  const params = isJsonArray(value) ? value : [];
  const shaped = params.map((param) => {
    if (!isJsonObject(param)) return printJson(param);
    const members = Object.entries(param)
      .filter(([name, given]) => !(/commitment$/i.test(name) && given === 'finalized') && name !== 'encoding')
      .map(([name, given]) => `${name}:${printJson(given).replaceAll(',"encoding":"base58"', '')}`)
      .sort();
    return members.length === 0 ? '' : `{${members.join()}}`;
  });
  while (['', 'null'].includes(shaped.at(-1) ?? '-')) shaped.pop();
  return shaped.join();
}

function assertSame(recorded: Recorded | undefined, { body, text }: Copied, ended: string | null = null): void {
  assert.ok(recorded !== undefined, `Nothing was sent (${ended ?? 'no error'}) by\n${text ?? ''}`);
  const sent = parseJson(recorded.body);
  assert.equal(member(sent, 'method'), member(body, 'method'));
  assert.equal(meaning(member(sent, 'params')), meaning(member(body, 'params')), text);
  const key = local.ready.keys.rpc.key;
  assert.ok(recorded.authorization === `Bearer ${key}` || recorded.query.includes(key), 'the key did not travel');
}

const resultOf = ({ answer }: Recorded): JsonValue | undefined => member(parseJson(answer), 'result');

/** Runs copied requests and returns those that sent something else, or rejected a good answer. */
async function faultsOf(copied: readonly Copied[]): Promise<string[]> {
  const ends = await runAll(copied);
  return copied.flatMap((one, index) => {
    const [recorded] = recorder.sent(one.script);
    try {
      assertSame(recorded, one, ends[index]);
      if (recorded !== undefined && resultOf(recorded) !== undefined) assert.equal(ends[index], null, one.text);
      return [];
    } catch (error) {
      return [String(error)];
    }
  });
}

const able = (copied: readonly Copied[]): readonly Copied[] => copied.filter(({ text }) => text !== undefined);

describe('the public clients', () => {
  for (const form of ['kit', 'web3'] as const) {
    test(`every call of every method is sent by ${form} as written in the file`, async () => {
      const calls = FACTS.filter(({ on }) => on === 'http').flatMap(callsOf);
      // Null is left out by both clients, and means as much.
      const expressible = calls.filter(({ params }) => params?.includes('null') !== true);
      const copied = expressible.map((call) => copy(`### A\n${bodyOf(call)}`, form));
      for (const { text, reason } of copied) if (text === undefined) assert.match(reason, /2\^53/);
      assert.ok(able(copied).length > (copied.length * 2) / 3);
      assert.deepEqual(await faultsOf(able(copied)), []);
    });

    test(`subscriptions are opened by ${form} as written in the file`, async () => {
      const calls = METHODS.filter(({ subscription }) => subscription !== undefined).map(({ name, example }) =>
        copy(`### A\n${printJson({ method: name, params: example })}`, form),
      );
      const copied = able(calls);
      assert.ok(copied.length >= 6, calls.map(({ reason }) => reason).join('\n'));
      for (const one of copied) await watch(one);
    });
  }

  test('integers beyond 2^53 leave by @solana/kit with every digit', async () => {
    const copied = copy('### A\n{"method":"getSlot","params":[{"minContextSlot":18446744073709551615}]}', 'kit');
    assert.deepEqual(await faultsOf([copied]), []);
    assert.match(recorder.sent(copied.script)[0]?.body ?? '', /"minContextSlot":18446744073709551615\b/);
  });

  test('a transaction with priority carries both keys', async () => {
    for (const form of ['kit', 'web3'] as const) {
      const copied = copy(
        `### A\nSWQOS\n{"method":"sendTransaction","params":["${TRANSACTION}",{"encoding":"base64"}]}`,
        form,
      );
      await runAll([copied]);
      const [recorded] = recorder.sent(copied.script);
      assertSame(recorded, copied);
      assert.ok(recorded?.query.includes(local.ready.keys.swqos.key));
    }
  });

  test('a batch is sent as separate requests', async () => {
    for (const form of ['kit', 'web3'] as const) {
      const copied = copy('### A\n[{ "method": "getSlot" }, { "method": "getBlockHeight" }]', form);
      assert.deepEqual(await runAll([copied]), [null]);
      const methods = recorder.sent(copied.script).map(({ body }) => member(parseJson(body), 'method'));
      assert.deepEqual(methods.sort(), ['getBlockHeight', 'getSlot']);
    }
  });
});

/** Runs the script of a subscription until the service answered it. */
async function watch(copied: Copied): Promise<void> {
  const file = path.join(folder, `${copied.script}.mjs`);
  await writeFile(file, copied.text ?? '');
  const child = spawn(process.execPath, [file], {
    env: { ...process.env, ...keys() },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const ended = once(child, 'exit').then(() => assert.fail(errors));
  try {
    const [recorded] = await Promise.race([recorder.answered(copied.script), ended]);
    assertSame(recorded, copied);
    assert.match(recorded === undefined ? '' : printJson(resultOf(recorded) ?? null), /^\d+$/, recorded?.answer);
  } finally {
    ended.catch(() => undefined);
    child.kill('SIGKILL');
  }
}

describe('curl', () => {
  const run = promisify(execFile);
  const curl = async (block: string): Promise<Copied> => {
    const copied = copy(block, 'curl');
    await run('sh', ['-c', copied.text ?? ''], { env: { ...process.env, ...keys() } });
    return copied;
  };

  test('sends the example of every method to the letter', async () => {
    for (const { name, example, transport } of METHODS) {
      if (transport === 'ws') continue;
      const copied = await curl(`### A\n${printJson({ method: name, params: example })}`);
      const [recorded] = recorder.sent(copied.script);
      assert.equal(recorded?.status, 200, recorded?.answer);
      assertSame(recorded, copied);
      assert.deepEqual(member(parseJson(recorded?.body ?? ''), 'params'), member(copied.body, 'params'));
    }
  });

  test('carries quotes, dollars, backslashes and every digit', async () => {
    const block = `### A\n{ "method": "getSlot", "id": "it's $HOME \\\\ \`id\`", "params": [{ "minContextSlot": 18446744073709551615 }] }`;
    const copied = await curl(block);
    const [recorded] = recorder.sent(copied.script);
    assert.equal(member(parseJson(recorded?.body ?? ''), 'id'), member(copied.body, 'id'));
    assert.match(recorded?.body ?? '', /18446744073709551615/);
    assert.match(recorded?.answer ?? '', /"error"|"result"/);
  });

  test('sends a batch as one request', async () => {
    const copied = await curl('### A\n[{ "method": "getSlot" }, { "method": "getBlockHeight" }]');
    assert.equal(recorder.sent(copied.script).length, 1);
  });

  test('carries both keys of a transaction with priority', async () => {
    const block = `### A\nSWQOS\n{"method":"sendTransaction","params":["${TRANSACTION}",{"encoding":"base64"}]}`;
    const [recorded] = recorder.sent((await curl(block)).script);
    assert.equal(recorded?.query, `?api_key=${local.ready.keys.swqos.key}`);
    assert.equal(recorded?.authorization, `Bearer ${local.ready.keys.rpc.key}`);
    assert.equal(recorded?.status, 200);
  });
});
