// Paths behind a request's name and the values of references: from what the method answers, and from the last answer.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Hover } from 'vscode-languageserver-types';
import { applyEdit } from '../../../core/requests/document/document';
import type { AnswersPort } from '../../../core/requests/language/answers';
import { createLanguageService } from '../../../core/requests/language/service';
import { METHODS } from '../../../core/requests/methods';
import { EXAMPLE } from '../../../core/requests/methods/records/shared';
import { resultShapeOf, type ResultShape } from '../../../core/requests/methods/resultShape';
import { blockhashOf } from '../../../core/solana/wire/transactionText';
import { answerOf } from '../../../core/requests/document/variables/answer';
import { parseJson } from '../../../core/solana/json/json';
import { marked } from './markers';

/** A service that knows one last answer of the request `r`. */
function serviceWith(answer: string | undefined, isBatch = false): ReturnType<typeof createLanguageService> {
  const known =
    answer === undefined ? undefined : answerOf({ body: parseJson(answer), durationMs: 1, headers: [], isBatch });
  const answers: AnswersPort = {
    lastAnswer: (_, name) => (name === 'r' ? known : undefined),
    expired: () => new Set(),
    release: () => undefined,
  };
  return createLanguageService({ surroundings: () => ({}), answers, log: (message) => assert.fail(message) });
}

const source = (call: string, use: string): string => `### a\n# @name r\n${call}\n### b\n${use}`;
const inBody = (reference: string): string => `{ "method": "getSlot", "id": "{{${reference}}}" }`;

function offers(call: string, reference: string, answer?: string, isBatch?: boolean): string[] {
  const { document, cursor } = marked(source(call, inBody(reference)));
  return serviceWith(answer, isBatch)
    .completion(document, cursor)
    .map(({ label }) => label);
}

function completed(call: string, reference: string, label: string): string {
  const { document, cursor } = marked(source(call, inBody(reference)));
  const edit = serviceWith(undefined)
    .completion(document, cursor)
    .find((item) => item.label === label)?.textEdit;
  assert.ok(edit !== undefined && 'range' in edit, `${label} is not offered`);
  const line = applyEdit(document, 2, edit.range, edit.newText).lines.at(-1) ?? '';
  return /\{\{(.*?)\}\}/.exec(line)?.[1] ?? line;
}

function hover(reference: string, answer: string): string {
  const { document, cursor } = marked(source('{ "method": "getSlot" }', inBody(reference)));
  const contents: Hover['contents'] = serviceWith(answer).hover(document, cursor)?.contents ?? '';
  return typeof contents === 'object' && 'value' in contents ? contents.value : '';
}

const BLOCKHASH = '{ "method": "getLatestBlockhash" }';

test('the members of a response are offered behind the name of its request', () => {
  assert.deepEqual(offers(BLOCKHASH, 'r.‸'), ['result', 'id', 'error']);
  assert.deepEqual(offers(BLOCKHASH, 'r.result.‸'), ['context', 'value']);
  assert.deepEqual(offers(BLOCKHASH, ' r.result.value.‸'), ['blockhash', 'lastValidBlockHeight']);
  assert.deepEqual(offers(BLOCKHASH, 'r.response.body.$.result.‸'), ['context', 'value']);
  assert.deepEqual(offers(BLOCKHASH, 'r.error.‸'), ['code', 'message', 'data']);
  assert.deepEqual(offers(BLOCKHASH, 'r.result.nothing.‸'), []);
  assert.deepEqual(offers(BLOCKHASH, 'nobody.‸'), []);
});

test('a chosen step takes the place of what was begun', () => {
  assert.equal(completed(BLOCKHASH, 'r.result.val‸', 'value'), 'r.result.value');
  assert.equal(completed('{ "method": "getVersion" }', 'r.result.‸', "['solana-core']"), "r.result['solana-core']");
  assert.equal(completed('{ "method": "getVersion" }', 'r.result[‸', "['solana-core']"), "r.result['solana-core']");
  const accounts = '{ "method": "getTokenAccountsByOwner" }';
  assert.equal(completed(accounts, 'r.result.value.‸', '[0]'), 'r.result.value[0]');
  assert.deepEqual(offers(accounts, 'r.result.value[0].‸'), ['pubkey', 'account']);
});

test('a subscription has messages, a batch is read by its ids', () => {
  const subscribe = '{ "method": "slotSubscribe" }';
  assert.ok(offers(subscribe, 'r.‸').includes('messages'));
  assert.deepEqual(offers(subscribe, 'r.messages[0].‸'), ['slot', 'parent', 'root']);
  const batch = '[{ "id": 1, "method": "getSlot" }, { "id": "two", "method": "getLatestBlockhash" }]';
  assert.deepEqual(offers(batch, 'r[‸'), ['[1]', "['two']"]);
  assert.deepEqual(offers(batch, 'r[two].result.‸'), ['context', 'value']);
});

