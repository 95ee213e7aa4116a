// The parser: every part of the grammar at its place, recovery, positions, and that nothing makes it throw.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { applyEdit, parseDocument } from '../../../core/requests/document/document';
import { offsetAt, positionAt, rangeOf } from '../../../core/requests/document/lines';
import type { Block, RequestDocument } from '../../../core/requests/document/model';
import { JsonNumber } from '../../../core/solana/json/json';

const parse = (text: string): RequestDocument => parseDocument('file:///a.jsonrpc', 1, text);

function only(text: string): Block {
  const document = parse(text);
  assert.equal(document.blocks.length, 1);
  const block = document.blocks[0]?.block;
  assert.ok(block);
  return block;
}

test('a file without a title is one request', () => {
  assert.equal(only('{ "method": "getSlot" }').kind, 'request');
});

test('everything before the first title is the preamble', () => {
  const { blocks } = parse('@a = 1\n### one\n### two\n');
  assert.deepEqual(
    blocks.map(({ block, line }) => [block.kind, block.title.text, line]),
    [
      ['preamble', '', 0],
      ['request', 'one', 1],
      ['request', 'two', 2],
    ],
  );
});

test('a title in the middle of a line begins no block', () => {
  assert.equal(parse(' ### a\n{ "method": "x" } ### b').blocks.length, 1);
});

test('directives are read with white space anywhere around "#" and "@"', () => {
  const block = only(
    '#@name a\n//   @ timeout 2m\n# @until 3 messages or 10s\n# @retry 20 every 500ms while result == null\n# @tag x y\n{}',
  );
  assert.equal(block.settings.name?.text, 'a');
  assert.equal(block.settings.timeoutMs, 120_000);
  assert.deepEqual(block.settings.until, { messages: 3, ms: 10_000 });
  assert.equal(block.settings.retry?.times, 20);
  assert.equal(block.settings.retry.everyMs, 500);
  assert.deepEqual(block.settings.retry.condition?.path.steps, ['result']);
  assert.deepEqual(block.settings.tags, ['x', 'y']);
});

test('a variable is JSON where it parses as JSON, else text', () => {
  const { variables } = only('@a = { "b": 1 }\n@c = hello // there \n@d = 18446744073709551615\n@e = "x"\n@f =\n');
  assert.deepEqual(
    variables.map(({ json }) => json),
    [{ b: 1 }, 'hello // there', new JsonNumber('18446744073709551615'), 'x', ''],
  );
});

test('an integer that fits no 64 bits is text', () => {
  const { variables } = only('@system = 11111111111111111111111111111111\n@low = -9223372036854775808\n');
  assert.deepEqual(
    variables.map(({ json }) => json),
    ['11111111111111111111111111111111', new JsonNumber('-9223372036854775808')],
  );
});

test('a request line gives transport, URL, service and method', () => {
  const post = only('POST https://h/{{ a b }}/sol\nX-A: 1\nX-B:2\n\n{}').requestLine;
  assert.equal(post?.url?.text, 'https://h/{{ a b }}/sol');
  assert.equal(only('WEBSOCKET').requestLine?.transport, 'WS');
  const grpc = only('GRPC https://h:443/geyser.Geyser/Ping?api_key=k').requestLine;
  assert.deepEqual(
    [grpc?.url?.text, grpc?.service?.text, grpc?.method?.text, grpc?.query?.text],
    ['https://h:443', 'geyser.Geyser', 'Ping', 'api_key=k'],
  );
});

test('headers follow the request line up to an empty line', () => {
  const block = only('POST\nA: b\nC-D:  e f \n\n{ "method": "getSlot" }');
  assert.deepEqual(
    block.headers.map(({ name, value }) => [name.text, value.text]),
    [
      ['A', 'b'],
      ['C-D', 'e f'],
    ],
  );
});

test('a body keeps its digits and gives its value', () => {
  const value = only('{ "id": 18446744073709551615, "a": 1.0 }').body?.value();
  assert.deepEqual(value, { id: new JsonNumber('18446744073709551615'), a: new JsonNumber('1.0') });
});

test('comments and trailing commas are blanks in the text to send, of the same length', () => {
  const source = '{ "a": [1, /* x */ 2,], // end\n "b": "// no", }';
  const body = only(source).body;
  assert.equal(body?.text.length, source.length);
  assert.deepEqual(JSON.parse(body.text), { a: [1, 2], b: '// no' });
  assert.deepEqual(body.value(), { a: [1, 2], b: '// no' });
});

test('a body that is not closed ends before the assertions', () => {
  const block = only('{ "method": "getSlot"\n?? result > 1\n?? status == 200');
  assert.equal(block.assertions.length, 2);
  assert.deepEqual(
    block.problems.map(({ code }) => code),
    ['json-syntax'],
  );
});

