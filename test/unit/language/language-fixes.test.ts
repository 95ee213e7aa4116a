// Quick fixes: the text after each, and what none throws away.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CodeAction } from 'vscode-languageserver-types';
import { applyEdit, parseDocument } from '../../../core/requests/document/document';
import type { RequestDocument } from '../../../core/requests/document/model';
import { createLanguageService } from '../../../core/requests/language/service';
import { METHODS } from '../../../core/requests/methods';
import type { ObjectSpec } from '../../../core/requests/methods/types';
import { isJsonArray } from '../../../core/solana/json/json';
import { marked } from './markers';

const KEY = '9B5XszUGdMaxCZ7uSQhPzdks5ZQSmWxrmzCSvtJ6Ns6g';
const service = createLanguageService({ surroundings: () => ({}), log: (message) => assert.fail(message) });

/** The first member of options that takes a commitment, and what it takes. */
function commitmentOf({
  fields,
}: ObjectSpec): { readonly name: string; readonly levels: readonly string[] } | undefined {
  for (const { name, spec } of fields) if (spec.kind === 'commitment') return { name, levels: spec.values };
  return undefined;
}

function mended(source: string, title: RegExp): string {
  const document: RequestDocument = parseDocument('file:///a.jsonrpc', 1, source);
  const whole = { start: { line: 0, character: 0 }, end: { line: document.lines.length, character: 0 } };
  const action: CodeAction | undefined = service.codeActions(document, whole).find((one) => title.test(one.title));
  const edits = action?.edit?.changes?.['file:///a.jsonrpc'] ?? [];
  assert.ok(edits.length > 0, `no fix ${String(title)}`);
  // From the end, so that earlier positions stay.
  let result = document;
  for (const edit of edits.toReversed()) result = applyEdit(result, 2, edit.range, edit.newText);
  return result.lines.join('\n');
}

