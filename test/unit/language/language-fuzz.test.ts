// Texts that no one would write: every feature answers without a failure, every range lies in the file, and what is kept
// from edit to edit is what a fresh look finds.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Position, Range, TextEdit } from 'vscode-languageserver-types';
import { applyEdit, parseDocument } from '../../../core/requests/document/document';
import type { RequestDocument } from '../../../core/requests/document/model';
import { createLanguageService, type LanguageService } from '../../../core/requests/language/service';
import { uriOf } from '../../../server/lsp/imports';
import { damaged, everyExample, everyFile, generator, noise, type Random } from '../../support/data/requestTexts';

const URI = 'file:///project/fuzz.jsonrpc';
const OPTIONS = { tabSize: 2, insertSpaces: true };
const HINTS = { lamports: true, units: true, addresses: true, defaults: true };

/** A service whose failures are failures of the test. */
const serviceFor = (text: () => string): LanguageService =>
  createLanguageService({
    surroundings: () => ({}),
    resolve: uriOf,
    log: (message) => assert.fail(`${message}\n${JSON.stringify(text())}`),
  });

const isRange = (value: object): value is Range => 'start' in value && 'end' in value;

/** Calls `visit` for every range in an answer of LSP types. */
function eachRange(value: unknown, visit: (range: Range) => void): void {
  if (typeof value !== 'object' || value === null) return;
  if (isRange(value)) visit(value);
  for (const inner of Object.values(value)) eachRange(inner, visit);
}

const isOrdered = (a: Position, b: Position): boolean =>
  a.line < b.line || (a.line === b.line && a.character <= b.character);

function assertInBounds(document: RequestDocument, what: string, answer: unknown): void {
  const { lines } = document;
  const isPlace = ({ line, character }: Position): boolean =>
    Number.isInteger(line) && Number.isInteger(character) && character >= 0 && character <= (lines[line]?.length ?? -1);
  eachRange(answer, ({ start, end }) => {
    if (isPlace(start) && isPlace(end) && isOrdered(start, end)) return;
    assert.fail(`${what}: ${JSON.stringify({ start, end })} in ${JSON.stringify(lines.join('\n'))}`);
  });
}

/** Semantic tokens as ranges, from their differences. */
function tokenRanges(data: readonly number[]): Range[] {
  const ranges: Range[] = [];
  let line = 0;
  let character = 0;
  for (let at = 0; at < data.length; at += 5) {
    const [down = 0, right = 0, length = 0] = data.slice(at, at + 3);
    line += down;
    character = down === 0 ? character + right : right;
    ranges.push({ start: { line, character }, end: { line, character: character + length } });
  }
  return ranges;
}

/** The answers about a whole file. */
function overview(service: LanguageService, document: RequestDocument): Readonly<Record<string, unknown>> {
  return {
    diagnostics: service.diagnostics(document),
    tokens: tokenRanges(service.semanticTokens(document)),
    folding: service.folding(document),
    symbols: service.symbols(document),
    blocks: service.blocks(document),
    lenses: service.codeLenses(document),
    links: service.links(document),
  };
}

/** The answers about one position of it. */
function atPlace(service: LanguageService, document: RequestDocument, position: Position): unknown[] {
  return [
    service.completion(document, position),
    service.hover(document, position),
    service.signatureHelp(document, position),
    service.selectionRanges(document, [position]),
    service.definition(document, position),
    service.references(document, position, true),
    service.highlights(document, position),
    service.linkedRanges(document, position),
    service.renameRange(document, position),
    service.rename(document, position, 'another'),
    service.formatTyped(document, position, '}', OPTIONS),
    service.formatTyped(document, position, '\n', OPTIONS),
    service.codeActions(document, { start: position, end: position }),
  ];
}

function placeIn(random: Random, { lines }: RequestDocument): Position {
  const line = random(lines.length);
  return { line, character: random((lines[line]?.length ?? 0) + 1) };
}

function wholeRange({ lines }: RequestDocument): Range {
  const line = lines.length - 1;
  return { start: { line: 0, character: 0 }, end: { line, character: lines[line]?.length ?? 0 } };
}

function assertApart(edits: readonly TextEdit[]): void {
  const sorted = [...edits].sort((a, b) => (isOrdered(a.range.start, b.range.start) ? -1 : 1));
  for (const [index, { range }] of sorted.entries()) {
    const next = sorted[index + 1];
    if (next !== undefined) assert.ok(isOrdered(range.end, next.range.start), JSON.stringify(edits));
  }
}

/** Asks everything about a text. */
function askAll(random: Random, text: string): void {
  const service = serviceFor(() => text);
  const document = parseDocument(URI, 0, text);
  for (const [what, answer] of Object.entries(overview(service, document))) assertInBounds(document, what, answer);
  const edits = service.format(document, OPTIONS);
  assertInBounds(document, 'format', edits);
  assertApart(edits);
  assertInBounds(document, 'inlay hints', service.inlayHints(document, wholeRange(document), HINTS));
  const position = placeIn(random, document);
  for (const answer of atPlace(service, document, position)) assertInBounds(document, JSON.stringify(position), answer);
}

