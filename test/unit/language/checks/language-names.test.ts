// Names: where they are defined, who uses them, and renaming them across files.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Location } from 'vscode-languageserver-types';
import type { RequestDocument } from '../../../../core/requests/document/model';
import { createLanguageService } from '../../../../core/requests/language/service';
import { TOKEN_TYPES } from '../../../../core/requests/language/features/tokens';
import { marked, type Marked } from '../markers';

const failures: string[] = [];
const LIB = 'file:///project/lib.jsonrpc';

/** A service that knows `files` by the last part of their URI. */
function serviceOver(files: readonly Marked[]): ReturnType<typeof createLanguageService> {
  const documents: readonly RequestDocument[] = files.map(({ document }) => document);
  return createLanguageService({
    documents: () => documents,
    surroundings: () => ({
      imports: { documentOf: (path) => documents.find(({ uri }) => uri.endsWith(`/${path}`)) },
    }),
    log: (message) => failures.push(message),
  });
}

const ranges = (locations: readonly Location[]): unknown => locations.map(({ range }) => range);

test('the definition of a variable is its nearest one', () => {
  const file = marked('@a = 1\n### x\n@⟦a⟧ = 2\n{ "method": "m", "params": ["{{‸a}}"] }');
  assert.deepEqual(ranges(serviceOver([file]).definition(file.document, file.cursor)), file.ranges);
});

test('the definition of a response is the name of its request', () => {
  const file = marked('### x\n# @name ⟦first⟧\n{ "method": "getSlot" }\n### y\n{ "a": "{{first.res‸ult}}" }');
  assert.deepEqual(ranges(serviceOver([file]).definition(file.document, file.cursor)), file.ranges);
});

test('references are those to this variable, not to another of its name', () => {
  const file = marked('@⟦a‸⟧ = 1\n@b = {{⟦a⟧}}\n### x\n@a = 2\n{ "p": "{{a}}" }\n### y\n{ "p": "{{ ⟦a⟧ }}" }');
  assert.deepEqual(ranges(serviceOver([file]).references(file.document, file.cursor, true)), file.ranges);
  assert.equal(serviceOver([file]).highlights(file.document, file.cursor).length, 3);
});

test('what a prompt asks for is defined by the prompt', () => {
  const file = marked('### x\n# @prompt ⟦who⟧ Whose\n{ "p": "{{⟦wh‸o⟧}}" }');
  assert.deepEqual(ranges(serviceOver([file]).references(file.document, file.cursor, true)), file.ranges);
});

test('the row of a @foreach is a name of its request', () => {
  const file = marked(
    '@x = 1\n### a\n# @foreach ⟦row⟧ in [1, 2]\n{ "p": ["{{⟦ro‸w⟧}}", "{{⟦row⟧.$index}}", "{{= ⟦row⟧ + 1 }}"] }\n?? result == {{⟦row⟧}}\n### b\n# @foreach row in [3]\n{ "p": "{{row}}" }',
  );
  const service = serviceOver([file]);
  assert.deepEqual(ranges(service.references(file.document, file.cursor, true)), file.ranges);
  assert.deepEqual(ranges(service.definition(file.document, file.cursor)), file.ranges.slice(0, 1));
  const renaming = service.rename(file.document, file.cursor, 'each');
  assert.ok(renaming.ok);
  assert.equal(renaming.changes[file.document.uri]?.length, 5);
  assert.equal(service.rename(file.document, file.cursor, 'x').ok, false);
});

test('the row is a name where it is given, too', () => {
  const file = marked('### a\n# @foreach ⟦r‸ow⟧ in ./a.csv\n{ "p": "{{⟦row⟧.owner}}" }');
  assert.deepEqual(ranges(serviceOver([file]).references(file.document, file.cursor, true)), file.ranges);
});

