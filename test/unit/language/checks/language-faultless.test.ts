// The short way to "nothing to say" says so only where the full way does.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseDocument } from '../../../../core/requests/document/document';
import type { FileContext } from '../../../../core/requests/document/variables/variables';
import { diagnose } from '../../../../core/requests/checks/diagnostics';
import { isFaultless } from '../../../../core/requests/checks/faultless';
import { STANDARD_METHODS } from '../../../../core/requests/methods';
import { damaged, everyExample, everyFile, generator } from '../../../support/data/requestTexts';

const URI = 'file:///project/faultless.jsonrpc';
const KEY = '9B5XszUGdMaxCZ7uSQhPzdks5ZQSmWxrmzCSvtJ6Ns6g';

/** Findings of the full way in a text: every block is read before it is checked. */
function foundInFull(text: string, surroundings: FileContext = {}): string[] {
  const document = parseDocument(URI, 0, text);
  assert.ok(document.blocks.length > 0);
  return diagnose({ document, surroundings }).map(({ problem: { code, span } }) => `${code} ${span.start}`);
}

const found = (text: string): string[] =>
  diagnose({ document: parseDocument(URI, 0, text), surroundings: {} }).map(
    ({ problem: { code, span } }) => `${code} ${span.start}`,
  );

const blocksOf = (text: string): string[] => text.replaceAll('\r\n', '\n').split(/\n(?=###)/);

/** Checks one text; true where it went the short way. */
function agree(block: string): boolean {
  const quick = isFaultless(block, STANDARD_METHODS);
  if (quick) assert.deepEqual(foundInFull(block), [], block);
  return quick;
}

test('what it passes in the request files of the project, the full way passes', () => {
  const blocks = everyFile().flatMap(blocksOf);
  assert.ok(blocks.length > 60);
  for (const block of blocks) agree(block);
});

test('what it passes of some thousand damaged requests, the full way passes', () => {
  const random = generator(7);
  const blocks = [...everyFile().flatMap(blocksOf), ...everyExample()];
  let passed = 0;
  for (let round = 0; round < 60; round++)
    for (const block of blocks) {
      let text = block;
      for (let hits = random(3); hits >= 0; hits--) text = damaged(random, text);
      if (agree(text.replaceAll('\r', ''))) passed++;
    }
  assert.ok(passed > 300, String(passed));
});

test('it passes every example in which the full way finds nothing, on the oldest node either', () => {
  const oldest: FileContext = { endpoint: () => ({ packs: [], agave: '2.0' }) };
  for (const block of everyExample())
    assert.equal(isFaultless(block, STANDARD_METHODS), foundInFull(block, oldest).length === 0, block);
});

test('whole files give the same whether they were read before or not', () => {
  const random = generator(8);
  const examples = everyExample().join('\n');
  for (const text of [...everyFile(), examples, ...Array.from({ length: 60 }, () => damaged(random, examples))])
    assert.deepEqual(found(text), foundInFull(text));
});

describe('it leaves to the full way', () => {
  const cases: Readonly<Record<string, string>> = {
    'text before the first title': '{ "method": "getSlot" }',
    'a comment in a body': '### a\n{ "method": "getSlot" /* now */ }',
    'a comment below': '### a\n{ "method": "getSlot" }\n# done',
    'a trailing comma': '### a\n{ "method": "getSlot", }',
    'a variable': `### a\n{ "method": "getBalance", "params": ["{{wallet}}"] }`,
    'a bare variable': '### a\n{ "method": "getBalance", "params": [{{wallet}}] }',
    'a key in a body': '### a\n{ "method": "getSlot", "api_key": "x" }',
    'an assertion': '### a\n{ "method": "getSlot" }\n?? result > 1',
    'a redirect': '### a\n{ "method": "getSlot" }\n>> out.json',
    'a directive': '### a\n# @name slot\n{ "method": "getSlot" }',
    'a request line': '### a\nPOST\n{ "method": "getSlot" }',
    'a batch': '### a\n[{ "method": "getSlot" }]',
    'digits in front of an id': '### a\n{ "id": 05"x", "method": "getSlot" }',
    'more digits than a double holds, in front of an id': '### a\n{ "id": 1234567890123456"x", "method": "getSlot" }',
    'a second body': '### a\n{ "method": "getSlot" }\n{ "method": "getSlot" }',
    'an unknown method': '### a\n{ "method": "getThing", "params": [] }',
    'advice about a transaction': '### a\n{ "method": "getBlock", "params": [1] }',
    'a warning about a member': '### a\n{ "method": "getSlot", "params": [{ "comitment": "confirmed" }] }',
    'an id out of range': '### a\n{ "id": 18446744073709551616, "method": "getSlot" }',
    'a fraction that JSON.parse would round': '### a\n{ "method": "getBlockTime", "params": [5.0] }',
    'an exponent that JSON.parse would round': '### a\n{ "method": "getBlockTime", "params": [5e3] }',
    'a slot above 2^64': '### a\n{ "method": "getBlockTime", "params": [18446744073709551616] }',
    'a fraction of a member': `### a\n{ "method": "getSignaturesForAddress", "params": ["${KEY}", { "limit": 5.0 }] }`,
    'an exponent of a member': `### a\n{"method":"getSignaturesForAddress","params":["${KEY}",{"limit":5e1}]}`,
    'the fraction -0 as a member': `### a\n{"method":"getSignaturesForAddress","params":["${KEY}",{"limit":-0}]}`,
    'the fraction -0': '### a\n{ "method": "getBlockTime", "params": [-0] }',
    'a repeated member, of which the last is wrong':
      '### a\n{ "method": "getBlockTime", "params": [5], "params": ["5"] }',
    'a body nested too deep': `### a\n{ "method": "getSlot", "params": ${'['.repeat(600)}${']'.repeat(600)} }`,
    'a fault in the last of many': `### a\n{ "method": "getSlot" }\n### b\n{ "method": "getBalance", "params": ["${KEY}x"] }`,
  };
  for (const [what, text] of Object.entries(cases))
    test(what, () => assert.equal(isFaultless(text, STANDARD_METHODS), false));
});

describe('it passes', () => {
  const cases: Readonly<Record<string, string>> = {
    'a heading without a request': '### Notes\n\n',
    'a request over several lines': '### a\n{\n  "method": "getSlot",\n\n  "params": []\n}\n\n',
    'a subscription without its request line': `### a\n{ "method": "accountSubscribe", "params": ["${KEY}"] }`,
    'the largest slot': '### a\n{ "method": "getBlockTime", "params": [18446744073709551615] }',
    'numbers of members, with and without space': `### a\n{"method":"getAccountInfo","params":["${KEY}",{"encoding":"base64","dataSlice":{"offset":0, "length": 32}}]}`,
    'a number before the end of a line': `### a\n{ "method": "getSignaturesForAddress", "params": ["${KEY}", {\n  "limit": 5\n}] }`,
    'a title with digits and braces': '### 2026-01-05 {}\n{ "method": "getSlot" }',
  };
  for (const [what, text] of Object.entries(cases)) test(what, () => assert.ok(agree(text)));
});

test('a large file of plain requests is checked without reading more than its first blocks', () => {
  const text = everyExample()
    .filter((block) => isFaultless(block, STANDARD_METHODS))
    .join('\n')
    .repeat(40);
  const document = parseDocument(URI, 0, text);
  assert.deepEqual(diagnose({ document, surroundings: {} }), []);
  const read = document.chunks.filter((chunk) => chunk.unread === undefined).length;
  assert.ok(document.chunks.length > 20 && read === 1, `${read} of ${document.chunks.length}`);
});