const TEXTS = [...everyFile(), everyExample().join('\n')];

test('every file cut off at any line, or inside one, is answered', () => {
  const random = generator(1);
  for (const text of TEXTS) {
    const lines = text.split('\n');
    for (let line = 0; line < lines.length; line += 1 + random(12)) {
      const kept = lines.slice(0, line).join('\n');
      askAll(random, kept);
      askAll(random, `${kept}\n${(lines[line] ?? '').slice(0, random((lines[line] ?? '').length + 1))}`);
    }
  }
});

test('every file with some damage is answered', () => {
  const random = generator(2);
  for (let round = 0; round < 8; round++)
    for (const text of TEXTS) {
      let broken = text;
      for (let hits = random(6); hits >= 0; hits--) broken = damaged(random, broken);
      askAll(random, broken);
    }
});

test('a path with half a character is not a link, and the other links of its file stay', () => {
  const files = ['./\ud83d.b64', './whole.b64'].map(
    (path) => `### A file\n{ "method": "x", "params": ["{{$file ${path}}}"] }`,
  );
  const links = serviceFor(() => '').links(parseDocument(URI, 1, files.join('\n')));
  assert.deepEqual(
    links.map(({ target }) => target),
    [new URL('./whole.b64', URI).href],
  );
});

test('noise is answered', () => {
  const random = generator(3);
  for (let round = 0; round < 600; round++) askAll(random, noise(random, random(200)));
});

test('after random edits every feature answers as for a fresh text', () => {
  const random = generator(4);
  const sample = TEXTS.slice(-4).join('\n').slice(0, 20_000);
  for (let round = 0; round < 3; round++) {
    let document = parseDocument(URI, 0, round === 0 ? '' : damaged(random, sample));
    const service = serviceFor(() => document.lines.join('\n'));
    for (let edit = 1; edit <= 50; edit++) {
      const start = placeIn(random, document);
      const line = Math.min(document.lines.length - 1, start.line + (random(5) === 0 ? random(60) : random(2)));
      const last = document.lines[line]?.length ?? 0;
      const end = { line, character: line === start.line ? start.character + random(4) : random(last + 1) };
      const from = random(sample.length);
      const text =
        random(3) === 0 ? noise(random, random(6)) : sample.slice(from, from + random(random(9) === 0 ? 9000 : 60));
      document = applyEdit(document, edit, { start, end }, text);
      const fresh = parseDocument(URI, edit, document.lines.join('\n'));
      assert.deepEqual(document.lines, fresh.lines);
      const service2 = serviceFor(() => fresh.lines.join('\n'));
      assert.deepEqual(overview(service, document), overview(service2, fresh));
      const position = placeIn(random, document);
      assert.deepEqual(atPlace(service, document, position), atPlace(service2, fresh, position));
    }
  }
});

test('positions outside the file are answered as the nearest ones inside', () => {
  const service = serviceFor(() => '');
  const document = parseDocument(URI, 0, TEXTS.join('\n'));
  for (const line of [-1, 0, 5, document.lines.length, 1e9])
    for (const character of [-1, 1e9])
      assertInBounds(document, `${line}`, atPlace(service, document, { line, character }));
});

test('5 MB in one request are answered', () => {
  const keys = Array.from({ length: 110_000 }, () => '"9B5XszUGdMaxCZ7uSQhPzdks5ZQSmWxrmzCSvtJ6Ns6g"').join(',');
  const text = `### large\n{ "method": "getMultipleAccounts", "params": [[${keys}]] }\n`;
  assert.ok(text.length > 5_000_000);
  const document = parseDocument(URI, 0, text);
  const service = serviceFor(() => text.slice(0, 80));
  assert.deepEqual(
    service.diagnostics(document).map(({ code }) => code),
    ['too-many-items'],
  );
  assert.equal(service.folding(document).length, 1);
});

test('100,000 requests are answered, before and after an edit in the middle', () => {
  const count = 100_000;
  const block = (index: number): string => `### ${index}\n# @name r${index}\n{ "method": "getSlot" }\n`;
  let document = parseDocument(URI, 0, Array.from({ length: count }, (_, index) => block(index)).join(''));
  const service = serviceFor(() => '');
  assert.deepEqual(service.diagnostics(document), []);
  const line = (count / 2) * 3 + 2;
  document = applyEdit(document, 1, { start: { line, character: 19 }, end: { line, character: 19 } }, 's');
  assert.deepEqual(
    service.diagnostics(document).map(({ code, range }) => [code, range.start.line]),
    [['unknown-method', line]],
  );
  assert.equal(service.blocks(document).length, count);
});
