// Diagnostics of single blocks: each at its position, to the code unit, and near misses that must stay silent. That every
// code is shown somewhere is checked on the corpus (corpus-faulty.test.ts).
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { rangeOf } from '../../../../core/requests/document/lines';
import { parseDocument } from '../../../../core/requests/document/document';
import type { RequestDocument } from '../../../../core/requests/document/model';
import type { Code } from '../../../../core/requests/diagnostics/codes';
import { diagnose } from '../../../../core/requests/checks/diagnostics';
import type { FilesPort } from '../../../../core/requests/checks/analysis';
import { marked } from '../markers';

const KEY = '9B5XszUGdMaxCZ7uSQhPzdks5ZQSmWxrmzCSvtJ6Ns6g';
const files: FilesPort = {
  rows: (path) => (path.startsWith('./missing') ? { ok: false, reason: 'It is not there.' } : undefined),
  whyNotRead: (path) => (path.startsWith('./missing') ? 'It is not there.' : undefined),
  whyNotSaved: (path) => (path.startsWith('../') ? 'It is outside.' : undefined),
};
const shared = parseDocument(
  'file:///project/shared.jsonrpc',
  0,
  `@mint = ${KEY}\n### \n# @name remote\n{"method":"getSlot"}`,
);
const imports = {
  documentOf: (path: string): RequestDocument | undefined => (path === './shared.jsonrpc' ? shared : undefined),
};

function found(document: RequestDocument): string[] {
  return diagnose({ document, surroundings: { imports, endpoints: ['mainnet'] }, files }).map(({ placed, problem }) => {
    const { start, end } = rangeOf(placed, problem.span);
    return `${problem.code} ${start.line}:${start.character}-${end.line}:${end.character}`;
  });
}

function expected(code: Code, source: string): string[] {
  return marked(source).ranges.map(
    ({ start, end }) => `${code} ${start.line}:${start.character}-${end.line}:${end.character}`,
  );
}

