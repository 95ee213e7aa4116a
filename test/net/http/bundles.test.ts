// Bundles that a sender refuses for now, or whose answer is lost: sent once, and said with the signature to look for.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { encodeBase58 } from '../../../core/solana/encoding/base58';
import { afterRequest, httpServer, tcpServer } from '../../support/wire/hostile';
import { fakeClock, turns } from '../../support/wire/retries';
import { answerOf, callOnce, errorOf, type request } from '../../support/wire/wire';

const SIGNATURE = Uint8Array.from({ length: 64 }, (_, n) => n + 1);
const TRANSACTION = Buffer.concat([Buffer.from([1]), SIGNATURE, Buffer.from([1, 0, 1, 2, 3])]);
const bundle = (params: string): Partial<ReturnType<typeof request>> => ({
  method: 'sendBundle',
  body: `{"jsonrpc":"2.0","id":1,"method":"sendBundle","params":${params}}`,
  timeoutMs: 2000,
});
const BUNDLE = bundle(`[["${TRANSACTION.toString('base64')}","AAAA"],{"encoding":"base64"}]`);
const BUNDLE_58 = bundle(`[["${encodeBase58(TRANSACTION)}"]]`);

describe('sending a bundle', () => {
  test('429 is reported once, with the sender’s message and how long to wait, and is not retried', async () => {
    let count = 0;
    const server = await httpServer((_, response) => {
      count++;
      response.writeHead(429, { 'retry-after': '2', 'content-type': 'application/json' });
      response.end(
        '{"jsonrpc":"2.0","error":{"code":-32097,"message":"Network congested. Endpoint is globally rate limited."},"id":1}',
      );
    });
    const clock = fakeClock();
    const error = errorOf(await callOnce(server.origin, BUNDLE, { clock }));
    await server.close();
    assert.ok(error.kind === 'rateLimited', error.kind);
    assert.equal(error.retryAfterMs, 2_000);
    assert.match(error.message, /Network congested/);
    assert.deepEqual([count, clock.slept], [1, []]);
  });

  test('503 is a refusal: said as such, and not repeated', async () => {
    const server = await turns([503, 503], { 'retry-after': '0' });
    const error = errorOf(await callOnce(server.origin, BUNDLE, { clock: fakeClock() }));
    await server.close();
    assert.equal(error.kind, 'network');
    assert.match(error.message, /HTTP 503/);
    assert.equal(server.count(), 1);
  });

  for (const [name, asked] of [
    ['base64', BUNDLE],
    ['base58', BUNDLE_58],
    ['a batch', { ...BUNDLE, isBatch: true, body: `[${BUNDLE.body ?? ''}]` }],
  ] as const)
    test(`a lost answer is ambiguous, with the first signature of the bundle, in ${name}`, async () => {
      let connections = 0;
      const server = await tcpServer((socket) => {
        connections++;
        afterRequest(socket, () => socket.destroy());
      });
      const error = errorOf(await callOnce(server.origin, asked));
      await server.close();
      assert.ok(error.kind === 'ambiguous');
      assert.match(error.message, /^The bundle was sent/);
      assert.equal(error.signature, encodeBase58(SIGNATURE));
      assert.equal(connections, 1);
    });

  test('a gateway’s 502 is ambiguous', async () => {
    const server = await turns([502, 502]);
    const error = errorOf(await callOnce(server.origin, BUNDLE));
    await server.close();
    assert.equal(error.kind, 'ambiguous');
    assert.equal(server.count(), 1);
  });

  test('a bundle that cannot be read is ambiguous without a signature', async () => {
    for (const params of ['[]', '[[]]', '[[1]]', '[["0OIl"]]', '[{}]']) {
      const server = await tcpServer((socket) => afterRequest(socket, () => socket.destroy()));
      const error = errorOf(await callOnce(server.origin, bundle(params)));
      await server.close();
      assert.ok(error.kind === 'ambiguous' && error.signature === undefined, params);
    }
  });

  test('the questions after it are asked again after 429 and 503', async () => {
    for (const method of ['getInflightBundleStatuses', 'getBundleStatuses']) {
      const server = await turns([429, 503]);
      const asked = { method, body: `{"jsonrpc":"2.0","id":1,"method":"${method}","params":[["a"]]}` };
      assert.equal(answerOf(await callOnce(server.origin, asked, { clock: fakeClock() })).error, undefined);
      await server.close();
      assert.equal(server.count(), 3, method);
    }
  });
});
