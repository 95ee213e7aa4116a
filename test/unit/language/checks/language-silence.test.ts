// `@silence CODE why`: what is left out, where, and when the line itself is a hint.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLanguageService } from '../../../../core/requests/language/service';
import { marked } from '../markers';

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

const whole = { start: { line: 0, character: 0 }, end: { line: 99, character: 0 } };

/** The text after each "Silence This Finding". */
function silencedTexts(source: string): readonly string[] {
  const { document } = marked(source);
  return service
    .codeActions(document, whole)
    .filter(({ title }) => title === 'Silence This Finding')
    .map(({ edit }) => {
      const [change] = edit?.changes?.[document.uri] ?? [];
      assert.ok(change !== undefined);
      const lines = source.split('\n');
      lines.splice(change.range.start.line, 0, change.newText.replace(/\n$/, ''));
      return lines.join('\n');
    });
}

test('a quick fix writes the line behind the title, and the reason is asked for', () => {
  const [text = '', ...more] = silencedTexts(`### a\n${SCAN}`);
  assert.equal(text, `### a\n# @silence unbounded-scan \n${SCAN}`);
  assert.deepEqual(more, []);
  assert.deepEqual(found(text), ['useless-silence 1']);
  assert.deepEqual(silencedTexts(SCAN), [`# @silence unbounded-scan \n${SCAN}`]);
});

test('a quick fix of that kind comes after what mends, and not for what cannot be silenced', () => {
  const source = '### a\n{ "method": "getSlot", "params": [{ "comitment": "confirmed" }] }';
  const titles = service.codeActions(marked(source).document, whole).map(({ title }) => title);
  assert.ok(titles.length > 1);
  assert.equal(titles.at(-1), 'Silence This Finding');
  assert.deepEqual(silencedTexts('### a\n{ "method": "getSlot", "params": ["{{x}}"] }'), []);
  assert.deepEqual(silencedTexts('### a\nPOST https://example.com\nauthorization: abc\n\n{ "method": "getSlot" }'), []);
});

test('no feature failed', () => assert.deepEqual(failures, []));
