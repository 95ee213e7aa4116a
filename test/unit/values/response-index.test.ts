// Responses too large to hold: the index that is made while they stream by, in pieces of any size, and what is read
// through it, compared with the same text parsed as a whole.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lookUp } from '../../../core/requests/document/variables/answer';
import { Outline, outlineText, readOutline, type BytePart } from '../../../core/service/response/outline';
import { JsonScanner } from '../../../core/service/response/scanner';
import { StoredResponse, type ByteSource } from '../../../core/service/response/stored';
import { isJsonArray, isJsonObject, parseJson, printJson, type JsonValue } from '../../../core/solana/json/json';

/** A response of `count` accounts, with the digits and escapes that make reading hard. */
function accounts(count: number, member = 'result'): string {
  const items = Array.from(
    { length: count },
    (_, index) =>
      `{"pubkey":"Key${index}","account":{"lamports":18446744073709551615,"data":["a\\"]}\\\\","base64"],"rentEpoch":${index}.50}}`,
  );
  return `{"jsonrpc":"2.0", "${member}" : [${items.join(' , ')}],"id":7}`;
}

function sourceOf(
  text: string,
): ByteSource & { readonly read: (offset: number, length: number) => Promise<Uint8Array> } {
  const bytes = Buffer.from(text);
  return {
    bytes: bytes.length,
    read: (offset, length) => Promise.resolve(bytes.subarray(offset, offset + length)),
  };
}

/** Streams the text in pieces of `size` bytes. */
function outlined(text: string, size = 1_000): BytePart {
  const outline = new Outline();
  const scanner = new JsonScanner(outline);
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) scanner.push(bytes.subarray(at, at + size));
  assert.ok(outline.root);
  return outline.root;
}

const storedOf = (text: string, size?: number): StoredResponse => {
  const root = outlined(text, size);
  return new StoredResponse(sourceOf(text), () => root);
};

async function valueAt(stored: StoredResponse, path: readonly (string | number)[]): Promise<string | undefined> {
  const found = await stored.value(path, 1_000_000);
  return found?.kind === 'value' ? printJson(found.value) : undefined;
}

for (const size of [1, 2, 3, 7, 64, 100_000])
  test(`every value is found at its path when the body came in pieces of ${size} bytes`, async () => {
    const text = accounts(40);
    const stored = storedOf(text, size);
    const whole = parseJson(text);
    const paths = [
      ['jsonrpc'],
      ['id'],
      ['result', 0, 'pubkey'],
      ['result', 39, 'account', 'lamports'],
      ['result', 17, 'account', 'data', 0],
      ['result', 17, 'account', 'rentEpoch'],
      ['result', 'length'],
      ['result', 40],
      ['result', 0, 'nothing'],
      ['nothing', 0],
      ['jsonrpc', 'length'],
    ];
    for (const path of paths) {
      const expected = lookUp(whole, path);
      assert.equal(
        await valueAt(stored, path),
        expected === undefined ? undefined : printJson(expected),
        path.join('.'),
      );
    }
  });

test('values are found below any depth and in texts of every shape', async () => {
  const texts = [
    '[1, -2.5e3 ,true,false,null,"x",[],{},[[3]]]',
    '{"a":{"b":{"c":{"d":{"e":{"f":[1,{"g":2}]}}}}}}',
    '{ "\\u0061" : 1 , "a\\"b": [ "\\\\" , "\\"" ] , "": {"": 3} }',
    ' "only a text" ',
    '17',
    '{"result":{"context":{"slot":9},"value":[{"a":[1,2,3]},{"a":[]}]},"id":"x"}',
  ];
  for (const text of texts) {
    const stored = storedOf(text, 1);
    const walk = async (value: JsonValue, path: (string | number)[]): Promise<void> => {
      assert.equal(await valueAt(stored, path), printJson(value), `${text} at ${path.join('.')}`);
      if (isJsonArray(value)) for (const [index, item] of value.entries()) await walk(item, [...path, index]);
      else if (isJsonObject(value)) for (const [key, item] of Object.entries(value)) await walk(item, [...path, key]);
    };
    await walk(parseJson(text), []);
  }
});

test('an object with more members than are described is read on to the one that is asked for', async () => {
  const text = `{${Array.from({ length: 10_000 }, (_, index) => `"name${index}":{"at":${index}}`).join(',')}}`;
  assert.equal(await valueAt(storedOf(text), ['name9999', 'at']), '9999');
});

test('the index stays bounded and every item stays within reach', async () => {
  const count = 300_000;
  const text = `{"result":[${Array.from({ length: count }, (_, index) => index).join(',')}]}`;
  const root = outlined(text, 65_536);
  const items = root.members?.[0]?.items;
  assert.equal(items?.count, count);
  assert.ok((items?.starts.length ?? Infinity) <= 65_536);
  const stored = new StoredResponse(sourceOf(text), () => root);
  for (const index of [0, 1, 150_001, count - 1]) assert.equal(await valueAt(stored, ['result', index]), String(index));
});

test('a page holds the items asked for exactly as in the body', async () => {
  const page = await storedOf(accounts(500)).page(310, 3);
  assert.deepEqual(page?.path, ['result']);
  assert.equal(page.total, 500);
  assert.deepEqual(
    page.items.map(({ index, text, isCut }) => [index, /"pubkey":"(\w+)"/.exec(text)?.[1], isCut]),
    [
      [310, 'Key310', false],
      [311, 'Key311', false],
      [312, 'Key312', false],
    ],
  );
  assert.match(page.items[0]?.text ?? '', /^\{.*"rentEpoch":310\.50\}\}$/);
});