const MENDS: readonly (readonly [name: string, source: string, title: RegExp, expected: string])[] = [
  ['nearest method', '{ "method": "getSlt" }', /getSlot/, '{ "method": "getSlot" }'],
  [
    'replacement of a removed method',
    '{ "method": "getRecentBlockhash" }',
    /getLatestBlockhash/,
    '{ "method": "getLatestBlockhash" }',
  ],
  ['a comment with "#"', '{ "a": 1, # one\n# two\n"b": 2 }', /place of "#"/, '{ "a": 1, // one\n# two\n"b": 2 }'],
  ['every comment with "#"', '{ "a": 1, # one\n# two\n"b": 2 }', /every "#"/, '{ "a": 1, // one\n// two\n"b": 2 }'],
  ['an assertion inside', '{ "a": [\n?? result == 1\n] } // x\n', /behind/, '{ "a": [\n] } // x\n?? result == 1\n'],
  ['a redirect inside', '{ "a": [\n  >> ./a.json\n] }', /behind/, '{ "a": [\n] }\n>> ./a.json'],
  ['an open body', '{ "a": [{ "b": "[" // {\n?? result == 1', /Close/, '{ "a": [{ "b": "[" }] } // {\n?? result == 1'],
  [
    'a filter without its memcmp',
    `{ "method": "getProgramAccounts", "params": ["${KEY}", { "filters": [{ "offset": 32, "bytes": "${KEY}" }] }] }`,
    /^Wrap in memcmp$/,
    `{ "method": "getProgramAccounts", "params": ["${KEY}", { "filters": [{ "memcmp": { "offset": 32, "bytes": "${KEY}" } }] }] }`,
  ],
  ['comma', '{ "method": "getSlot", }', /comma/, '{ "method": "getSlot" }'],
  [
    'quotes',
    '@n = 1\n###\n{ "method": "getBlockTime", "params": [{{n}}] }',
    /quotes/,
    '@n = 1\n###\n{ "method": "getBlockTime", "params": ["{{n}}"] }',
  ],
  [
    'second body',
    '{ "method": "getSlot" }\n{ "method": "getSlot" }',
    /new request/,
    '{ "method": "getSlot" }\n###\n{ "method": "getSlot" }',
  ],
  ['second body on the line', '{ "method": "getSlot" } {}', /new request/, '{ "method": "getSlot" } \n\n###\n{}'],
  ['directive', '# @tiemout 5s\n{ "method": "getSlot" }', /timeout/, '# @timeout 5s\n{ "method": "getSlot" }'],
  [
    'by position',
    `{ "method": "getBalance", "params": { "config": {}, "pubkey": "${KEY}" } }`,
    /position/,
    `{ "method": "getBalance", "params": ["${KEY}", {}] }`,
  ],
  [
    'nearest member',
    `{ "method": "getBalance", "params": ["${KEY}", { "comitment": "confirmed" }] }`,
    /commitment/,
    `{ "method": "getBalance", "params": ["${KEY}", { "commitment": "confirmed" }] }`,
  ],
  ['member of the request', '{ "method": "getSlot", "parms": [] }', /params/, '{ "method": "getSlot", "params": [] }'],
  [
    'SWQoS settings',
    'SWQOS\n{ "method": "sendTransaction", "params": ["{{$memo a}}", { "encoding": "base64" }] }',
    /skipPreflight/,
    'SWQOS\n{ "method": "sendTransaction", "params": ["{{$memo a}}", { "encoding": "base64", "skipPreflight": true, "maxRetries": 0 }] }',
  ],
  [
    'encoding of a wallet transaction',
    '{ "method": "sendTransaction", "params": ["{{$memo a}}"] }',
    /base64/,
    '{ "method": "sendTransaction", "params": ["{{$memo a}}", { "encoding": "base64" }] }',
  ],
  ['missing params', '{ "method": "getBalance" }', /Add pubkey/, '{ "method": "getBalance", "params": ["pubkey"] }'],
  [
    'missing param',
    '{ "method": "getBalance", "params": [] }',
    /Add pubkey/,
    '{ "method": "getBalance", "params": ["pubkey"] }',
  ],
  [
    'versioned transactions',
    '{ "method": "getBlock", "params": [5, { "rewards": false }] }',
    /maxSupportedTransactionVersion/,
    '{ "method": "getBlock", "params": [5, { "rewards": false, "maxSupportedTransactionVersion": 1 }] }',
  ],
  ['a bare word in quotes', '{ "method": getSlot }', /quotes/, '{ "method": "getSlot" }'],
  ['a bare name of a member', '{ method: "getSlot" }', /quotes/, '{ "method": "getSlot" }'],
  [
    'an address without quotes',
    `{ "method": "getBalance", "params": [${KEY}] }`,
    /quotes/,
    `{ "method": "getBalance", "params": ["${KEY}"] }`,
  ],
  ['single quotes', `{ "method": 'getSlot' }`, /double/, '{ "method": "getSlot" }'],
  [
    'quotes with blanks',
    `{ "method": "getSlot", "id": 'a "b c' }`,
    /double/,
    '{ "method": "getSlot", "id": "a \\"b c" }',
  ],
  ['curly quotes', '{ “method”: "getSlot" }', /double/, '{ "method": "getSlot" }'],
  [
    'words of other languages',
    '{ "method": "getLargestAccounts", "params": [{ "sortResults": True }] }',
    /true/,
    '{ "method": "getLargestAccounts", "params": [{ "sortResults": true }] }',
  ],
  [
    'a variable at the top',
    '### a\n{ "method": "getBalance", "params": ["{{owner}}"] }',
    /Declare/,
    '@owner = \n\n### a\n{ "method": "getBalance", "params": ["{{owner}}"] }',
  ],
  [
    'a variable behind the others',
    '# Mine\n@a = 1\n\n### a\n{ "method": "getBalance", "params": ["{{owner}}"] }',
    /Declare/,
    '# Mine\n@a = 1\n@owner = \n\n### a\n{ "method": "getBalance", "params": ["{{owner}}"] }',
  ],
  [
    'a question for a variable',
    '### a\n{ "method": "getBalance", "params": ["{{owner}}"] }',
    /Ask for/,
    '### a\n# @prompt owner\n{ "method": "getBalance", "params": ["{{owner}}"] }',
  ],
  [
    'a near name',
    '@owner = 1\n### a\n{ "method": "getSlot", "id": "{{ownr}}" }',
    /owner/,
    '@owner = 1\n### a\n{ "method": "getSlot", "id": "{{owner}}" }',
  ],
  [
    'a config as an array',
    '{ "method": "getSlot", "params": { "commitment": "finalized" } }',
    /array/,
    '{ "method": "getSlot", "params": [{ "commitment": "finalized" }] }',
  ],
  [
    'a filter as a list',
    `{ "method": "getProgramAccounts", "params": ["${KEY}", { "filters": { "dataSize": 165 } }] }`,
    /array/,
    `{ "method": "getProgramAccounts", "params": ["${KEY}", { "filters": [{ "dataSize": 165 }] }] }`,
  ],
  [
    'an address as a list',
    `{ "method": "getMultipleAccounts", "params": ["${KEY}"] }`,
    /array/,
    `{ "method": "getMultipleAccounts", "params": [["${KEY}"]] }`,
  ],
  [
    'a parameter as an array',
    `{ "method": "getBalance", "params": "${KEY}" }`,
    /array/,
    `{ "method": "getBalance", "params": ["${KEY}"] }`,
  ],
  [
    'a list as its element',
    `{ "method": "getBalance", "params": [["${KEY}"]] }`,
    /out of the array/,
    `{ "method": "getBalance", "params": ["${KEY}"] }`,
  ],
  [
    'a commitment outside its object',
    `{ "method": "getBalance", "params": ["${KEY}", "confirmed"] }`,
    /commitment/,
    `{ "method": "getBalance", "params": ["${KEY}", {"commitment":"confirmed"}] }`,
  ],
  [
    'a commitment where an encoding may be',
    '{ "method": "getBlock", "params": [430, "confirmed"] }',
    /commitment/,
    '{ "method": "getBlock", "params": [430, {"commitment":"confirmed"}] }',
  ],
  [
    'nearest column of the rows',
    '# @foreach k in [{"kind":"a","k":1}]\n{ "method": "getBlockTime", "params": ["{{k.kknd}}"] }',
    /kind/,
    '# @foreach k in [{"kind":"a","k":1}]\n{ "method": "getBlockTime", "params": ["{{k.kind}}"] }',
  ],
  [
    'a range from its upper end',
    '{ "method": "getSlot" }\n?? result not between 1.5 SOL  5',
    /Exchange/,
    '{ "method": "getSlot" }\n?? result not between 5  1.5 SOL',
  ],
  [
    'parameters in an array within the array',
    `{ "method": "getBalance", "params": [["${KEY}", { "commitment": "confirmed" }]] }`,
    /out of the array/,
    `{ "method": "getBalance", "params": ["${KEY}", { "commitment": "confirmed" }] }`,
  ],
  [
    "parameters in each other's place",
    `{ "method": "getBalance", "params": [{ "commitment": "confirmed" }, "${KEY}"] }`,
    /Exchange/,
    `{ "method": "getBalance", "params": ["${KEY}", { "commitment": "confirmed" }] }`,
  ],
  [
    'nearest helper',
    '{ "method": "getBlockTime", "params": ["{{$randmInt 1 9}}"] }',
    /\$randomInt/,
    '{ "method": "getBlockTime", "params": ["{{$randomInt 1 9}}"] }',
  ],
  ['gRPC method', 'GRPC geyser.Geyser/Pin', /Ping/, 'GRPC geyser.Geyser/Ping'],
];