test('a capture is a name of its file', () => {
  const file = marked(
    '### a\n# @capture ⟦slot⟧ = result\n{ "method": "getSlot" }\n### b\n# @if ⟦slot⟧ > 5\n{ "p": "{{⟦sl‸ot⟧ else 5}}" }',
  );
  assert.deepEqual(ranges(serviceOver([file]).references(file.document, file.cursor, true)), file.ranges);
});

test('a rename reaches the files that import the name', () => {
  const lib = marked('@wal‸let = x\n### a\n{ "p": "{{wallet}}" }', LIB);
  const user = marked('# @import lib.jsonrpc\n### b\n{ "p": "{{wallet}}" }', 'file:///project/user.jsonrpc');
  const renaming = serviceOver([lib, user]).rename(lib.document, lib.cursor, 'payer');
  assert.ok(renaming.ok);
  assert.deepEqual(
    Object.entries(renaming.changes).map(([uri, edits]) => [uri, edits.length]),
    [
      [LIB, 2],
      ['file:///project/user.jsonrpc', 1],
    ],
  );
});

test('a rename to an invalid name, or to a name that is taken, is refused', () => {
  const file = marked('@a‸ = 1\n@b = 2\n### x\n{ "p": "{{a}}" }');
  const service = serviceOver([file]);
  assert.equal(service.rename(file.document, file.cursor, '1x').ok, false);
  assert.equal(service.rename(file.document, file.cursor, 'b').ok, false);
  assert.equal(service.rename(file.document, file.cursor, 'c').ok, true);
});

test('only a name can be renamed', () => {
  const file = marked('### x\n{ "meth‸od": "getSlot" }');
  assert.equal(serviceOver([file]).renameRange(file.document, file.cursor), undefined);
  const named = marked('### x\n# @name ⟦q‸⟧\n{ "method": "getSlot" }');
  assert.deepEqual(serviceOver([named]).renameRange(named.document, named.cursor), named.ranges[0]);
});

test('symbols of all files are found by letters in their order', () => {
  const file = marked(
    '@wallet = 1\n### Balance of the wallet\n{ "method": "getBalance" }\n### Other\n{ "method": "getSlot" }',
  );
  const names = serviceOver([file])
    .workspaceSymbols('blwl')
    .map(({ name }) => name);
  assert.deepEqual(names, ['Balance of the wallet']);
  assert.deepEqual(failures, []);
});

test('a name changes with its uses while it is typed where it is given, not where it is used', () => {
  const given = marked('@⟦wal‸let⟧ = 1\n### x\n{ "p": "{{⟦wallet⟧}}" }');
  const service = serviceOver([given]);
  assert.deepEqual(service.linkedRanges(given.document, given.cursor)?.ranges, given.ranges);
  const used = marked('@wallet = 1\n### x\n{ "p": "{{wal‸let}}" }');
  assert.equal(serviceOver([used]).linkedRanges(used.document, used.cursor), undefined);
  const request = marked('### x\n# @name ⟦fi‸rst⟧\n{ "method": "getSlot" }\n### y\n{ "a": "{{⟦first⟧.result}}" }');
  assert.deepEqual(serviceOver([request]).linkedRanges(request.document, request.cursor)?.ranges, request.ranges);
  const alone = marked('@wal‸let = 1\n### x');
  assert.equal(serviceOver([alone]).linkedRanges(alone.document, alone.cursor), undefined);
});

test('names that objects have by birth are names like any other', () => {
  for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
    const file = marked(`@⟦${name}‸⟧ = 1\n### x\n{ "method": "getSlot", "id": "{{⟦${name}⟧}}" }`);
    const service = serviceOver([file]);
    assert.deepEqual(ranges(service.references(file.document, file.cursor, true)), file.ranges);
    assert.deepEqual(service.diagnostics(file.document), []);
    const renaming = service.rename(file.document, file.cursor, 'valueOf');
    assert.ok(renaming.ok);
    const use = marked(`### x\n# @name ⟦${name}⟧\n{ "method": "getSlot" }\n### y\n{ "a": "{{${name}.res‸ult}}" }`);
    assert.deepEqual(ranges(serviceOver([use]).definition(use.document, use.cursor)), use.ranges);
  }
  const unknown = marked('### x\n{ "method": "getSlot", "id": "{{__proto__}}" }');
  assert.deepEqual(
    serviceOver([unknown])
      .diagnostics(unknown.document)
      .map(({ code }) => code),
    ['unresolved-variable'],
  );
  assert.deepEqual(failures, []);
});

