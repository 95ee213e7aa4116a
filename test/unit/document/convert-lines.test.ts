// Each line of a `.http` file is in the converted text, or a note at its line says why it is not.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { convertHttp } from '../../../core/requests/convert/convert';
import { documentFor, service } from '../../corpus/check';

const POST = 'POST https://a.example';
const SLOT = '{ "jsonrpc": "2.0", "id": 1, "method": "getSlot" }';

const notesOf = (text: string): readonly string[] =>
  convertHttp(text).notes.map(({ line, message }) => `${line}: ${message}`);

const errorsIn = (text: string): readonly unknown[] =>
  service
    .diagnostics(documentFor(text))
    .filter(({ severity }) => severity === 1)
    .map(({ message }) => message);

describe('comments', () => {
  const rows: readonly (readonly [where: string, text: string, wanted: string])[] = [
    ['behind the body', `${POST}\n\n${SLOT}\n\n# see also\n`, `### getSlot\n${POST}\n\n${SLOT}\n# see also\n`],
    ['in front of the body', `${POST}\n\n# one\n// two\n${SLOT}\n`, `### getSlot\n# one\n# two\n${POST}\n\n${SLOT}\n`],
    ['between headers', `${POST}\n# one\nX-A: b\n\n${SLOT}\n`, `### getSlot\n# one\n${POST}\nX-A: b\n\n${SLOT}\n`],
    [
      'in the body',
      `${POST}\n\n{\n  # "id": 1,\n  // "id": 2,\n  "method": "getSlot" # three\n} # four\n`,
      `### getSlot\n${POST}\n\n{\n  // "id": 1,\n  // "id": 2,\n  "method": "getSlot" // three\n} // four\n`,
    ],
    [
      'at the top',
      `# one\n@a = 1\n# two\n\n###\n${POST}\n\n${SLOT}\n`,
      `# one\n@a = 1\n# two\n\n### getSlot\n${POST}\n\n${SLOT}\n`,
    ],
    [
      'of a heading',
      `${POST}\n\n${SLOT}\n### Next\n# one\n### Last\n${POST}\n\n${SLOT}\n`,
      `### getSlot\n${POST}\n\n${SLOT}\n\n### Next\n# one\n\n### Last\n${POST}\n\n${SLOT}\n`,
    ],
    [
      'with braces and quotes',
      `${POST}\n\n{\n  # "{{x}} {\n  "method": "getSlot"\n}\n`,
      `### getSlot\n${POST}\n\n{\n  // "{{x}} {\n  "method": "getSlot"\n}\n`,
    ],
  ];
  for (const [where, text, wanted] of rows)
    test(`${where} are kept`, () => {
      assert.equal(convertHttp(text).text, wanted);
      assert.deepEqual(notesOf(text), []);
      assert.deepEqual(errorsIn(wanted), []);
    });

  test('in a script are kept, and what a test is called', () => {
    const script = `> {%\n// one\nclient.test("two", () => {\nclient.assert(response.status === 200, "three");\n});\n%}`;
    const { text, notes } = convertHttp(`${POST}\n\n${SLOT}\n\n${script}\n`);
    assert.match(text, /# one\n# two\n# three\n\?\? status == 200\n/);
    assert.deepEqual(notes, []);
  });
});

describe('a body of gRPC', () => {
  const GRPC = 'GRPC localhost:10000/geyser.Geyser/Subscribe';

  test('with a comment is kept', () => {
    const text = `### One\n${GRPC}\n\n{\n  # "accounts": {},\n  "slots": { "all": {} }\n}\n`;
    assert.equal(convertHttp(text).text, text.replace('# "a', '// "a'));
    assert.deepEqual(errorsIn(convertHttp(text).text), []);
  });

  const lost: readonly (readonly [body: string, note: RegExp])[] = [
    ['{ "slots": \n  broken }', /^4: Its body is not JSON/],
    ['< ./body.json', /^1: Its body is in another file/],
    ['{{body}}', /^3: Its body is the variable \{\{body\}\}/],
  ];
  for (const [body, note] of lost)
    test(`${JSON.stringify(body)} is never left out of its request`, () => {
      const { requests, notes } = convertHttp(`${GRPC}\n\n${body}\n`);
      assert.equal(requests, 0);
      assert.match(`${notes[0]?.line}: ${notes[0]?.message}`, note);
    });
});

describe('a command', () => {
  const rows: readonly (readonly [command: string, wanted: string])[] = [
    [`curl https://a.example -d '{"method":"getSlot"}'`, 'POST https://a.example'],
    [
      `$ curl https://a.example -X POST -H "Content-Type: application/json" -d '{"method":"getSlot"}'`,
      'POST https://a.example',
    ],
    [`curl.exe https://a.example -d "{\\"method\\":\\"getSlot\\"}"`, 'POST https://a.example'],
    [`@rpc = https://a.example\ncurl {{rpc}} -d '{"method":"getSlot"}'`, 'POST {{rpc}}'],
    [`@host = a.example\ncurl https://{{host}}/x \\\n  -d '{"method":"getSlot"}'`, 'POST https://{{host}}/x'],
    [`curl https://a.example -d '{\n"method":"getSlot"\n}'`, 'POST https://a.example'],
  ];
  for (const [command, wanted] of rows)
    test(`${JSON.stringify(command)} becomes a request with what is written above it`, () => {
      const { text, notes, requests } = convertHttp(`### Slot\n# now\n# @name slot\n${command}\n\n?? status == 200\n`);
      assert.equal(requests, 1);
      assert.deepEqual(notes, []);
      assert.ok(text.includes(`### Slot\n# now\n# @name slot\n${wanted}\n\n`), text);
      assert.match(text, /"method":"getSlot" \}\n\?\? status == 200\n$/);
    });

  test('keeps references in its body and its headers', () => {
    const { text, notes } = convertHttp(
      `@n = 5\ncurl https://a.example -H 'X-A: {{$uuid}}' -d '{"method":"getBlockTime","params":[{{n}}],"id":"a-{{n}}"}'\n`,
    );
    assert.match(text, /\nX-A: \{\{\$guid\}\}\n[^]*"params":\["\{\{n\}\}"\],"id":"a-\{\{n\}\}"/);
    assert.deepEqual(notes, []);
  });

  const refusals: readonly (readonly [command: string, note: RegExp])[] = [
    ['curl -X GET "http://127.0.0.1/health"', /GET request/],
    ['curl http://127.0.0.1/health', /no body/],
    [`curl -G http://127.0.0.1 -d 'a=b'`, /GET request/],
    ['wget http://127.0.0.1 \\\n --post-data={}', /command of wget/],
    ['http POST http://127.0.0.1 a=b', /command of HTTPie/],
    ['$ https 127.0.0.1 a=b', /command of HTTPie/],
    ['Invoke-RestMethod -Uri http://127.0.0.1', /Invoke-RestMethod/],
    [`curl https://a.example -d @body.json`, /in a file/],
  ];
  for (const [command, note] of refusals)
    test(`${JSON.stringify(command)} is left out for the true reason`, () => {
      const notes = notesOf(`### A\n${command}\n`);
      assert.equal(notes.length, 1, notes.join('\n'));
      assert.match(notes[0] ?? '', new RegExp(`^2: .*${note.source}`));
    });

  test('says which of its options and headers are left out', () => {
    const command = `curl -sk --proxy http://p https://a.example -H 'Host: b' -d '${SLOT}' | jq .result`;
    assert.deepEqual(notesOf(command), ['1: Left out of the command: -k, --proxy, | jq, the header Host.']);
  });

  test('says that a key was left out, also one in a variable', () => {
    const key = 'a1b2c3d4e5f6a7b8c9d0e1f2';
    const { text, notes } = convertHttp(`curl 'https://a.example/?api-key=${key}' -d '${SLOT}'\n`);
    assert.ok(!text.includes(key));
    assert.match(notes[0]?.message ?? '', /Add Key/);
    const variable = convertHttp(`@k = 1\ncurl 'https://a.example/?api-key={{k}}' -d '${SLOT}'\n`);
    assert.match(variable.notes[0]?.message ?? '', /\{\{k\}\}/);
  });

  test('is followed by others', () => {
    const command = `curl https://a.example -d '${SLOT}'`;
    assert.equal(convertHttp(`${command}\n${command}\n# end\n`).requests, 2);
    assert.deepEqual(notesOf(`${command}\n{"result":1}\n`), [
      '2: This line is not part of a request. It was left out.',
    ]);
  });
});