test('a body continues after a foreign line if it closes there', () => {
  const block = only('{ "method": "getSlot",\n# no comment here\n "id": 1 }\n?? result > 1');
  assert.equal(block.problems.length, 1);
  assert.equal(block.assertions.length, 1);
});

test('a broken block leaves its neighbours alone', () => {
  const { blocks } = parse('### a\n{ "x": [ "\n### b\n{ "method": "getSlot" }');
  assert.ok((blocks[0]?.block.problems.length ?? 0) > 0);
  assert.equal(blocks[1]?.block.problems.length, 0);
});

test('references are found everywhere but in comments and behind a backslash', () => {
  const block = only(
    '@a = {{v1}}\nPOST {{v2}}\nH: x{{v3}}\n\n{ "m": "{{v4}}", "n": "a{{v5}}", "o": "\\\\{{no}}" /* {{no}} */ }\n?? result == {{v6}}\n>> {{v7}}\n',
  );
  assert.deepEqual(
    block.references.map(({ content, place, alone }) => [
      content.kind === 'variable' ? content.name : '',
      place,
      alone,
    ]),
    [
      ['v1', 'variable', true],
      ['v2', 'url', true],
      ['v3', 'header', false],
      ['v4', 'body', true],
      ['v5', 'body', false],
      ['v6', 'assertion', true],
      ['v7', 'redirect', true],
    ],
  );
});

test('paths of references have numbers for indexes and strings for names', () => {
  const block = only(
    '{ "a": "{{n.result.value[0].pubkey}}", "b": "{{n[1].result}}", "c": "{{n[\\"1\\"].id}}", "d": "{{n[two].id}}", "e": "{{n.response.body.$.x}}", "f": "{{n.result[\\"solana-core\\"]}}" }',
  );
  assert.deepEqual(
    block.references.map(({ content }) => (content.kind === 'response' ? content.path : content)),
    [['result', 'value', 0, 'pubkey'], [1, 'result'], ['1', 'id'], ['two', 'id'], ['x'], ['result', 'solana-core']],
  );
});

test('assertions take JSON, durations and templates', () => {
  const { assertions } = only(
    '{}\n?? result.value == 18446744073709551615\n?? duration<500ms\n?? result == {{x}}\n?? [two].result isNull\n?? result contains "a b"',
  );
  assert.deepEqual(
    assertions.map(({ path, operator, value }) => [path.steps, operator, value?.kind]),
    [
      [['result', 'value'], '==', 'json'],
      [['duration'], '<', 'duration'],
      [['result'], '==', 'template'],
      [['two', 'result'], 'isNull', undefined],
      [['result'], 'contains', 'json'],
    ],
  );
});

test('byte order marks of a file whose marks are doubled have no position, before and after an edit', () => {
  const document = parse('\uFEFF\uFEFF@a = 1\n');
  assert.deepEqual(document.lines, ['@a = 1', '']);
  const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };
  assert.deepEqual(applyEdit(document, 1, range, '\uFEFF\uFEFF').lines, ['@a = 1', '']);
});

test('CR, LF and CRLF end lines, and a byte order mark has no position', () => {
  const document = parse('\uFEFF### a\r\n{ "method":\r  "getSlot" }\n');
  assert.deepEqual(document.lines, ['### a', '{ "method":', '  "getSlot" }', '']);
  assert.equal(document.blocks[0]?.block.title.text, 'a');
});

test('positions count UTF-16 units', () => {
  const document = parse('### 😀\n{ "x": "😀", "y": bad }');
  const placed = document.blocks[0];
  const problem = placed?.block.problems[0];
  assert.ok(placed && problem);
  assert.deepEqual(rangeOf(placed, problem.span), {
    start: { line: 1, character: 18 },
    end: { line: 1, character: 21 },
  });
});

test('offsets and positions are inverse', () => {
  const placed = parse('a\n### b\n{ "x":\n1 }\n').blocks[1];
  assert.ok(placed);
  for (let offset = 0; offset <= placed.block.text.length; offset++)
    assert.equal(offsetAt(placed, positionAt(placed, offset)), offset);
});

test('nesting deeper than the bound is a syntax error, not an overflow', () => {
  const deep = only('['.repeat(100_000) + ']'.repeat(100_000));
  assert.equal(deep.body?.valid, false);
  assert.equal(deep.body.tree(), undefined);
  assert.equal(only('['.repeat(500) + ']'.repeat(500)).body?.valid, true);
});

test('names of the object prototype are plain data', () => {
  const block = only(
    '# @constructor x\n@__proto__ = 1\nPOST\n__proto__: 2\n\n{ "__proto__": { "a": 1 }, "constructor": 2 }',
  );
  assert.deepEqual(Object.keys(block.body?.value() as object), ['__proto__', 'constructor']);
  assert.equal(block.variables[0]?.name.text, '__proto__');
});

