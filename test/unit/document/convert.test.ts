// `.http` files as REST Client, httpYac and JetBrains write them: what becomes of them, what is said of the rest, and that
// no key gets into the result.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { convertHttp, MAX_HTTP } from '../../../core/requests/convert/convert';
import { documentFor, service } from '../../corpus/check';

const REST_CLIENT = `@host = https://api.mainnet-beta.solana.com
@owner=9B5XszUGdMaxCZ7uSQhPzdks5ZQSmWxrmzCSvtJ6Ns6g

### Balance
# how much there is
# @name balance
POST {{host}} HTTP/1.1
Content-Type: application/json
X-Trace: {{$guid}}

{ "jsonrpc": "2.0", "id": 1, "method": "getBalance", "params": ["{{owner}}"] }

### Uses it
POST {{host}}
Content-Type: application/json

{
  "jsonrpc": "2.0", "id": 1,
  "method": "getBlockTime",
  "params": [{{balance.response.body.$.result.context.slot}}]
}

###
GET {{host}}/health

### From a file
POST {{host}}

< ./body.json
`;

const HTTPYAC = `###
# @name slot
# @no-log
POST https://api.mainnet-beta.solana.com
{ "jsonrpc": "2.0", "id": 1, "method": "getSlot" }

?? status == 200
?? header content-type contains json
?? js response.parsedBody.result > 100
?? body result isNumber
?? xpath /a == b

### Next
# @ref slot
POST https://api.mainnet-beta.solana.com

{ "jsonrpc": "2.0", "id": 1, "method": "getBlockTime", "params": [{{slot.result}}] }

{{@response
  exports.time = response.parsedBody.result;
  console.log(time);
}}

### Stream
WS wss://api.mainnet-beta.solana.com
{ "jsonrpc": "2.0", "id": 1, "method": "slotSubscribe" }
`;

const JETBRAINS = `### Health
// a comment
POST https://api.mainnet-beta.solana.com
    ?tier=2
    &region=eu
Content-Type: application/json

{ "jsonrpc": "2.0", "id": "{{$uuid}}", "method": "getHealth" }

> {%
  client.test("is well", function () {
    client.assert(response.status === 200, "status");
    client.assert(response.body.result === "ok");
  });
  client.global.set("health", response.body.result);
  doSomething();
%}

>> ./answer.json

### Uses what was kept
POST https://api.mainnet-beta.solana.com

{ "jsonrpc": "2.0", "id": 1, "method": "getSlot", "params": [{ "minContextSlot": {{$random.integer(1, 5)}} }] }

### Call
GRPC https://grpc.example.com/geyser.Geyser/GetSlot

{}

### By script
POST https://api.mainnet-beta.solana.com

{ "jsonrpc": "2.0", "id": "{{health}}", "method": "getSlot" }

> ./check.js
`;

const CASES = [
  ['REST Client', REST_CLIENT],
  ['httpYac', HTTPYAC],
  ['JetBrains', JETBRAINS],
] as const;

const said = (text: string): readonly string[] =>
  convertHttp(text).notes.map(({ line, message }) => `${line}: ${message}`);

describe('a file of', () => {
  for (const [tool, text] of CASES)
    test(`${tool} becomes one without errors`, () => {
      const { text: converted } = convertHttp(text);
      const errors = service.diagnostics(documentFor(converted)).filter(({ severity }) => severity === 1);
      assert.deepEqual(
        errors.map(({ code, message }) => [code, message]),
        [],
        converted,
      );
      assert.equal(convertHttp(text.replaceAll('\n', '\r\n')).text, converted);
    });

  test('REST Client keeps variables, names, headers and references', () => {
    assert.equal(
      convertHttp(REST_CLIENT).text,
      `@host = https://api.mainnet-beta.solana.com
@owner = 9B5XszUGdMaxCZ7uSQhPzdks5ZQSmWxrmzCSvtJ6Ns6g

### Balance
# how much there is
# @name balance
POST {{host}}
X-Trace: {{$guid}}

{ "jsonrpc": "2.0", "id": 1, "method": "getBalance", "params": ["{{owner}}"] }

### Uses it
POST {{host}}

{
  "jsonrpc": "2.0", "id": 1,
  "method": "getBlockTime",
  "params": ["{{balance.result.context.slot}}"]
}
`,
    );
    assert.deepEqual(said(REST_CLIENT), [
      '24: A GET request is not a JSON-RPC call and was left out.',
      '27: Its body is in another file, and a JSON-RPC request is one: it was left out.',
    ]);
  });

  test('httpYac keeps assertions and what scripts only keep', () => {
    const { text, requests } = convertHttp(HTTPYAC);
    assert.equal(requests, 3);
    for (const line of [
      '?? status == 200',
      '?? headers.content-type contains "json"',
      '?? result > 100',
      '?? result isNumber',
      '# @capture time = result',
      '"params": ["{{slot.result}}"]',
      'WS wss://api.mainnet-beta.solana.com',
    ])
      assert.ok(text.includes(line), line);
    assert.deepEqual(said(HTTPYAC), [
      '3: @no-log has no meaning here and was left out. No key is ever logged or kept in the history.',
      '11: ?? xpath /a == b cannot be said here and was left out.',
      '21: Nothing in a request file is a program: this line of a script was left out.',
    ]);
  });

  test('JetBrains keeps checks, kept values and URLs over several lines', () => {
    const { text, requests } = convertHttp(JETBRAINS);
    assert.equal(requests, 4);
    for (const line of [
      '# a comment',
      'POST https://api.mainnet-beta.solana.com?tier=2&region=eu',
      '"id": "{{$guid}}"',
      '?? status == 200',
      '?? result == "ok"',
      '# @capture health = result',
      '>> ./answer.json',
      '"minContextSlot": "{{$randomInt 1 5}}"',
      'GRPC https://grpc.example.com/geyser.Geyser/GetSlot',
    ])
      assert.ok(text.includes(line), line);
    assert.deepEqual(
      convertHttp(JETBRAINS).notes.map(({ line }) => line),
      [16, 24, 36],
    );
  });
});

