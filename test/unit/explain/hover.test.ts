// Hovers over a transaction or a signature: from the text, or from answers that are held, and no hover if neither knows it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MarkupKind, type Hover } from 'vscode-languageserver-types';
import { NO_PROGRAMS, type Programs } from '../../../core/solana/decode/decoded';
import { readIdl } from '../../../core/solana/decode/idl/read';
import { encodeBase58 } from '../../../core/solana/encoding/base58';
import type { JsonValue } from '../../../core/solana/json/json';
import { encodedAt, encodedIn } from '../../../core/solana/explain/encodedWord';
import { encodedWordAt } from '../../../server/explain/encodedWord';
import { withSummary } from '../../../server/explain/hover';
import { nestedTransaction, PROGRAM } from '../../support/data/explainedTransactions';
import { HOSTILE, UNSEEN } from '../../support/data/hostileTexts';
import { readMarkdown } from '../../support/data/markdown';
import { compile, freshKey, memo, signTransaction, toBase64 } from '../../contract/rpc/rpc-harness';

const SIGNATURE = encodeBase58(new Uint8Array(64).fill(9));
/** Ends a block of code, as far as it can, and would load a picture. */
const FENCE = '\n`````\n````\n~~~~\n![seen](https://sink.test/x.png)';
const HELD: JsonValue = { result: nestedTransaction({ isFailed: false }) };
const payer = freshKey('payer of a hover');
const WIRE = toBase64(signTransaction(compile([memo('read me')], [payer], freshKey('hash').address), [payer]));

/** The summary at the word of a line, with what else there is to say. */
function said(
  line: string,
  held: readonly JsonValue[],
  { hover, programs = NO_PROGRAMS }: { readonly hover?: Hover; readonly programs?: Programs } = {},
): string | undefined {
  const word = encodedWordAt(['first line', line], { line: 1, character: line.indexOf('"') + 5 });
  assert.ok(word);
  const found = withSummary({ word, hover, held, programs });
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
  const text = said(`["${SIGNATURE}"]`, [{ result: null }, HELD], { hover: below });
  assert.match(text ?? '', /^```text\nSucceeded in slot 280,000,001\nFee 5,000 lamports/);
  assert.match(text ?? '', /```\n\n---\n\nThe signature\.$/);
});

test('words of a service and of the repository’s programs stay text: nothing leaves the block of code', () => {
  for (const hostile of [...HOSTILE, FENCE]) {
    const { idl } = readIdl(
      JSON.stringify({
        address: PROGRAM,
        metadata: { name: hostile, version: '0.1.0', spec: '0.1.0' },
        instructions: [],
        errors: [{ code: 1, name: hostile, msg: hostile }],
      }),
    );
    assert.ok(idl !== undefined && hostile.startsWith(idl.name));
    const programs: Programs = { idl: () => idl };
    const held = [{ result: nestedTransaction({ isFailed: true, lines: [`Program log: ${hostile}`] }) }];
    const text = said(`["${SIGNATURE}"]`, held, { programs }) ?? '';
    assert.match(text, /Failed in slot/);
    const { kinds, words } = readMarkdown(text);
    assert.deepEqual([...kinds], ['fence']);
    assert.ok(words.split('\n').length <= 7, words);
    assert.doesNotMatch(words, UNSEEN);
    assert.ok(text.length < 5_000, `${text.length} characters`);
  }
});

test('a signature that no answer is about, and bytes that are no transaction, add nothing', () => {
  const below: Hover = { contents: { kind: MarkupKind.Markdown, value: 'The signature.' } };
  const other = encodeBase58(new Uint8Array(64).fill(8));
  assert.equal(said(`["${other}"]`, [HELD], { hover: below }), 'The signature.');
  assert.equal(said(`["${other}"]`, [HELD]), undefined);
  assert.equal(said(`["${'A'.repeat(120)}"]`, [HELD]), undefined);
});

test('a long text is found whole, and a selected text wrapped into lines is joined', () => {
  const long = `${'Ab1/'.repeat(500)}=`;
  const line = `{ "transaction": "${long}" }`;
  assert.deepEqual(encodedAt(line, 1_000), { text: long, start: line.indexOf('Ab1/') });
  assert.equal(encodedIn(long.replace(/.{76}/g, '$&\r\n')), long);
  assert.equal(encodedIn(`see ${SIGNATURE}, and more`), SIGNATURE);
  assert.equal(encodedIn('nothing of this kind'), undefined);
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