const SAME_NAME =
  '@wallet = 9B5XszUGdMaxCZ7uSQhPzdks5ZQSmWxrmzCSvtJ6Ns6g\n### x\n# @name wallet\n{ "method": "getBalance", "params": ["{{wallet}}"] }\n### y\n{ "method": "getSlot", "params": ["{{wallet.result}}"] }';

test('of a variable and a request of one name, a reference means the variable without a path and the request with one', () => {
  const variable = marked(SAME_NAME.replace('@wallet', '@⟦wallet⟧').replace('{{wallet}}', '{{wa‸llet}}'));
  assert.deepEqual(ranges(serviceOver([variable]).definition(variable.document, variable.cursor)), variable.ranges);
  const request = marked(SAME_NAME.replace('@name wallet', '@name ⟦wallet⟧').replace('{{wallet.', '{{wa‸llet.'));
  assert.deepEqual(ranges(serviceOver([request]).definition(request.document, request.cursor)), request.ranges);
  const uses = marked(SAME_NAME.replace('@name wallet', '@name ⟦wal‸let⟧').replace('{{wallet.', '{{⟦wallet⟧.'));
  assert.deepEqual(ranges(serviceOver([uses]).references(uses.document, uses.cursor, true)), uses.ranges);
});

test('the fix of a name that a variable has renames the request wherever its response is read', () => {
  const file = marked(SAME_NAME);
  const actions = serviceOver([file]).codeActions(file.document, {
    start: { line: 2, character: 3 },
    end: { line: 2, character: 3 },
  });
  const edits = actions.find(({ title }) => title === 'Change to wallet2')?.edit?.changes?.[file.document.uri] ?? [];
  const lines = edits.map(({ range, newText }) => `${range.start.line} ${newText}`);
  assert.deepEqual(lines, ['2 wallet2', '5 wallet2']);
  assert.deepEqual(failures, []);
});

test('a reference without a path has the colour of what it means', () => {
  const file = marked(
    '@v = 1\n### x\n# @name r\n{ "method": "getSlot", "params": ["{{v}}"] }\n### y\n{ "method": "getSlot", "params": ["{{r}}"] }',
  );
  const data = serviceOver([file]).semanticTokens(file.document);
  const types: string[] = [];
  let line = 0;
  for (let at = 0; at < data.length; at += 5) {
    line += data[at] ?? 0;
    if (line === 3 || line === 5) types.push(`${line} ${TOKEN_TYPES[data[at + 3] ?? 0]}`);
  }
  assert.deepEqual(types, ['3 method', '3 variable', '5 method', '5 function']);
});

for (const [wrong, near] of [
  ['ownr', 'owner'],
  ['frist.result', 'first'],
  ['$guuid', '$guid'],
] as const)
  test(`what is wrong with {{${wrong}}} says that ${near} may be meant, for readers of a log, too`, () => {
    const file = marked(
      `@owner = 1\n### x\n# @name first\n{ "method": "m", "params": ["{{owner}}"] }\n### y\n{ "method": "m", "params": ["{{${wrong}}}"] }`,
    );
    const [found] = serviceOver([file])
      .diagnostics(file.document)
      .filter(({ code }) => code === 'unresolved-variable');
    const message = typeof found?.message === 'string' ? found.message : '';
    assert.ok(message.endsWith(`Did you mean ${near}?`), message);
  });