describe('keys', () => {
  const KEY = 'a1b2c3d4e5f6a7b8c9d0e1f2';
  const BODY = '\n\n{ "method": "getSlot" }\n';
  const rows: readonly (readonly [string, string])[] = [
    ['in a header', `POST https://a.example\nAuthorization: Bearer ${KEY}${BODY}`],
    ['in the URL', `POST https://a.example/?api-key=${KEY}${BODY}`],
    ['in the path', `POST https://a.example/v2/${KEY}${BODY}`],
    ['of a user', `POST https://me:${KEY}@a.example/${BODY}`],
    ['in a variable by its name', `@api_key = ${KEY}\n###\nPOST https://a.example/?api-key={{api_key}}${BODY}`],
    ['in a variable by its look', `@x = ${KEY}\n###\nPOST https://a.example/v2/{{x}}${BODY}`],
  ];
  for (const [where, text] of rows)
    test(`${where} are left out, and that is said`, () => {
      const converted = convertHttp(text);
      assert.equal(converted.requests, 1);
      assert.ok(!converted.text.includes(KEY), converted.text);
      assert.ok(!converted.text.includes('{{'), converted.text);
      assert.match(said(text).join('\n'), /Add Key/);
      assert.deepEqual(
        service.diagnostics(documentFor(converted.text)).filter(({ severity }) => severity === 1),
        [],
      );
    });

  test('as variables of the environment stay', () => {
    const text = `POST https://a.example/?tier={{$processEnv TIER}}${BODY}`;
    assert.match(convertHttp(text).text, /\?tier=\{\{\$processEnv TIER\}\}/);
  });
});

describe('a request that cannot be converted', () => {
  const rows: readonly (readonly [string, RegExp])[] = [
    ['POST https://a.example\n\n{ "query": "x" }\n', /without a "method"/],
    ['POST https://a.example\n\na=b\n', /not JSON/],
    ['POST https://a.example\n', /no body/],
    ['GRAPHQL https://a.example\n\nquery { a }\n', /GRAPHQL request/],
    ['POST https://{{host}}\n\n{ "method": "getSlot" }\n', /\{\{host\}\} has no value/],
  ];
  for (const [text, message] of rows)
    test(`${JSON.stringify(text.slice(0, 40))} is said`, () => assert.match(said(text).join('\n'), message));

  test('an empty file has nothing', () => assert.deepEqual(convertHttp('\n'), { text: '', requests: 0, notes: [] }));

  test('any text is read without failing, in a time that its length bounds', () => {
    let seed = 7;
    const random = (max: number): number => (seed = (seed * 48_271) % 2_147_483_647) % max;
    const parts = [
      '### a\n',
      'POST https://a\n',
      '{',
      '}',
      '"',
      '{{',
      '}}',
      '\n',
      '> {%',
      '%}',
      '?? ',
      '@a = ',
      '# @name x\n',
      '[',
      ':',
      '\\',
      '<',
      'H: v\n',
    ];
    for (let round = 0; round < 1_000; round++)
      convertHttp(Array.from({ length: random(60) }, () => parts[random(parts.length)]).join(''));
    // About as long as a file may be: one whose cost is that of its length squared takes minutes, and the test its limit.
    const blocks = Array.from(
      { length: 80_000 },
      (_, at) => `### a\nPOST https://a.example\n\n{ "method": "{{a${at}}}" }\n`,
    );
    assert.equal(convertHttp(blocks.join('')).requests, blocks.length);
    for (const [head, said] of [
      ['', /not a JSON-RPC call/],
      ['POST https://a.example\n\n[', /not JSON/],
    ] as const) {
      const { requests, notes } = convertHttp(head + '{{'.repeat((MAX_HTTP - head.length) / 2));
      assert.deepEqual([requests, notes.length], [0, 1]);
      assert.match(notes[0]?.message ?? '', said);
    }
  });

  const long = (text: string): string => text.repeat(Math.floor((MAX_HTTP - 200) / text.length));
  const head = 'POST https://a.example\n\n';
  const runs: Readonly<Record<string, string>> = {
    'blanks in a URL': `POST https://a.example/x${long(' ')}y\n\n{}\n`,
    'versions in a URL': `POST https://a.example/x${long(' HTTP/1')}y\n\n{}\n`,
    'blanks in a directive': `# @${long(' ')}x\u2028x\n`,
    'blanks in a variable': `@a=${long(' ')}x\u2028x\n`,
    'blanks in a header': `POST https://a.example\na:${long(' ')}x\u2028x\n\n{}\n`,
    'a prompt of one word': `# @prompt ${long('a')}x\u2028x\n`,
    'words of an assertion': `${head}{}\n?? body ${long('a ')}x\u2028x\n`,
    'quotes behind backslashes': `${head}{ "a": "b", ${long('"\\')} }\n`,
    'parameters that are keys': `POST https://a.example/?${long(`api-key=${'k'.repeat(32)}&`)}\n\n{}\n`,
    'an operator of letters': `${head}{}\n?? status ${long('a')}x\u2028x\n`,
  };
  for (const [what, text] of Object.entries(runs))
    test(`${what} cost no more than their length`, () => {
      assert.equal(convertHttp(text).requests, 0);
    });
});
