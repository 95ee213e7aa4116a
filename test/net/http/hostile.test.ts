// Misbehaving services: the transports answer with a typed error in bounded time and memory, and follow nothing.
import { TextBody } from '../../../core/service/response/textBody';
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import path from 'node:path';
import { describe, test } from 'node:test';
import zlib from 'node:zlib';
import { assertWithin } from '../../support/night';
import { afterRequest, httpServer, rawAnswer, sink, tcpServer, type Answerer } from '../../support/wire/hostile';
import { answerOf, callOnce, errorOf, OK_BODY, request, targetOf, waitFor, withNet } from '../../support/wire/wire';
import { testFolder } from '../../support/folder';

const folder = testFolder('net-hostile');
let files = 0;
const spillFile = (): string => path.join(folder, `spill-${files++}`);

const MIB = 1024 * 1024;
const json = { 'content-type': 'application/json' };

/** Serves `answer`, calls once, and closes. */
async function against(
  answer: Answerer,
  change: Parameters<typeof callOnce>[1] = {},
  call: Parameters<typeof callOnce>[3] = {},
): ReturnType<typeof callOnce> {
  const server = await httpServer(answer);
  try {
    return await callOnce(`${server.origin}/sol`, change, {}, call);
  } finally {
    await server.close();
  }
}

const says =
  (body: string | Buffer, headers: Record<string, string> = json, status = 200): Answerer =>
  (_, response) =>
    void response.writeHead(status, headers).end(body);

/** Writes `piece` until the client goes or `total` bytes are out. */
async function pour(response: ServerResponse, piece: Buffer, total: number): Promise<void> {
  for (let sent = 0; sent < total && !response.destroyed; sent += piece.length) {
    if (!response.write(piece)) await Promise.race([once(response, 'drain'), once(response, 'close')]);
  }
  response.end();
}

describe('slow and silent services', () => {
  test('a service that never answers ends in a timeout', async () => {
    const error = errorOf(await against(() => undefined, { timeoutMs: 100 }));
    assert.deepEqual([error.kind, error.kind === 'timeout' && error.afterMs], ['timeout', 100]);
  });

  test('a service that never accepts a byte ends in a timeout', async () => {
    const server = await tcpServer((socket) => socket.pause());
    const error = errorOf(await callOnce(server.origin, { timeoutMs: 100 }));
    await server.close();
    assert.equal(error.kind, 'timeout');
  });

  test('a service that drips a byte at a time ends in a timeout, however regularly', async () => {
    const result = await against(
      (_, response) => {
        response.writeHead(200, json);
        const drip = setInterval(() => response.write(' '), 5);
        response.on('close', () => clearInterval(drip));
      },
      { timeoutMs: 150 },
    );
    assert.equal(errorOf(result).kind, 'timeout');
  });

  test('cancelling ends a call at once and closes its connection', async () => {
    const stop = new AbortController();
    let gone: Promise<unknown> = Promise.resolve();
    const server = await httpServer((_, response) => {
      gone = once(response, 'close');
      stop.abort();
    });
    const result = await callOnce(server.origin, { timeoutMs: 60_000 }, {}, { signal: stop.signal });
    assert.equal(errorOf(result).kind, 'cancelled');
    await gone;
    await server.close();
  });

  test('cancelling while a body streams in ends the call and leaves no file', async () => {
    const stop = new AbortController();
    const file = spillFile();
    const server = await httpServer(async (_, response) => {
      response.writeHead(200, json);
      response.write(Buffer.alloc(MIB, 0x20));
      const timer = setInterval(() => {
        if (!existsSync(file)) return;
        clearInterval(timer);
        stop.abort();
      }, 5);
      response.on('close', () => clearInterval(timer));
    });
    const call = { signal: stop.signal, inlineBytes: 1024, spillFile: () => file };
    const target = targetOf(server.origin);
    await withNet({}, async (net) => {
      assert.equal(errorOf(await net.call(target, request(), call)).kind, 'cancelled');
    });
    await server.close();
    await waitFor(() => !existsSync(file));
  });

  test('a call whose signal is already aborted sends nothing', async () => {
    const record = await sink();
    const result = await callOnce(record.origin, {}, {}, { signal: AbortSignal.abort() });
    await record.close();
    assert.equal(errorOf(result).kind, 'cancelled');
    assert.equal(record.connections(), 0);
  });
});

/** Waits for a condition that a clean-up in the background brings about. */

