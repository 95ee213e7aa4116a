// curl commands: read as a shell reads them, keys taken out, and written so that a shell gives the request back.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describe, test } from 'node:test';
import { MAX_CURL, looksLikeCurl, readCurl, type PastedRequest } from '../../../core/requests/curl/read';
import { readAllCurl } from '../../../core/requests/curl/several';
import { splitCmd, splitPowerShell } from '../../../core/requests/curl/windows';
import { splitWords, type SplitWords } from '../../../core/requests/curl/words';
import { parseDocument } from '../../../core/requests/document/document';
import { diagnose } from '../../../core/requests/checks/diagnostics';

const URL_ = 'https://host.example/sol';
const SLOT = '{"jsonrpc":"2.0","id":1,"method":"getSlot"}';

function block(command: string): PastedRequest {
  const pasted = readCurl(command);
  assert.equal(pasted.kind, 'block', JSON.stringify(pasted));
  return pasted;
}
const reason = (command: string): string => {
  const pasted = readCurl(command);
  return pasted.kind === 'refused' ? pasted.reason : 'taken';
};

const wordsIn = (split: SplitWords): readonly string[] => (split.kind === 'words' ? split.words : []);

describe('words of a command line', () => {
  const rows: readonly string[] = [
    `a 'b c' "d e" f\\ g`,
    `'it'\\''s' "say \\"hi\\"" "back\\\\slash"`,
    `one \\\n  two \\\n three`,
    `$'tab\\there' $'\\u00e9\\x41\\101' $'quote\\'s'`,
    `a""b '' x'y'"z"`,
    `"a\\\nb" 'c\\d'`,
  ];
  for (const row of rows)
    test(`${JSON.stringify(row)} splits as bash splits it`, () => {
      const script = `printf '%s\\0' ${row}`;
      const wanted = execFileSync('bash', ['-c', script], {
        encoding: 'utf8',
        env: { LC_ALL: 'C.UTF-8', PATH: process.env['PATH'] },
      })
        .split('\0')
        .slice(0, -1);
      assert.deepEqual(splitWords(row), { kind: 'words', words: wanted });
    });

  const documents: readonly string[] = [
    `cat -A x <<'EOF'\n{\n  "a": "$B\\\\ \`c\`"\n}\nEOF\n`,
    'cat -A x <<EOF\n{ "a": "\\$B \\\\ x" }\nEOF\n',
    'cat <<-"END" -A x\n\t{ "a": 1 }\n\tEND\n',
    `cat -A x <<<'{ "a": 1 }'`,
  ];
  for (const command of documents)
    test(`${JSON.stringify(command)} reads what bash gives it to read`, () => {
      const split = splitWords(command);
      assert.ok(split.kind === 'words');
      assert.deepEqual(split.words, ['cat', '-A', 'x']);
      const read = execFileSync('bash', ['-c', command.replace('-A x', '')], { encoding: 'utf8' });
      assert.equal(split.input, read.replace(/\n$/, ''));
    });

  test('of cmd are split by its rules and those of the programs it starts', () => {
    const rows: readonly (readonly [string, readonly string[]])[] = [
      ['a "b c" ^"d e^"', ['a', 'b c', 'd e']],
      ['a ^\n  b ^\nc', ['a', 'b', 'c']],
      ['a "{\\"b\\":\\"c\\"}"', ['a', '{"b":"c"}']],
      ['a ^"^{^\\^"b^\\^":1^}^"', ['a', '{"b":1}']],
      ['a "x\\\\" y\\z', ['a', 'x\\', 'y\\z']],
      ['a "say ""hi""" b^&c & d', ['a', 'say "hi"', 'b&c']],
      ['a "b&c" > out', ['a', 'b&c']],
    ];
    for (const [line, words] of rows) assert.deepEqual(wordsIn(splitCmd(line)), words, line);
    assert.equal(splitCmd('a "b').kind, 'refused');
  });

  test('of PowerShell are split by its rules', () => {
    const rows: readonly (readonly [string, readonly string[]])[] = [
      ['a \'b c\' "d `"e`" f"', ['a', 'b c', 'd "e" f']],
      ['a `\n  b', ['a', 'b']],
      [`a '{\\"b\\":1}'`, ['a', '{"b":1}']],
      [`a 'it''s' "x""y" | b`, ['a', "it's", 'x"y']],
      ["a 'b\nc'\nd", ['a', 'b\nc']],
    ];
    for (const [line, words] of rows) assert.deepEqual(wordsIn(splitPowerShell(line)), words, line);
    for (const open of ["a 'b", 'a "b']) assert.equal(splitPowerShell(open).kind, 'refused');
  });

  test('an unclosed quote is reported', () => {
    for (const text of [`a 'b`, `a "b`, `a $'b`]) assert.equal(splitWords(text).kind, 'refused');
  });
});

