// Running requests through the built server against the local service, with keys over IPC.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import type { ExecuteParams, ExecuteResult } from '../../../protocol/lsp';
import { setFaults, testLedger } from '../../support/process/localnet';
import { onlyOutcome, openRequests, progress, REQUEST_FILE, responseText } from '../../support/lsp/requestFile';
import { type RunningServer } from '../../support/lsp/serverProcess';
import { localWindow } from '../../support/lsp/window';

const local = testLedger();

const isSending = (server: RunningServer): Promise<true> =>
  progress(server, ({ state }) => (state === 'sending' ? true : undefined));

const balance = (address: string) =>
  `### Balance\n# @name balance\n{ "method": "getBalance", "params": ["${address}"] }\n`;

test('A request is answered with the key that came over IPC, and the response is kept as a file', async (t) => {
  const { server, broker, send } = await openRequests(t, local, balance(local.ready.wallet.address));
  const outcome = onlyOutcome(await send(0));
  assert.equal(outcome.status, 'passed', JSON.stringify(outcome.error));
  assert.equal(outcome.httpStatus, 200);
  assert.match(outcome.slot ?? '', /^\d+$/);
  assert.equal(broker.asked.length, 1);
  const shown = await responseText(server, outcome);
  assert.match(shown, /^\{\n {2}"jsonrpc": "2.0",/);
  assert.match(shown, /"value": \d+/);
});

test('A line inside the block runs that block alone', async (t) => {
  const text = '### First\n{ "method": "getSlot" }\n### Second\n{ "method": "getBlockHeight" }\n';
  const { send } = await openRequests(t, local, text);
  assert.equal(onlyOutcome(await send(3)).method, 'getBlockHeight');
});

test('Without a line every request of the file runs', async (t) => {
  const { send } = await openRequests(
    t,
    local,
    '### A\n{ "method": "getSlot" }\n### B\n{ "method": "getBlockHeight" }\n',
  );
  const result = await send();
  assert.deepEqual(result.kind === 'done' && result.outcomes.map(({ method }) => method), [
    'getSlot',
    'getBlockHeight',
  ]);
});

test('An outcome has the expected and the found value of an equality, with every digit', async (t) => {
  const text = '### A\n{ "method": "getSlot" }\n?? id == 18446744073709551615\n?? result < 0\n';
  const { send } = await openRequests(t, local, text);
  const [equal, less] = onlyOutcome(await send(0)).assertions;
  assert.deepEqual([equal?.actual, equal?.expected], ['1', '18446744073709551615']);
  assert.match(less?.actual ?? '', /^\d+$/);
  assert.equal(less?.expected, undefined);
});

test('An assertion that does not hold fails the request and names its line', async (t) => {
  const { send } = await openRequests(t, local, '### A\n{ "method": "getSlot" }\n?? result < 0\n');
  const outcome = onlyOutcome(await send(0));
  assert.equal(outcome.status, 'failed');
  assert.deepEqual(
    outcome.assertions.map(({ line, passed }) => ({ line, passed })),
    [{ line: 2, passed: false }],
  );
});

test('A window that is not trusted sends nothing and asks for no key', async (t) => {
  const { broker, send } = await openRequests(t, local, balance(local.ready.wallet.address), {
    window: { trusted: false },
  });
  const result = await send(0);
  assert.equal(result.kind, 'refused');
  assert.match(result.kind === 'refused' ? result.error.message : '', /not trusted/);
  assert.deepEqual(broker.asked, []);
});

test('Trust that is granted later takes effect without a restart', async (t) => {
  const { server, send } = await openRequests(t, local, balance(local.ready.wallet.address), {
    window: { trusted: false },
  });
  assert.equal((await send(0)).kind, 'refused');
  await server.connection.sendNotification('solanaRpc/windowChanged', localWindow(local));
  assert.equal(onlyOutcome(await send(0)).status, 'passed');
});

test('A host without its own key is named in the refusal, and nothing is sent there', async (t) => {
  const elsewhere = { name: 'other', rpcUrl: 'https://rpc.example.test/sol' };
  const { server, send } = await openRequests(t, local, '### A\n{ "method": "getSlot" }\n', {
    window: { profiles: [{ profile: elsewhere, source: 'workspace' }], endpoint: 'other' },
  });
  const outcome = onlyOutcome(await send(0));
  assert.equal(outcome.error?.kind, 'noKey');
  assert.match(outcome.error?.message ?? '', /rpc\.example\.test/);
  // A request that was not sent has no response: nothing is kept.
  assert.equal(outcome.response, undefined);
  assert.deepEqual(await readdir(path.join(server.storage, 'responses')), []);
});

test('Without an endpoint nothing is sent or kept, and the refusal names the one that a file asks for', async (t) => {
  const window = { profiles: [], endpoint: undefined };
  const text =
    '### A\n{ "method": "getBalance", "params": ["{{wallet}}"] }\n### B\n# @endpoint gone\n{ "method": "getSlot" }\n';
  const { server, broker, send } = await openRequests(t, local, text, { window });
  const refusals = [await send(1), await send(3), await send()];
  assert.deepEqual(
    refusals.map(
      (result) =>
        result.kind === 'refused' && [result.error.kind, 'name' in result.error ? result.error.name : '', result.line],
    ),
    [
      ['noEndpoint', '', 0],
      ['noEndpoint', 'gone', 2],
      ['noEndpoint', '', 0],
    ],
  );
  assert.deepEqual(broker.asked, []);
  await server.connection.sendNotification('solanaRpc/windowChanged', localWindow(local));
  // With an endpoint the run proceeds, and finds that its profile has no such variable.
  const now = await send(0);
  assert.ok(now.kind === 'refused' && now.error.message.includes('wallet'), JSON.stringify(now));
});

test('Every line of a block leads to the line on which it begins, which lenses and cancels name', async (t) => {
  const { server } = await openRequests(
    t,
    local,
    '### A\n{\n  "method": "getSlot"\n}\n\n### B\n{ "method": "getSlot" }\n',
  );
  const begin = (...lines: number[]): Promise<readonly number[]> =>
    server.connection.sendRequest('solanaRpc/requestLines', { uri: REQUEST_FILE, lines });
  assert.deepEqual([await begin(0), await begin(3), await begin(6)], [[0], [0], [5]]);
});

test('A file that cannot run is refused with the line of the fault', async (t) => {
  const { broker, send } = await openRequests(t, local, '### A\n{ "method": "getSlot" }\n### B\n{ "method": \n');
  const result = await send(2);
  assert.equal(result.kind, 'refused');
  assert.equal(result.kind === 'refused' && result.line, 2);
  assert.deepEqual(broker.asked, []);
});

test('A cancel reaches the socket: the run ends while the service is still silent', async (t) => {
  await setFaults(t, local, { scope: 'http', kind: 'hang', times: 1 });
  const { server } = await openRequests(t, local, '### A\n{ "method": "getSlot" }\n');
  const sending = isSending(server);
  const { CancellationTokenSource } = await import('vscode-jsonrpc/node');
  const cancel = new CancellationTokenSource();
  const params: ExecuteParams = { uri: REQUEST_FILE, version: 1, lines: [0] };
  const running = server.connection.sendRequest<ExecuteResult>('solanaRpc/execute', params, cancel.token);
  await sending;
  cancel.cancel();
  assert.equal(onlyOutcome(await running).error?.kind, 'cancelled');
});

test('A server that is killed in the middle of a run leaves no answer behind', async (t) => {
  await setFaults(t, local, { scope: 'http', kind: 'hang', times: 1 });
  const { server, send } = await openRequests(t, local, '### A\n{ "method": "getSlot" }\n');
  const sending = isSending(server);
  const gone = once(server.child, 'exit');
  const closed = new Promise<void>((resolve) => void server.connection.onClose(resolve));
  const answered = send(0).then(
    () => 'answered',
    () => 'rejected',
  );
  await sending;
  server.child.kill('SIGKILL');
  assert.deepEqual(await gone, [null, 'SIGKILL']);
  assert.equal(await Promise.race([answered, closed.then(() => 'closed')]).then((how) => how === 'answered'), false);
});

test('The lens of a block says Cancel while it runs and Send before and after', async (t) => {
  await setFaults(t, local, { scope: 'http', kind: 'latency', ms: 300, times: 1 });
  const { server, send } = await openRequests(
    t,
    local,
    '### A\n{ "method": "getSlot" }\n### B\n{ "method": "getSlot" }\n',
  );
  const titles = async () => {
    const lenses = await server.connection.sendRequest<{ command: { title: string } }[]>('textDocument/codeLens', {
      textDocument: { uri: REQUEST_FILE },
    });
    return lenses.map(({ command }) => command.title).filter((title) => title !== 'Copy As…');
  };
  assert.deepEqual(await titles(), ['Send', 'Send']);
  const running = send(0);
  assert.deepEqual(await titles(), ['Cancel', 'Send']);
  await running;
  assert.deepEqual(await titles(), ['Send', 'Send']);
});

test('Every digit of a large integer reaches the file', async (t) => {
  const { server, send } = await openRequests(
    t,
    local,
    '### Rent epoch\n{ "method": "getAccountInfo", "params": ["{{wallet}}", { "encoding": "base64" }] }\n',
    {
      window: {
        profiles: [
          {
            profile: {
              name: 'local',
              rpcUrl: local.ready.rpcUrl,
              variables: JSON.stringify({ wallet: local.ready.wallet.address }),
            },
            source: 'local',
          },
        ],
      },
    },
  );
  const outcome = onlyOutcome(await send(0));
  assert.match(await responseText(server, outcome), /"rentEpoch": 18446744073709551615/);
});

test('Numbers of profile variables reach the service with every digit', async (t) => {
  const variables = '{"most":18446744073709551615,"fee":0.10}';
  const { send } = await openRequests(
    t,
    local,
    '### A\n{ "method": "getSlot", "id": 7, "params": ["{{most}}", "{{fee}}"] }\n',
    {
      window: { profiles: [{ profile: { name: 'local', rpcUrl: local.ready.rpcUrl, variables }, source: 'local' }] },
    },
  );
  const outcome = onlyOutcome(await send(0));
  assert.match(outcome.request ?? '', /18446744073709551615[^]*0\.10/);
});

test('An endpoint whose profile has a fault is sent nothing: the refusal says what and how to mend it', async (t) => {
  const fault = { message: 'auth.rpc is not a known form.', hint: 'Known forms: none, bearer.' };
  const { send } = await openRequests(t, local, '### A\n{ "method": "getSlot" }\n', {
    window: { profiles: [{ profile: { name: 'local', rpcUrl: local.ready.rpcUrl }, source: 'user', fault }] },
  });
  const { error, key } = onlyOutcome(await send(0));
  assert.deepEqual([error?.kind, error?.hint, key], ['invalidRequest', fault.hint, undefined]);
  assert.match(error?.message ?? '', /"local" \(127\.0\.0\.1:\d+\) cannot be used: auth\.rpc/);
});

const AWAY = 'https://example.invalid/sol';
const withVariable = (more = '') =>
  `### A\n${more}POST ${AWAY}\n\n{ "method": "getSlot", "params": ["{{$processEnv MY_TOKEN}}"] }\n`;

test('A variable of the environment is asked for once per name and host before it leaves this machine', async (t) => {
  const { server, send } = await openRequests(t, local, withVariable(), {
    env: { ...process.env, MY_TOKEN: 'value-of-the-variable' },
  });
  const asked: string[] = [];
  let agrees = false;
  server.connection.onRequest('solanaRpc/confirm', ({ question }: { readonly question: string }) => {
    asked.push(question);
    return agrees;
  });
  const refused = onlyOutcome(await send(0));
  assert.deepEqual([refused.error?.kind, asked.length], ['confirmation', 1]);
  assert.match(asked[0] ?? '', /MY_TOKEN to example\.invalid/);
  agrees = true;
  assert.equal(onlyOutcome(await send(0)).error?.kind, 'network');
  assert.equal(onlyOutcome(await send(0)).error?.kind, 'network');
  assert.equal(asked.length, 2);
  assert.ok(!asked.join('').includes('value-of-the-variable'));
});

test('A variable that the user allows leaves without a question, and one for this machine needs none', async (t) => {
  const here = withVariable().replace(AWAY, local.ready.rpcUrl).replace('### A', '### B');
  const { settings } = localWindow(local);
  const { send } = await openRequests(t, local, withVariable() + here, {
    env: { ...process.env, MY_TOKEN: 'value-of-the-variable' },
    window: { settings: { ...settings, allowedEnvironment: ['MY_TOKEN'] } },
  });
  assert.equal(onlyOutcome(await send(0)).error?.kind, 'network');
  assert.match(onlyOutcome(await send(5)).request ?? '', /value-of-the-variable/);
});

test('A key of the environment is never read, and neither copies nor hovers show the value of a variable', async (t) => {
  const env = { ...process.env, MY_TOKEN: 'value-of-the-variable', SOLANA_RPC_KEY: 'key-of-the-environment' };
  const { settings } = localWindow(local);
  const window = { settings: { ...settings, allowedEnvironment: ['MY_TOKEN', 'SOLANA_RPC_KEY'] } };
  const text = withVariable() + withVariable().replace('MY_TOKEN', 'SOLANA_RPC_KEY');
  const { server, send } = await openRequests(t, local, text, { env, window });
  const refused = await send(5);
  assert.match(JSON.stringify(refused), /SOLANA_RPC_KEY is for a key/);
  const textDocument = { uri: REQUEST_FILE };
  const hover = await server.connection.sendRequest('textDocument/hover', {
    textDocument,
    position: { line: 3, character: 45 },
  });
  const copies = await server.connection.sendRequest('solanaRpc/copyAs', { uri: REQUEST_FILE, line: 0 });
  assert.match(JSON.stringify(hover), /processEnv/);
  assert.match(JSON.stringify(copies), /processEnv/);
  for (const shown of [refused, hover, copies])
    assert.doesNotMatch(JSON.stringify(shown), /value-of-the-variable|key-of-the-environment/);
});

test('A request of a language model reads no variable of the environment, wherever it goes', async (t) => {
  const { settings } = localWindow(local);
  const { server } = await openRequests(t, local, '', {
    env: { ...process.env, MY_TOKEN: 'value-of-the-variable' },
    window: { settings: { ...settings, allowedEnvironment: ['MY_TOKEN'] } },
  });
  const text = '### A\n{ "method": "getSlot", "params": ["{{$processEnv MY_TOKEN}}"] }\n';
  const params = { uri: 'solana-tool:/getSlot', version: 0, variant: { kind: 'text', text, endpoint: 'local' } };
  const result = await server.connection.sendRequest<ExecuteResult>('solanaRpc/execute', params);
  assert.equal(result.kind, 'refused');
  assert.match(JSON.stringify(result), /language model/);
});

test('A URL of the file is requested without a key; if it needs one, the error names its host, never the active endpoint', async (t) => {
  const text = `### A\nPOST ${local.ready.rpcUrl}\n\n{ "method": "getSlot" }\n`;
  const elsewhere = { name: 'other', rpcUrl: 'https://rpc.example.test/sol' };
  const { send } = await openRequests(t, local, text, {
    answer: ({ id }) => ({ kind: 'denied', id, reason: 'none' }),
    window: { profiles: [{ profile: elsewhere, source: 'user' }], endpoint: 'other' },
  });
  const { origin, host } = new URL(local.ready.rpcUrl);
  const { error, key } = onlyOutcome(await send(0));
  assert.equal(error?.kind, 'noKey');
  assert.ok(error.message.includes(host));
  assert.deepEqual(key, { type: 'rpc', profile: host, origin, interface: 'rpc' });
});

test('The outcome of a suspended key says for how long it is suspended', async (t) => {
  const body = '{"jsonrpc":"2.0","error":{"code":403,"message":"The key is temporarily suspended"},"id":1}';
  const suspended = { scope: 'http', kind: 'status', status: 403, headers: { 'retry-after': '30' }, body, times: 1 };
  await setFaults(t, local, suspended);
  const { send } = await openRequests(t, local, '### A\n{ "method": "getSlot" }\n');
  const outcome = onlyOutcome(await send(0));
  assert.deepEqual([outcome.error?.kind, outcome.retryAfterMs], ['suspended', 30_000]);
});

test('The outcome names the key that was asked for: by the URL it went to and its label, not by the active endpoint', async (t) => {
  const elsewhere = { name: 'other', rpcUrl: 'https://rpc.example.test/sol' };
  const text = `### A\n# @key second\nPOST ${local.ready.rpcUrl}\n\n{ "method": "getSlot" }\n`;
  const { send } = await openRequests(t, local, text, {
    window: { profiles: [{ profile: elsewhere, source: 'user' }], endpoint: 'other' },
  });
  const { origin } = new URL(local.ready.rpcUrl);
  const { key, status } = onlyOutcome(await send(0));
  assert.equal(status, 'passed');
  const { host } = new URL(origin);
  assert.deepEqual(key, { type: 'rpc', profile: host, origin, interface: 'rpc', label: 'second' });
});

test('What a request answered is shown where its response is used, and its members are offered', async (t) => {
  const text = `${balance(local.ready.wallet.address)}### Use\n{ "method": "getSlot", "id": "{{balance.result.value}}" }\n`;
  const { server, send } = await openRequests(t, local, text);
  const ask = async (method: string, character: number): Promise<string> => {
    const place = { textDocument: { uri: REQUEST_FILE }, position: { line: 4, character } };
    return JSON.stringify(await server.connection.sendRequest(method, place));
  };
  const path = text.split('\n')[4]?.indexOf('result.value') ?? 0;
  assert.doesNotMatch(await ask('textDocument/hover', path), /last answer/);
  const shown = /"value": (\d+)/.exec(await responseText(server, onlyOutcome(await send(0))))?.[1] ?? 'none';
  assert.match(await ask('textDocument/hover', path), new RegExp(`last answer.*${shown}`));
  assert.match(
    await ask('textDocument/completion', path + 'result.'.length),
    new RegExp(`"label":"value","kind":\\d+,.*"detail":"${shown}"`),
  );
});
