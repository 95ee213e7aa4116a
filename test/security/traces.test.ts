// A service that repeats the key in everything it says, with every kind of failure: the key is in no trace, log line,
// answer or file of the built server, however the key travelled.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { Trace, TraceFormat } from 'vscode-jsonrpc/node';
import type { AuthForm } from '../../core/service/keys/authForm';
import type { PlacedProfile } from '../../core/service/profiles/profile';
import type { ExecuteResult } from '../../protocol/lsp';
import type { TestKeyParams, UsageResult } from '../../protocol/usage';
import { selfSigned } from '../support/wire/certificates';
import { httpServer, httpsServer, type Answerer, type Hostile, type Received } from '../support/wire/hostile';
import { assertNoLeak, echoesOf, escapedEchoesOf, filesBelow, leakIn } from '../support/process/leaks';
import { startServer, type RunningServer } from '../support/lsp/serverProcess';

/** Spelled differently in a URL, in JSON and in base64. */
const KEY = "sk+live/7'Qw9=zzz&ABCDEF012345";
const CANDIDATE = "ca+live/8'Rx0=yyy&GHIJKL678901";
const SECRETS = [KEY, CANDIDATE];
const FILE = 'file:///requests/echo.jsonrpc';

/** Where an answer repeats the key that came: in every spelling, or under the escapes of JSON. */
const ECHO = '(every spelling)';
const ESCAPED = '(every escape)';

/** The key that a request brought, however it travelled. */
const keyIn = ({ url, headers }: Received): string | undefined =>
  SECRETS.find((secret) => [url, JSON.stringify(headers)].some((text) => leakIn(text, [secret]) !== undefined));

