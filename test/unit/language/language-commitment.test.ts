// Commitment levels by the chain of the endpoint: what completion and hover say, and the hint for `confirmed`.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseDocument } from '../../../core/requests/document/document';
import { examine } from '../../../core/requests/checks/diagnostics';
import { createLanguageService, type LanguageService } from '../../../core/requests/language/service';
import { chainAge, type Consensus } from '../../../core/solana/chain/chain';
import { marked } from './markers';

/** The active endpoint showed this; others showed nothing. */
const at = (consensus?: Consensus): LanguageService =>
  createLanguageService({
    surroundings: () => ({
      endpoint: (name) => ({ packs: [], ...(name === undefined && { chain: chainAge({ consensus }) }) }),
    }),
    log: (message) => assert.fail(message),
  });

const call = (level: string, head = ''): string =>
  `### A\n${head}{ "method": "getSlot", "params": [{ "commitment": ${level} }] }\n`;

const docs = (consensus?: Consensus): Record<string, string> => {
  const { document, cursor } = marked(call('"‸"'));
  return Object.fromEntries(
    at(consensus)
      .completion(document, cursor)
      .map(({ label, documentation }) => [label, JSON.stringify(documentation)]),
  );
};

const hover = (level: string, consensus?: Consensus): string => {
  const { document, cursor } = marked(call(`"‸${level}"`));
  return JSON.stringify(at(consensus).hover(document, cursor));
};

describe('what completion says of a commitment', () => {
  test('is Alpenglow for an endpoint that showed nothing or a certificate', () => {
    for (const { processed = '', confirmed = '', finalized = '' } of [docs(), docs('alpenglow')]) {
      assert.match(processed, /may still be skipped/);
      assert.match(confirmed, /same slot as `finalized`.*removed/);
      assert.match(finalized, /no longer change.*150 ms/);
      assert.doesNotMatch(confirmed + finalized, /third|seconds/);
    }
  });

  test('is Tower where the endpoint has no certificate', () => {
    const { confirmed = '', finalized = '' } = docs('tower');
    assert.match(confirmed, /two thirds/);
    assert.match(finalized, /no longer change.*31 slots.*13 seconds/);
    assert.doesNotMatch(confirmed, /removed/);
  });
});

test('hover says the same as completion', () => {
  assert.match(hover('confirmed'), /same slot as `finalized`/);
  assert.match(hover('confirmed', 'tower'), /two thirds/);
  assert.match(hover('finalized', 'tower'), /13 seconds/);
});

describe('a hint for confirmed', () => {
  const found = (text: string, consensus?: Consensus): unknown[] =>
    at(consensus)
      .findings(parseDocument('file:///a.jsonrpc', 1, text))
      .map(({ diagnostic: { code, severity, range }, fixes }) => [code, severity, range.start.character, fixes]);
  const hint = (character: number): unknown[] => ['confirmed-commitment', 4, character, ['Change to "finalized"']];

  test('offers finalized, once for each place', () => {
    assert.deepEqual(found(call('"confirmed"')), [hint(50)]);
    assert.deepEqual(found(call('"confirmed"'), 'alpenglow'), [hint(50)]);
    const both = `### A\n[{ "method": "getSlot", "params": [{ "commitment": "confirmed" }] },\n { "id": 2, "method": "getBlockHeight", "params": [{ "commitment": "confirmed" }] }]\n`;
    assert.deepEqual(found(both), [hint(51), hint(67)]);
  });

  test('is quiet where the endpoint showed Tower, and for another endpoint of which nothing is known it is not', () => {
    assert.deepEqual(found(call('"confirmed"'), 'tower'), []);
    assert.deepEqual(found(call('"confirmed"', '# @endpoint other\n'), 'tower'), [hint(50)]);
  });

  for (const [name, text] of [
    ['another level', call('"finalized"')],
    ['a variable', `@level = "confirmed"\n${call('"{{level}}"')}`],
    ['a captured value', `### A\n# @name a\n{ "method": "getVersion" }\n\n${call('"{{a.result.level}}"')}`],
    ['a member that is not a commitment', '### A\n{ "method": "getSlot", "id": "confirmed" }\n'],
    [
      'a method that is not known',
      '### A\n# @silence unknown-method internal\n{ "method": "ours", "params": [{ "commitment": "confirmed" }] }\n',
    ],
    ['a comment', `### A\n# "confirmed"\n{ "method": "getSlot" }\n`],
    ['a file that silences it', call('"confirmed"', '# @silence confirmed-commitment for older nodes\n')],
  ] as const)
    test(`is not for ${name}`, () => assert.deepEqual(found(text), []));

  test('is for the first hundred blocks of a large file; the others are not read for it', () => {
    const document = parseDocument('file:///a.jsonrpc', 1, call('"confirmed"').repeat(5_000));
    assert.equal(at().findings(document).length, 100);
    assert.ok(document.chunks.at(-1)?.unread !== undefined);
  });

  test('is the editor’s alone, and silencing it is not useless in the terminal', () => {
    const document = parseDocument('file:///a.jsonrpc', 1, call('"confirmed"'));
    assert.deepEqual(examine({ document, surroundings: {}, others: [] }).problems, []);
    assert.deepEqual(found(call('"finalized"', '# @silence confirmed-commitment for older nodes\n')), []);
  });
});
