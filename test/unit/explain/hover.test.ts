// What a hover over a transaction or a signature says: from the text, from answers that are held, and nothing where neither
// knows.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MarkupKind, type Hover } from 'vscode-languageserver-types';
import { NO_PROGRAMS } from '../../../core/values/decode/decoded';
import { encodeBase58 } from '../../../core/values/encoding/base58';
import type { JsonValue } from '../../../core/values/json/json';
import { encodedWordAt } from '../../../server/explain/encodedWord';
import { withSummary } from '../../../server/explain/hover';
import { nestedTransaction } from '../../support/data/explainedTransactions';
import { compile, freshKey, memo, signTransaction, toBase64 } from '../../contract/rpc/rpc-harness';

const SIGNATURE = encodeBase58(new Uint8Array(64).fill(9));
const HELD: JsonValue = { result: nestedTransaction({ isFailed: false }) };
const payer = freshKey('payer of a hover');
const WIRE = toBase64(signTransaction(compile([memo('read me')], [payer], freshKey('hash').address), [payer]));

/** The summary at the word of a line, with what else there is to say. */
function said(line: string, held: readonly JsonValue[], hover?: Hover): string | undefined {
  const word = encodedWordAt(['first line', line], { line: 1, character: line.indexOf('"') + 5 });
  assert.ok(word);
  const found = withSummary({ word, hover, held, programs: NO_PROGRAMS });
  if (found === undefined) return undefined;
  assert.ok(typeof found.contents === 'object' && 'value' in found.contents);
  return found.contents.value;
}

test('a transaction says its fee and its calls, and that nobody knows whether it ran', () => {
  const text = said(`  "params": "${WIRE}"`.replace('"params": ', ''), []);
  assert.ok(text);
  const lines = text.split('\n').slice(1, -1);
  assert.ok(lines.length >= 3 && lines.length <= 6, text);
  assert.match(text, /Outcome unknown/);
  assert.match(text, /Fee 5,000 lamports/);
  assert.match(text, /1\. Memo Program v2: memo/);
});

test('a signature says what the answer that is held says, above what was said of its place', () => {
  const below: Hover = { contents: { kind: MarkupKind.Markdown, value: 'The signature.' } };
  const text = said(`["${SIGNATURE}"]`, [{ result: null }, HELD], below);
  assert.match(text ?? '', /^````text\nSucceeded in slot 280,000,001\nFee 5,000 lamports/);
  assert.match(text ?? '', /````\n\nThe signature\.$/);
});

test('a signature that no answer is about, and bytes that are no transaction, add nothing', () => {
  const below: Hover = { contents: { kind: MarkupKind.Markdown, value: 'The signature.' } };
  const other = encodeBase58(new Uint8Array(64).fill(8));
  assert.equal(said(`["${other}"]`, [HELD], below), 'The signature.');
  assert.equal(said(`["${other}"]`, [HELD]), undefined);
  assert.equal(said(`["${'A'.repeat(120)}"]`, [HELD]), undefined);
});

test('a word is found where the position is in it, and nowhere else', () => {
  const lines = ['', `  ["${SIGNATURE}", "short"]`];
  const start = lines[1]?.indexOf(SIGNATURE) ?? -1;
  assert.deepEqual(encodedWordAt(lines, { line: 1, character: start })?.range, {
    start: { line: 1, character: start },
    end: { line: 1, character: start + SIGNATURE.length },
  });
  assert.equal(encodedWordAt(lines, { line: 1, character: start + SIGNATURE.length + 5 }), undefined);
  assert.equal(encodedWordAt(lines, { line: 7, character: 0 }), undefined);
});
