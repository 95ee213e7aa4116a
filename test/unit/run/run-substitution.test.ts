// Bodies as sent: values spliced into the text of a body, ids filled in, numbers with the digits they were written with.
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import { encodeBase58 } from '../../../core/solana/encoding/base58';
import { codesOf, runText } from '../../support/process/run';

async function sentBody(text: string, vars: Record<string, string> = {}): Promise<string> {
  const ran = await runText(text, { vars });
  assert.deepEqual(codesOf(ran), []);
  return ran.bodies.at(-1) ?? '';
}

test('a body without jsonrpc and id gets both in front of its first member', async () => {
  assert.equal(await sentBody('### a\n{ "method": "getSlot" }'), '{"jsonrpc":"2.0","id":1,"method":"getSlot"}');
});

test('an id that is there stays as it was written', async () => {
  const body = await sentBody('### a\n{"jsonrpc":"2.0","id":18446744073709551615,"method":"getSlot"}');
  assert.equal(body, '{"jsonrpc":"2.0","id":18446744073709551615,"method":"getSlot"}');
});

test('number tokens of a body are never printed again', async () => {
  const body = await sentBody('### a\n{"method":"m","params":[18446744073709551615, 1.0, 1e3, -0, 0.1e-7]}');
  assert.match(body, /"params":\[18446744073709551615,1\.0,1e3,-0,0\.1e-7\]/);
});

test('comments and trailing commas are not sent', async () => {
  const body = await sentBody('### a\n{ // one\n "method": "m", /* two */ "params": ["// no comment",], }');
  assert.equal(body, '{"jsonrpc":"2.0","id":1,"method":"m","params":["// no comment"]}');
});

test('a variable alone in a string becomes its JSON value', async () => {
  const text =
    '@config = { "commitment": "confirmed", "minContextSlot": 18446744073709551615 }\n### a\n{"method":"m","params":["{{config}}"]}';
  assert.match(await sentBody(text), /"params":\[\{"commitment":"confirmed","minContextSlot":18446744073709551615\}\]/);
});

test('a bare variable in value position becomes its JSON value', async () => {
  assert.match(
    await sentBody('@n = 18446744073709551615\n### a\n{"method":"m","params":[{{n}}]}'),
    /\[18446744073709551615\]/,
  );
});

test('a variable next to other text is escaped as JSON demands', async () => {
  const body = await sentBody('### a\n{"method":"m","params":["say {{x}}!"]}', {
    x: '"a \\"quoted\\" \\\\ line\\nbreak"',
  });
  assert.deepEqual((JSON.parse(body) as { params: string[] }).params, ['say a "quoted" \\ line\nbreak!']);
});

test('a variable in the name of a member stays text, also when it is a number', async () => {
  assert.match(await sentBody('@k = 7\n### a\n{"method":"m","params":[{"{{k}}": 1}]}'), /\{"7":1\}/);
});

test('escaped braces are literal text', async () => {
  assert.match(await sentBody('### a\n{"method":"m","params":["\\\\{{x}}"]}'), /\["\{\{x\}\}"\]/);
});

test('a bare integer too large for 64 bits is text: the address of the System Program', async () => {
  assert.match(await sentBody(`@a = ${'1'.repeat(32)}\n### a\n{"method":"m","params":["{{a}}"]}`), /\["1{32}"\]/);
});

test('a variable may be made of other variables', async () => {
  const text =
    '@level = confirmed\n@config = {"commitment": "{{level}}"}\n### a\n{"method":"m","params":["{{config}}"]}';
  assert.match(await sentBody(text), /\[\{"commitment":"confirmed"\}\]/);
});

test('--var outranks the block, the block outranks the preamble', async () => {
  const text = '@x = preamble\n### a\n@x = block\n{"method":"m","params":["{{x}}"]}';
  assert.match(await sentBody(text), /\["block"\]/);
  assert.match(await sentBody(text, { x: 'given' }), /\["given"\]/);
});

test('the profile of the endpoint is asked last', async () => {
  const ran = await runText('### a\n{"method":"m","params":["{{x}}"]}', { profile: { x: 'profile' } });
  assert.match(ran.bodies[0] ?? '', /\["profile"\]/);
});

test('ids of a batch are filled in around the ones that are there', async () => {
  const body = await sentBody('### a\n[{"method":"a"},{"id":1,"method":"b"},{"id":"x","method":"c"},{"method":"d"}]');
  const ids = (JSON.parse(body) as { id: unknown }[]).map((item) => item.id);
  assert.deepEqual(ids, [2, 1, 'x', 3]);
});

test('a member called __proto__ is plain data', async () => {
  assert.match(await sentBody('### a\n{"method":"m","params":[{"__proto__": {"a": 1}}]}'), /\{"__proto__":\{"a":1\}\}/);
});

test('headers and the URL of the request line are filled in', async () => {
  const ran = await runText(
    '@host = example.org\n### a\nPOST https://{{host}}/sol\nx-trace: {{$guid}}\n\n{"method":"m"}',
  );
  assert.equal(ran.sent[0]?.url, 'https://example.org/sol');
  assert.deepEqual(ran.sent[0].headers, [['x-trace', '6b0f2f80-0000-4000-8000-000000000000']]);
});