for (const [name, source, title, expected] of MENDS) {
  test(`quick fix: ${name}`, () => {
    assert.equal(mended(source, title), expected);
  });
}

test('a bare commitment becomes a member of the options, in every method that takes one', () => {
  let tried = 0;
  for (const { name, params, example } of METHODS) {
    const index = params.findIndex(({ spec }) => spec.kind === 'object' && commitmentOf(spec) !== undefined);
    const { spec } = params[index] ?? {};
    const member = spec?.kind === 'object' ? commitmentOf(spec) : undefined;
    if (member === undefined || !isJsonArray(example)) continue;
    const given = params.slice(0, index).map((_, at) => example[at] ?? null);
    for (const level of member.levels) {
      const source = JSON.stringify({ method: name, params: [...given, level] });
      const expected: string = JSON.stringify({ method: name, params: [...given, { [member.name]: level }] });
      assert.equal(mended(source, /"(?:preflightC|c)ommitment"/), expected);
      tried++;
    }
  }
  assert.ok(tried > 90, String(tried));
});

test('parameters that no position takes are not thrown away', () => {
  const { document } = marked('{ "method": "getBalance", "params": { "commitment": "finalized" } }');
  const whole = { start: { line: 0, character: 0 }, end: { line: 1, character: 0 } };
  const [found] = service.findings(document);
  assert.equal(found?.diagnostic.code, 'params-by-name');
  assert.deepEqual(found.fixes, []);
  assert.deepEqual(service.codeActions(document, whole, true), []);
});

test('a key in the file is moved by a command that is given its place, not its text', () => {
  const { document, ranges } = marked('POST\nAuthorization: ⟦Bearer abc⟧\n\n{ "method": "getSlot" }');
  const [range] = ranges;
  assert.ok(range);
  const [action] = service.codeActions(document, range);
  assert.equal(action?.command?.command, 'solanaRpc.moveSecret');
  const line = { start: { line: 1, character: 0 }, end: { line: 2, character: 0 } };
  assert.deepEqual(action.command.arguments, [document.uri, range, [{ range: line, newText: '' }]]);
});
