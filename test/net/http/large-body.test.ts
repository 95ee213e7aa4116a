// Bodies that go to a file: the same file, the same index and the same envelope wherever packets cut them; and the sieve
// that spares a search for keys.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { describe, test } from 'node:test';
import { Secret } from '../../../core/service/keys/secret';
import { parseJson } from '../../../core/solana/json/json';
import { StoredResponse } from '../../../core/service/response/stored';
import type { GrowingBody } from '../../../net/api';
import { readWholeBody, type BodyLimits, type ReadBody } from '../../../net/http/body';
import { RefusedAnswer } from '../../../net/failures';
import { Redactor } from '../../../net/secrets/redactor';
import { httpServer } from '../../support/wire/hostile';
import { KEY, request, targetOf, waitFor, withNet } from '../../support/wire/wire';
import { testFolder } from '../../support/folder';

const folder = testFolder('net-large-body');
let files = 0;

/** The key, every third character of it as JSON may also write it. */
const ESCAPED = [...KEY]
  .map((char, at) => (at % 3 === 0 ? `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}` : char))
  .join('');
const ITEMS = [
  `{"pubkey":"Key0","data":["${'QUJD'.repeat(20)}","base64"],"rentEpoch":18446744073709551615}`,
  '{"said":"a\\"]}\\\\","\\u20ac\\"d":[[],{}],"more":"\\\\\\\\"}',
  `{"echo":"${KEY}","größe":"€😀"}`,
  `{"escaped":"${ESCAPED}"}`,
  '-1.50e2',
];
const answer = (result: string): string => `{ "jsonrpc":"2.0","result":${result}, "id":"a\\"7"}`;

const limits = (change: Partial<BodyLimits> = {}): BodyLimits => ({
  inlineBytes: 40,
  maxBytes: 1_000_000,
  spillFile: () => path.join(folder, `body-${files++}`),
  ...change,
});

const read = (pieces: readonly Buffer[], change?: Partial<BodyLimits>, maxEntries = 1): Promise<ReadBody> =>
  readWholeBody(Readable.from(pieces), undefined, {
    limits: limits(change),
    redactor: new Redactor([new Secret(KEY)]),
    maxEntries,
  });

function inPieces(bytes: Buffer, size: number): readonly Buffer[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, (at + 1) * size));
}

/** The result of reading a body: the file's text, the envelope, and the index. */
async function contentOf(body: ReadBody): Promise<unknown> {
  assert.equal(body.body.kind, 'file');
  if (body.body.kind !== 'file') return undefined;
  const { file, outline, head } = body.body;
  const text = readFileSync(file.path, 'utf8');
  rmSync(file.path);
  assert.equal(file.bytes, Buffer.byteLength(text));
  assert.ok(text.startsWith(head));
  return { text, bytes: body.bytes, envelope: body.envelope, outline };
}

/** Every way to send a body in two pieces, and in pieces of every small size. */
function* cuts(bytes: Buffer): Iterable<readonly Buffer[]> {
  for (let at = 1; at < bytes.length; at++) yield [bytes.subarray(0, at), bytes.subarray(at)];
  for (let size = 1; size <= 64; size++) yield inPieces(bytes, size);
}

describe('a body in a file is the same wherever packets cut it', () => {
  const BODIES: readonly (readonly [name: string, text: string])[] = [
    ['with a list', answer(`[${ITEMS.join(',')}]`)],
    ['with a list inside', answer(`{"context":{"slot":9},"value":[${ITEMS.join(' ,\n')}]}`)],
    ['with a text', answer(`"${'\\\\\\"'.repeat(30)}${KEY}"`)],
    ['with an error behind its result', `{"result":[${ITEMS.join()}],"error":{"code":-32000,"message":"x"},"id":1}`],
    ['with a result twice', `{"result":[1,2,[3]],"id":1,"result":{"a":"${'b'.repeat(90)}"}}`],
    ['that is a batch', `[${answer(`[${ITEMS.join()}]`)},${answer('"x"')}]`],
  ];
  for (const [name, text] of BODIES)
    test(`one ${name}`, async () => {
      const bytes = Buffer.from(text);
      const expected = await contentOf(await read([bytes], {}, 2));
      assert.ok(!JSON.stringify(expected).includes(KEY));
      assert.ok(!JSON.stringify(JSON.parse((expected as { readonly text: string }).text)).includes(KEY));
      for (const pieces of cuts(bytes)) assert.deepEqual(await contentOf(await read(pieces, {}, 2)), expected);
    });

  test('a body that is not a JSON-RPC answer', async () => {
    for (const text of [`{"result":[${ITEMS.join()}]`, `[${ITEMS.join()}]`, `{"result":[${ITEMS.join()}]} {}`]) {
      for (const pieces of cuts(Buffer.from(text))) {
        const { body, envelope } = await read(pieces);
        if (body.kind === 'file') rmSync(body.file.path);
        assert.deepEqual(envelope, { kind: 'malformed' }, text);
      }
    }
  });
});