describe('sizes', () => {
  test('a body of a gigabyte is refused at the bound, in bounded memory', async () => {
    const before = process.memoryUsage().arrayBuffers;
    let sent = 0;
    const piece = Buffer.alloc(MIB, 0x20);
    const server = await httpServer(async (_, response) => {
      response.writeHead(200, json);
      response.on('close', () => (sent = response.socket?.bytesWritten ?? 0));
      await pour(response, piece, 1024 * MIB);
    });
    const result = await callOnce(server.origin, { timeoutMs: 60_000 }, {}, { maxBytes: 16 * MIB });
    await server.close();
    const error = errorOf(result);
    assert.equal(error.kind, 'protocol');
    assert.match(error.message, /16 MB/);
    assert.ok(sent < 200 * MIB, `${sent} bytes were sent`);
    assertWithin(process.memoryUsage().arrayBuffers - before, 128 * MIB);
  });

  for (const [name, bomb] of [
    ['gzip', zlib.gzipSync(Buffer.alloc(256 * MIB, 0x20))],
    [
      'br',
      zlib.brotliCompressSync(Buffer.alloc(64 * MIB, 0x20), { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } }),
    ],
    ['deflate', zlib.deflateSync(Buffer.alloc(64 * MIB, 0x20))],
  ] as const)
    test(`a ${name} bomb is refused at the bound of what it unpacks to`, async () => {
      const before = process.memoryUsage().arrayBuffers;
      const result = await against(says(bomb, { ...json, 'content-encoding': name }), {}, { maxBytes: 4 * MIB });
      assert.match(errorOf(result).message, /larger than 4 MB/);
      assertWithin(process.memoryUsage().arrayBuffers - before, 96 * MIB);
    });

  test('a bomb streamed to a file is refused at the bound and its file removed', async () => {
    const file = spillFile();
    const bomb = zlib.gzipSync(Buffer.alloc(64 * MIB, 0x20));
    const call = { maxBytes: 8 * MIB, inlineBytes: MIB, spillFile: () => file };
    const result = await against(says(bomb, { ...json, 'content-encoding': 'gzip' }), {}, call);
    assert.equal(errorOf(result).kind, 'protocol');
    assert.equal(existsSync(file), false);
  });

  for (const encoding of ['gzip', 'deflate', 'br'] as const)
    test(`a body compressed with ${encoding} is unpacked`, async () => {
      const pack = { gzip: zlib.gzipSync, deflate: zlib.deflateSync, br: zlib.brotliCompressSync }[encoding];
      const result = await against(says(pack(OK_BODY), { ...json, 'content-encoding': encoding }));
      assert.deepEqual(answerOf(result).body, new TextBody(OK_BODY));
    });

  for (const encoding of ['zstd', 'gzip, gzip', 'constructor', '__proto__'])
    test(`a body in the encoding ${encoding} is refused`, async () =>
      assert.equal(errorOf(await against(says(OK_BODY, { ...json, 'content-encoding': encoding }))).kind, 'protocol'));

  test('a body that is not what its encoding says is refused', async () =>
    assert.equal(errorOf(await against(says(OK_BODY, { ...json, 'content-encoding': 'gzip' }))).kind, 'protocol'));

  test('a compressed body that is cut off is a lost connection', async () => {
    const half = zlib.gzipSync(Buffer.alloc(MIB, 0x20)).subarray(0, 300);
    assert.equal(errorOf(await against(says(half, { ...json, 'content-encoding': 'gzip' }))).kind, 'network');
  });

  test('a body above the inline bound goes to a file of its owner alone, with its head as text', async () => {
    const file = spillFile();
    const body = `{"jsonrpc":"2.0","id":1,"result":"${'é'.repeat(MIB)}"}`;
    const exchange = answerOf(await against(says(body), {}, { inlineBytes: 1000, spillFile: () => file }));
    assert.equal(exchange.error, undefined);
    assert.ok(exchange.body.kind === 'file');
    assert.equal(exchange.body.bytes, Buffer.byteLength(body));
    assert.equal(exchange.bytes, Buffer.byteLength(body));
    assert.equal(readFileSync(file, 'utf8'), body);
    assert.ok(body.startsWith(exchange.body.head) && exchange.body.head.length > 1000);
    assert.equal(statSync(file).mode & 0o777, 0o600);
  });

  test('an existing file is never written to', async () => {
    const body = `{"jsonrpc":"2.0","id":1,"result":"${'x'.repeat(5000)}"}`;
    const result = await against(says(body), {}, { inlineBytes: 1000, spillFile: () => '/dev/null' });
    assert.match(errorOf(result).message, /written to disk/);
  });

  test('headers of a megabyte are refused', async () => {
    const server = await tcpServer((socket) =>
      afterRequest(socket, () => socket.write(rawAnswer('200 OK', [`x-long: ${'a'.repeat(MIB)}`], OK_BODY))),
    );
    const error = errorOf(await callOnce(server.origin));
    await server.close();
    assert.equal(error.kind, 'protocol');
  });
});

