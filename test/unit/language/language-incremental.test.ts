// Typing in large files: what is kept from keystroke to keystroke must be what a fresh look finds.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyEdit, parseDocument } from '../../../core/requests/document/document';
import type { RequestDocument } from '../../../core/requests/document/model';
import { diagnose } from '../../../core/requests/checks/diagnostics';
import { Memory } from '../../../core/requests/checks/findings';

const URI = 'file:///project/large.jsonrpc';
const PIECES = [
  '\n',
  '### x\n',
  '# @name r1\n',
  '{{r2.result}}',
  '"',
  '{',
  '}',
  '@a = {{b}}\n',
  '@b = {{a}}\n',
  'getSlot',
];

/** A small random generator: the same edits each time. */
function generator(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return (state >>> 8) % below;
  };
}

function largeText(count: number): string {
  const blocks = Array.from({ length: count }, (_, index) => {
    const name = index % 4 === 0 ? `# @name r${index}\n` : '';
    const check = index % 4 === 1 ? `?? result == {{r${index - 1}.result}}\n` : '';
    return `### ${index}\n${name}{ "id": ${index}, "method": "getSlot" }\n${check}`;
  });
  return `@a = 1\n@b = {{a}}\n${blocks.join('')}### last\n{ "id": "{{b}}", "method": "getSlot" }\n`;
}

const diagnosed = (document: RequestDocument, memory?: Memory): unknown[] =>
  diagnose({ document, surroundings: {} }, memory).map(({ placed, problem }) => ({
    line: placed.line,
    code: problem.code,
    message: problem.message,
    span: problem.span,
  }));

test('random edits of a large file leave the blocks and the findings of a fresh one', () => {
  const random = generator(99);
  for (let round = 0; round < 2; round++) {
    const memory = new Memory();
    let document = parseDocument(URI, 0, largeText(300));
    for (let edit = 0; edit < 40; edit++) {
      const line = random(document.lines.length);
      const endLine = Math.min(document.lines.length - 1, line + random(random(8) === 0 ? 200 : 2));
      const character = random((document.lines[line]?.length ?? 0) + 1);
      const last = random((document.lines[endLine]?.length ?? 0) + 1);
      const end = { line: endLine, character: line === endLine ? Math.max(character, last) : last };
      const text = random(9) === 0 ? largeText(150) : (PIECES[random(PIECES.length)] ?? '');
      document = applyEdit(document, edit, { start: { line, character }, end }, text);
      const full = parseDocument(URI, 0, document.lines.join('\n'));
      assert.deepEqual(document.blocks, full.blocks);
      assert.deepEqual(diagnosed(document, memory), diagnosed(full));
    }
  }
});

test('a keystroke leaves all chunks but one as they are', () => {
  const before = parseDocument(URI, 0, largeText(2_000));
  const position = { line: 2_000, character: 3 };
  const after = applyEdit(before, 1, { start: position, end: position }, '\n');
  const known = new Set(before.chunks);
  assert.equal(after.chunks.filter((chunk) => !known.has(chunk)).length, 1);
  assert.equal(after.blocks.at(-1)?.line, (before.blocks.at(-1)?.line ?? 0) + 1);
});

test('a name that comes or goes is noticed by the blocks that use it', () => {
  const memory = new Memory();
  const before = parseDocument(URI, 0, largeText(300));
  assert.deepEqual(diagnosed(before, memory), []);
  const line = before.lines.indexOf('# @name r12');
  const range = { start: { line, character: 10 }, end: { line, character: 11 } };
  const without = applyEdit(before, 1, range, '99');
  const codes = diagnose({ document: without, surroundings: {} }, memory).map(({ problem }) => problem.code);
  assert.deepEqual(codes, ['unresolved-variable']);
  assert.deepEqual(
    diagnosed(applyEdit(without, 2, { start: range.start, end: { line, character: 12 } }, '2'), memory),
    [],
  );
});

test('another method of a named request is noticed by the paths into its answer', () => {
  const memory = new Memory();
  const text = `### a\n# @name a\n{ "method": "getEpochInfo" }\n${'### x\n'.repeat(400)}### b\n{ "method": "getBlockTime", "params": ["{{a.result.absoluteSlot}}"] }\n`;
  const before = parseDocument(URI, 0, text);
  const codes = (document: RequestDocument): string[] =>
    diagnose({ document, surroundings: {} }, memory).map(({ problem }) => problem.code);
  assert.deepEqual(codes(before), []);
  const range = { start: { line: 2, character: 13 }, end: { line: 2, character: 25 } };
  const other = applyEdit(before, 1, range, 'getSlot');
  assert.deepEqual(codes(other), ['unknown-path']);
  const back = { start: range.start, end: { line: 2, character: 20 } };
  assert.deepEqual(codes(applyEdit(other, 2, back, 'getEpochInfo')), []);
});

test('another method or path of a capture is noticed by what uses it', () => {
  const memory = new Memory();
  const text = `### a\n# @capture now = result\n{ "method": "getSlot" }\n${'### x\n'.repeat(400)}### b\n{ "method": "getBlockTime", "params": ["{{now}}"] }\n`;
  const before = parseDocument(URI, 0, text);
  const codes = (document: RequestDocument): string[] =>
    diagnose({ document, surroundings: {} }, memory).map(({ problem }) => problem.code);
  assert.deepEqual(codes(before), []);
  const method = { start: { line: 2, character: 13 }, end: { line: 2, character: 20 } };
  const other = applyEdit(before, 1, method, 'getEpochInfo');
  assert.deepEqual(codes(other), ['wrong-type']);
  const path = { start: { line: 1, character: 23 }, end: { line: 1, character: 23 } };
  assert.deepEqual(codes(applyEdit(other, 2, path, '.absoluteSlot')), []);
});
