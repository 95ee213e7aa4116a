// Formatting: what it puts in order, what it leaves alone, and that it never changes what is sent.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TextEdit } from 'vscode-languageserver-types';
import { applyEdit, parseDocument } from '../../../core/requests/document/document';
import type { RequestDocument } from '../../../core/requests/document/model';
import { createLanguageService } from '../../../core/requests/language/service';
import { marked } from './markers';

const failures: string[] = [];
const service = createLanguageService({ surroundings: () => ({}), log: (message) => failures.push(message) });
const OPTIONS = { tabSize: 2, insertSpaces: true };

function applied(document: RequestDocument, edits: readonly TextEdit[]): RequestDocument {
  const order = [...edits].sort(
    (a, b) => b.range.start.line - a.range.start.line || b.range.start.character - a.range.start.character,
  );
  return order.reduce((result, { range, newText }) => applyEdit(result, 2, range, newText), document);
}

function formatted(text: string, options = OPTIONS): string {
  const document = parseDocument('file:///project/a.jsonrpc', 1, text);
  return applied(document, service.format(document, options)).lines.join('\n');
}

test('a body with more levels than are indented keeps its lines as they are', () => {
  const body = (levels: number): string => `{"method":"a","params":${'[\n'.repeat(levels)}1${'\n]'.repeat(levels)}}`;
  assert.notEqual(formatted(body(31)), body(31));
  assert.equal(formatted(body(32)), body(32));
});

test('an object of very many members is formatted', () => {
  // A cost of their number squared would take hours.
  const members = (between: string): string =>
    Array.from({ length: 200_000 }, (_, index) => `"m${index}":${between}1`).join(`,${between}`);
  const document = parseDocument('file:///project/a.jsonrpc', 1, `{"method":"a","params":[{${members('')}}]}`);
  const [edit] = service.format(document, OPTIONS);
  assert.ok(edit?.newText === `{ "method": "a", "params": [{ ${members(' ')} }] }`);
});

const ROWS: readonly (readonly [name: string, before: string, after: string])[] = [
  ['directives are written in one way', '### a\n//@name   q\n#@timeout 5s', '### a\n# @name q\n# @timeout 5s'],
  ['variables have blanks around the sign', '@a=1\n### a', '@a = 1\n\n### a'],
  ['a body on one line stays on one', '{"method":"getSlot","params":[ ]}', '{ "method": "getSlot", "params": [] }'],
  ['a body over lines keeps its lines', '{\n"method":"getSlot"\n}', '{\n  "method": "getSlot"\n}'],
  ['comments stay', '{"method":"getSlot",// why\n}/* end */', '{ "method": "getSlot", // why\n}/* end */'],
  ['a bare variable gets its quotes', '{"method":"a","params":[{{x}}]}', '{ "method": "a", "params": ["{{x}}"] }'],
  ['digits are left as they are', '{"a":18446744073709551615,"b":1.0}', '{ "a": 18446744073709551615, "b": 1.0 }'],
  ['one empty line separates blocks', '### a\n\n\n### b', '### a\n\n### b'],
  ['a title has a blank before it', '###a', '### a'],
  ['a row of signs is not a title', '########', '########'],
  ['assertions and redirects', '{"method":"a"}\n??result == 1\n>>  !  f', '{ "method": "a" }\n?? result == 1\n>>! f'],
  [
    'an assertion has one blank between its parts',
    '{"method":"a"}\n??  result.value>=5',
    '{ "method": "a" }\n?? result.value >= 5',
  ],
  [
    'blanks in an assertion are one',
    '{"method":"a"}\n?? result   ==\t "a  b"  ',
    '{ "method": "a" }\n?? result == "a  b"',
  ],
  [
    'a list in an assertion is as in a body',
    '{"method":"a"}\n?? result=={"a":[ 1,2 ]}',
    '{ "method": "a" }\n?? result == { "a": [1, 2] }',
  ],
  ['an operator alone ends an assertion', '{"method":"a"}\n??result   isNull', '{ "method": "a" }\n?? result isNull'],
  [
    'a reference in an assertion is left as it is',
    '{"method":"a"}\n?? result=={{x.result}}',
    '{ "method": "a" }\n?? result == {{x.result}}',
  ],
  ['a body with a fault is left alone', '{"method":  "a"', '{"method":  "a"'],
  ['text in strings is left alone', '{"a":"[ x ] { }"}', '{ "a": "[ x ] { }" }'],
];