describe('bodies that are no JSON-RPC answer', () => {
  const BODIES: readonly (readonly [string, string | Buffer])[] = [
    ['nothing', ''],
    ['a word', 'hello'],
    ['a page', '<html><body onload="alert(1)">{}</body></html>'],
    ['a number', '1'],
    ['null', 'null'],
    ['a string', '"x"'],
    ['an empty object', '{}'],
    ['an object cut off', '{"jsonrpc":"2.0","id":1,"result":{"a"'],
    ['two objects', `${OK_BODY}${OK_BODY}`],
    ['text behind the object', `${OK_BODY} x`],
    ['a bad number', '{"jsonrpc":"2.0","id":1,"result":01}'],
    ['a bad bracket', '{"jsonrpc":"2.0","id":1,"result":[}]}'],
    ['an array', '[]'],
    ['an array of one answer', `[${OK_BODY}]`],
    ['an answer without id', '{"jsonrpc":"2.0","result":7}'],
    ['an answer without result', '{"jsonrpc":"2.0","id":1}'],
    ['an id of another request', '{"jsonrpc":"2.0","result":7,"id":2}'],
    ['the id as a string', '{"jsonrpc":"2.0","result":7,"id":"1"}'],
    ['the id as a fraction', '{"jsonrpc":"2.0","result":7,"id":1.0}'],
    ['the id null', '{"jsonrpc":"2.0","result":7,"id":null}'],
    ['the id inside the result', '{"jsonrpc":"2.0","result":{"id":1}}'],
    ['an id of a megabyte', `{"jsonrpc":"2.0","result":7,"id":"${'1'.repeat(MIB)}"}`],
    ['an error that is a word', '{"jsonrpc":"2.0","id":1,"error":"no"}'],
  ];
  for (const [name, body] of BODIES)
    test(`${name} is a protocol error, and the body is kept`, async () => {
      const result = await against(says(body));
      assert.equal(errorOf(result).kind, 'protocol');
      assert.deepEqual(answerOf(result).body, new TextBody(body.toString()));
    });

  const NOT_UTF8: readonly (readonly [string, Buffer])[] = [
    ['a lone continuation byte', Buffer.from([0x22, 0x80, 0x22])],
    ['an overlong slash', Buffer.from([0x22, 0xc0, 0xaf, 0x22])],
    ['a surrogate', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
    ['a character cut off at the end', Buffer.concat([Buffer.from(OK_BODY), Buffer.from([0xe2, 0x82])])],
    ['UTF-16', Buffer.from(`\ufeff${OK_BODY}`, 'utf16le')],
  ];
  for (const [name, body] of NOT_UTF8)
    test(`${name} is not UTF-8`, async () => assert.match(errorOf(await against(says(body))).message, /UTF-8/));

  test('a body that is read as a stream is checked as well', async () => {
    const body = Buffer.concat([
      Buffer.from('{"jsonrpc":"2.0","id":1,"result":"'),
      Buffer.alloc(MIB, 0x80),
      Buffer.from('"}'),
    ]);
    assert.match(errorOf(await against(says(body))).message, /UTF-8/);
  });

  test('characters cut by packets are UTF-8 all the same', async () => {
    const body = Buffer.from('{"jsonrpc":"2.0","id":1,"result":"é€😀é€😀"}');
    const result = await against(async (_, response) => {
      response.writeHead(200, json);
      for (const byte of body) {
        response.write(Buffer.from([byte]));
        await new Promise((resolve) => setImmediate(resolve));
      }
      response.end();
    });
    assert.deepEqual(answerOf(result).body, new TextBody(body.toString()));
    assert.equal(answerOf(result).error, undefined);
  });

  test('numbers of any size arrive as they were sent', async () => {
    const body = '{"jsonrpc":"2.0","id":1,"result":[18446744073709551615,1e400,1.0,-0]}';
    const exchange = answerOf(await against(says(body)));
    assert.equal(exchange.error, undefined);
    assert.deepEqual(exchange.body, new TextBody(body));
  });

  test('an id above 2^53 is compared by its digits', async () => {
    const body = (id: string): string => `{"jsonrpc":"2.0","result":7,"id":${id}}`;
    const ids = ['9007199254740993'];
    assert.equal(answerOf(await against(says(body('9007199254740993')), { ids })).error, undefined);
    assert.equal(errorOf(await against(says(body('9007199254740992')), { ids })).kind, 'protocol');
  });

  test('a string id may be escaped in another way', async () => {
    const result = await against(says('{"id":"\\u0061","result":1}'), { ids: ['"a"'] });
    assert.equal(answerOf(result).error, undefined);
  });

  test('a repeated __proto__ member is plain data', async () =>
    assert.equal(answerOf(await against(says('{"__proto__":{"id":2},"id":1,"result":1}'))).error, undefined));
});

describe('batches', () => {
  const ask = (body: string, ids = ['1', '2', '"c"']): ReturnType<typeof callOnce> =>
    against(says(body), { method: 'batch', isBatch: true, ids, body: '[{},{},{}]' });
  const answer = (id: string): string => `{"jsonrpc":"2.0","id":${id},"result":0}`;

  test('every answer in any order is accepted', async () =>
    assert.equal(answerOf(await ask(`[${answer('"c"')},${answer('1')},${answer('2')}]`)).error, undefined));
  test('an error among the answers is left in the body', async () => {
    const error = '{"id":2,"error":{"code":-32601,"message":"no"}}';
    assert.equal(answerOf(await ask(`[${answer('1')},${error},${answer('"c"')}]`)).error, undefined);
  });
  for (const [name, body] of [
    ['a missing answer', `[${answer('1')},${answer('2')}]`],
    ['an answer twice', `[${answer('1')},${answer('1')},${answer('2')}]`],
    ['a foreign answer', `[${answer('1')},${answer('2')},${answer('3')}]`],
    ['one answer too many', `[${answer('1')},${answer('2')},${answer('"c"')},${answer('4')}]`],
    ['a single answer', answer('1')],
    ['an empty batch', '[]'],
    ['a number among them', `[${answer('1')},2,${answer('"c"')}]`],
    ['an array among them', `[${answer('1')},[${answer('2')}],${answer('"c"')}]`],
  ] as const)
    test(`${name} is a protocol error`, async () => assert.equal(errorOf(await ask(body)).kind, 'protocol'));
  test('one error object for the whole batch is that error', async () => {
    const error = errorOf(await ask('{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no batches"}}'));
    assert.ok(error.kind === 'rpc' && error.code === -32600);
  });
});

describe('connections', () => {
  for (const status of [301, 302, 303, 307, 308])
    test(`a redirect with ${status} is not followed`, async () => {
      const record = await sink();
      const error = errorOf(await against(says('', { location: `${record.origin}/?api_key=stolen` }, status)));
      await record.close();
      assert.ok(error.kind === 'protocol' && error.httpStatus === status);
      assert.match(error.message, new RegExp(`^127\\.0\\.0\\.1:\\d+ .*${status}`));
      assert.equal(record.connections(), 0);
    });

  const RAW: readonly (readonly [string, Buffer, string])[] = [
    ['garbage', Buffer.from('\x16\x03\x01 this is not HTTP\r\n\r\n'), 'protocol'],
    ['a body shorter than its length', Buffer.from('HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\n{"x":1'), 'network'],
    ['a chunk with a bad size', Buffer.from('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n'), 'protocol'],
    [
      'both lengths',
      Buffer.from('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\ncontent-length: 3\r\n\r\n0\r\n\r\n'),
      'protocol',
    ],
    ['half a status line', Buffer.from('HTTP/1.1 2'), 'network'],
    ['nothing', Buffer.alloc(0), 'network'],
  ];
  for (const [name, bytes, kind] of RAW)
    test(`${name}, then the end, is an error of kind ${kind}`, async () => {
      const server = await tcpServer((socket) => afterRequest(socket, () => socket.end(bytes)));
      const error = errorOf(await callOnce(server.origin));
      await server.close();
      assert.equal(error.kind, kind);
    });

  test('a reset connection is an error of the network', async () => {
    const server = await tcpServer((socket) => afterRequest(socket, () => socket.resetAndDestroy()));
    const error = errorOf(await callOnce(server.origin));
    await server.close();
    assert.equal(error.kind, 'network');
  });

  test('a socket that the other side half closes is an error of the network', async () => {
    const server = await tcpServer((socket) => socket.end());
    const error = errorOf(await callOnce(server.origin, { timeoutMs: 5000 }));
    await server.close();
    assert.equal(error.kind, 'network');
  });

  test('nobody at the port is named as such', async () => {
    const server = await tcpServer(() => undefined);
    await server.close();
    const error = errorOf(await callOnce(server.origin));
    assert.ok(error.kind === 'network' && error.code === 'ECONNREFUSED');
    assert.match(error.message, /refuses connections/);
  });

  test('a host name that does not exist is named as such', async () => {
    const error = errorOf(await callOnce('https://no-such-host.invalid/sol'));
    assert.ok(error.kind === 'network');
    assert.match(error.message, /no-such-host\.invalid/);
  });
});
