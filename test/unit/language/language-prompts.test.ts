// A value typed for a `@prompt` is checked by the parameter that it fills.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseDocument } from '../../../core/requests/document/document';
import { createLanguageService } from '../../../core/requests/language/service';
import { MethodTable } from '../../../core/requests/methods';
import { readOpenRpc } from '../../../core/requests/methods/openrpc';

const KEY = '9B5XszUGdMaxCZ7uSQhPzdks5ZQSmWxrmzCSvtJ6Ns6g';
const service = createLanguageService({ surroundings: () => ({}), log: (message) => assert.fail(message) });

const open = (body: string): ReturnType<typeof parseDocument> =>
  parseDocument('file:///project/a.jsonrpc', 1, `### a\n# @prompt x\n${body}\n`);
const fault = (body: string, text: string): string | undefined => service.promptFault(open(body), 'x', text);

const BALANCE = '{ "method": "getBalance", "params": ["{{x}}", { "commitment": "confirmed" }] }';
const SLOT = '{ "method": "getBlockTime", "params": ["{{x}}"] }';

test('a value that its parameter does not take is refused with the reason, and a valid one is accepted', () => {
  assert.match(fault(BALANCE, 'abc') ?? '', /32 bytes/);
  assert.match(fault(BALANCE, 'l0O') ?? '', /base58/);
  assert.equal(fault(BALANCE, KEY), undefined);
  assert.match(fault(SLOT, '-5') ?? '', /out of range/);
  assert.match(fault(SLOT, '1.5') ?? '', /integer/);
  assert.match(fault(SLOT, 'soon') ?? '', /integer/);
  assert.equal(fault(SLOT, '18446744073709551615'), undefined);
  assert.match(fault('{ "method": "getSlot", "params": [{ "commitment": "{{x}}" }] }', 'final') ?? '', /finalized/);
});

test('what is wrong elsewhere is not said of the value', () => {
  assert.equal(fault('{ "method": "getBalance", "params": ["{{x}}", { "commitment": "final" }] }', KEY), undefined);
  assert.equal(fault('{ "method": "getBlance", "params": ["{{x}}"] }', 'abc'), undefined);
  assert.equal(fault('{ "method": "getBalance", "params": ["{{x}}"', 'abc'), undefined);
  assert.equal(service.promptFault(open(BALANCE), 'other', 'abc'), undefined);
  // Inside a text the value is a part of it.
  assert.equal(fault('{ "method": "getSlot", "id": "a-{{x}}" }', '…'), undefined);
});

test('a batch, a variable that holds the value, and a gRPC message are looked through', () => {
  assert.match(fault(`[{ "id": 1, "method": "getBalance", "params": ["{{x}}"] }]`, 'abc') ?? '', /32 bytes/);
  const message = 'GRPC geyser.Geyser/Subscribe\n{ "slots": { "all": { "filterByCommitment": "{{x}}" } } }';
  assert.match(fault(message, '5') ?? '', /boolean|true/);
});

test('the question shows the description of its parameter without the marks of Markdown', () => {
  const said = 'In *lamports*, `a_b` or [x](command:y) \\ {{z}}';
  const schema = { type: 'string', description: said };
  const document = JSON.stringify({ openrpc: '1.0.0', methods: [{ name: 'm', params: [{ name: 'p', schema }] }] });
  const methods = new MethodTable(readOpenRpc(document, 'x').methods);
  const custom = createLanguageService({ surroundings: () => ({ methods }), log: (message) => assert.fail(message) });
  const hint = custom.promptHint(open('{ "method": "m", "params": ["{{x}}"] }'), 'x');
  assert.equal(hint, `p (string): ${said}`);
  const encoding = '{ "method": "getBlock", "params": [1, { "rewards": "{{x}}" }] }';
  assert.doesNotMatch(service.promptHint(open(encoding), 'x') ?? '`', /`/);
});

test('the question says which parameter it fills', () => {
  assert.match(service.promptHint(open(BALANCE), 'x') ?? '', /^pubkey \(public key\): /);
  assert.equal(service.promptHint(open('{ "method": "getSlot", "id": "{{x}}" }'), 'x'), undefined);
});