for (const [name, before, after] of ROWS) test(`formatting: ${name}`, () => assert.equal(formatted(before), after));

test("the editor's own indentation is used", () => {
  assert.equal(formatted('{\n"a": 1\n}', { tabSize: 4, insertSpaces: false }), '{\n\t"a": 1\n}');
});

test('a range is formatted alone', () => {
  const { document } = marked('@a=1\n@b=2\n### c');
  const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 4 } };
  assert.deepEqual(applied(document, service.format(document, OPTIONS, range)).lines, ['@a = 1', '@b=2', '### c']);
});

test('the closing bracket of a body puts the body in order, an inner one does not', () => {
  const whole = marked('### a\n{"method":"getSlot"}‸');
  const edits = service.formatTyped(whole.document, whole.cursor, '}', OPTIONS);
  assert.equal(applied(whole.document, edits).lines[1], '{ "method": "getSlot" }');
  const inner = marked('### a\n{"method":"a","params":[{}‸]}');
  assert.deepEqual(service.formatTyped(inner.document, inner.cursor, '}', OPTIONS), []);
});

test('a new line puts the one before it in order', () => {
  const { document, cursor } = marked('### a\n#@name   b\n‸');
  assert.equal(applied(document, service.formatTyped(document, cursor, '\n', OPTIONS)).lines[1], '# @name b');
});

const PIECES = [
  '{"method":"a",',
  '"params":[',
  '{{x}}',
  '"{{y}}"',
  ' ',
  '\n',
  ']',
  '}',
  ',',
  '1.0',
  '"q"',
  '// c\n',
].concat([
  '### t\n',
  '# @name n\n',
  '@v=1\n',
  '/* d */',
  '??result==1\n',
  '?? result  ==  [ 1,{"a":2} ]\n',
  '??result<{{x}}\n',
  '{',
  ':',
  '[',
  '>> f\n',
  'WS\n',
  '18446744073709551615',
]);

test('formatting is done after one time, and changes no body, variable or setting', () => {
  let state = 5;
  const random = (below: number): number => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return (state >>> 8) % below;
  };
  const meaning = (text: string): unknown =>
    parseDocument('file:///project/a.jsonrpc', 1, text).blocks.map(({ block }) => ({
      body: block.body?.value(),
      title: block.title.text,
      settings: { ...block.settings, name: block.settings.name?.text, imports: [] },
      variables: block.variables.map(({ name, json }) => [name.text, json]),
      headers: block.headers.map(({ name, value }) => [name.text, value.text]),
      line: block.requestLine?.transport,
      assertions: block.assertions.map(({ path, operator, value }) => [path.steps, operator, value]),
      redirects: block.redirects.map(({ file, overwrite }) => [file.text, overwrite]),
      references: block.references.map(({ content, alone }) => [content, alone || content.kind]),
    }));
  const plain = (value: unknown): string => JSON.stringify(value, (key, item: unknown) => (key === 'span' ? 0 : item));
  for (let round = 0; round < 4_000; round++) {
    const text = Array.from({ length: 3 + random(14) }, () => PIECES[random(PIECES.length)]).join('');
    const once = formatted(text);
    assert.equal(plain(meaning(once)), plain(meaning(text)), text);
    assert.equal(formatted(once), once, text);
  }
  assert.deepEqual(failures, []);
});
