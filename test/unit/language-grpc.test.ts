// Messages of gRPC calls against their descriptors: every form that proto3 JSON allows is valid, every other is marked.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLanguageService } from '../../core/language/service';
import { marked } from './markers';

const failures: string[] = [];
const service = createLanguageService({ surroundings: () => ({}), log: (message) => failures.push(message) });
const KEY = '9B5XszUGdMaxCZ7uSQhPzdks5ZQSmWxrmzCSvtJ6Ns6g';
const LINE = 'GRPC geyser.Geyser/';

const VALID: readonly (readonly [method: string, body: string])[] = [
  ['Subscribe', '{}'],
  ['Subscribe', '{ "slots": { "all": { "filterByCommitment": true } }, "commitment": "CONFIRMED" }'],
  [
    'Subscribe',
    '{ "slots": { "all": { "filter_by_commitment": false, "interslot_updates": null } }, "commitment": 2 }',
  ],
  ['Subscribe', '{ "accounts": {}, "fromSlot": "18446744073709551615", "ping": { "id": -1 } }'],
  ['Subscribe', '{ "from_slot": 18446744073709551615, "blocksMeta": { "b": {} }, "entry": { "e": {} } }'],
  ['Subscribe', '{ "accountsDataSlice": [{ "offset": 0, "length": "32" }], "fromSlot": null }'],
  ['Subscribe', `{ "accounts": { "a": { "account": ["${KEY}", "{{wallet}}"], "owner": [] } } }`],
  [
    'Subscribe',
    '{ "accounts": { "a": { "filters": [{ "datasize": 165 }, { "memcmp": { "offset": 0, "bytes": "AQI" } }] } } }',
  ],
  [
    'Subscribe',
    '{ "accounts": { "a": { "filters": [{ "tokenAccountState": true }, { "lamports": { "gt": "5" } }] } } }',
  ],
  ['Subscribe', '{ "transactions": { "t": { "vote": false, "accountInclude": [] } }, "transactionsStatus": {} }'],
  ['Subscribe', '{ "{{field}}": {}, "commitment": "{{level}}" }'],
  ['Ping', '{ "count": 1 }'],
  ['GetSlot', '{ "commitment": "FINALIZED" }'],
  ['GetVersion', '{}'],
  ['IsBlockhashValid', `{ "blockhash": "${KEY}" }`],
];

for (const [method, body] of VALID)
  test(`${method} takes ${body}`, () => {
    const codes = service.diagnostics(marked(`${LINE}${method}\n${body}`).document).map(({ code }) => code);
    assert.deepEqual(
      codes.filter((code) => code !== 'unresolved-variable'),
      [],
    );
  });

const FAULTY: readonly (readonly [code: string, method: string, body: string])[] = [
  ['unknown-field', 'Subscribe', '{ ⟦"slot"⟧: {} }'],
  ['unknown-field', 'Subscribe', '{ "slots": { "all": { ⟦"filterByCommitmet"⟧: true } } }'],
  ['unknown-field', 'GetVersion', '{ ⟦"commitment"⟧: 1 }'],
  ['enum-value', 'Subscribe', '{ "commitment": ⟦"confirmed"⟧ }'],
  ['enum-value', 'Subscribe', '{ "commitment": ⟦7⟧ }'],
  ['wrong-type', 'Subscribe', '{ "slots": ⟦[]⟧ }'],
  ['wrong-type', 'Subscribe', '{ "slots": { "a": { "filterByCommitment": ⟦"true"⟧ } } }'],
  ['wrong-type', 'Subscribe', '{ "fromSlot": ⟦1.5⟧ }'],
  ['wrong-type', 'Subscribe', '{ "fromSlot": ⟦"x"⟧ }'],
  ['wrong-type', 'Subscribe', '{ "accountsDataSlice": ⟦{}⟧ }'],
  ['out-of-range', 'Subscribe', '{ "fromSlot": ⟦18446744073709551616⟧ }'],
  ['out-of-range', 'Subscribe', '{ "fromSlot": ⟦"-1"⟧ }'],
  ['out-of-range', 'Ping', '{ "count": ⟦2147483648⟧ }'],
  ['not-base64', 'Subscribe', '{ "accounts": { "a": { "filters": [{ "memcmp": { "bytes": ⟦"*"⟧ } }] } } }'],
  ['not-base58', 'Subscribe', '{ "accounts": { "a": { "account": [⟦"0OIl"⟧] } } }'],
  ['wrong-length', 'IsBlockhashValid', '{ "blockhash": ⟦"abc"⟧ }'],
  [
    'conflicting-fields',
    'Subscribe',
    '{ "accounts": { "a": { "filters": [{ "datasize": 1, ⟦"tokenAccountState"⟧: true }] } } }',
  ],
  [
    'conflicting-fields',
    'Subscribe',
    '{ "accounts": { "a": { "filters": [{ "lamports": { "eq": 1, ⟦"ne"⟧: 2 } }] } } }',
  ],
];

for (const [code, method, body] of FAULTY)
  test(`${code} in ${method}: ${body}`, () => {
    const { document, ranges } = marked(`${LINE}${method}\n${body}`);
    const found = service.diagnostics(document);
    assert.deepEqual(
      found.map((item) => [item.code, item.severity, item.range]),
      [[code, 1, ranges[0]]],
    );
    assert.deepEqual(failures, []);
  });

test('a near name is offered as a fix', () => {
  const { document, ranges } = marked(`${LINE}Subscribe\n{ ⟦"slot"⟧: {} }`);
  const [range] = ranges;
  assert.ok(range !== undefined);
  assert.ok(service.codeActions(document, range).some(({ title }) => title.includes('slots')));
});

test('fields and values of a message are offered and explained', () => {
  const labels = (source: string): string[] => {
    const { document, cursor } = marked(`${LINE}Subscribe\n${source}`);
    return service.completion(document, cursor).map(({ label }) => label);
  };
  assert.ok(labels('{ "‸" }').includes('fromSlot'));
  assert.deepEqual(labels('{ "slots": { "all": { "‸" } } }'), ['filterByCommitment', 'interslotUpdates']);
  assert.deepEqual(labels('{ "slots": { "‸" } }'), []);
  assert.deepEqual(labels('{ "commitment": "‸" }'), ['PROCESSED', 'CONFIRMED', 'FINALIZED']);
  const { document, cursor } = marked(`${LINE}Subscribe\n{ "from‸Slot": 1 }`);
  assert.match(JSON.stringify(service.hover(document, cursor)), /uint64/);
});
