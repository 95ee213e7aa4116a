// Which gRPC client executes a call, and what only one of them does: compression and proxies by grpc-js, https proxies by the
// HTTP/2 client; and that grpc-js heeds no environment variable.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import path from 'node:path';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { toBinary, create } from '@bufbuild/protobuf';
import { Secret } from '../../../core/service/keys/secret';
import { member } from '../../../core/solana/json/json';
import type { ConnectSettings, Subscription } from '../../../net/api';
import { clientFor, type GrpcRoute } from '../../../net/grpc/client';
import { SubscribeUpdateSchema } from '../../../proto';
import { authority } from '../../support/wire/certificates';
import {
  answer,
  asking,
  begin,
  callGrpc,
  framed,
  GET_SLOT,
  grpcService,
  openedGrpc,
  slotUpdate,
  SUBSCRIBE,
} from '../../support/wire/grpcServices';
import { sink } from '../../support/wire/hostile';
import { proxyServer } from '../../support/wire/proxies';
import { take } from '../../support/wire/webSockets';
import { answerOf, assertNoKey, errorOf, KEY } from '../../support/wire/wire';

const SLOT = framed(Buffer.from('0807', 'hex'));
const ca = authority();

describe('the client of a call', () => {
  const HTTP = { url: 'http://proxy:3128', noProxy: [] };
  const HTTPS = { url: 'https://proxy:3128', noProxy: [] };
  const NAMED = { host: 'grpc.example.com', port: 443, tls: true };
  const route = (change: Partial<GrpcRoute>): GrpcRoute => ({
    isStream: true,
    encodings: [],
    place: NAMED,
    proxy: undefined,
    ...change,
  });

  for (const [what, change, expected] of [
    ['a direct stream', {}, 'http2'],
    ['a unary call', { isStream: false }, 'grpc-js'],
    ['a stream with gzip', { encodings: ['gzip'] }, 'grpc-js'],
    ['a stream with zstd', { encodings: ['zstd'] }, 'http2'],
    ['a stream with both', { encodings: ['gzip', 'zstd'] }, 'http2'],
    ['a stream with zstd through an http proxy', { encodings: ['zstd'], proxy: HTTP }, 'http2'],
    ['a unary call with zstd', { isStream: false, encodings: ['zstd'] }, 'grpc-js'],
    ['a stream with an encoding that nobody unpacks', { encodings: ['snappy'] }, 'http2'],
    ['a stream through an http proxy', { proxy: HTTP }, 'grpc-js'],
    ['a stream through an https proxy', { proxy: HTTPS, encodings: ['gzip'] }, 'http2'],
    ['a unary call through an https proxy', { proxy: HTTPS, isStream: false }, 'http2'],
    ['a unary call over TLS to an address', { isStream: false, place: { ...NAMED, host: '2001:db8::1' } }, 'http2'],
    [
      'a unary call in the clear to an address',
      { isStream: false, place: { ...NAMED, host: '::1', tls: false } },
      'grpc-js',
    ],
  ] as const)
    test(`of ${what} is ${expected}`, () => assert.equal(clientFor(route(change)), expected));
});

/** A service that answers calls and streams and notes their `user-agent`, path and `grpc-accept-encoding`. */
async function noting(tls: boolean) {
  const seen: { readonly agent: string; readonly path: string; readonly accepts: string }[] = [];
  const service = await grpcService(
    ({ stream, headers }) => {
      seen.push({
        agent: headers['user-agent'] ?? '',
        path: headers[':path'] ?? '',
        accepts: String(headers['grpc-accept-encoding']),
      });
      if (headers[':path']?.includes(GET_SLOT) === true) answer(stream, SLOT);
      else {
        begin(stream);
        stream.write(slotUpdate(7n));
      }
    },
    tls ? { tls: { ...ca.issue('DNS:service.example.com') } } : {},
  );
  return { ...service, seen };
}

const takeOne = async (stream: Subscription): Promise<void> => assert.equal((await take(stream, 1)).length, 1);

const isLibrary = (agent: string): boolean => agent.startsWith('grpc-node-js/');