test('an edit parses the touched block only', () => {
  const text = Array.from(
    { length: 1000 },
    (_, index) => `### ${index}\n{ "id": ${index}, "method": "getSlot" }\n`,
  ).join('');
  const before = parse(text);
  const position = { line: 1001, character: 9 };
  const after = applyEdit(before, 2, { start: position, end: position }, '\n\n');
  const known = new Set(before.blocks.map(({ block }) => block));
  const fresh = after.blocks.filter(({ block }) => !known.has(block));
  assert.deepEqual(
    fresh.map(({ line }) => line),
    [1000],
  );
  assert.equal(after.blocks.at(-1)?.line, 2000);
});

/** A small random generator: the same edits each time, on each machine. */
function generator(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return (state >>> 8) % below;
  };
}

const PIECES = [
  '### t\n',
  '###',
  '{',
  '}',
  '[',
  ']',
  '"',
  '{{',
  '}}',
  '{{x}}',
  ',',
  ':',
  '\\',
  '\n',
  '\r\n',
  ' ',
  '😀',
];
const LINES = ['# @name a\n', '@x = 1\n', '?? result == 1\n', '>> f\n', 'POST http://a\n', 'GRPC a.B/C\n', 'h: v\n'];
const WORDS = [
  '//',
  '/*',
  '*/',
  '1',
  'true',
  '"method"',
  '"getSlot"',
  '__proto__',
  'x',
  '#',
  '@',
  '\\{{',
  '# @until 3 messages\n',
];
const ALPHABET = [...PIECES, ...LINES, ...WORDS];

function checkInvariants(document: RequestDocument): void {
  for (const { block } of document.blocks) {
    const spans = [...block.problems, ...block.references, ...block.directives, ...block.variables].map(
      (part) => part.span,
    );
    for (const { start, end } of spans) assert.ok(0 <= start && start <= end && end <= block.text.length);
    const { body } = block;
    if (body === undefined) continue;
    assert.equal(body.text.length, body.span.end - body.span.start);
    body.tree();
    assert.equal(body.value() !== undefined, body.valid);
    assert.equal(
      block.problems.some(({ code }) => code === 'json-syntax'),
      !body.valid,
    );
  }
}

test('thousands of random edits give what a full parse gives', () => {
  const random = generator(20240);
  const some = (most: number): string =>
    Array.from({ length: random(most) }, () => ALPHABET[random(ALPHABET.length)]).join('');
  for (let round = 0; round < 800; round++) {
    let document = parse(some(60));
    checkInvariants(document);
    for (let edit = 0; edit < 4; edit++) {
      const line = random(document.lines.length);
      const endLine = Math.min(document.lines.length - 1, line + random(3));
      const character = random((document.lines[line]?.length ?? 0) + 1);
      const endCharacter = random((document.lines[endLine]?.length ?? 0) + 1);
      const isBackward = line === endLine && endCharacter < character;
      const end = { line: endLine, character: isBackward ? character : endCharacter };
      document = applyEdit(document, edit, { start: { line, character }, end }, some(4));
      const full = parse(document.lines.join('\n'));
      assert.deepEqual(document.blocks, full.blocks);
      checkInvariants(document);
    }
  }
});

test('random units and truncations of valid and faulty files never throw', () => {
  const random = generator(7);
  for (let round = 0; round < 300; round++) {
    const units = Array.from({ length: 200 }, () =>
      String.fromCharCode(random(3) === 0 ? random(65_536) : random(128)),
    );
    checkInvariants(parse(units.join('')));
  }
  for (const file of ['fixtures/valid.jsonrpc', 'corpus/faulty/syntax.jsonrpc', 'corpus/faulty/directives.jsonrpc']) {
    const text = readFileSync(`test/${file}`, 'utf8');
    for (let length = 0; length <= text.length; length += 7) checkInvariants(parse(text.slice(0, length)));
  }
});

test('megabytes of any one piece, and five of a mixed one, are parsed', () => {
  for (const unit of [
    '{',
    '[{',
    '{{',
    '{}\n',
    '{\n??\n',
    '[,',
    '"',
    '{"a":',
    '/*',
    '[/*',
    '# @a\n',
    '@x = {{y}} {{',
    '>>\n',
    'h\n',
  ])
    parse(unit.repeat(Math.floor(1_000_000 / unit.length)));
  parse('["a", {'.repeat(700_000));
});

test('a hundred thousand blocks are a hundred thousand blocks', () => {
  assert.equal(parse('### a\n{ "method": "getSlot" }\n'.repeat(100_000)).blocks.length, 100_000);
});