test('the last answer is offered with its values, before what its method may answer', () => {
  const answer = '{"result":{"context":{"slot":18446744073709551615},"value":[{"a-b":1},2]}}';
  assert.deepEqual(offers(BLOCKHASH, 'r.result.value‸', answer), ['context', 'value']);
  assert.deepEqual(offers(BLOCKHASH, 'r.result.value.‸', answer), ['[0]', '[1]', 'blockhash', 'lastValidBlockHeight']);
  assert.deepEqual(offers(BLOCKHASH, 'r.result.value[0].‸', answer), ["['a-b']"]);
  assert.deepEqual(offers('[{ "id": 1, "method": "getSlot" }]', 'r[1].‸', '[{"id":1,"result":7}]', true), [
    'id',
    'result',
    'error',
  ]);
  const { document, cursor } = marked(source(BLOCKHASH, inBody('r.result.context.‸')));
  assert.equal(serviceWith(answer).completion(document, cursor)[0]?.detail, '18446744073709551615');
});

test('a reference shows its value of the last answer, digits and all', () => {
  assert.match(hover('r.res‸ult', '{"result":18446744073709551615}'), /18446744073709551615/);
  assert.doesNotMatch(hover('r.error.co‸de', '{"result":5}'), /last answer/);
});

test('names that objects have by birth are plain data', () => {
  assert.deepEqual(offers(BLOCKHASH, 'r.__proto__.‸'), []);
  assert.deepEqual(offers(BLOCKHASH, 'r.constructor.‸', '{"constructor":{"__proto__":{"x":1}}}'), ['__proto__']);
  assert.deepEqual(offers(BLOCKHASH, 'r.constructor.__proto__.‸', '{"constructor":{"__proto__":{"x":1}}}'), ['x']);
  assert.match(hover('r.__proto__‸', '{"__proto__":7}'), /7/);
});

/** The members a shape shows, through any list. */
function membersOf(shape: ResultShape): string[] {
  if (shape.kind === 'list') return ['[]', ...membersOf(shape.item)];
  return shape.kind === 'object' ? [...shape.members.keys()] : [];
}

test('the short forms of results are read', () => {
  const rows: readonly (readonly [text: string, members: readonly string[]])[] = [
    ['u64', []],
    ['{ slot, prioritizationFee }[]; micro-lamports per compute unit', ['[]', 'slot', 'prioritizationFee']],
    ['({ epoch, amount } | null)[]', ['[]', 'epoch', 'amount']],
    ['{ [pubkey]: number[] } | null', []],
    ['{ commitment: u64[32] | null, totalStake }', ['commitment', 'totalStake']],
    ['{ slot, timestamp (ms), parent?, … }', ['slot', 'timestamp', 'parent']],
    ['null | { a }', ['a']],
  ];
  for (const [text, members] of rows) assert.deepEqual(membersOf(resultShapeOf(text)), members, text);
});

test('no text of a result makes the reader fail', () => {
  const texts = [
    ...METHODS.map(({ result }) => result),
    '',
    '{',
    '[',
    '(',
    '}',
    '{ a: ',
    '{ [x]: { b } }',
    '| |',
    '::',
  ];
  for (const text of texts) for (let end = 0; end <= text.length; end++) resultShapeOf(text.slice(0, end));
});

const BLOCKHASH_OF_EXAMPLE = blockhashOf(EXAMPLE.transaction) ?? '';
const send = (config: string): string =>
  `"method": "sendTransaction", "params": [⟦"${EXAMPLE.transaction}"⟧, ${config}]`;

test('a transaction whose blockhash is known to have expired is said to be too old, at its text', () => {
  const expired = new Set([BLOCKHASH_OF_EXAMPLE]);
  const service = createLanguageService({
    surroundings: () => ({}),
    answers: { lastAnswer: () => undefined, expired: () => expired, release: () => undefined },
    log: (message) => assert.fail(message),
  });
  const { document, ranges } = marked(`### a\n{ "method": "getSlot" }\n### b\n{ ${send('{ "encoding": "base64" }')} }`);
  const found = service.diagnostics(document);
  assert.deepEqual(
    found.map(({ code, range }) => ({ code, range })),
    [{ code: 'blockhash-expired', range: ranges[0] }],
  );
  const variable = marked(
    `@tx = ${EXAMPLE.transaction}\n### b\n{ "method": "sendTransaction", "params": ["{{tx}}", { "encoding": "base64" }] }`,
  );
  assert.equal(service.diagnostics(variable.document).length, 1);
  expired.clear();
  assert.deepEqual(service.diagnostics(document), []);
});

test('a simulation that takes a fresh blockhash does not mind an old one', () => {
  const service = createLanguageService({
    surroundings: () => ({}),
    answers: { lastAnswer: () => undefined, expired: () => new Set([BLOCKHASH_OF_EXAMPLE]), release: () => undefined },
    log: (message) => assert.fail(message),
  });
  const call = (config: string): string =>
    `### a\n{ "method": "simulateTransaction", "params": ["${EXAMPLE.transaction}", { "encoding": "base64"${config} }] }`;
  assert.equal(service.diagnostics(marked(call('')).document).length, 1);
  assert.deepEqual(service.diagnostics(marked(call(', "replaceRecentBlockhash": true')).document), []);
});