describe('routes', () => {
  test('direct: the call goes by grpc-js, the stream by the HTTP/2 client, below the prefix of grpcUrl', async (t) => {
    const service = await noting(false);
    t.after(() => service.close());
    const url = `${service.origin}/prefix/`;
    assert.equal(answerOf(await callGrpc(url, { auth: 'query' })).error, undefined);
    await openedGrpc(url, {}, takeOne);
    assert.deepEqual(
      service.seen.map(({ agent, path: asked }) => [isLibrary(agent), asked]),
      [
        [true, `/prefix/${GET_SLOT}?api_key=${encodeURIComponent(KEY)}`],
        [false, `/prefix/${SUBSCRIBE}`],
      ],
    );
  });

  for (const scheme of ['http', 'https'] as const)
    test(`calls and streams tunnel through a proxy of ${scheme}, which gets its credentials and no key`, async (t) => {
      const service = await noting(true);
      t.after(() => service.close());
      const proxy = await proxyServer(200, scheme === 'https' ? ca.issue('IP:127.0.0.1') : undefined);
      t.after(() => proxy.close());
      const credentials = new Secret('me:proxy-password');
      const connect: ConnectSettings = { extraCa: [ca.ca], proxy: { url: proxy.origin, credentials, noProxy: [] } };
      const url = `https://service.example.com:${service.port}`;
      assert.equal(answerOf(await callGrpc(url, { options: { connect } })).error, undefined);
      await openedGrpc(url, { options: { connect } }, takeOne);
      assert.deepEqual(
        service.seen.map(({ agent }) => isLibrary(agent)),
        [scheme === 'http', scheme === 'http'],
      );
      assert.equal(proxy.seen.length, 2);
      for (const asked of proxy.seen) {
        assert.match(asked, /^\["service\.example\.com:\d+"/);
        assert.ok(
          asked.toLowerCase().includes(`"proxy-authorization":"basic ${btoa('me:proxy-password').toLowerCase()}"`),
        );
      }
      assertNoKey(proxy.seen);
    });

  test('a service that cannot be reached behind a proxy is named, with the reason', async () => {
    const service = await noting(true);
    const proxy = await proxyServer();
    const connect: ConnectSettings = { proxy: { url: proxy.origin, noProxy: [] } };
    const error = errorOf(await callGrpc(`https://service.example.com:${service.port}`, { options: { connect } }));
    await proxy.close();
    await service.close();
    assert.deepEqual([error.kind, service.seen], ['tls', []]);
    assert.match(error.message, /service\.example\.com.*not trusted/);
  });
});

describe('compression', () => {
  const asked = asking(SUBSCRIBE, '{"slots":{"all":{}}}', { headers: [['Grpc-Accept-Encoding', 'gzip']] });
  const packed = (bytes: Uint8Array): Buffer => {
    const message = framed(gzipSync(bytes));
    message[0] = 1;
    return message;
  };
  const gzipped = (write: (stream: Parameters<typeof begin>[0]) => void) =>
    grpcService(({ stream }) => {
      stream.respond({ ':status': 200, 'content-type': 'application/grpc', 'grpc-encoding': 'gzip' });
      write(stream);
    });

  test('is offered where the file accepts it, and the stream is read', async (t) => {
    const update = create(SubscribeUpdateSchema, {
      filters: ['all'],
      updateOneof: { case: 'slot', value: { slot: 9n } },
    });
    const service = await gzipped((stream) => stream.write(packed(toBinary(SubscribeUpdateSchema, update))));
    t.after(() => service.close());
    await openedGrpc(service.origin, { asked }, async (stream) => {
      const [message] = await take(stream, 1);
      assert.equal(member(member(message, 'slot'), 'slot'), '9');
    });
    const plain = await noting(false);
    t.after(() => plain.close());
    for (const request of [asked, asking(SUBSCRIBE, '{}')]) await openedGrpc(plain.origin, { asked: request }, takeOne);
    assert.deepEqual(
      plain.seen.map(({ accepts }) => accepts),
      ['identity,deflate,gzip', 'identity'],
    );
  });

  test('a message that unpacks to more than the bound ends the stream', async (t) => {
    let burst = (): void => undefined;
    const service = await gzipped((stream) => {
      stream.write(slotUpdate(9n));
      burst = () => void stream.write(packed(Buffer.alloc(65 * 1024 * 1024)));
    });
    t.after(() => service.close());
    await openedGrpc(service.origin, { asked }, async (stream) => {
      await takeOne(stream);
      burst();
      await take(stream, Infinity);
      assert.equal(stream.error?.kind, 'protocol');
      assert.match(stream.error.message, /above the bound/);
    });
  });

  test('bytes that do not unpack end the call', async () => {
    const service = await gzipped((stream) => {
      const message = framed(Buffer.from('not gzip'));
      message[0] = 1;
      stream.write(message);
    });
    const error = errorOf(await callGrpc(service.origin));
    await service.close();
    assert.deepEqual([error.kind, /unpacked/.test(error.message)], ['protocol', true], error.message);
  });
});

describe('metadata that grpc-js does not send', () => {
  test('is named before anything leaves', async () => {
    const record = await sink();
    const asked = asking(GET_SLOT, '{}', { headers: [['x!y', 'z']] });
    const error = errorOf(await callGrpc(record.origin, { asked }));
    await record.close();
    assert.deepEqual([error.kind, record.connections()], ['invalidRequest', 0]);
    assert.match(error.message, /x!y/);
  });

  test('of a name that ends in -bin is base64, which arrives as it was written', async () => {
    let got: unknown;
    const service = await grpcService(({ stream, headers }) => ((got = headers['x-trace-bin']), answer(stream, SLOT)));
    const asked = asking(GET_SLOT, '{}', { headers: [['X-Trace-Bin', 'AAEC/w==']] });
    assert.equal(answerOf(await callGrpc(service.origin, { asked })).error, undefined);
    await service.close();
    assert.equal(got, 'AAEC/w==');
  });
});

describe('environment variables of grpc-js', () => {
  const CALL = `
    const { createNet } = require(process.argv[1]);
    const url = new URL(process.argv[2]);
    const path = new URL('geyser.Geyser/GetSlot', url);
    const secret = { reveal: () => process.argv[3] };
    const net = createNet({ keys: { key: async () => ({ kind: 'lease', lease: { secret, label: 'x' } }) } });
    const profile = { profile: { name: 'x', grpcUrl: url.href }, source: 'user' };
    const target = { profile, interface: 'grpc', url, origin: url.origin, auth: 'bearer', keyType: 'grpc' };
    const request = { transport: 'GRPC', method: 'geyser.Geyser/GetSlot', body: '{}', ids: [], isBatch: false, headers: [], timeoutMs: 10000 };
    net.call(target, request, { signal: new AbortController().signal }).then(async (result) => {
      await net.close();
      process.stdout.write(JSON.stringify([result.value?.body.text, process.env.GRPC_TRACE]));
    });
  `;

  test('have no effect: no trace, which would print keys, no proxy, no other look-up', async () => {
    const service = await noting(false);
    const proxy = await sink();
    const dist = path.join(__dirname, '..', '..', '..', 'dist', 'net.js');
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      ['-e', CALL, dist, `http://localhost:${service.port}`, KEY],
      {
        env: {
          ...process.env,
          GRPC_TRACE: 'all',
          GRPC_VERBOSITY: 'DEBUG',
          GRPC_NODE_USE_ALTERNATIVE_RESOLVER: 'true',
          GRPC_SSL_CIPHER_SUITES: 'none',
          grpc_proxy: proxy.origin,
          https_proxy: proxy.origin,
          http_proxy: proxy.origin,
          no_proxy: '',
        },
      },
    );
    await proxy.close();
    await service.close();
    // Children of the process get their variables as they were.
    assert.deepEqual(JSON.parse(stdout), ['{"slot":"7"}', 'all']);
    assert.equal(stderr, '');
    assert.equal(proxy.connections(), 0);
  });
});