describe('a pasted command', () => {
  const forms: readonly string[] = [
    `curl ${URL_} -X POST -H "Content-Type: application/json" -d '${SLOT}'`,
    `curl --request POST --url ${URL_} --header 'content-type: application/json' --data '${SLOT}'`,
    `curl -s ${URL_} --json '${SLOT}'`,
    `curl '${URL_}' \\\n  -H 'content-type: application/json' \\\n  --data-raw $'{"jsonrpc":"2.0","id":1,"method":"getSlot"}' \\\n  --compressed`,
    `$ curl -sSL -XPOST -d'${SLOT}' ${URL_}`,
    `curl.exe --max-time 5 -o out.json ${URL_} --data-binary "{\\"jsonrpc\\":\\"2.0\\",\\"id\\":1,\\"method\\":\\"getSlot\\"}" | jq .`,
  ];
  for (const form of forms)
    test(`${form.slice(0, 60)}… becomes a valid block`, () => {
      const { text, method, keys, host } = block(form);
      assert.equal(method, 'getSlot');
      assert.equal(host, 'host.example');
      assert.equal(keys.length, 0);
      assert.match(
        text,
        /^### getSlot\nPOST https:\/\/host\.example\/sol\n\n\{ "jsonrpc":"2.0","id":1,"method":"getSlot" \}\n$/,
      );
      const document = parseDocument('a.jsonrpc', 1, text);
      assert.deepEqual(diagnose({ document, surroundings: {} }), []);
    });

  const withKeys: readonly (readonly [string, string])[] = [
    [`curl ${URL_} -H 'Authorization: Bearer KEY' -d '${SLOT}'`, 'a bearer header'],
    [`curl ${URL_} -H 'X-Api-Key: KEY' -d '${SLOT}'`, 'a key header'],
    [`curl '${URL_}?api_key=KEY&other=1' -d '${SLOT}'`, 'a parameter'],
    [`curl 'https://host.example/v2/KEY' -d '${SLOT}'`, 'the path'],
    [`curl -u user:KEY ${URL_} -d '${SLOT}'`, '-u'],
    [`curl https://user:KEY@host.example/sol -d '${SLOT}'`, 'the URL'],
  ];
  for (const [command, where] of withKeys)
    test(`with a key in ${where} gives the key apart, and no text of it`, () => {
      const key = 'a1b2c3d4e5f6a7b8c9d0e1f2';
      const { text, keys } = block(command.replace('KEY', key));
      assert.equal(keys.length, 1);
      assert.ok(keys[0]?.reveal().endsWith(key));
      assert.ok(!text.includes(key), text);
      assert.match(text, /POST https:\/\/host\.example\//);
    });

  test('with a variable of the shell in place of a key gives no key', () => {
    assert.equal(block(`curl ${URL_} -H "Authorization: Bearer $KEY" -d '${SLOT}'`).keys.length, 0);
  });

  test('keeps every digit, other headers, and braces as text', () => {
    const { text } = block(`curl ${URL_} -H 'X-Trace: {{t}}' -d '{"method":"m{{x}}","params":[18446744073709551615]}'`);
    assert.match(text, /18446744073709551615/);
    assert.match(text, /\nX-Trace: \\\{\{t\}\}\n/);
    assert.match(text, /"m\\\\\{\{x\}\}"/);
  });

  test('that is a batch becomes one', () => {
    const { text, method } = block(`curl ${URL_} -d '[${SLOT}]'`);
    assert.equal(method, 'batch');
    assert.match(text, /\n\[\n/);
  });

  const refusals: readonly (readonly [string, RegExp])[] = [
    ['wget x', /not a curl command/],
    [`curl ${URL_}`, /no body/],
    [`curl -X GET ${URL_} -d '${SLOT}'`, /GET request/],
    [`curl ${URL_} -d 'a=b'`, /not JSON/],
    [`curl ${URL_} -d '{"query":"{ x }"}'`, /without a "method"/],
    [`curl ${URL_} -d '[]'`, /without a "method"/],
    [`curl ${URL_} -d @body.json`, /in a file/],
    [`curl ${URL_} -d @-`, /in a file/],
    [`curl ${URL_} -d @- <<EOF\n{"method":"$(id)"}\nEOF`, /command inside/],
    [`curl ${URL_} -F file=@x`, /form or a file/],
    [`curl -d '${SLOT}'`, /no URL/],
    [`curl ftp://host.example -d '${SLOT}'`, /not one of HTTP/],
    [`curl 'h)tps://host.example' -d '${SLOT}'`, /not one of HTTP/],
    [`curl 'httpß://host.example' -d '${SLOT}'`, /not one of HTTP/],
    [`curl 'https://host name.example' -d '${SLOT}'`, /not one of HTTP/],
    [`curl ${URL_} -d '${SLOT}`, /not closed/],
    [`curl ${URL_} -d "$(cat body)"`, /command inside/],
  ];
  for (const [command, wanted] of refusals)
    test(`${command.slice(0, 50)} is refused with the reason`, () => assert.match(reason(command), wanted));

  test('whose URL names another one in its query goes to the host in front', () => {
    const { host, text } = block(`curl 'rpc.example/?from=http://other.example' -d '${SLOT}'`);
    assert.equal(host, 'rpc.example');
    assert.match(text, /^POST (?:https:\/\/)?rpc\.example\//m);
  });

  test('is recognised by its beginning', () => {
    assert.ok(looksLikeCurl('  curl -s x'));
    const begun = [
      '$ curl x',
      '% curl x',
      'PS C:\\> curl x',
      'me@box:~/a$ curl x',
      '```sh\ncurl x\n```',
      '# a\n\ncurl x',
    ];
    for (const text of begun) assert.ok(looksLikeCurl(text), text);
    for (const text of ['curly', '{"method":"curl "}', '# curl x', 'curl', 'use curl x', 'quoted: curl x', '- curl x'])
      assert.ok(!looksLikeCurl(text), text);
  });

  test('of any shape never throws', () => {
    let seed = 1;
    const random = (max: number): number => (seed = (seed * 48_271) % 2_147_483_647) % max;
    const parts = [
      "'",
      '"',
      '\\',
      '$',
      "$'",
      '\n',
      ' ',
      'curl ',
      '-d',
      '-H',
      '{',
      '}',
      'https://h/',
      'é',
      '\u0000',
      '@',
      '=',
    ];
    for (let round = 0; round < 2_000; round++)
      readCurl(`curl ${Array.from({ length: random(20) }, () => parts[random(parts.length)]).join('')}`);
  });
});

describe('several commands in one text', () => {
  const call = (method: string): string => `curl ${URL_} -d '{"method":"${method}"}'`;
  const methodsIn = (text: string): readonly string[] => readAllCurl(text).blocks.map(({ method }) => method);

  test('are a block each, behind comments, prompts and in fences', () => {
    assert.deepEqual(methodsIn(`${call('getSlot')}\n${call('getHealth')}`), ['getSlot', 'getHealth']);
    assert.deepEqual(methodsIn(`# first\n$ ${call('getSlot')}\n{"result":1}\n\n# second\n$ ${call('getHealth')}\n`), [
      'getSlot',
      'getHealth',
    ]);
    assert.deepEqual(methodsIn('```bash\n' + `${call('getSlot')}\n${call('getHealth')}` + '\n```'), [
      'getSlot',
      'getHealth',
    ]);
  });

  test('a line in quotes or behind a continuation begins none', () => {
    const inside = `curl ${URL_} -d '{"method":"getSlot", "note": "\ncurl x\n"}'`;
    assert.equal(readAllCurl(inside).blocks.length + readAllCurl(inside).reasons.length, 1);
    assert.deepEqual(methodsIn(`curl \\\n${URL_} -d '{"method":"getSlot"}'`), ['getSlot']);
  });

  test('a command without a request is left out with the reason', () => {
    const { blocks, reasons } = readAllCurl(`${call('getSlot')}\ncurl ${URL_}`);
    assert.deepEqual([blocks.length, reasons], [1, ['It sends no body, and a JSON-RPC request is one.']]);
  });

  test('a hostile text costs little', () => {
    // As long as a text may be: one whose cost is that of its length squared takes minutes, and the test its limit.
    const many = readAllCurl('curl x\n'.repeat(Math.floor(MAX_CURL / 7)));
    assert.deepEqual([many.blocks.length, many.reasons.length], [0, 200]);
    const open = readAllCurl(`curl x -d '${'\ncurl y'.repeat(Math.floor(MAX_CURL / 7) - 2)}`);
    assert.deepEqual([open.blocks, open.reasons], [[], ['A single quote is not closed.']]);
  });

  const long = (text: string): string => text.repeat(Math.floor((MAX_CURL - 200) / text.length));
  const runs: Readonly<Record<string, string>> = {
    'a prompt that does not end': `a@${long('a')}`,
    'a fence with a backtick': `${long('~')}\``,
    'an assignment and blanks': `A=b${long(' ')}x`,
    'an assignment of PowerShell and blanks': `$A='b'${long(' ')}x`,
    'an assignment of cmd and blanks': `set A=b${long(' ')}%`,
    'an assignment over two lines and blanks': `A='\n'${long(' ')}x`,
    'assignments of here-strings': long("$A=@'\n'@\n"),
    'a here-document that no line follows': `curl x <<${long('a')}`,
    'here-documents that no line follows': `curl x${long(' <<a')}`,
    'here-strings in each other': `curl x${long(' <<<a')}`,
    'backslashes of PowerShell': `curl.exe x$y '${long('\\')}' -d $x`,
    'quotes and backslashes in a body': `curl ${URL_} -d '${long('"\\')}'`,
    'a body of quotes and a variable': `curl ${URL_} -d "{\\"a\\":$A,${long('\\"\\\\')}}"`,
  };
  for (const [what, text] of Object.entries(runs))
    test(`${what} cost no more than their length`, () => {
      assert.deepEqual(readAllCurl(text).blocks, []);
    });

  test('a text above the bound is not searched for commands', () => {
    const command = call('getSlot');
    const filler = (length: number): string => ' '.repeat(length - command.length);
    assert.equal(readCurl(command + filler(MAX_CURL)).kind, 'block');
    const { blocks, reasons } = readAllCurl(`${command}\n${command}${filler(MAX_CURL)}`);
    assert.deepEqual([blocks, reasons], [[], ['The command is too long.']]);
    assert.equal(looksLikeCurl(command + filler(MAX_CURL)), true);
    assert.equal(looksLikeCurl(`${command} ${filler(MAX_CURL)}`), false);
  });
});

describe('bodies with comments', () => {
  test('comments and trailing commas go, strings stay', () => {
    const body = '{ // one\n "method": "getSlot", /* two */ "params": [{"a": "// no, /* comment */ ,]"},], }';
    assert.match(block(`curl ${URL_} -d '${body}'`).text, /"a":\s*"\/\/ no, \/\* comment \*\/ ,\]"/);
  });

  test('a body that is not JSON without them either is refused', () => {
    assert.match(reason(`curl ${URL_} -d '{ "method": "getSlot", , }'`), /not JSON/);
    assert.match(reason(`curl ${URL_} -d '{ /* "method": "getSlot" }'`), /not JSON/);
  });
});

describe('variables of the shell', () => {
  const textOf = (command: string): string => block(command).text;

  const rows: readonly (readonly [what: string, command: string, wanted: RegExp])[] = [
    [
      'in double quotes',
      `curl ${URL_} -d "{\\"method\\":\\"m\\",\\"params\\":[\\"$A\\"]}"`,
      /\["\{\{\$processEnv A\}\}"\]/,
    ],
    ['in single quotes are text', `curl ${URL_} -d '{"method":"m","params":["$A"]}'`, /\["\$A"\]/],
    ['behind a backslash are text', `curl ${URL_} -d "{\\"method\\":\\"\\$A\\"}"`, /"method":"\$A"/],
    [
      'outside of strings are numbers',
      `curl ${URL_} -d '{"method":"m","params":['$A']}'`,
      /\n@A = \{\{\$processEnv A\}\}\nPOST [^]*\["\{\{= A \}\}"\]/,
    ],
    ['as a whole URL', `curl $RPC_URL -d '${SLOT}'`, /\nPOST \{\{\$processEnv RPC_URL\}\}\n/],
    ['as the beginning of a URL', `curl "\${BASE}/sol" -d '${SLOT}'`, /\nPOST \{\{\$processEnv BASE\}\}\/sol\n/],
    [
      'in a host',
      `curl "https://$NET.host.example/sol" -d '${SLOT}'`,
      /\nPOST https:\/\/\{\{\$processEnv NET\}\}\.host\.example\/sol\n/,
    ],
    [
      'in the place of a key are its place',
      `curl "${URL_}?api-key=$KEY" -d '${SLOT}'`,
      /\nPOST https:\/\/host\.example\/sol\n/,
    ],
    ['in a header', `curl ${URL_} -H "X-Trace: a-$T" -d '${SLOT}'`, /\nX-Trace: a-\{\{\$processEnv T\}\}\n/],
    [
      'next to braces, which stay text',
      `curl ${URL_} -d "{\\"method\\":\\"{{x}}$A\\"}"`,
      /"\\\\\{\{x\}\}\{\{\$processEnv A\}\}"/,
    ],
    [
      'that have a value in front',
      `RPC=${URL_}\nexport A='x y'\ncurl $RPC -d "{\\"method\\":\\"$A\\"}"`,
      /\nPOST https:\/\/host\.example\/sol\n[^]*"method":"x y"/,
    ],
    [
      'that have a body in front',
      `BODY='{\n  "method": "getSlot"\n}'\n\ncurl ${URL_} -d "$BODY"`,
      /"method":"getSlot"/,
    ],
    [
      'that cmd has',
      `set A=x\ncurl ${URL_} ^\n -d "{\\"method\\":\\"%A%\\",\\"id\\":\\"%B%\\"}"`,
      /"method":"x","id":"\{\{\$processEnv B\}\}"/,
    ],
  ];
  for (const [what, command, wanted] of rows)
    test(what, () => {
      const text = textOf(command);
      assert.match(text, wanted);
      assert.deepEqual(parseDocument('a.jsonrpc', 1, text).first.problems, []);
    });

  test('a key that a line in front assigns is taken out like any other', () => {
    const key = 'a1b2c3d4e5f6a7b8c9d0e1f2';
    const { text, keys } = block(`KEY=${key}\ncurl "${URL_}?api-key=$KEY" -d '${SLOT}'`);
    assert.ok(!text.includes(key));
    assert.equal(keys[0]?.reveal(), key);
  });

  test('lines in front count for every command', () => {
    const { blocks, reasons } = readAllCurl(`RPC=${URL_}\ncurl $RPC -d '${SLOT}'\ncurl $RPC -d '${SLOT}'`);
    assert.deepEqual(reasons, []);
    assert.deepEqual(
      blocks.map(({ host }) => host),
      ['host.example', 'host.example'],
    );
  });

  test('what cannot be carried over is refused with the reason', () => {
    assert.match(reason(`curl ${URL_} -d "{\\"method\\":\\"\${A:-b}\\"}"`), /default/);
    assert.match(reason(`curl $RPC -H 'Authorization: Bearer a1b2c3d4e5f6a7b8c9d0' -d '${SLOT}'`), /no known host/);
  });

  test('marks that the text already contains are not taken for variables', () => {
    assert.match(textOf(`curl ${URL_} -d '{"method":"\ufdd0A\ufdd2"}'`), /"method":"\ufffdA\ufffd"/);
  });
});

test('half a character in a value that curl encodes is the replacement character', () => {
  const { text } = block(`curl ${URL_} --url-query 'a=\ud83d' -d '${SLOT}'`);
  assert.match(text, /\?a=%EF%BF%BD/);
});