describe('more lines that have their meaning elsewhere', () => {
  const rows: readonly (readonly [text: string, wanted: RegExp, notes: readonly RegExp[]])[] = [
    [
      `WS wss://a.example\n\n{ "method": "slotSubscribe" }\n=== wait-for-server\n{ "method": "rootSubscribe" }\n`,
      /^### slotSubscribe\nWS wss:\/\/a\.example\n\n\{ "method": "slotSubscribe" \}\n\n### rootSubscribe\nWS wss:/,
      [/^4: A block sends one message/],
    ],
    [`POST https://a.example\n  ?a=1 HTTP/1.1\n\n${SLOT}\n`, /^POST https:\/\/a\.example\?a=1$/m, []],
    [`POST https://a.example\n?a=1\n&b=2 HTTP/2\n\n${SLOT}\n`, /^POST https:\/\/a\.example\?a=1&b=2$/m, []],
    [`POST https://a.example\n  /sol\n\n${SLOT}\n`, /^POST https:\/\/a\.example\/sol$/m, []],
    [`POST\n\n${SLOT}\n`, /^POST\n\n\{/m, []],
    [`${SLOT}\n`, /^POST\n\n\{/m, []],
    [
      `${POST}\n\n{ "method": "getSlot", "id": "{{$dotenv ID}}" }\n`,
      /\{\{\$processEnv ID\}\}/,
      [/^3: \{\{\$dotenv ID\}\}: .*--env-file/],
    ],
    [
      `${POST}\n\n{ "method": "getSlot", "id": "{{$processEnv %ID}}" }\n`,
      /\{\{\$processEnv ID\}\}/,
      [/^3: .*write its name/],
    ],
    [
      `${POST}\n\n{ "method": "getSlot", "id": "{{$timestamp -1 y}}" }\n`,
      /timestamp -1 y/,
      [/^3: .*\{\{\$timestamp\}\}/],
    ],
    [`# @timeout 2 m\n${POST}\n\n${SLOT}\n`, /# @timeout 2m/, []],
    [`# @ref other\n${POST}\n\n${SLOT}\n`, /getSlot/, [/^1: @ref other .*sends the request it names first/]],
    [`${POST}\nUser-Agent: me\n\n${SLOT}\n`, /getSlot/, [/^2: The header User-Agent/]],
    [`${POST}\n\n${SLOT}\n\n@late = 1\n`, /^@late = 1\n/, []],
    [`${POST}\n\n${SLOT}\n\nmore\n`, /getSlot/, [/^5: .*left out/]],
    [`${POST}\n\n${SLOT}\n\n<> ./earlier.json\n`, /getSlot/, [/^5: .*earlier response/]],
    [`< ./before.js\n${POST}\n\n${SLOT}\n`, /getSlot/, [/^1: .*script/]],
    [`import ./other.http\n\n###\n${POST}\n\n${SLOT}\n`, /getSlot/, [/^1: .*@import/]],
    [`@x\n${POST}\n\n${SLOT}\n`, /getSlot/, [/^1: .*@name = value/]],
    [`> {%\nclient.log("a");\n\n###\n${POST}\n\n${SLOT}\n`, /getSlot/, [/^2: Nothing in a request file is a program/]],
  ];
  for (const [text, wanted, notes] of rows)
    test(JSON.stringify(text.slice(0, 60)), () => {
      const converted = convertHttp(text);
      assert.match(converted.text, wanted);
      const said = notesOf(text);
      assert.equal(said.length, notes.length, said.join('\n'));
      for (const [index, note] of notes.entries()) assert.match(said[index] ?? '', note);
    });
});

/** Lines of every kind; `m` is a word that no other line has. Parts of a request in the order in which tools take them. */
const HEAD: readonly ((m: string) => string)[] = [
  (m) => `# ${m}`,
  (m) => `// ${m}`,
  (m) => `# @note ${m}`,
  (m) => `# @loop ${m}`,
  (m) => `# @ref ${m}`,
  (m) => `// @tag ${m}`,
  (m) => `@${m} = 5`,
  (m) => `@${m}`,
  (m) => `import ./${m}.http`,
  (m) => `< ./${m}.js`,
  (m) => `some words ${m}`,
  (m) => `< {% ${m}() %}`,
];
const HEADERS: readonly ((m: string) => string)[] = [
  (m) => `X-${m}: 1`,
  (m) => `User-Agent: ${m}`,
  (m) => `Authorization: Bearer {{${m}}}`,
  (m) => `# ${m}`,
  (m) => `  ?${m}=1 HTTP/1.1`,
];
const MEMBERS: readonly ((m: string) => string)[] = [
  (m) => `  "${m}": 1,`,
  (m) => `  # "${m}": 1,`,
  (m) => `# ${m}`,
  (m) => `  // "${m}": "`,
  (m) => `  "a": "{{${m}}}", # b`,
  (m) => `  "a": {{${m}}},`,
  (m) => `?? result == "${m}"`,
  (m) => `# @note ${m}`,
];
const TAIL: readonly ((m: string) => string)[] = [
  (m) => `# ${m}`,
  (m) => `# @note ${m}`,
  (m) => `@${m} = 1`,
  (m) => `?? result == "${m}"`,
  (m) => `?? xpath /${m}`,
  (m) => `>> ./${m}.json`,
  (m) => `<> ./${m}.json`,
  (m) => `> ./${m}.js`,
  (m) => `more ${m}`,
  (m) => `> {% client.log("${m}") %}`,
  (m) => `> {% client.global.set("${m}", response.body.result); %}`,
  (m) => `> {% // ${m}\n%}`,
  (m) => `> {% client.assert(response.status === 200, "${m}"); %}`,
];
const MESSAGES: readonly ((m: string) => string)[] = [...TAIL, (m) => `=== ${m}\n{ "method": "getHealth" }`];
const REQUESTS: readonly ((m: string) => string)[] = [
  (m) => `POST https://a.example/?a=${m}`,
  (m) => `POST https://a.example/${m} HTTP/1.1`,
  (m) => `WEBSOCKET wss://a.example/?a=${m}`,
  (m) => `GRPC a.example/geyser.Geyser/${m}`,
  (m) => `GET https://a.example/${m}`,
];
const COMMANDS: readonly ((m: string) => string)[] = [
  (m) => `curl https://a.example -H 'X-A: ${m}' -d '{"method":"a"}'`,
  (m) => `$ curl https://a.example \\\n  -d '{"method":"${m}"}' | jq`,
  (m) => `curl https://a.example/${m}`,
  (m) => `wget https://a.example/${m}`,
  (m) => `http POST https://a.example/${m} \\\n a=b`,
];

test('each line of any file is in the text, or a note at its line says why not', () => {
  let seed = 11;
  const random = (max: number): number => (seed = (seed * 48_271) % 2_147_483_647) % max;
  for (let round = 0; round < 1_500; round++) {
    let count = 0;
    const some = (kinds: readonly ((m: string) => string)[], most: number): readonly string[] =>
      Array.from({ length: random(most + 1) }, () => kinds[random(kinds.length)]?.(`mark${++count}x`) ?? '');
    const one = (kinds: readonly ((m: string) => string)[]): string =>
      kinds[random(kinds.length)]?.(`mark${++count}x`) ?? '';
    const blocks = Array.from({ length: 1 + random(3) }, () => {
      const title = `### mark${++count}x`;
      if (random(4) === 0) return [title, ...some(HEAD, 2), one(COMMANDS), ...some(TAIL, 2)];
      const isOpen = random(9) === 0;
      const body = ['{', ...some(MEMBERS, 3), '  "method": "getSlot"', isOpen ? '' : '}'];
      return [
        title,
        ...some(HEAD, 3),
        one(REQUESTS),
        ...some(HEADERS, 2),
        '',
        ...body,
        '',
        ...some(isOpen ? TAIL : MESSAGES, 3),
      ];
    });
    const file = [...some(HEAD, 3), ...blocks.flat(), '### last', POST, '', SLOT, ''].join('\n');
    const { text, notes } = convertHttp(file);
    const noted = new Set(notes.map(({ line }) => line));
    // A request that was left out has one note for all of its lines.
    let isKept = true;
    for (const [index, line] of file.split('\n').entries()) {
      const mark = /mark\d+x/.exec(line)?.[0];
      if (line.startsWith('###')) isKept = text.includes(`${line}\n`);
      if (mark !== undefined && isKept)
        assert.ok(text.includes(mark) || noted.has(index + 1), `${index + 1}: ${line}\n\n${file}\n\n${text}`);
    }
    const starts = file.split('\n').flatMap((line, index) => (line.startsWith('###') ? [index + 1] : []));
    for (const [index, start] of starts.entries()) {
      const end = starts[index + 1] ?? Infinity;
      const title = file.split('\n')[start - 1] ?? '';
      assert.ok(
        text.includes(`${title}\n`) || notes.some(({ line }) => line >= start && line < end),
        `${title}\n\n${file}`,
      );
    }
  }
});
