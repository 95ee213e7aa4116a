// Where keys go and where they never do: into the request as the profile says, and into nothing that comes back.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, test } from 'node:test';
import type { AuthForm } from '../../../core/service/keys/authForm';
import type { EndpointProfile, KeyQuery } from '../../../core/service/profiles/profile';
import { Secret } from '../../../core/service/keys/secret';
import type { KeyPort } from '../../../net/api';
import { authorize } from '../../../net/auth/auth';
import { Redactor } from '../../../net/secrets/redactor';
import { settleInterface } from '../../../net/target/target';
import { httpServer, sink, type Received } from '../../support/wire/hostile';
import {
  answerOf,
  assertNoKey,
  callOnce,
  errorOf,
  KEY,
  keysOf,
  OK_BODY,
  request,
  SWQOS_KEY,
  targetOf,
  withNet,
} from '../../support/wire/wire';

/** The request that a server received for a profile with this `auth`. */
async function received(
  change: Parameters<typeof request>[0] = {},
  auth: EndpointProfile['auth'] = {},
  urlPath = '/sol',
): Promise<Received> {
  const got: Received[] = [];
  const server = await httpServer((each, response) => {
    got.push(each);
    response.end(OK_BODY);
  });
  const asked = request(change);
  await withNet({}, async (net) => {
    const target = targetOf(server.origin + urlPath, asked, { auth });
    answerOf(await net.call(target, asked, { signal: new AbortController().signal }));
  });
  await server.close();
  assert.equal(got.length, 1);
  return got[0] ?? { method: '', url: '', headers: {}, body: '' };
}

const SEND = { transport: 'SWQOS', method: 'sendTransaction' } as const;
const encoded = encodeURIComponent(KEY);

describe('a refusal', () => {
  test('names the missing key of exactly the request that had none, also of two at once', async () => {
    const waiting: (() => void)[] = [];
    const server = await httpServer((_each, response) => {
      waiting.push(() => response.writeHead(401).end());
      // Both have left before either is refused.
      if (waiting.length === 2) for (const refuse of waiting) refuse();
    });
    const stored = keysOf({ rpc: KEY });
    let asked = 0;
    const keys: KeyPort = {
      key: async (query, signal) => (asked++ === 0 ? { kind: 'none' } : stored.key(query, signal)),
    };
    const call = request();
    const target = { ...targetOf(`${server.origin}/sol`, call), isKeyOptional: true as const };
    const kinds = await withNet({ keys }, async (net) => {
      const signal = new AbortController().signal;
      const answers = await Promise.all([net.call(target, call, { signal }), net.call(target, call, { signal })]);
      return answers.map((answer) => errorOf(answer).kind);
    });
    await server.close();
    assert.deepEqual(kinds, ['noKey', 'keyRejected']);
  });
});