/** One text per line of the table: the code, a text whose marked ranges are all that is found. */
const FAULTS: readonly (readonly [Code, string])[] = [
  ['json-syntax', '{ "method": ⟦getSlot⟧ }'],
  ['json-syntax', '{ "method": "getSlot" ⟦"id"⟧: 1 }'],
  ['json-syntax', '{ "method": ⟦"getSlot }⟧\n'],
  ['json-syntax', '{ "method": "getSlot"\n⟦??⟧ result > 1'],
  ['json-syntax', '{ "method": "getSlot",\n⟦#⟧ a comment of the wrong kind\n"id": 1 }'],
  ['json-syntax', '{ "method": "getSlot", "params": [1⟦}⟧ '],
  ['json-syntax', '### a\n{ "method": "getSlot"⟦⟧\n### b\n{ "method": "getSlot" }'],
  ['json-syntax', '{ "method": "getSlot", "id": ⟦01⟧ }'],
  ['json-syntax', '{ "method": ⟦"\\q"⟧ }'],
  ['json-syntax', '{ "method": "getSlot",⟦,⟧ "id": 1 }'],
  ['second-body', '{ "method": "getSlot" }\n⟦{ "method": "getSlot" }⟧'],
  ['second-body', '{ "method": "getSlot" } ⟦[1]⟧'],
  ['stray-text', '⟦GET https://example.com⟧'],
  ['stray-text', '⟦{ "method": "getSlot" }⟧\n### a\n{ "method": "getSlot" }'],
  ['stray-text', '{ "method": "getSlot" }\n⟦hello⟧'],
  ['stray-text', '### a\n⟦GRPC⟧\n{}'],
  ['stray-text', 'POST https://example.com ⟦HTTP/1.1⟧\n\n{ "method": "getSlot" }'],
  ['stray-text', '{ "method": "getSlot" }\n⟦@x = 1⟧'],
  ['bad-directive', '# ⟦@timeout soon⟧\n{ "method": "getSlot" }'],
  ['bad-directive', '### a\n# ⟦@until 3 messages⟧\n{ "method": "getSlot" }'],
  ['bad-directive', '# ⟦@name a⟧\n### b\n{ "method": "getSlot" }'],
  ['bad-directive', '### b\n//  ⟦@  import ./shared.jsonrpc⟧\n{ "method": "getSlot" }'],
  ['bad-directive', '# ⟦@retry 0 every 1s⟧\n{ "method": "getSlot" }'],
  ['bad-directive', '# ⟦@retry 3 every 1s while result ~ 1⟧\n{ "method": "getSlot" }'],
  ['bad-directive', '# ⟦@name 1a⟧\n{ "method": "getSlot" }'],
  ['bad-directive', '# ⟦@capture slot result⟧\n{ "method": "getSlot" }'],
  ['bad-directive', '### a\n# ⟦@if result == 1⟧ 2\n{ "method": "getSlot" }'.replace('⟧ 2', ' 2⟧')],
  ['unresolved-variable', '### a\n# @foreach row in ⟦./missing.csv⟧\n{ "method": "getSlot" }'],
  ['unresolved-variable', '### a\n# @if ⟦nobody.result⟧ == 1\n{ "method": "getSlot" }'],
  ['unknown-path', '### a\n# @name a\n{ "method": "getSlot" }\n### b\n# @if ⟦a.reslt⟧ == 1\n{ "method": "getSlot" }'],
  [
    'duplicate-variable',
    '@x = 1\n@⟦x⟧ = 2\n### a\n{ "method": "getBlock", "params": ["{{x}}", { "maxSupportedTransactionVersion": 1 }] }',
  ],
  [
    'duplicate-variable',
    '### a\n# @capture x = result\n{ "method": "getSlot" }\n### b\n# @capture ⟦x⟧ = result\n{ "method": "getSlot" }',
  ],
  ['bad-directive', '### a\n# ⟦@silence⟧\n{ "method": "getSlot" }'],
  ['unknown-path', '# @capture slot = ⟦reslt⟧\n{ "method": "getSlot" }'],
  [
    'reference-cycle',
    '# @capture slot = result\n{ "method": "getBlock", "params": ["⟦{{slot}}⟧", { "maxSupportedTransactionVersion": 1 }] }',
  ],
  [
    'unresolved-variable',
    '@x = 5\n### a\n{ "method": "getBlock", "params": ["{{= x * ⟦y⟧ }}", { "maxSupportedTransactionVersion": 1 }] }',
  ],
  [
    'unresolved-variable',
    '@x = 5\n### a\n{ "method": "getBlock", "params": ["⟦{{= x / 0 }}⟧", { "maxSupportedTransactionVersion": 1 }] }',
  ],
  [
    'unresolved-variable',
    '{ "method": "getBlock", "params": ["{{⟦nobody.result⟧ else 5}}", { "maxSupportedTransactionVersion": 1 }] }',
  ],
  [
    'wrong-type',
    '@x = 5\n### a\n{ "method": "getBlock", "params": [⟦"{{= x / 2 }}"⟧, { "maxSupportedTransactionVersion": 1 }] }',
  ],
  ['secret-in-file', 'POST https://example.com\nauthorization: ⟦{{token else abc}}⟧\n\n{ "method": "getSlot" }'],
  ['bad-assertion', '{ "method": "getSlot" }\n⟦?? result = 1⟧'],
  ['bad-assertion', '{ "method": "getSlot" }\n⟦?? result == abc⟧'],
  ['bad-assertion', '{ "method": "getSlot" }\n⟦?? result exists 1⟧'],
  ['bad-assertion', '{ "method": "getSlot" }\n⟦?? duration < 500⟧'],
  ['bad-assertion', '{ "method": "getSlot" }\n⟦?? result matches "("⟧'],
  ['bad-redirect', '{ "method": "getSlot" }\n⟦>>⟧'],
  ['bad-redirect', '{ "method": "getSlot" }\n⟦>> ../slot.json⟧'],
  ['bad-redirect', '### a\n# @name a\n{ "method": "getSlot" }\n>> slot-⟦{{a.result}}⟧.json'],
  ['reference-cycle', '@slot = ⟦{{a.result}}⟧\n### a\n# @name a\n{ "method": "getSlot" }\n>> ⟦{{slot}}⟧.json'],
  ['import-failed', '# ⟦@import ./other.jsonrpc⟧\n### a\n{ "method": "getSlot" }'],
  ['unknown-directive', '# ⟦@tiemout 5s⟧\n{ "method": "getSlot" }'],
  ['trailing-comma', '{ "method": "getSlot"⟦,⟧ }'],
  ['trailing-comma', '{ "method": "getSlot", "params": [{}⟦,⟧ /* all */]⟦,⟧ // end\n }'],
  ['bare-variable', '@w = 5\n### a\n{ "method": "getBlockTime", "params": [⟦{{w}}⟧] }'],
  ['duplicate-name', '### a\n# @name x\n{ "method": "getSlot" }\n### b\n# ⟦@name x⟧\n{ "method": "getSlot" }'],
  ['ambiguous-name', `@w = ${KEY}\n### a\n# ⟦@name w⟧\n{ "method": "getBalance", "params": ["{{w}}"] }`],
  [
    'ambiguous-name',
    `### a\n# ⟦@name w⟧\n{ "method": "getSlot" }\n### b\n@w = 5\n{ "method": "getSlot", "id": "{{w}}" }`,
  ],
  [
    'ambiguous-name',
    `### a\n# ⟦@name w⟧\n{ "method": "getSlot" }\n### b\n# @prompt w\n{ "method": "getSlot", "id": "{{w}}" }`,
  ],
  ['ambiguous-name', `# @import ./shared.jsonrpc\n### a\n# ⟦@name mint⟧\n{ "method": "getSlot" }`],
  ['duplicate-id', '[{ "id": 1, "method": "getSlot" }, { "id": ⟦1⟧, "method": "getSlot" }]'],
  ['unresolved-variable', `{ "method": "getBalance", "params": ["⟦{{who}}⟧"] }`],
  ['unresolved-variable', `{ "method": "getBalance", "params": ["⟦{{a b}}⟧"] }`],
  ['unresolved-variable', `{ "method": "getBalance", "params": ["⟦{{$nope}}⟧"] }`],
  ['unresolved-variable', `{ "method": "getBalance", "params": ["⟦{{other.result}}⟧"] }`],
  [
    'unresolved-variable',
    `{ "method": "sendTransaction", "params": ["⟦{{$file ./missing.b64}}⟧", { "encoding": "base64" }] }`,
  ],
  ['unresolved-variable', '{ "method": "getSlot" }\n?? result == ⟦{{x}}⟧'],
  ['reference-cycle', '@a = ⟦{{b}}⟧\n@b = ⟦{{a}}⟧\n### x\n{ "method": "getBalance", "params": ["{{a}}"] }'],
  [
    'reference-cycle',
    '### a\n# @name a\n{ "method": "getBlockTime", "params": ["⟦{{b.result}}⟧"] }\n### b\n# @name b\n{ "method": "getBlockTime", "params": ["⟦{{a.result}}⟧"] }',
  ],
  ['reference-cycle', '### a\n# @name a\n{ "method": "getBlockTime", "params": ["⟦{{a.result}}⟧"] }'],
  ['unknown-method', '{ "method": ⟦"getBalanc"⟧ }'],
  ['unknown-method', 'GRPC ⟦geyser.Geyser/Subscrib⟧\n{}'],
  ['unknown-method', 'GRPC ⟦geyser.Gyser/Subscribe⟧\n{}'],
  ['deprecated-method', '{ "method": ⟦"getRecentBlockhash"⟧ }'],
  ['wrong-transport', '[{ "method": ⟦"slotSubscribe"⟧ }]'],
  ['wrong-transport', 'WS\n{ "method": ⟦"getSlot"⟧ }'],
  ['wrong-transport', 'SWQOS\n{ "method": ⟦"getSlot"⟧ }'],
  ['wrong-transport', 'WS\n⟦[⟧{ "method": "getSlot" }]'],
  ['wrong-transport', 'GRPC geyser.Geyser/Ping\n⟦[⟧]'],
  ['wrong-transport', 'GRPC geyser.Geyser/Ping\n{ ⟦"method"⟧: "getSlot" }'],
  ['params-by-name', `{ "method": "getBalance", "params": ⟦{ "pubkey": "${KEY}" }⟧ }`],
  ['missing-param', '{ "method": "getBalance", "params": ⟦[]⟧ }'],
  ['missing-param', '{ "method": ⟦"getBalance"⟧ }'],
  ['too-many-params', `{ "method": "getBalance", "params": ["${KEY}", {}, ⟦1⟧] }`],
  ['missing-field', '⟦{ "id": 1 }⟧'],
  ['missing-field', '⟦[⟧]'],
  ['unknown-field', `{ "method": "getBalance", "params": ["${KEY}", { ⟦"comitment"⟧: "confirmed" }] }`],
  ['unknown-field', '{ "method": "getSlot", ⟦"parms"⟧: [] }'],
  ['wrong-type', '{ "method": "getSlot", "id": ⟦1.5⟧ }'],
  ['wrong-type', '{ "method": "getSlot", "id": ⟦-1⟧ }'],
  ['wrong-type', '{ "method": "getSlot", "id": ⟦18446744073709551616⟧ }'],
  ['wrong-type', '{ "method": ⟦5⟧ }'],
  ['wrong-type', '[⟦1⟧]'],
  ['wrong-type', '@n = "5"\n### a\n{ "method": "getBlockTime", "params": [⟦"{{n}}"⟧] }'],
  ['enum-value', '{ "jsonrpc": ⟦"1.0"⟧, "method": "getSlot" }'],
  ['enum-value', `{ "method": "getBalance", "params": ["${KEY}", { "commitment": ⟦"sure"⟧ }] }`],
  ['enum-value', `@c = { "commitment": "sure" }\n### a\n{ "method": "getBalance", "params": ["${KEY}", ⟦"{{c}}"⟧] }`],
  ['not-base58', `{ "method": "getBalance", "params": [⟦"${KEY.slice(0, -1)}0"⟧] }`],
  ['wrong-length', '{ "method": "getBalance", "params": [⟦"abc"⟧] }'],
  ['transaction-encoding', '{ "method": "sendTransaction", "params": ["⟦{{$memo hello}}⟧"] }'],
  [
    'transaction-encoding',
    '{ "method": "simulateTransaction", "params": ["⟦{{$transfer $wallet 5}}⟧", { "encoding": "base58" }] }',
  ],
  [
    'swqos-settings',
    'SWQOS\n{ "method": "sendTransaction", "params": ["{{$memo hello}}", ⟦{ "encoding": "base64" }⟧] }',
  ],
  ['duplicate-member', '{ "method": "getSlot", "id": 1, ⟦"id"⟧: 2 }'],
  ['unknown-path', '{ "method": "getEpochInfo" }\n?? ⟦result.absolutSlot⟧ > 1'],
  ['unknown-path', '[{ "id": 1, "method": "getSlot" }]\n?? ⟦[2].result⟧ > 1\n?? [1].result > 1'],
  ['unused-variable', '### a\n@⟦x⟧ = 1\n@y = 2\n{ "method": "getSlot", "id": "{{y}}" }'],
  ['unused-variable', '@⟦x⟧ = 1\n### a\n{ "method": "getSlot" }'],
  ['unknown-endpoint', '# @endpoint ⟦mainet⟧\n{ "method": "getSlot" }'],
  ['empty-subscription', 'GRPC geyser.Geyser/Subscribe\n⟦{ "slots": {} }⟧'],
  ['secret-in-file', 'POST https://example.com?api_key=⟦abc⟧\n\n{ "method": "getSlot" }'],
  ['secret-in-file', 'POST\nAuthorization: ⟦Bearer abc⟧\n\n{ "method": "getSlot" }'],
  ['secret-in-file', 'POST\nX-Token: ⟦abc⟧\n\n{ "method": "getSlot" }'],
  ['secret-in-file', '{ "method": "getSlot", "api_key": ⟦"abc"⟧ }'],
  ['secret-in-file', '@k = ⟦abc⟧\n### a\nPOST\nAuthorization: Bearer {{k}}\n\n{ "method": "getSlot" }'],
  ['secret-in-file', 'GRPC https://h/geyser.Geyser/Ping?api_key=⟦abc⟧\n{}'],
];

