// The way to a gRPC service: certificates and proxies as for every transport, and its key in the place the profile says.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { AuthForm } from '../../../core/service/keys/authForm';
import type { ConnectSettings } from '../../../net/api';
import { settle } from '../../../net/target/target';
import { authority, selfSigned, type Certificate } from '../../support/wire/certificates';
import {
  answer,
  asking,
  callGrpc,
  CLIENTS,
  framed,
  GET_SLOT,
  grpcService,
  openedGrpc,
  slotUpdate,
  begin,
  through,
} from '../../support/wire/grpcServices';
import { httpsServer, sink } from '../../support/wire/hostile';
import { proxyServer } from '../../support/wire/proxies';
import { take } from '../../support/wire/webSockets';
import { answerOf, assertNoKey, errorOf, KEY } from '../../support/wire/wire';

const SLOT = framed(Buffer.from('0807', 'hex'));
const ca = authority();
const trusting: ConnectSettings = { extraCa: [ca.ca] };
const bearer = `Bearer ${KEY}`;

async function secure(certificate: Certificate) {
  const seen: (string | undefined)[] = [];
  const service = await grpcService(
    ({ stream, headers }) => {
      seen.push(headers.authorization);
      if (headers[':path'] === `/${GET_SLOT}`) answer(stream, SLOT);
      else {
        begin(stream);
        stream.write(slotUpdate(7n));
      }
    },
    { tls: { ...certificate } },
  );
  return { ...service, seen };
}

for (const client of CLIENTS) {
  const { callGrpc, openedGrpc, refusedGrpc } = through(client);
  describe(`certificates, checked by ${client}`, () => {
    test('one of the user’s own authority is accepted, for calls and streams', async (t) => {
      const service = await secure(ca.issue('IP:127.0.0.1'));
      t.after(() => service.close());
      const options = { connect: trusting };
      assert.equal(answerOf(await callGrpc(service.origin, { options })).error, undefined);
      await openedGrpc(service.origin, { options }, async (stream) => {
        assert.equal((await take(stream, 1)).length, 1);
      });
      assert.deepEqual(service.seen, [bearer, bearer]);
    });

    for (const [name, make, connect] of [
      ['self-signed', () => selfSigned('IP:127.0.0.1'), {}],
      ['of an authority that is not trusted', () => ca.issue('IP:127.0.0.1'), {}],
      ['for another name', () => ca.issue('DNS:grpc.example.com'), trusting],
      ['expired', () => ca.issue('IP:127.0.0.1', -1), trusting],
    ] as const)
      test(`a certificate that is ${name} is refused before a key leaves`, async (t) => {
        const service = await secure(make());
        t.after(() => service.close());
        const error = errorOf(await callGrpc(service.origin, { options: { connect } }));
        const opening = await refusedGrpc(service.origin, { options: { connect } });
        assert.deepEqual([error.kind, opening.kind, service.seen], ['tls', 'tls', []]);
      });

    test('a TLS server without HTTP/2 is an error with a hint', async () => {
      const server = await httpsServer({ ...ca.issue('IP:127.0.0.1') }, (_, response) => void response.end());
      const error = errorOf(await callGrpc(server.origin, { options: { connect: trusting } }));
      await server.close();
      assert.ok(error.kind === 'protocol' || error.kind === 'tls', error.kind);
    });
  });
}

describe('proxies', () => {
  test('calls and streams go through the tunnel; the proxy sees host and port, and no key', async (t) => {
    const service = await secure(ca.issue('DNS:service.example.com'));
    t.after(() => service.close());
    const proxy = await proxyServer();
    t.after(() => proxy.close());
    const options = { connect: { ...trusting, proxy: { url: proxy.origin, noProxy: [] } } };
    const url = `https://service.example.com:${service.port}`;
    assert.equal(answerOf(await callGrpc(url, { options })).error, undefined);
    await openedGrpc(url, { options }, async (stream) => {
      assert.equal((await take(stream, 1)).length, 1);
    });
    assert.equal(proxy.seen.length, 2);
    for (const asked of proxy.seen) assert.match(asked, /^\["service\.example\.com:\d+"/);
    assertNoKey(proxy.seen);
    assert.deepEqual(service.seen, [bearer, bearer]);
  });

  test('a proxy that refuses is named as the reason', async () => {
    const proxy = await proxyServer(407);
    const options = { connect: { proxy: { url: proxy.origin, noProxy: [] } } };
    const error = errorOf(await callGrpc('https://service.example.com', { options }));
    await proxy.close();
    assert.match(error.message, /proxy asks for a user name/);
  });
});

for (const client of CLIENTS) {
  const { callGrpc } = through(client);
  describe(`the key, sent by ${client}`, () => {
    async function received(auth: AuthForm, headers: readonly (readonly [string, string])[] = []) {
      let got: Readonly<Record<string, unknown>> = {};
      const service = await grpcService((call) => {
        got = { ...call.headers };
        answer(call.stream, SLOT);
      });
      answerOf(await callGrpc(service.origin, { auth, asked: asking(GET_SLOT, '{}', { headers }) }));
      await service.close();
      return got;
    }

    test('goes as metadata authorization, as metadata by name, or in the query of the path', async () => {
      assert.equal((await received('bearer'))['authorization'], bearer);
      assert.equal((await received('header:X-Token'))['x-token'], KEY);
      assert.equal((await received('query'))[':path'], `/${GET_SLOT}?api_key=${encodeURIComponent(KEY)}`);
      assert.equal(JSON.stringify(await received('none')).includes(KEY), false);
    });

    test('gives way to a credential of the file; other metadata goes along', async () => {
      const got = await received('bearer', [
        ['Authorization', 'Bearer own'],
        ['X-Trace', 'a'],
        ['grpc-timeout', '1n'],
        ['Content-Type', 'text/plain'],
      ]);
      assert.deepEqual([got['authorization'], got['x-trace']], ['Bearer own', 'a']);
      assert.deepEqual([got['content-type'], got['grpc-timeout']], ['application/grpc', '10000m']);
      assert.equal(JSON.stringify(got).includes(KEY), false);
    });

    test('is asked for at exactly the origin of grpcUrl; without one nothing is connected', async () => {
      const record = await sink();
      const error = errorOf(
        await callGrpc(record.origin, {
          options: {
            keys: {
              key: async (query) => {
                assert.deepEqual([query.type, query.origin, query.interface], ['grpc', record.origin, 'grpc']);
                return { kind: 'none' };
              },
            },
          },
        }),
      );
      await record.close();
      assert.deepEqual([error.kind, record.connections()], ['noKey', 0]);
    });

    test('never goes to another machine in the clear', () => {
      const placed = { profile: { name: 'x', grpcUrl: 'http://192.0.2.1:10000' }, source: 'user' as const };
      assert.equal(settle(placed, asking(GET_SLOT)).ok, false);
    });
  });
}
