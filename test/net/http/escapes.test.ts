// Keys under the escapes of JSON: found in pieces of any size, and nothing else of an answer is changed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Secret } from '../../../core/service/keys/secret';
import { Redactor } from '../../../net/secrets/redactor';
import { escapedEchoesOf } from '../../support/process/leaks';
import { KEY } from '../../support/wire/wire';

function pushed(text: string, size: number): string {
  const redactor = new Redactor([new Secret(KEY)]);
  const bytes = Buffer.from(text);
  const out: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size) out.push(redactor.push(bytes.subarray(at, at + size)));
  out.push(redactor.end());
  return Buffer.concat(out).toString();
}

test('a key is found under \\/ and \\u escapes, in a whole text and in pieces of every size', () => {
  for (const echo of escapedEchoesOf(KEY)) {
    assert.notEqual(echo, KEY);
    const text = `{"said":"a${echo}b","n":1}`;
    assert.equal(new Redactor([new Secret(KEY)]).text(text), '{"said":"a[redacted]b","n":1}');
    for (let size = 1; size <= text.length; size++) assert.equal(pushed(text, size), '{"said":"a[redacted]b","n":1}');
  }
});

test('an answer without the key keeps its escapes, pairs of backslashes and quotes among them', () => {
  for (const text of [
    '{"path":"a\\/b","more":"\\u002b\\u0022\\\\u002b\\\\\\/"}',
    '"\\\\\\\\"',
    `"${KEY.slice(0, 8)}\\/\\u0041"`,
  ]) {
    JSON.parse(text);
    assert.equal(new Redactor([new Secret(KEY)]).text(text), text);
    for (let size = 1; size <= text.length; size++) {
      assert.deepEqual(JSON.parse(pushed(text, size)), JSON.parse(text));
      if (size === text.length) assert.equal(pushed(text, size), text);
    }
  }
});

test('characters that must stay escaped in a string stay escaped next to a redacted key', () => {
  const [slashed = ''] = escapedEchoesOf(KEY);
  const cleaned = new Redactor([new Secret(KEY)]).text(`{"a":"${slashed}\\u0022\\u005c\\n\\\\u002b"}`);
  assert.deepEqual(JSON.parse(cleaned), { a: '[redacted]"\\\n\\u002b' });
});
