// Harmless text, and the usage summary read from good and bad answers.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { harmless } from '../../../core/service/redaction/redact';
import { readUsage } from '../../../core/service/usage';
import { parseJson } from '../../../core/solana/json/json';

describe('harmless text', () => {
  test('controls, ANSI, bidi and zero-width characters are written out', () => {
    assert.equal(harmless('\u001b[31mred'), '\\u{1b}[31mred');
    assert.equal(harmless('a\u202eb\u200bc\ufeffd\0'), 'a\\u{202e}b\\u{200b}c\\u{feff}d\\u{0}');
    assert.equal(harmless('line\nnext\r'), 'line\\u{a}next\\u{d}');
    assert.equal(harmless('tag \u{e0041}.'), 'tag \\u{e0041}.');
  });
  test('lines are kept on request', () => {
    assert.equal(harmless('a\n\tb\u001b', { lines: true }), 'a\n\tb\\u{1b}');
  });
  test('letters of every script and emoji stay', () => {
    const text = 'Grüße, 東京, שלום, 🦀';
    assert.equal(harmless(text), text);
  });
  test('long text is cut, never inside a surrogate pair', () => {
    assert.equal(harmless('x'.repeat(1 << 20), { max: 10 }), `${'x'.repeat(9)}…`);
    assert.equal(harmless('ab🦀cd', { max: 4 }), 'ab…');
  });
});

describe('usage', () => {
  const asked = { from: 100, to: 200 };
  const read = (json: string): ReturnType<typeof readUsage> => readUsage(parseJson(json), asked);

  test('the summary of the contract becomes rows, most requests first', () => {
    const usage = read(
      '{"request_count":10,"from":1,"to":2,"methods":[{"method":"getSlot","count":2,"errors":0},{"method":"getBalance","count":8,"errors":2}]}',
    );
    assert.deepEqual(usage, {
      ok: true,
      value: {
        requestCount: 10,
        methods: [
          { method: 'getBalance', count: 8, errors: 2 },
          { method: 'getSlot', count: 2, errors: 0 },
        ],
        from: 1,
        to: 2,
      },
    });
  });
  test('the usage of a key carries its id', () => {
    const usage = read('{"request_count":0,"methods":[],"key_id":"key\\u001b1"}');
    assert.ok(usage.ok);
    assert.equal(usage.value.keyId, 'key\\u{1b}1');
    assert.deepEqual([usage.value.requestCount, usage.value.from, usage.value.to], [0, 100, 200]);
  });
  test('what is missing is worked out, and what cannot be read is left out', () => {
    const usage = read(
      '{"methods":[{"method":"a","count":"3"},{"method":"a","count":1,"errors":1},{"method":5,"count":1},null]}',
    );
    assert.ok(usage.ok);
    assert.deepEqual(usage.value.methods, [{ method: 'a', count: 4, errors: 1 }]);
    assert.equal(usage.value.requestCount, 4);
  });
  test('garbage is a protocol error', () => {
    for (const json of [
      'null',
      '[]',
      '"x"',
      '5',
      '{}',
      '{"methods":{}}',
      '{"request_count":-1}',
      '{"error":{"code":429}}',
    ]) {
      const usage = read(json);
      assert.equal(usage.ok, false, json);
      if (!usage.ok) assert.equal(usage.error.kind, 'protocol');
    }
  });
  test('a hostile list is cut and its numbers stay finite', () => {
    const many = Array.from({ length: 5000 }, (_, at) => `{"method":"m${at}","count":1e999}`).join(',');
    const usage = read(`{"request_count":1,"methods":[${many}]}`);
    assert.ok(usage.ok);
    assert.deepEqual(usage.value.methods, []);
  });
});
