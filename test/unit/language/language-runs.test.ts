// Completion and messages of the editor for captures, defaults, arithmetic, conditions and rows.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLanguageService } from '../../../core/requests/language/service';
import { marked } from './markers';

const failures: string[] = [];
const service = createLanguageService({ surroundings: () => ({}), log: (message) => failures.push(message) });

/** The labels that are offered at the cursor. */
function offered(source: string): readonly string[] {
  const { document, cursor } = marked(source);
  return service.completion(document, cursor).map(({ label }) => label);
}

const GIVER = '### giver\n# @name bal\n# @capture fee = result.value\n{ "method": "getBalance" }\n';

test('names and functions are offered in an expression, captures among them, helpers not', () => {
  const labels = offered(`@x = 1\n${GIVER}### b\n{ "method": "getBlock", "params": ["{{= x + ‸ }}"] }`);
  for (const label of ['x', 'fee', 'bal', 'min', 'max', 'floor', 'ceil']) assert.ok(labels.includes(label), label);
  assert.ok(!labels.includes('$guid'));
});

test('a path in an expression is completed as elsewhere', () => {
  assert.ok(offered(`${GIVER}### b\n{ "method": "getBlock", "params": ["{{= 2 * bal.‸ }}"] }`).includes('result'));
});

test('a capture is offered a path into its own answer', () => {
  assert.ok(offered('### a\n# @capture x = res‸\n{ "method": "getBalance" }').includes('result.value'));
});

test('@if is offered names, then their paths, then operators', () => {
  assert.ok(offered(`${GIVER}### b\n# @if b‸\n{ "method": "getSlot" }`).includes('bal'));
  assert.ok(offered(`${GIVER}### b\n# @if bal.‸\n{ "method": "getSlot" }`).includes('result'));
  assert.ok(offered(`${GIVER}### b\n# @if bal.result.value ‸\n{ "method": "getSlot" }`).includes('between'));
});

test('the row of @foreach is offered', () => {
  assert.ok(
    offered('### a\n# @foreach wallet in ./w.csv\n{ "method": "getBalance", "params": ["{{‸}}"] }').includes('wallet'),
  );
});

test('a capture is found, and renamed with everything that reads it', () => {
  const { document, cursor } = marked(
    `${GIVER}### b\n# @if fee > 1\n{ "method": "getBlock", "params": ["{{= 2 * f‸ee + fee }}", "{{fee else 3}}"] }`,
  );
  const [definition] = service.definition(document, cursor);
  assert.deepEqual(definition?.range.start, { line: 2, character: 11 });
  const renaming = service.rename(document, cursor, 'price');
  assert.ok(renaming.ok);
  assert.equal(renaming.changes[document.uri]?.length, 5);
});

test('a computed value that the file knows is shown', () => {
  const { document, cursor } = marked('@x = 3\n### a\n{ "method": "getBlock", "params": ["{{‸= x / 2 }}"] }');
  assert.match(JSON.stringify(service.hover(document, cursor)), /Computed exactly.*1\.5/s);
});

test('no feature failed', () => assert.deepEqual(failures, []));
