// `solana-rpc mcp`, driven by the official client over stdio: every tool, and what each refuses.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { DATA_NOTE } from '../../../core/requests/tools/outside';
import { TOOLS } from '../../../core/requests/tools/table';
import { decodeBase58 } from '../../../core/solana/encoding/base58';
import { COUNTER_DATA, COUNTER_IDL } from '../../support/data/plantedAccounts';
import { key, v1Bytes } from '../../support/data/v1Transactions';
import { childrenOf, isAlive, startSink, type Sink, testWorkspace } from '../../support/process/cli';
import { McpClient, textOf } from '../../support/process/mcpClient';

const TRANSACTION = readFileSync(path.join(__dirname, '..', '..', 'corpus', 'valid', 'transfer.b64'), 'utf8').trim();
const SYSTEM = '11111111111111111111111111111111';
const SYSVAR = 'Sysvar1111111111111111111111111111111111111';
const KEY = 'k3yOfTheUserThatNobodySees0123';

interface Row {
  readonly status: string;
  readonly response?: { readonly result?: unknown };
  readonly responseText?: string;
  readonly messages?: readonly unknown[];
  readonly error?: { readonly kind: string; readonly message: string };
}

const work = testWorkspace();
let sink: Sink;
let client: McpClient;

before(async () => {
  sink = await startSink(`{"jsonrpc":"2.0","id":1,"result":{"big":18446744073709551615,"echo":"${KEY}"}}`);
  const remote = { name: 'remote', rpcUrl: `${sink.origin}/sol` };
  const other = { name: 'other', rpcUrl: `${sink.origin.replace('127.0.0.1', 'localhost')}/sol` };
  work.write('solana-rpc.json', JSON.stringify({ endpoints: [remote, other] }));
  client = await McpClient.start({
    folder: work.root,
    args: ['--allow-endpoint', 'remote'],
    env: { SOLANA_RPC_KEY: KEY, SOLANA_RPC_ORIGIN: sink.origin },
  });
});
after(async () => {
  await client.close();
  await sink.close();
});