test('every item of a body that came in pieces is found through its index', async () => {
  const text = answer(`[${ITEMS.join(',')}]`)
    .replaceAll(KEY, '[redacted]')
    .replace(ESCAPED, '[redacted]');
  const { body } = await read(inPieces(Buffer.from(answer(`[${ITEMS.join(',')}]`)), 7));
  assert.ok(body.kind === 'file');
  const stored = new StoredResponse(body.file, () => body.outline);
  const page = await stored.page(0, 10);
  assert.deepEqual(
    page?.items.map((item) => parseJson(item.text)),
    ITEMS.map((item) => parseJson(item.replace(KEY, '[redacted]').replace(ESCAPED, '[redacted]'))),
  );
  assert.equal(readFileSync(body.file.path, 'utf8'), text);
});

test('a body far above what is gathered for a write lies in its file whole and in order', async () => {
  const rows = Array.from({ length: 60_000 }, (_, index) => `{"at":${index},"data":"${'x'.repeat(index % 90)}"}`);
  const text = answer(`[${rows.join()}]`);
  const { body } = await read(inPieces(Buffer.from(text), 16_001), { maxBytes: 100_000_000 });
  assert.ok(body.kind === 'file');
  assert.equal(readFileSync(body.file.path, 'utf8'), text);
  const stored = new StoredResponse(body.file, () => body.outline);
  for (const index of [0, 1, 31_234, rows.length - 1])
    assert.equal((await stored.page(index, 1))?.items[0]?.text, rows[index]);
});

test('bytes that are no text are refused, in the middle and at the end, and leave no file', async () => {
  const before = readdirSync(folder);
  const begin = Buffer.from(`{"result":[${ITEMS.join()},"é`);
  await assert.rejects(read([begin.subarray(0, begin.length - 1)]), RefusedAnswer);
  await assert.rejects(read([begin, Buffer.from([0xff, 0x20])]), RefusedAnswer);
  assert.deepEqual(readdirSync(folder), before);
});

test('a connection that breaks inside a body leaves no file', async () => {
  const before = readdirSync(folder);
  const source = new Readable({ read: () => undefined });
  let grown: GrowingBody | undefined;
  const onGrow = (body: GrowingBody): void => {
    grown = body;
    source.destroy(new Error('gone'));
  };
  const broken = readWholeBody(source, undefined, {
    limits: limits({ onGrow }),
    redactor: new Redactor([]),
    maxEntries: 1,
  });
  source.push(Buffer.from(`{"result":[${ITEMS.join()}`));
  await assert.rejects(broken, /gone/);
  assert.ok(grown);
  assert.deepEqual(readdirSync(folder), before);
});

test('a call cancelled at any moment of its end leaves no file', async () => {
  const before = readdirSync(folder);
  const body = answer(`[${Array.from({ length: 4_000 }, () => ITEMS[0]).join()}]`);
  const server = await httpServer((_, response) => void response.end(body));
  const target = targetOf(server.origin);
  await withNet({}, async (net) => {
    for (let turns = 0; turns < 60; turns++) {
      const stop = new AbortController();
      let seen = 0;
      const spilled = path.join(folder, `late-${turns}`);
      const turn = (): void => void (seen++ < turns ? setImmediate(turn) : stop.abort());
      const spillFile = (): string => {
        turn();
        return spilled;
      };
      const result = await net.call(target, request(), { signal: stop.signal, inlineBytes: 1_000, spillFile });
      if (result.ok) rmSync(spilled);
      else assert.equal(result.error.kind, 'cancelled');
      await waitFor(() => readdirSync(folder).length === before.length);
    }
  });
  await server.close();
});

test('a body for whose file there is no folder is said not to be written, not to be a fault of the connection', async () => {
  const server = await httpServer((_, response) => void response.end(answer(`[${ITEMS.join()}]`.padEnd(20_000))));
  const spillFile = (): string => {
    throw new Error('ENOENT');
  };
  await withNet({}, async (net) => {
    const options = { signal: new AbortController().signal, inlineBytes: 10, spillFile };
    const result = await net.call(targetOf(server.origin), request(), options);
    assert.match(result.ok ? '' : result.error.message, /could not be written to disk/);
  });
  await server.close();
});
