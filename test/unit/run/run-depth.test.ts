// Values of a run that are nested too deep to be read: each is a fault of its request, in words.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { printJson, type JsonValue } from '../../../core/solana/json/json';
import { runText } from '../../support/process/run';
import type { Ran } from '../../support/process/run';

const nested = (levels: number, inside = ''): string => '['.repeat(levels) + inside + ']'.repeat(levels);
const TWO = '### a\n{"method":"a"}\n### b\n{"method":"b"}';

const rowsOf = (ran: Ran): readonly unknown[] =>
  ran.report.requests.map(({ status, error }) => (error === undefined ? status : `${error.kind}: ${error.message}`));

for (const levels of [2_500, 100_000])
  test(`an answer ${levels} deep fails its request, and the others run`, async () => {
    const ran = await runText(TWO, { reply: [`{"jsonrpc":"2.0","id":1,"result":${nested(levels)}}`] });
    assert.deepEqual(rowsOf(ran), [
      'protocol: The answer is nested deeper than 512 levels and was not read.',
      'passed',
    ]);
    assert.match(ran.report.requests[0]?.error?.hint ?? '', /Check the URL/);
  });

test('an answer as deep as is read passes, and is printed in the report', async () => {
  const ran = await runText(TWO, { reply: [`{"jsonrpc":"2.0","id":1,"result":${nested(511)}}`] });
  assert.deepEqual(rowsOf(ran), ['passed', 'passed']);
  const report = printJson(ran.report as unknown as JsonValue, 2);
  assert.ok(report.includes(nested(400)));
});

test('a body that variables nest too deep is not sent', async () => {
  const ran = await runText(`### a\n{"method":"a","params":${nested(300, '"{{x}}"')}}\n### b\n{"method":"b"}`, {
    vars: { x: nested(300) },
  });
  assert.deepEqual(rowsOf(ran), [
    'invalidRequest: Once its variables are filled in, the body is nested deeper than 512 levels.',
    'passed',
  ]);
  assert.equal(ran.sent.length, 1);
});

test('the message of a gRPC call that variables nest too deep is not sent', async () => {
  const ran = await runText(`### a\nGRPC geyser.Geyser/GetVersion\n\n{"x":${nested(300, '"{{x}}"')}}`, {
    vars: { x: nested(300) },
  });
  assert.deepEqual([rowsOf(ran), ran.sent.length].flat(), [
    'invalidRequest: Once its variables are filled in, the body is nested deeper than 512 levels.',
    0,
  ]);
});

test('an expected value that variables nest too deep fails its assertion alone', async () => {
  const text = `### a\n{"method":"a"}\n?? result == ${nested(300, '"{{x}}"')}\n### b\n{"method":"b"}`;
  const ran = await runText(text, { vars: { x: nested(300) } });
  assert.deepEqual(rowsOf(ran), ['failed', 'passed']);
});

test('a schema nested too deep is a fault in words', async () => {
  const ran = await runText('### a\n{"method":"a"}\n?? result matchesSchema ./deep.json\n### b\n{"method":"b"}', {
    files: { './deep.json': nested(2_500) },
  });
  assert.deepEqual(ran.report.requests[0]?.assertions[0]?.differences, [
    './deep.json is nested deeper than 512 levels.',
  ]);
});