describe('tools that send nothing', () => {
  test('are all listed, each with a schema of what it answers', async () => {
    assert.deepEqual(
      await client.names(),
      TOOLS.map(({ name }) => name),
    );
    assert.deepEqual(childrenOf(client.pid), [], 'nothing is started for them');
  });

  test('list_methods finds by words', async () => {
    type Listed = { readonly methods: readonly { readonly name: string }[]; readonly more: number };
    const { methods } = await client.structured<Listed>('list_methods', { query: 'getBalance' });
    assert.ok(methods.some(({ name }) => name === 'getBalance'));
    const all = await client.structured<Listed>('list_methods');
    assert.ok(all.methods.length > 50);
  });

  test('explain_method says what a method takes, and what is spelled alike', async () => {
    const known = await client.structured<{
      readonly signature: string;
      readonly parameters: readonly { readonly name: string; readonly members: readonly string[] }[];
    }>('explain_method', { method: 'getAccountInfo' });
    assert.match(known.signature, /^getAccountInfo\(pubkey: public key/);
    assert.ok(known.parameters[1]?.members.some((member) => member.startsWith('encoding: ')));
    const unknown = await client.structured<{ readonly isKnown: boolean; readonly similar: readonly string[] }>(
      'explain_method',
      { method: 'getBalanse' },
    );
    assert.deepEqual(unknown, { ...unknown, isKnown: false });
    assert.ok(unknown.similar.includes('getBalance'));
  });

  test('list_endpoints names the local service and what was allowed', async () => {
    const { endpoints } = await client.structured<{ readonly endpoints: readonly { readonly name: string }[] }>(
      'list_endpoints',
    );
    assert.deepEqual(
      endpoints.map(({ name }) => name),
      ['local', 'remote'],
    );
  });

  test('check finds the faults of a text and of a file', async () => {
    type Checked = { readonly ok: boolean; readonly findings: readonly { readonly code: string }[] };
    const wrong = '### Slot\n{ "method": "getSlto" }\n';
    const inText = await client.structured<Checked>('check', { text: wrong });
    work.write('wrong.jsonrpc', wrong);
    assert.deepEqual(await client.structured<Checked>('check', { file: 'wrong.jsonrpc' }), inText);
    assert.deepEqual(
      inText.findings.map(({ code }) => code),
      ['unknown-method'],
    );
    assert.deepEqual(await client.structured<Checked>('check', { text: '### Slot\n{ "method": "getSlot" }\n' }), {
      note: DATA_NOTE,
      ok: true,
      findings: [],
      more: 0,
    });
  });

  test('decode_transaction and decode_account read what is given', async () => {
    type Decoded = { readonly isDecoded: boolean; readonly what: string; readonly lines: readonly string[] };
    const transaction = await client.structured<Decoded>('decode_transaction', { transaction: TRANSACTION });
    assert.ok(
      transaction.lines.some((line) => /System Program: transfer/.test(line)),
      transaction.lines.join('\n'),
    );
    const nonce = Buffer.alloc(80);
    const account = await client.structured<Decoded>('decode_account', {
      data: nonce.toString('base64'),
      owner: SYSTEM,
    });
    assert.ok(account.lines.length > 0);
    assert.match(await client.refusal('decode_transaction', { transaction: 'AAAA' }), /is not a transaction/);
    assert.match(await client.refusal('decode_transaction', {}), /either "transaction" or "signature"/);
    assert.match(await client.refusal('decode_account', { data: 'AAAA' }), /"owner"/);
  });
});

describe('the IDLs of the folder', () => {
  type Decoded = { readonly title?: string; readonly what: string; readonly lines: readonly string[] };
  const { address: program } = JSON.parse(readFileSync(COUNTER_IDL, 'utf8')) as { readonly address: string };
  const data = Buffer.from(COUNTER_DATA).toString('base64');
  const account = (owner: string): Promise<Decoded> =>
    client.structured<Decoded>('decode_account', { data, owner, address: SYSTEM });

  test('decode accounts and transactions of its programs, as soon as they are there', async () => {
    assert.doesNotMatch((await account(program)).lines.join(), /count: 41/);
    writeFileSync(path.join(await work.folder('target/idl'), 'counter.json'), readFileSync(COUNTER_IDL));
    const known = await account(program);
    assert.match(known.what, /Counter \(counter\)/);
    assert.ok(known.lines.includes('count: 41'), known.lines.join());
    const increment = createHash('sha256').update('global:increment').digest().subarray(0, 8);
    const called = v1Bytes({
      addresses: [key(1), key(2), decodeBase58(program) ?? key(3)],
      instructionHeaders: [[2, 2, 16]],
      payload: [1, 0, ...increment, 7, 0, 0, 0, 0, 0, 0, 0],
    });
    const transaction = Buffer.from(called).toString('base64');
    for (const tool of ['decode_transaction', 'simulate']) {
      const { lines } = await client.structured<Decoded>(tool, { transaction });
      assert.match(lines.join('\n'), /counter: increment[\s\S]*amount: 7/, tool);
    }
  });

  test('are not read through a link that leads out; a faulty one is reported and stops nothing', async () => {
    const outside = await mkdtemp(path.join(os.tmpdir(), 'mcp-idl-'));
    try {
      const folder = await work.folder('idl');
      writeFileSync(path.join(outside, `${SYSVAR}.json`), readFileSync(COUNTER_IDL));
      symlinkSync(path.join(outside, `${SYSVAR}.json`), path.join(folder, `${SYSVAR}.json`));
      writeFileSync(path.join(folder, 'faulty.json'), '{');
      assert.doesNotMatch((await account(SYSVAR)).lines.join(), /count: 41/);
      assert.match((await account(program)).lines.join(), /count: 41/);
      assert.match(client.stderr, /faulty\.json: the file: /);
      assert.match(client.stderr, /is outside the working directory/);
    } finally {
      await rm(outside, { recursive: true, force: true });
    }
  });
});

describe('tools that send', () => {
  test('go to a separate service, which ends with the session', async () => {
    const own = await McpClient.start({ folder: work.root });
    const row = await own.structured<Row>('run', { method: 'getSlot' });
    assert.equal(row.status, 'passed');
    assert.equal(typeof row.response?.result, 'number');
    const [service = 0, ...more] = childrenOf(own.pid);
    assert.ok(isAlive(service));
    assert.deepEqual(more, []);
    const { pid } = own;
    await own.close();
    await own.closed;
    assert.deepEqual([pid, service].filter(isAlive), []);
  });

  test('run a file with its references and assertions', async () => {
    const text = `### Blockhash
# @name hash
{ "method": "getLatestBlockhash" }

### Valid
{ "method": "isBlockhashValid", "params": ["{{hash.result.value.blockhash}}"] }
?? result.value == true

### Sent
{ "method": "getBalance", "params": ["{{$wallet}}"] }
?? result.value > 0
`;
    type Ran = { readonly ok: boolean; readonly requests: readonly Row[]; readonly problems: readonly string[] };
    const all = await client.structured<Ran>('run_file', { text });
    assert.deepEqual([all.ok, all.requests.map(({ status }) => status)], [true, ['passed', 'passed', 'passed']]);
    work.write('three.jsonrpc', text);
    const one = await client.structured<Ran>('run_file', { file: 'three.jsonrpc', name: 'hash' });
    assert.equal(one.requests.length, 1);
    const faulty = await client.structured<Ran>('run_file', {
      text: '### a\n{ "method": "getBalance", "params": ["{{none}}"] }\n',
    });
    assert.match(faulty.problems.join(), /none/);
    assert.match(await client.refusal('run_file', { text, name: 'nobody' }), /No request has that name/);
  });

  test('decode what they look up, and simulate', async () => {
    type Decoded = { readonly title: string; readonly isDecoded: boolean };
    const address = 'SysvarC1ock11111111111111111111111111111111';
    const clock = await client.structured<Decoded>('decode_account', { address });
    assert.deepEqual([clock.title, clock.isDecoded], [address, true]);
    assert.match(await client.refusal('decode_transaction', { signature: '1'.repeat(64) }), /not found/);
    const simulated = await client.structured<{
      readonly ok: boolean;
      readonly err: unknown;
      readonly lines: readonly string[];
    }>('simulate', { transaction: TRANSACTION });
    assert.equal(simulated.ok, simulated.err === null);
    assert.ok(simulated.lines.some((line) => /System Program: transfer/.test(line)));
  });

  test('read the wanted number of updates, over both transports', async () => {
    const slots = await client.structured<Row>('read_stream', { method: 'slotSubscribe', updates: 2, seconds: 30 });
    assert.equal(slots.messages?.length, 2);
    const filter = { slots: { all: {} }, commitment: 'PROCESSED' };
    const geyser = await client.structured<Row>('read_stream', {
      method: 'geyser.Geyser/Subscribe',
      params: [filter],
      updates: 1,
      seconds: 30,
    });
    assert.equal(geyser.messages?.length, 1, JSON.stringify(geyser));
  });

  test('bound what they answer', async () => {
    const text = `### a\n{ "method": "getProgramAccounts", "params": ["${SYSTEM}"] }\n`.repeat(50);
    const result = await client.call('run_file', { text });
    assert.ok(textOf(result).length < 80_000, `${textOf(result).length}`);
  });

  test('can be cancelled', async () => {
    const controller = new AbortController();
    const endless = client.call('read_stream', { method: 'voteSubscribe', seconds: 120 }, controller.signal);
    controller.abort();
    await assert.rejects(endless);
    assert.equal((await client.structured<Row>('run', { method: 'getSlot' })).status, 'passed');
  });
});

describe('what leaves this machine', () => {
  test('goes to the endpoint that was allowed, with its key and exact digits; no answer holds a key', async () => {
    const result = await client.call('run', { method: 'getSlot', endpoint: 'remote' });
    assert.notEqual(result.isError, true, textOf(result));
    assert.match(textOf(result), /"18446744073709551615"/);
    assert.ok(!textOf(result).includes(KEY));
    assert.match(textOf(result), /\[redacted\]/);
    const { headers, url } = sink.requests.at(-1) ?? { headers: {}, url: '' };
    assert.ok(JSON.stringify([headers, url]).includes(KEY), 'the key travelled');
  });

  test('goes to no other endpoint, no other host, and no environment variable with it', async () => {
    const before = sink.requests.length;
    assert.match(await client.refusal('run', { method: 'getSlot', endpoint: 'other' }), /--allow-endpoint/);
    for (const text of [
      '### a\n# @endpoint other\n{ "method": "getSlot" }\n',
      `### a\nPOST ${sink.origin.replace('127.0.0.1', 'localhost')}/x\n{ "method": "getSlot" }\n`,
    ]) {
      const { requests } = await client.structured<{ readonly requests: readonly Row[] }>('run_file', { text });
      assert.deepEqual(
        requests.map(({ error }) => error?.kind),
        ['confirmation'],
        JSON.stringify(requests),
      );
    }
    const secret = '### a\n{ "method": "getSlot", "params": ["{{$processEnv HOME}}"] }\n';
    assert.ok(!textOf(await client.call('run_file', { text: secret })).includes(`"${work.root}"`));
    assert.equal(sink.requests.length, before);
  });

  test('is never a transaction unless the user allowed it', async () => {
    const before = sink.requests.length;
    const send = { method: 'sendTransaction', params: [TRANSACTION, { encoding: 'base64' }], endpoint: 'remote' };
    const row = await client.structured<Row>('run', send);
    assert.match(row.error?.message ?? '', /did not allow transactions/);
    const batch = `### a\n[{ "method": "getSlot" }, ${JSON.stringify({ method: 'sendTransaction', params: send.params })}]\n`;
    const { requests } = await client.structured<{ readonly requests: readonly Row[] }>('run_file', {
      text: batch,
      endpoint: 'remote',
    });
    assert.match(requests[0]?.error?.message ?? '', /did not allow transactions/);
    assert.equal(sink.requests.length, before);
    const allowed = await McpClient.start({
      folder: work.root,
      args: ['--allow-endpoint', 'remote', '--allow-send'],
      env: { SOLANA_RPC_KEY: KEY, SOLANA_RPC_ORIGIN: sink.origin },
    });
    await allowed.structured<Row>('run', send);
    await allowed.close();
    assert.equal(sink.requests.length, before + 1);
  });

  test('is allowed by a name that exists', async () => {
    const { code, stderr } = await work.run(['mcp', '--allow-endpoint', 'nobody'], { input: '' });
    assert.equal(code, 1);
    assert.match(stderr, /There is no endpoint "nobody"\. Known: remote, other\./);
  });
});

describe('arguments', () => {
  const WALLET =
    '[180,154,237,70,119,132,120,192,191,242,33,181,242,211,89,48,241,103,116,237,67,91,129,140,157,176,113,99,83,118,33,126,249,67,44,54,160,70,164,124,157,93,143,142,75,19,228,99,70,178,65,241,228,0,241,141,149,25,31,38,219,156,230,85]';

  test('that hold a key are refused without repeating it', async () => {
    const hex = '9f8e7d6c5b4a39281706f5e4d3c2b1a0';
    for (const [name, args] of [
      ['run', { method: 'getSlot', params: [{ apiKey: 'abc' }] }],
      ['run', { method: 'getSlot', params: [hex] }],
      ['run', { method: 'getSlot', params: [{ [hex]: 1 }] }],
      ['run', { method: 'getSlot', endpoint: `https://rpc.example/${hex}` }],
      ['run', { method: 'getSlot', params: [JSON.parse(WALLET)] }],
      ['run', { method: hex }],
      ['run', { method: 'getSlot', [hex]: hex }],
      ['list_methods', { query: KEY }],
      ['check', { text: `### a\nPOST https://rpc.example/?api-key=${KEY}\n{ "method": "getSlot" }\n` }],
      ['decode_account', { address: hex }],
      ['decode_transaction', { transaction: WALLET }],
    ] as const) {
      const reason = await client.refusal(name, args);
      assert.match(reason, /never an argument/, JSON.stringify(args));
      for (const secret of [hex, KEY, '180,154']) assert.ok(!reason.includes(secret), reason);
    }
  });

  test('of other types, too long, or unknown are refused in one sentence', async () => {
    for (const [name, args, reason] of [
      ['run', {}, /"method" is missing/],
      ['run', { method: 7 }, /"method" is a text/],
      ['run', { method: 'getSlot', params: { a: 1 } }, /"params" is an array/],
      ['run', { method: 'get Slot' }, /"method" is the name/],
      ['run', { method: 'getSlot', params: ['{{$file /etc/passwd}}'] }, /holds no \{\{variables\}\}/],
      ['run', { method: 'getSlot', more: 1 }, /This tool takes: method, params, endpoint/],
      ['list_methods', { query: 'x'.repeat(201) }, /longer than 200/],
      ['check', { text: 'x'.repeat(1_000_001) }, /longer than 1000000/],
      ['check', { text: 'a', file: 'b' }, /either "text" or "file"/],
      ['read_stream', { method: 'slotSubscribe', updates: 1.5 }, /"updates" is a whole number from 1 to 1000/],
      ['read_stream', { method: 'slotSubscribe', seconds: 0 }, /from 1 to 120/],
      ['decode_account', { address: 'x' }, /"address" is not an address/],
    ] as const)
      assert.match(await client.refusal(name, args), reason, name);
    await assert.rejects(client.call('no_such_tool'), /no tool of that name/);
  });

  test('name no file outside the folder, not through a link either', async () => {
    const outside = await mkdtemp(path.join(os.tmpdir(), 'mcp-outside-'));
    try {
      const secret = path.join(outside, 'secret.jsonrpc');
      writeFileSync(secret, '### The secret title\n{ "method": "getSlot" }\n');
      symlinkSync(secret, path.join(work.root, 'link.jsonrpc'));
      symlinkSync(outside, path.join(work.root, 'linked'));
      for (const file of [
        secret,
        `../${path.basename(outside)}/secret.jsonrpc`,
        'link.jsonrpc',
        'linked/secret.jsonrpc',
      ])
        for (const tool of ['check', 'run_file']) {
          const reason = await client.refusal(tool, { file });
          assert.match(reason, /outside/, `${tool} ${file}: ${reason}`);
        }
      const imported = await client.call('check', { text: '# @import linked/secret.jsonrpc\n' });
      assert.ok(!textOf(imported).includes('secret title'));
      assert.match(await client.refusal('check', { file: 'solana-rpc.json' }), /\.jsonrpc/);
    } finally {
      await rm(outside, { recursive: true, force: true });
    }
  });

  test('save nothing', async () => {
    const saving = await client.structured<{ readonly requests: readonly Row[]; readonly problems: readonly string[] }>(
      'run_file',
      { text: '### a\n{ "method": "getSlot" }\n>> saved.json\n' },
    );
    assert.match(saving.problems.join(), /^bad-redirect: No tool saves/);
    assert.deepEqual(
      saving.requests.map(({ status }) => status),
      ['failed'],
    );
    assert.throws(() => work.read('saved.json'));
  });
});