/** Answers with `body` (text, or a value as JSON) and with headers that repeat the key, too. */
const says =
  (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Answerer =>
  (request, response) => {
    const key = keyIn(request) ?? '';
    const echoing = {
      'x-echo': key,
      'x-echo-encoded': encodeURIComponent(key),
      location: `https://127.0.0.1/?k=${key}`,
    };
    response.writeHead(status, { 'content-type': 'application/json', ...echoing, ...headers });
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    response.end(
      text.replaceAll(ECHO, () => echoesOf(key).join(' ')).replaceAll(ESCAPED, () => escapedEchoesOf(key).join(' ')),
    );
  };
const refusal = (code: number, message = ECHO) => ({ jsonrpc: '2.0', id: 1, error: { code, message, data: ECHO } });
const drop: Answerer = (_request, response) => void response.destroy();
const hang: Answerer = () => new Promise(() => undefined);

/** Per path of the hostile service: its behaviour, and the kind of error that it causes; undefined for an answer. */
const ROWS: Readonly<Record<string, { readonly answer: Answerer; readonly kind: string | undefined }>> = {
  good: { answer: says(200, { jsonrpc: '2.0', id: 1, result: ECHO }), kind: undefined },
  rpc: { answer: says(200, refusal(-32000)), kind: 'rpc' },
  escaped: { answer: says(200, `{"jsonrpc":"2.0","id":1,"result":"${ESCAPED}"}`), kind: undefined },
  escapedError: {
    answer: says(200, `{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"${ESCAPED}"}}`),
    kind: 'rpc',
  },
  keyRejected: { answer: says(401, refusal(401)), kind: 'keyRejected' },
  wrongKeyType: { answer: says(403, refusal(403, `needs a gRPC key ${ECHO}`)), kind: 'wrongKeyType' },
  // Without a time, before which nothing more would leave with the key.
  suspended: { answer: says(403, refusal(403, `suspended ${ECHO}`)), kind: 'suspended' },
  rateLimited: { answer: says(429, refusal(429), { 'retry-after': '60' }), kind: 'rateLimited' },
  redirect: { answer: says(302, ECHO), kind: 'protocol' },
  garbage: { answer: says(200, `<html>${ECHO}`), kind: 'protocol' },
  wrongId: { answer: says(200, { jsonrpc: '2.0', id: ECHO, result: 1 }), kind: 'protocol' },
  gateway: { answer: says(502, ECHO), kind: 'network' },
  drop: { answer: drop, kind: 'network' },
  hang: { answer: hang, kind: 'timeout' },
};

const FORMS: readonly (readonly [AuthForm, string])[] = [
  ['bearer', ''],
  ['query', ''],
  ['header:x-token', ''],
  ['path', '/{key}'],
];

describe('a service that repeats the key', () => {
  let service: Hostile;
  let unsafe: Hostile;
  let server: RunningServer;
  const trace: string[] = [];
  /** Rows that were reached with a key. */
  const reached = new Set<string>();
  let profiles: readonly PlacedProfile[];

  before(async () => {
    service = await httpServer(async (request, response) => {
      const row = new URL(request.url, 'http://x').pathname.split('/')[1] ?? '';
      if (keyIn(request) === KEY) reached.add(row);
      await (ROWS[row]?.answer ?? says(200, refusal(-1)))(request, response);
    });
    unsafe = await httpsServer(selfSigned('IP:127.0.0.1'), says(200, ECHO));
    const mine = (name: string, rpcUrl: string, rpc: AuthForm = 'bearer'): PlacedProfile => ({
      profile: { name, rpcUrl, restUrl: `${service.origin}/good`, auth: { rpc } },
      source: 'user',
    });
    profiles = [
      ...Object.keys(ROWS).map((row) => mine(row, `${service.origin}/${row}`)),
      ...FORMS.map(([form, place]) => mine(`good by ${form}`, `${service.origin}/good${place}`, form)),
      mine('unsafe', `${unsafe.origin}/sol`),
      mine('nobody', 'http://127.0.0.1:9/sol'),
      mine('plain', 'http://rpc.example.test/sol'),
    ];
    server = await startServer({
      window: { profiles, endpoint: 'good' },
      answer: (request) =>
        request.kind === 'key' || request.kind === 'candidate'
          ? { kind: 'granted', id: request.id, secret: request.kind === 'key' ? KEY : CANDIDATE, label: 'test' }
          : { kind: 'denied', id: request.id, reason: 'none' },
    });
    const tracer = { log: (...parts: unknown[]) => void trace.push(parts.map(String).join(' ')) };
    await server.connection.trace(Trace.Verbose, tracer, { sendNotification: true, traceFormat: TraceFormat.Text });
  });
  after(async () => {
    await server?.stop();
    await service?.close();
    await unsafe?.close();
  });

  const send = async (endpoint: string, method = 'getSlot'): Promise<string | undefined> => {
    const version = ++versions;
    // A unique name keeps every response: the oldest of one request are removed.
    const text = `### A\n# @name run${version}\n# @endpoint ${endpoint}\n# @timeout 2s\n{ "method": "${method}", "params": [] }\n`;
    await server.open(FILE, text);
    const result = await server.connection.sendRequest<ExecuteResult>('solanaRpc/execute', { uri: FILE, version });
    if (result.kind === 'refused') return result.error.kind;
    return result.outcomes[0]?.error?.kind;
  };
  let versions = 0;

  const everything = (): string =>
    [...trace, server.stderr(), ...[...filesBelow(server.storage)].map((file) => readFileSync(file, 'utf8'))].join(
      '\n',
    );

  for (const [row, { kind }] of Object.entries(ROWS))
    test(`${row}: the run ends as ${kind ?? 'answered'}, and nothing repeats the key`, async () => {
      assert.equal(await send(row), kind);
      assert.ok(reached.has(row), 'the service was given the key');
      assertNoLeak(everything(), SECRETS, 'the trace, the log or a file');
    });

  for (const [form] of FORMS)
    test(`a key that travels by ${form} is repeated nowhere`, async () => {
      reached.clear();
      assert.equal(await send(`good by ${form}`), undefined);
      assert.ok(reached.has('good'), 'the service was given the key');
      assertNoLeak(everything(), SECRETS, 'the trace, the log or a file');
    });

  const ELSEWHERE = [
    ['unsafe', 'tls'],
    ['nobody', 'network'],
    ['plain', 'invalidRequest'],
  ] as const;
  for (const [endpoint, kind] of ELSEWHERE)
    test(`${endpoint}: refused as ${kind} without the key in the words`, async () => {
      assert.equal(await send(endpoint), kind);
      assertNoLeak(everything(), SECRETS, 'the trace, the log or a file');
    });

  test('a test of a candidate and the usage repeat neither key', async () => {
    for (const type of ['rpc', 'swqos'] as const)
      for (const profile of ['good', 'keyRejected', 'wrongKeyType', 'garbage', 'drop']) {
        const params: TestKeyParams = { profile, type, candidate: 'handle' };
        await server.connection.sendRequest('solanaRpc/testKey', params);
      }
    const usage = await server.connection.sendRequest<UsageResult>('solanaRpc/usage', {});
    assert.equal(usage.kind, 'failed');
    assertNoLeak(everything(), SECRETS, 'the trace, the log or a file');
  });

  test('the trace holds what was asked and answered, and the files what the service said', () => {
    const all = everything();
    for (const word of ['solanaRpc/execute', 'solanaRpc/testKey', 'solanaRpc/usage', 'keyRejected'])
      assert.ok(all.includes(word), word);
    assert.ok(all.split('[redacted]').length > 50, 'the repeated keys were taken out, not the whole answers');
  });
});