describe('keys on their way out', () => {
  test('a key goes as Bearer, and the body as it was prepared', async () => {
    const got = await received({ body: '{"jsonrpc":"2.0","id":1,"method":"getSlot","params":[1.0]}' });
    assert.equal(got.headers.authorization, `Bearer ${KEY}`);
    assert.deepEqual([got.method, got.url], ['POST', '/sol']);
    assert.equal(got.headers['content-type'], 'application/json');
    assert.equal(got.body, '{"jsonrpc":"2.0","id":1,"method":"getSlot","params":[1.0]}');
  });

  test('a key goes in the query, next to the URL’s other parameters', async () => {
    const got = await received({}, { rpc: 'query' }, '/sol?region=eu');
    assert.equal(got.url, `/sol?region=eu&api_key=${encoded}`);
    assert.equal(got.headers.authorization, undefined);
  });

  test('a key goes in the path at its place', async () =>
    assert.equal((await received({}, { rpc: 'path' }, '/v2/{key}/sol')).url, `/v2/${encoded}/sol`));

  test('a key goes in a header by name', async () =>
    assert.equal((await received({}, { rpc: 'header:X-Token' })).headers['x-token'], KEY));

  test('a key goes in the query under the name that the profile gives', async () =>
    assert.equal((await received({}, { rpc: 'query:api-key' }, '/?v=2')).url, `/?v=2&api-key=${encoded}`));

  test('a key that is USER:PASSWORD goes as Basic, and neither it nor its password shows in an answer', async () => {
    const pair = 'someone:pass-word-4711';
    const basic = Buffer.from(pair).toString('base64');
    const got: string[] = [];
    const server = await httpServer(({ headers }, response) => {
      got.push(headers.authorization ?? '');
      response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: [headers.authorization, pair, 'pass-word-4711'] }));
    });
    const asked = request();
    await withNet({ keys: keysOf({ rpc: pair }) }, async (net) => {
      const target = targetOf(`${server.origin}/sol`, asked, { auth: { rpc: 'basic' } });
      const answer = answerOf(await net.call(target, asked, { signal: new AbortController().signal }));
      const shown = answer.body.kind === 'text' ? answer.body.text : '';
      assert.match(shown, /redacted/);
      assert.ok(!shown.includes('pass-word') && !shown.includes(basic), shown);
    });
    await server.close();
    assert.deepEqual(got, [`Basic ${basic}`]);
  });

  for (const [what, auth, key] of [
    ['a key without a colon is not sent as Basic', 'basic', KEY],
    ['a form that nobody checked sends nothing', 'digest' as AuthForm, KEY],
  ] as const)
    test(what, () => {
      const target = targetOf('http://127.0.0.1:1/sol', request());
      const authorized = authorize(target, [{ auth, lease: { secret: new Secret(key), label: 'x' } }]);
      assert.ok(!authorized.ok && authorized.error.kind === 'invalidRequest' && authorized.error.hint !== undefined);
    });

  test('a profile without a key sends none', async () => {
    const got = await received({}, { rpc: 'none' });
    assert.equal(JSON.stringify(got).includes(KEY), false);
  });

  test('a file’s own Authorization replaces the key', async () => {
    const got = await received({ headers: [['Authorization', 'Bearer from-the-file']] });
    assert.equal(got.headers.authorization, 'Bearer from-the-file');
    assert.equal(JSON.stringify(got).includes(KEY), false);
  });

  test('a file’s other headers go along', async () => {
    const got = await received({
      headers: [
        ['X-Trace', 'a'],
        ['Content-Type', 'application/json;charset=utf-8'],
      ],
    });
    assert.deepEqual([got.headers['x-trace'], got.headers['content-type']], ['a', 'application/json;charset=utf-8']);
  });

  const both = (headers: IncomingHttpHeaders, url: string): readonly unknown[] => [headers.authorization, url];
  test('a SWQoS send carries the SWQoS key in the query and the RPC key as Bearer', async () => {
    const got = await received(SEND);
    assert.deepEqual(both(got.headers, got.url), [`Bearer ${KEY}`, `/sol?api_key=${encodeURIComponent(SWQOS_KEY)}`]);
  });

  test('a SWQoS send carries them the other way round where the profile says so', async () => {
    const got = await received(SEND, { rpc: 'query', swqos: 'bearer' });
    assert.deepEqual(both(got.headers, got.url), [`Bearer ${SWQOS_KEY}`, `/sol?api_key=${encoded}`]);
  });

  test('the vault is asked for exactly the type, the origin and the interface', async () => {
    const queries: KeyQuery[] = [];
    const keys: KeyPort = { key: (query) => (queries.push(query), Promise.resolve({ kind: 'none' })) };
    const record = await sink();
    const error = errorOf(await callOnce(`${record.origin}/sol`, { keyLabel: 'main' }, { keys }));
    await record.close();
    const query = { type: 'rpc', profile: 'test', origin: record.origin, interface: 'rpc', label: 'main' };
    assert.deepEqual(queries, [query]);
    assert.ok(error.kind === 'noKey' && error.host === `127.0.0.1:${record.port}`);
    assert.match(error.message, new RegExp(`No RPC key .* 127\\.0\\.0\\.1:${record.port}`));
    assert.equal(record.connections(), 0);
  });

  test('if the vault throws, nothing is sent and nothing is revealed', async () => {
    const keys: KeyPort = { key: () => Promise.reject(new Error(`vault broke over ${KEY}`)) };
    const record = await sink();
    assert.equal(errorOf(await callOnce(record.origin, {}, { keys })).kind, 'noKey');
    await record.close();
    assert.equal(record.connections(), 0);
  });

  test('cancelling while the vault is asked ends the call at once', async () => {
    const stop = new AbortController();
    const keys: KeyPort = { key: () => (stop.abort(), new Promise(() => undefined)) };
    const error = errorOf(await callOnce('http://127.0.0.1:1', {}, { keys }, { signal: stop.signal }));
    assert.equal(error.kind, 'cancelled');
  });

  test('a key with a line break is refused, and not repeated', async () => {
    const record = await sink();
    const error = errorOf(await callOnce(record.origin, {}, { keys: keysOf({ rpc: `${KEY}\r\nx: y` }) }));
    await record.close();
    assert.equal(error.kind, 'invalidRequest');
    assert.equal(record.connections(), 0);
  });

  test('a plaintext target off loopback is refused even when it was not settled here', () => {
    const settled = settleInterface({ profile: { name: 'p', rpcUrl: 'https://h.test/' }, source: 'user' }, 'rpc');
    assert.ok(settled.ok);
    const target = { ...settled.value, url: new URL('http://h.test/'), origin: 'http://h.test' };
    const authorized = authorize(target, [{ auth: 'bearer', lease: { secret: new Secret(KEY), label: 'x' } }]);
    assert.equal(authorized.ok, false);
  });
});