describe('a fault is reported at its place', () => {
  for (const [code, source] of FAULTS) {
    test(`${code}: ${JSON.stringify(source)}`, () => {
      assert.deepEqual(found(marked(source).document), expected(code, source));
    });
  }
});

/** Texts that come close to a fault but are valid. */
const VALID: readonly string[] = [
  '',
  '\n\n',
  '### notes only\n# nothing to send\n// here either',
  '{ "method": "getSlot" } // a comment',
  '{ "method": "getSlot" } /* a\n comment */ // and another',
  '{\n  // inside\n  "method": "getSlot" /* } */\n}',
  '{ "method": "getSlot", "params": null }',
  '{ "method": "getSlot" }\n# ??\n// >>\n\n?? result > 1\n>> ./slot.json\n>>! ./slot.json',
  '{ "method": "getVersion" }\n?? result["solana-core"] isString\n?? headers.content-type contains "json"',
  '{ "method": "getSlot" }\n?? duration < 500ms\n?? result exists\n?? status == 200',
  '{ "method": "slotSubscribe" }\n?? messages.length == 3',
  'WS\n{ "method": "getVersion" }',
  'WEBSOCKET\n# @until 3 messages or 10s\n{ "method": "slotSubscribe" }',
  '{ "method": "slotSubscribe" }',
  '{ "method": "slotUnsubscribe", "params": [1] }',
  'GRPC geyser.Geyser/Subscribe',
  'GRPC {{host}}/geyser.Geyser/Ping\nx-token: {{key}}\n{ "count": 1 }'.replace(
    /^/,
    '@host = h\n@key = {{$processEnv K}}\n',
  ),
  `[{ "id": 1, "method": "getSlot" }, { "id": "1", "method": "getSlot" }]`,
  '{ "jsonrpc": "2.0", "id": 18446744073709551615, "method": "getSlot" }',
  '{ "jsonrpc": "2.0", "id": "a", "method": "getSlot", "params": [] }',
  `@w = ${KEY}\n### a\n{ "method": "getBalance", "params": ["{{ w }}"] }`,
  `# @prompt who The account\n{ "method": "getBalance", "params": ["{{who}}"] }`,
  '@text = \\\\{{not}} a reference\n### a\n{ "method": "getSlot", "id": "{{text}}" }'.replace('\\\\', '\\'),
  `{ "method": "getSlot", "id": "\\\\{{x}}" }`,
  '### a\n# @name a\n{ "method": "getSlot" }\n?? result == {{a.result}}\n?? id == {{a.id}}',
  '### a\n# @name a\n{ "method": "getSlot" }\n### b\n{ "method": "getBlockTime", "params": ["{{a.response.body.$.result}}"] }',
  '# @import ./shared.jsonrpc\n### a\n{ "method": "getBalance", "params": ["{{mint}}"] }\n?? result.context.slot > {{remote.result}}',
  'POST https://example.com?api_key={key}\nAuthorization: Bearer {{$processEnv KEY}}\n\n{ "method": "getSlot" }',
  'SWQOS\n{ "method": "sendTransaction", "params": ["{{$memo hi}}", { "encoding": "base64", "skipPreflight": true, "maxRetries": 0 }] }',
  '{ "method": "sendTransaction", "params": ["{{$file ./there.b64}}", { "encoding": "base64" }] }',
  '# @retry 20 every 500ms while result == null\n# @note careful\n# @timeout 2m\n# @tag a b\n# @disabled\n{ "method": "getSlot" }',
  '# @until 5 messages or 10s\nGRPC geyser.Geyser/Subscribe\n{ "slots": { "all": {} } }',
];

describe('a valid file has no diagnostics', () => {
  for (const source of VALID) {
    test(JSON.stringify(source), () => {
      assert.deepEqual(found(marked(source).document), []);
    });
  }
});