test('a page behind the end is empty and one across it is short', async () => {
  const stored = storedOf(accounts(10));
  assert.deepEqual((await stored.page(10, 5))?.items, []);
  assert.equal((await stored.page(8, 5))?.items.length, 2);
  assert.deepEqual(
    (await stored.page(-3, 1))?.items.map(({ index }) => index),
    [0],
  );
});

test('a page is of the largest array, wherever it is', async () => {
  const text = `{"result":{"context":{"slots":[1,2,3]},"value":${JSON.stringify(['a'.repeat(50), 'b'])}},"id":1}`;
  const page = await storedOf(text).page(0, 10);
  assert.deepEqual(page?.path, ['result', 'value']);
  assert.equal(page.total, 2);
});

test('a response without an array has no pages', async () => {
  assert.equal(await storedOf('{"result":"x","id":1}').page(0, 10), undefined);
});

test('an item beyond the bound of a page is cut between characters and says so', async () => {
  const text = JSON.stringify({ result: ['ä'.repeat(50_000), 'next'] });
  const [first] = (await storedOf(text).page(0, 1))?.items ?? [];
  assert.equal(first?.isCut, true);
  assert.doesNotMatch(first.text, /\ufffd/);
});

test('pages are there while the body is still streaming', async () => {
  const text = accounts(100);
  const outline = new Outline();
  const scanner = new JsonScanner(outline);
  const half = Buffer.from(text.slice(0, text.indexOf('Key50') + 10));
  scanner.push(half);
  const stored = new StoredResponse(sourceOf(half.toString()), () => outline.root);
  const page = await stored.page(0, 5);
  assert.equal(page?.items.length, 5);
  assert.equal(page.total, 51);
  // The item that is still coming is not shown as if it were whole.
  const last = await stored.page(50, 5);
  assert.deepEqual(last?.items, []);
});

test('a text is found with the item that contains it, and the search resumes where it stopped', async () => {
  const text = accounts(3_000);
  const stored = storedOf(text);
  const first = await stored.search('Key29', 0, 3, () => false);
  assert.deepEqual(
    first.hits.map(({ item }) => item),
    [29, 290, 291],
  );
  assert.ok(first.next !== undefined);
  const rest = await stored.search('Key29', first.next, 1_000, () => false);
  // Key29, Key290 to Key299 and Key2900 to Key2999.
  assert.equal(first.hits.length + rest.hits.length, 111);
  assert.equal(rest.next, undefined);
  for (const { offset } of rest.hits) assert.equal(text.slice(offset, offset + 5), 'Key29');
});

test('a text that JSON writes with escapes is found by what it says', async () => {
  const { hits } = await storedOf(accounts(2)).search('a"]}\\', 0, 10, () => false);
  assert.equal(hits.length, 2);
});

test('a search ends when it is cancelled', async () => {
  assert.deepEqual(await storedOf(accounts(10)).search('Key', 0, 10, () => true), { hits: [] });
});

test('a value above the bound is reported by its kind and count and is not read', async () => {
  const stored = storedOf(accounts(50));
  const found = await stored.value(['result'], 100);
  assert.deepEqual(found?.kind === 'large' ? [found.is, found.count] : found, ['array', 50]);
});

test('the outline comes back from its text as it was', async () => {
  const text = accounts(50);
  const root = readOutline(outlineText(outlined(text)));
  assert.ok(root);
  assert.equal(await valueAt(new StoredResponse(sourceOf(text), () => root), ['result', 49, 'pubkey']), '"Key49"');
  assert.equal(readOutline('{"version":0}'), undefined);
  assert.equal(readOutline('no JSON'), undefined);
});

test('bytes that are no JSON do no harm', () => {
  for (const text of [
    '',
    ']',
    '}}',
    '{"a"',
    '{]',
    '[}',
    ',',
    '{"a":1,,}',
    '{1:2}',
    '"x" y',
    '\\"',
    '[1 2]',
    '{"a":}',
  ]) {
    for (const size of [1, 3]) {
      const scanner = new JsonScanner(new Outline());
      const bytes = Buffer.from(text);
      for (let at = 0; at < bytes.length; at += size) scanner.push(bytes.subarray(at, at + size));
    }
  }
});

test('a page reads its own items and what is near, not a large piece around them', async () => {
  const text = accounts(20_000);
  const source = sourceOf(text);
  let read = 0;
  const counted: ByteSource = {
    bytes: source.bytes,
    read: (offset, length) => {
      read += length;
      return source.read(offset, length);
    },
  };
  const root = outlined(text, 65_536);
  const page = await new StoredResponse(counted, () => root).page(9_000, 400);
  const bytes = page?.items.reduce((sum, item) => sum + item.text.length, 0) ?? 0;
  assert.equal(page?.items.length, 400);
  // Where the items end is found in pieces of 32 KB and 64 KB, then they are read.
  assert.ok(bytes > 33_000 && read < bytes + 100_000, `${read} bytes for ${bytes}`);
});

test('the items of a list are found without reading from its beginning, however long the lists before it', async () => {
  const items = Array.from({ length: 20_000 }, (_, index) => `{"index":${index},"text":"${'x'.repeat(30)}"}`);
  // The most offsets that are kept in total.
  const text = `{"first":[${'0,'.repeat(65_535)}0],"second":[${items.join()}]}`;
  const root = outlined(text);
  const source = sourceOf(text);
  let bytes = 0;
  const counting: ByteSource = {
    bytes: source.bytes,
    read: (offset, length) => {
      bytes += length;
      return source.read(offset, length);
    },
  };
  const stored = new StoredResponse(counting, () => root);
  const found: string[] = [];
  for (let from = 0; from < items.length; from += 200)
    found.push(...((await stored.page(from, 200, ['second']))?.items.map((item) => item.text) ?? []));
  assert.deepEqual(found, items);
  assert.ok(bytes < 10 * text.length, `${bytes} of ${text.length}`);
});
