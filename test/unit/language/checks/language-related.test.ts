// Related places of a diagnostic, and fixes for a whole file at once.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { applyEdit } from '../../../../core/requests/document/document';
import { documentFor, service } from '../../../corpus/check';
import { KEY, TRANSACTION } from '../../../corpus/values';
import { marked } from '../markers';

/** The marked ranges are the related places of the one diagnostic that has some. */
const RELATED: readonly (readonly [what: string, source: string])[] = [
  ['a duplicate name', '### a\n# @name ⟦x⟧\n{ "method": "getSlot" }\n### b\n# @name x\n{ "method": "getSlot" }'],
  ['a duplicate id', '[{ "id": ⟦1⟧, "method": "getSlot" }, { "id": 1, "method": "getSlot" }]'],
  ['a circle', '### a\n# @name ⟦a⟧\n{ "method": "getBlockTime", "params": ["{{a.result}}"] }'],
  ['a value through a variable', '⟦@k = abc⟧\n### a\n{ "method": "getBalance", "params": ["{{k}}"] }'],
  [
    'members that exclude each other',
    `{ "method": "simulateTransaction", "params": ["${TRANSACTION}", { "encoding": "base64", ⟦"sigVerify"⟧: true, "replaceRecentBlockhash": true }] }`,
  ],
  [
    'a transaction in another encoding',
    `{ "method": "sendTransaction", "params": ["${TRANSACTION}", { ⟦"encoding": "base58"⟧ }] }`,
  ],
];

describe('related places', () => {
  for (const [what, source] of RELATED)
    test(what, () => {
      const { document, ranges } = marked(source);
      const related = service.diagnostics(document).flatMap(({ relatedInformation }) => relatedInformation ?? []);
      assert.deepEqual(
        related.map(({ location }) => location),
        ranges.map((range) => ({ uri: document.uri, range })),
      );
    });
  test('a plain fault has none', () => {
    const [found] = service.diagnostics(marked('{ "method": "getSlt" }').document);
    assert.equal(found?.relatedInformation, undefined);
  });
});

test('all that is safe is mended at once, and nothing else', () => {
  const source = [
    '@n = 1',
    '### a',
    '{ "method": "getBlockTime", "params": [{{n}},], }',
    '### b',
    `{ "method": "getBalance", "params": { "pubkey": "${KEY}" } }`,
    '### c',
    `{ "method": "sendTransaction", "params": ["${TRANSACTION}"] }`,
    '### d',
    '{ "method": "getSlt" }',
  ];
  const document = documentFor(source.join('\n'));
  const [action, ...more] = service.codeActions(
    document,
    { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } },
    true,
  );
  assert.deepEqual(more, []);
  assert.equal(action?.kind, 'source.fixAll');
  const edits = action.edit?.changes?.[document.uri] ?? [];
  const mended = [...edits].reverse().reduce((text, edit) => applyEdit(text, 2, edit.range, edit.newText), document);
  assert.deepEqual(
    service.diagnostics(mended).map(({ code }) => code),
    ['unknown-method'],
  );
});

test('a file without such faults has no such action', () => {
  const document = documentFor('{ "method": "getSlt" }');
  const everything = { start: { line: 0, character: 0 }, end: { line: 9, character: 0 } };
  assert.deepEqual(service.codeActions(document, everything, true), []);
});
