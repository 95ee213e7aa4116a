// Messages of gRPC calls against their descriptors: every form that proto3 JSON allows is valid, every other is marked.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GEYSER_CALLS } from '../../../core/requests/document/call';
import { fieldDoc, valueDoc } from '../../../core/requests/grpc/messageDocs';
import { createLanguageService } from '../../../core/requests/language/service';
import { requestOf, type MessageDescription } from '../../../proto/requests';
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

/** Advice on messages that a server takes, but that yield nothing or everything. */
const ADVICE: ReadonlySet<string> = new Set(['empty-subscription', 'unbounded-scan']);

for (const [method, body] of VALID)
  test(`${method} takes ${body}`, () => {
    const codes = service.diagnostics(marked(`${LINE}${method}\n${body}`).document).map(({ code }) => code);
    assert.deepEqual(
      codes.filter((code) => code !== 'unresolved-variable' && !ADVICE.has(String(code))),
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
  assert.deepEqual(labels('{ "slots": { "‸" } }'), ['name']);
  assert.deepEqual(labels('{ "commitment": "‸" }'), ['PROCESSED', 'CONFIRMED', 'FINALIZED']);
  const { document, cursor } = marked(`${LINE}Subscribe\n{ "from‸Slot": 1 }`);
  assert.match(JSON.stringify(service.hover(document, cursor)), /uint64/);
});

const items = (body: string) => {
  const { document, cursor } = marked(`${LINE}Subscribe\n${body}`);
  return service.completion(document, cursor);
};
const hover = (body: string): string => {
  const { document, cursor } = marked(`${LINE}Subscribe\n${body}`);
  return JSON.stringify(service.hover(document, cursor)?.contents ?? '');
};

test('every field of every request is explained, and so is every value of a closed set', () => {
  const seen = new Set<MessageDescription>();
  const missing: string[] = [];
  const look = (message: MessageDescription): void => {
    if (seen.has(message)) return;
    seen.add(message);
    for (const { name, type } of message.fields) {
      if (fieldDoc(message.name, name) === undefined) missing.push(`${message.name}.${name}`);
      if (type.kind === 'message' && type.description !== undefined) look(type.description);
      if (type.kind !== 'enum') continue;
      const { name: set, values } = type.description;
      missing.push(
        ...values.flatMap((value) => (valueDoc(set, value.name) === undefined ? [`${set}.${value.name}`] : [])),
      );
    }
  };
  for (const method of GEYSER_CALLS.keys()) {
    const request = requestOf(method);
    assert.ok(request !== undefined, method);
    look(request);
  }
  assert.ok(seen.size >= 15);
  assert.deepEqual(missing, []);
});

const FILTER_FIELDS = [
  ['accounts', ['account', 'owner', 'filters', 'nonemptyTxnSignature', 'cuckooAccountsFilter']],
  ['slots', ['filterByCommitment', 'interslotUpdates']],
  ['entry', ['includeUpdateParent']],
  ['blockFooter', ['includeCertificates']],
  ['blocks', ['accountInclude', 'includeTransactions', 'includeAccounts', 'includeEntries', 'cuckooAccountInclude']],
  [
    'transactions',
    [
      'vote',
      'failed',
      'accountInclude',
      'accountExclude',
      'signature',
      'accountRequired',
      'cuckooAccountInclude',
      'tokenAccounts',
      'matchMints',
    ],
  ],
] as const;
for (const [map, fields] of FILTER_FIELDS)
  test(`fields of a filter of ${map} are offered with what they mean, and hover says the same`, () => {
    const offered = items(`{ "${map}": { "mine": { "‸" } } }`);
    assert.deepEqual(
      offered.map(({ label }) => label),
      fields,
    );
    for (const { label, documentation } of offered) {
      assert.ok(typeof documentation === 'object' && documentation.value.length > 10, label);
      assert.ok(hover(`{ "${map}": { "mine": { "${label}‸": 1 } } }`).includes(documentation.value), label);
    }
  });

test('a field is offered in one spelling only, and not if it excludes a field that is present', () => {
  const labels = (body: string): string[] => items(body).map(({ label }) => label);
  assert.ok(!labels('{ "blocks": { "b": { "account_include": [], "‸" } } }').includes('accountInclude'));
  assert.deepEqual(labels('{ "accounts": { "a": { "filters": [{ "datasize": 1, "‸" }] } } }'), []);
  assert.deepEqual(labels('{ "accounts": { "a": { "filters": [{ "lamports": { "‸gt": 1 } }] } } }').sort(), [
    'eq',
    'gt',
    'lt',
    'ne',
  ]);
});

test('the name of a filter is the writer’s to choose, and is said to be', () => {
  const [name, ...others] = items('{ "blocksMeta": { ‸ } }');
  assert.deepEqual([name?.textEdit?.newText, others.length], ['"${1:name}": {}', 0]);
  assert.match(hover('{ "slots": { "mi‸ne": {} } }'), /name of your choice/);
});

test('known addresses are offered where accounts are listed, and programs alone as owners', () => {
  const names = (body: string): string[] => items(body).map(({ label }) => label);
  const included = names('{ "transactions": { "t": { "accountInclude": ["‸"] } } }');
  assert.ok(included.includes('SPL Token Program') && included.includes('Bonk'));
  const owners = names('{ "accounts": { "a": { "owner": [‸] } } }');
  assert.ok(owners.includes('SPL Token Program') && !owners.includes('Bonk'));
  assert.deepEqual(names('{ "transactions": { "t": { "signature": "‸" } } }'), []);
});

test('account filters are offered by kind of account, for the owner next to them, as gRPC writes them', () => {
  const TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
  const offered = items(`{ "accounts": { "a": { "owner": ["${TOKEN}"], "filters": [‸] } } }`);
  const owned = offered.find(({ label }) => label === 'Token accounts of an owner');
  assert.equal(owned?.textEdit?.newText, '{ "datasize": 165 }, { "memcmp": { "offset": 32, "base58": "${1:owner}" } }');
  assert.ok(!offered.some(({ label }) => label.startsWith('Stake')));
  const body = `{ "accounts": { "a": { "filters": [${owned?.textEdit?.newText.replace(/\$\{1:owner\}/, KEY) ?? ''}] } } }`;
  assert.deepEqual(service.diagnostics(marked(`${LINE}Subscribe\n${body}`).document), []);
});

test('values of closed sets are offered with what they mean', () => {
  const offered = items('{ "transactions": { "t": { "tokenAccounts": "‸" } } }');
  assert.deepEqual(
    offered.map(({ label, documentation }) => [label, typeof documentation]),
    [
      ['ALL', 'object'],
      ['BALANCE_CHANGED', 'object'],
    ],
  );
  assert.match(
    hover('{ "commitment": "CONFIRMED‸" }'),
    /same moment as FINALIZED. Before Alpenglow: two thirds of the stake/,
  );
});
