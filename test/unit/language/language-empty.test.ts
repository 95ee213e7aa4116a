// Writing from nothing: whole requests by task in an empty place, `method` first, and paths of an assertion by what the
// method answers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CompletionItem } from 'vscode-languageserver-types';
import { applyEdit, parseDocument } from '../../../core/requests/document/document';
import { createLanguageService } from '../../../core/requests/language/service';
import { TASKS } from '../../../core/requests/language/tasks';
import { marked } from './markers';

const service = createLanguageService({ surroundings: () => ({}), log: (message) => assert.fail(message) });

const offered = (source: string): CompletionItem[] => {
  const { document, cursor } = marked(source);
  return service.completion(document, cursor);
};
/** As an editor lists them: in the order that the items ask for. */
const labels = (source: string): string[] =>
  offered(source)
    .sort((a, b) => ((a.sortText ?? a.label) < (b.sortText ?? b.label) ? -1 : 1))
    .map(({ label }) => label);

function accepted(source: string, label: string): { readonly text: string; readonly item: CompletionItem } {
  const { document, cursor } = marked(source);
  const item = service.completion(document, cursor).find((one) => one.label === label);
  const edit = item?.textEdit;
  assert.ok(item !== undefined && edit !== undefined && 'range' in edit, `${label} is not offered`);
  return { text: applyEdit(document, 2, edit.range, edit.newText).lines.join('\n'), item };
}

/** A snippet before anything is typed into it. */
const untouched = (snippet: string): string =>
  snippet
    .replace(/\$\{\d+\|([^,|]*)[^}]*\}/g, '$1')
    .replace(/\$\{\d+:([^}]*)\}/g, '$1')
    .replace(/\\\$/g, '$')
    .replace(/\$\d/g, '');

test('an empty file offers whole requests by task', () => {
  for (const task of ['Read a balance', 'Watch an account', 'Send lamports'])
    assert.ok(labels('‸').includes(task), task);
  assert.equal(
    untouched(accepted('‸', 'Watch the slots').text),
    '### Watch the slots\n# @until 5 messages or 10s\nWS\n{ "method": "slotSubscribe" }\n',
  );
  assert.match(accepted('read a b‸', 'Read a balance').text, /^### Read a balance\n\{ "method": "getBalance"/);
});

test('a title that is there is kept, and behind a request an empty line comes first', () => {
  assert.match(accepted('### Mine\n‸', 'Read the current slot').text, /^### Mine\n\{ "method": "getSlot"/);
  assert.match(accepted('@a = 1\n\n‸', 'Read the current slot').text, /^@a = 1\n\n### Read the current slot\n\{/);
  const behind = accepted('### a\n{ "method": "getSlot" }\n\n‸', 'Read the current slot').text;
  assert.match(behind, /^### a\n\{ "method": "getSlot" \}\n\n### Read the current slot\n\{/);
  assert.deepEqual(labels('### a\n{ "method": "getSlot" }\n‸'), []);
  assert.ok(!labels('WS\n‸').includes('Read a balance'));
});

test('every task is a faultless request as it is, and says what it sends', () => {
  for (const { label, detail, text } of TASKS) {
    const source = untouched(`### ${label}\n${text}`);
    const document = parseDocument('file:///project/a.jsonrpc', 1, source);
    const found = service.diagnostics(document).filter(({ code }) => code !== 'swqos-settings');
    assert.deepEqual(
      found.map(({ code, message }) => [code, message]),
      [],
      source,
    );
    const [block] = service.blocks(document);
    assert.ok(block !== undefined, label);
    assert.ok(detail.includes(block.method ?? '') || block.method === undefined, label);
  }
});

test('no task offers confirmed, which is to be removed', () => {
  assert.deepEqual(
    TASKS.flatMap(({ label, text }) => (/confirmed/i.test(text) ? [label] : [])),
    [],
  );
});

test('in an empty place the name of a method leads to its request', () => {
  assert.equal(accepted('getb‸', 'getSlot').text, '{ "method": "getSlot" }');
  assert.equal(
    untouched(accepted('### a\ngetb‸', 'getBalance').text),
    '### a\n{ "method": "getBalance", "params": ["pubkey"] }',
  );
  assert.ok(!labels('WS\nget‸').includes('getSlot'));
  assert.ok(labels('WS\nslot‸').includes('slotSubscribe'));
  assert.ok(!labels('GRPC geyser.Geyser/Ping\nget‸').includes('getSlot'));
});

test('in an empty place and behind a brace "method" comes first; accepting it opens the list of methods', () => {
  for (const source of ['‸', '### a\n‸', '{‸}', '{ ‸ }', '[{‸}]', '{ "‸" }']) {
    assert.equal(labels(source)[0], 'method', source);
    const { text, item } = accepted(source, 'method');
    assert.equal(item.command?.command, 'editor.action.triggerSuggest', source);
    assert.match(text, /"method": "\$1"/, source);
    const then = text.replace('$1', '‸');
    assert.ok(labels(then).includes('getBalance'), then);
  }
  assert.equal(accepted('{‸}', 'method').text, '{ "method": "$1" }');
  assert.notEqual(labels('{ "method": "getSlot", "‸" }')[0], 'method');
});

test('behind a brace the name of a method is enough', () => {
  assert.equal(accepted('{ getsl‸ }', 'getSlot').text, '{ "method": "getSlot" }');
  assert.equal(accepted('{ "getsl‸" }', 'getSlot').text, '{ "method": "getSlot" }');
  assert.ok(!labels('{ "method": "getSlot", ‸ }').includes('getSlot'));
});

test('an assertion offers what this method answers', () => {
  const block = (path: string, call = '{ "method": "getLatestBlockhash" }'): string => `### a\n${call}\n?? ${path}`;
  assert.deepEqual(labels(block('result.‸')), ['context', 'value']);
  assert.deepEqual(labels(block('result.value.‸')), ['blockhash', 'lastValidBlockHeight']);
  assert.equal(accepted(block('result.value.bl‸'), 'blockhash').text, block('result.value.blockhash'));
  assert.deepEqual(labels(block('messages[0].‸', '{ "method": "slotSubscribe" }')), ['slot', 'parent', 'root']);
  assert.deepEqual(labels(block('[‸', '[{ "id": 1, "method": "getSlot" }]')), ['[1]']);
  assert.deepEqual(labels(block('[1].result.value.‸', '[{ "id": 1, "method": "getLatestBlockhash" }]')), [
    'blockhash',
    'lastValidBlockHeight',
  ]);
  assert.deepEqual(labels(`# @retry 5 every 1s while result.value.‸\n{ "method": "getLatestBlockhash" }`), [
    'blockhash',
    'lastValidBlockHeight',
  ]);
});

test('an assertion does not offer what this method cannot answer', () => {
  assert.ok(labels('{ "method": "getLatestBlockhash" }\n?? ‸').includes('result.value'));
  assert.ok(!labels('{ "method": "getLatestBlockhash" }\n?? ‸').includes('messages.length'));
  assert.ok(!labels('{ "method": "getSlot" }\n?? ‸').includes('result.value'));
  assert.ok(labels('{ "method": "slotSubscribe" }\n?? ‸').includes('messages.length'));
  // Of a method that nobody knows, everything may come.
  assert.ok(labels('{ "method": "myOwn" }\n?? ‸').includes('result.value'));
});