test('helpers give numbers where numbers are due', async () => {
  const body = await sentBody(
    '### a\n{"method":"m","params":["{{$timestamp}}","{{$randomInt 5 9}}","at {{$timestamp}}"]}',
  );
  assert.match(body, /\[1700000000,5,"at 1700000000"\]/);
});

test('a file is inserted without its last line break', async () => {
  const ran = await runText('### a\n{"method":"m","params":["{{$file ./tx.b64}}"]}', {
    files: { './tx.b64': 'AQ==\r\n' },
  });
  assert.match(ran.bodies[0] ?? '', /\["AQ=="\]/);
});

test('a keypair of the workspace is not taken as a value of a request, nor are its numbers as rows', async () => {
  const pair = generateKeyPairSync('ed25519');
  const bytes = Buffer.concat([
    Buffer.from(pair.privateKey.export({ format: 'jwk' }).d ?? '', 'base64url'),
    Buffer.from(pair.publicKey.export({ format: 'jwk' }).x ?? '', 'base64url'),
  ]);
  const solana = JSON.stringify([...bytes]);
  for (const text of [solana, `${solana}\n`, `${bytes.toString('base64')}\n`, encodeBase58(bytes)]) {
    const ran = await runText('### a\n{"method":"m","params":["{{$file ./id.json}}"]}', {
      files: { './id.json': text },
    });
    assert.deepEqual([ran.sent.length, codesOf(ran)], [0, ['unresolved-variable']], text.slice(0, 4));
  }
  const rows = await runText('### a\n# @foreach n in ./id.json\n{"method":"m","params":["{{n}}"]}', {
    files: { './id.json': solana },
  });
  assert.deepEqual([rows.sent.length, codesOf(rows)], [0, ['unresolved-variable']]);
  const other = JSON.stringify([...bytes].reverse());
  const numbers = await runText('### a\n{"method":"m","params":["{{$file ./n.json}}"]}', {
    files: { './n.json': other },
  });
  assert.equal(numbers.sent.length, 1);
});

test('a file that is missing stops the run before anything is sent', async () => {
  const ran = await runText('### a\n{"method":"m"}\n### b\n{"method":"m","params":["{{$file ./no}}"]}');
  assert.deepEqual([codesOf(ran), ran.sent.length], [['unresolved-variable'], 0]);
});

test('a u64 goes through a chain of requests with every digit', async () => {
  const text = [
    '### one',
    '# @name one',
    '{"method":"getSlot"}',
    '### two',
    '{"method":"m","params":["{{one.result.value}}", {"minContextSlot": {{one.result.value}}}]}',
  ].join('\n');
  const ran = await runText(text, { reply: ['{"jsonrpc":"2.0","result":{"value":18446744073709551615},"id":1}'] });
  assert.match(ran.bodies[1] ?? '', /\[18446744073709551615,\{"minContextSlot":18446744073709551615\}\]/);
});

test('answers of a batch are found by id, in any order, and 1 is not "1"', async () => {
  const text = [
    '### one',
    '# @name b',
    '[{"id":1,"method":"a"},{"id":"1","method":"b"},{"id":"two","method":"c"}]',
    '### two',
    '{"method":"m","params":["{{b[1].result}}","{{b[two].result}}","{{b[\\"1\\"].result}}"]}',
  ].join('\n');
  const reply = '[{"id":"two","result":"c"},{"id":"1","result":"b"},{"id":1,"result":"a"}]';
  const ran = await runText(text, { reply: [reply] });
  assert.match(ran.bodies[1] ?? '', /\["a","c",/);
});

test('the form of REST Client reads the same value', async () => {
  const text =
    '### one\n# @name one\n{"method":"a"}\n### two\n{"method":"m","params":["{{one.response.body.$.result}}"]}';
  const ran = await runText(text, { reply: ['{"jsonrpc":"2.0","result":77,"id":1}'] });
  assert.match(ran.bodies[1] ?? '', /\[77\]/);
});

test('an answer without the value that is named fails the request that names it, and nothing is sent for it', async () => {
  const text = '### one\n# @name one\n{"method":"a"}\n### two\n{"method":"m","params":["{{one.result.no}}"]}';
  const ran = await runText(text);
  assert.equal(ran.sent.length, 1);
  assert.equal(ran.report.requests[1]?.error?.kind, 'invalidRequest');
});

test('variables that double each other end in an error instead of a request without end', async () => {
  const doubling = Array.from({ length: 60 }, (_, i) => `@v${i + 1} = {{v${i}}}{{v${i}}}`).join('\n');
  const ran = await runText(`@v0 = twice\n${doubling}\n### a\n{"method":"m","params":["{{v60}}"]}`);
  assert.deepEqual([ran.sent.length, ran.report.requests[0]?.error?.kind], [0, 'invalidRequest']);
});

test('a variable stays a variable where a request has its name', async () => {
  const text = '@wallet = KEY\n### a\n# @name wallet\n{"method":"getBalance","params":["{{wallet}}"]}';
  assert.match(await sentBody(text), /"params":\["KEY"\]/);
  const other = `${text}\n### b\n{"method":"m","params":["{{wallet}}","{{wallet.result}}"]}`;
  assert.match(await sentBody(other), /"params":\["KEY",1\]/);
});
