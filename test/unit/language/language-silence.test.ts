// `@silence CODE why`: what is left out, where, and when the line itself is a hint.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLanguageService } from '../../../core/language/service';
import { marked } from './markers';

const failures: string[] = [];
const service = createLanguageService({ surroundings: () => ({}), log: (message) => failures.push(message) });

/** The codes found in a text, with their lines. */
function found(source: string): readonly string[] {
  return service.diagnostics(marked(source).document).map(({ code, range }) => `${code} ${range.start.line}`);
}

const SCAN =
  '{ "method": "getProgramAccounts", "params": ["TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA", { "encoding": "base64" }] }';

test('a block silences its own findings, the preamble those of the file', () => {
  assert.deepEqual(found(`### a\n${SCAN}\n### b\n${SCAN}`), ['unbounded-scan 1', 'unbounded-scan 3']);
  assert.deepEqual(found(`### a\n# @silence unbounded-scan it is small\n${SCAN}\n### b\n${SCAN}`), [
    'unbounded-scan 4',
  ]);
  assert.deepEqual(found(`# @silence unbounded-scan it is small\n### a\n${SCAN}\n### b\n${SCAN}`), []);
  assert.deepEqual(found(`# @silence unbounded-scan it is small\n${SCAN}`), []);
});

test('without a reason it is a hint, and silences all the same', () => {
  assert.deepEqual(found(`### a\n# @silence unbounded-scan\n${SCAN}`), ['useless-silence 1']);
});

test('without effect it is a hint; a name that no finding has, too', () => {
  assert.deepEqual(found('### a\n# @silence unbounded-scan why\n{ "method": "getSlot" }'), ['useless-silence 1']);
  assert.deepEqual(found(`### a\n# @silence unbound-scan why\n${SCAN}`), ['useless-silence 1', 'unbounded-scan 2']);
});

test('never what stops a run, nor a key in the file', () => {
  assert.deepEqual(found('### a\n# @silence unresolved-variable why\n{ "method": "getSlot", "params": ["{{x}}"] }'), [
    'useless-silence 1',
    'unresolved-variable 2',
  ]);
  assert.deepEqual(
    found(
      '### a\n# @silence secret-in-file why\nPOST https://example.com\nauthorization: abc\n\n{ "method": "getSlot" }',
    ),
    ['useless-silence 1', 'secret-in-file 3'],
  );
});

test('no feature failed', () => assert.deepEqual(failures, []));