const spellings = {
  raw: KEY,
  'URL-encoded': encoded,
  'JSON-escaped': JSON.stringify(KEY).slice(1, -1),
  base64: Buffer.from(KEY).toString('base64'),
  'base64 behind one letter': Buffer.from(`x${KEY}`).toString('base64'),
  'base64 behind two letters': Buffer.from(`xy${KEY}`).toString('base64'),
  base64url: Buffer.from(KEY).toString('base64url'),
  hex: Buffer.from(KEY).toString('hex'),
  'in upper-case hex': Buffer.from(KEY).toString('hex').toUpperCase(),
  'percent-encoded in full': Buffer.from(KEY).toString('hex').replace(/../g, '%$&'),
  'in HTML entities': [...KEY].map((char) => `&#${char.charCodeAt(0)};`).join(''),
};

describe('keys on their way back', () => {
  for (const [name, text] of Object.entries(spellings))
    test(`a key echoed ${name} in body and headers is taken out`, async () => {
      const server = await httpServer((_, response) => {
        response.writeHead(200, { 'x-echo': text, 'content-type': 'application/json' });
        response.end(`{"jsonrpc":"2.0","id":1,"result":"you sent ${text}!"}`);
      });
      const exchange = answerOf(await callOnce(server.origin));
      await server.close();
      assertNoKey(exchange);
      assert.equal(exchange.error, undefined);
      assert.match(exchange.body.kind === 'text' ? exchange.body.text : '', /you sent .*\[redacted\].*!/);
    });

  for (const status of [200, 400, 401, 403, 404, 429, 500, 502])
    test(`a key echoed in an error with status ${status} is in no message`, async () => {
      const server = await httpServer((_, response) => {
        response.writeHead(status, { 'retry-after': '9999' });
        response.end(
          JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: -32000, message: `bad ${KEY}`, data: KEY } }),
        );
      });
      const error = errorOf(await callOnce(server.origin));
      await server.close();
      assertNoKey(error);
      assert.match(JSON.stringify(error), /redacted|Try again/);
    });

  test('a file’s own credential is taken out, too', async () => {
    const server = await httpServer(
      // Without its scheme, as a service that has read it would.
      ({ headers }, response) => void response.end(JSON.stringify({ id: 1, result: headers.authorization?.slice(7) })),
    );
    const result = await callOnce(server.origin, { headers: [['Authorization', 'Bearer own-secret-value']] });
    await server.close();
    const { body } = answerOf(result);
    assert.equal(body.kind === 'text' && body.text.includes('own-secret-value'), false);
  });

  test('a key echoed into a body that goes to a file is taken out on the way', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'net-keys-'));
    const file = path.join(folder, 'body');
    const server = await httpServer(
      (_, response) =>
        void response.end(`{"jsonrpc":"2.0","id":1,"result":"${`${'x'.repeat(1013)}${KEY}`.repeat(2000)}"}`),
    );
    const exchange = answerOf(await callOnce(server.origin, {}, {}, { inlineBytes: 1000, spillFile: () => file }));
    await server.close();
    const written = readFileSync(file, 'utf8');
    rmSync(folder, { recursive: true });
    assert.equal(exchange.body.kind, 'file');
    assert.equal(written.includes(KEY), false);
    assert.equal(written.split('[redacted]').length, 2001);
    assertNoKey(exchange);
  });

  test('a key is found wherever packets cut it', () => {
    const text = `a${KEY}b${KEY.slice(0, 9)}c${encoded}`;
    for (let size = 1; size <= KEY.length + 2; size++) {
      const redactor = new Redactor([new Secret(KEY)]);
      const bytes = Buffer.from(text);
      const out: Buffer[] = [];
      for (let at = 0; at < bytes.length; at += size) out.push(redactor.push(bytes.subarray(at, at + size)));
      out.push(redactor.end());
      assert.equal(Buffer.concat(out).toString(), `a[redacted]b${KEY.slice(0, 9)}c[redacted]`);
    }
  });
});
