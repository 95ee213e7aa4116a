// `?? PATH OP VALUE`: every operator, exact numbers, and patterns that cannot hang.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { compilePattern, MAX_PATTERN, MAX_SUBJECT } from '../../../core/requests/run/assertions/pattern';
import { differences } from '../../../core/requests/run/assertions/difference';
import { Work } from '../../../core/requests/run/assertions/work';
import { compareNumbers, equalValues } from '../../../core/solana/json/numbers';
import { parseJson, type JsonValue } from '../../../core/solana/json/json';
import { runText } from '../../support/process/run';

/** Whether one assertion holds for a response with this result. */
async function holds(assertion: string, result: string, more = ''): Promise<boolean> {
  const reply = `{"jsonrpc":"2.0","id":1,"result":${result}${more}}`;
  const ran = await runText(`@big = 18446744073709551615\n### a\n{"method":"m"}\n?? ${assertion}`, { reply: [reply] });
  const [row] = ran.report.requests;
  assert.equal(
    row?.assertions.length,
    1,
    JSON.stringify(ran.outcome, (key, value: unknown) => (key === 'at' ? '' : value)),
  );
  return row.assertions[0]?.passed === true;
}

/** operator and value, a result for which it holds, and one for which it does not. */
const OPERATORS: readonly (readonly [string, string, string])[] = [
  ['== 18446744073709551615', '18446744073709551615', '18446744073709551614'],
  ['== 1', '1.0', '1.0000000000000000000001'],
  ['== {"a":1,"b":[2]}', '{"b":[2],"a":1}', '{"a":1}'],
  ['== "1"', '"1"', '1'],
  ['== {{big}}', '18446744073709551615', '18446744073709551616'],
  ['!= 9007199254740993', '9007199254740992', '9007199254740993'],
  ['< 18446744073709551615', '18446744073709551614', '18446744073709551615'],
  ['<= 18446744073709551615', '18446744073709551615', '18446744073709551616'],
  ['> 9007199254740992', '9007199254740993', '9007199254740992'],
  ['>= 0.30000000000000000001', '0.30000000000000000001', '0.3'],
  ['> -1e400', '0', '-1e401'],
  ['isNull', 'null', '0'],
  ['isNumber', '18446744073709551615', '"1"'],
  ['isString', '""', 'null'],
  ['isArray', '[]', '{}'],
  ['isObject', '{}', '[]'],
  ['isBoolean', 'false', '0'],
  ['contains "b"', '"abc"', '"ac"'],
  ['contains 18446744073709551615', '[1,18446744073709551615]', '[18446744073709551614]'],
  ['contains "a"', '{"a":1}', '{"b":"a"}'],
  ['startsWith "ab"', '"abc"', '"bab"'],
  ['endsWith "bc"', '"abc"', '"bca"'],
  ['matches "^a+$"', '"aaa"', '"aab"'],
  ['length 2', '[1,2]', '[1]'],
  ['length 3', '"abc"', '"ab"'],
  ['length 1', '{"a":1}', '{}'],
  ['length >= 2', '[1,2]', '[1]'],
  ['length < 2', '"a"', '"ab"'],
  ['not == 1', '2', '1'],
  ['not contains "a"', '"b"', '"a"'],
  ['not isNull', '0', 'null'],
  ['in [1, "b"]', '"b"', '2'],
  ['in [18446744073709551615]', '18446744073709551615', '18446744073709551614'],
  ['not in [1, 2]', '3', '2'],
  ['between 1 5', '5', '6'],
  ['between 18446744073709551614 {{big}}', '18446744073709551615', '18446744073709551613'],
  ['between 0.5 SOL 1 SOL', '1000000000', '1000000001'],
  ['>= 1.5 SOL', '1500000000', '1499999999'],
  ['== 0.000000001 SOL', '1', '2'],
  ['within 1% of 5000', '5050', '5051'],
  ['within 0.5% of -200', '-201', '-202'],
  ['within 1% of {{big}}', '18446744073709551000', '18000000000000000000'],
  ['== {"a":1} ignoring b, c.d', '{"a":1,"b":2}', '{"a":2,"b":2}'],
  ['!= {"a":1} ignoring b', '{"a":2}', '{"a":1,"b":5}'],
];

describe('operators', () => {
  for (const [operator, yes, no] of OPERATORS) {
    test(`result ${operator} holds for ${yes} and not for ${no}`, async () => {
      assert.deepEqual([await holds(`result ${operator}`, yes), await holds(`result ${operator}`, no)], [true, false]);
    });
  }

  test('a path that leads nowhere fails every operator, != too', async () => {
    for (const operator of ['exists', 'isNull', '== null', '!= 1', 'length 0']) {
      assert.equal(await holds(`result.no ${operator}`, '{}'), false, operator);
    }
  });

  test('what is not there is absent, and null is not', async () => {
    assert.equal(await holds('result.no isAbsent', '{}'), true);
    assert.equal(await holds('result.a isAbsent', '{"a":null}'), false);
    assert.equal(await holds('result.no not exists', '{}'), true);
    assert.equal(await holds('result.a not isAbsent', '{"a":null}'), true);
  });

  test('an index below zero counts from the end', async () => {
    assert.equal(await holds('result[-1] == 3', '[1,2,3]'), true);
    assert.equal(await holds('result[-4] exists', '[1,2,3]'), false);
  });

  test('every and any look at each element', async () => {
    const list = '[{"n":1,"t":[1,2]},{"n":5,"t":[3]}]';
    assert.equal(await holds('every result[*].n > 0', list), true);
    assert.equal(await holds('every result[*].n > 1', list), false);
    assert.equal(await holds('any result[*].n > 1', list), true);
    assert.equal(await holds('any result[*].n > 5', list), false);
    assert.equal(await holds('every result[*].t[*] <= 3', list), true);
    assert.equal(await holds('any result[*].t[*] == 3', list), true);
    assert.equal(await holds('every result[*].no > 0', list), false);
    assert.equal(await holds('every result[*].n not in [7]', list), true);
    assert.equal(await holds('every result[*] > 0', '{}'), false);
  });

  test('a failure of == shows where the values differ, and nothing else', async () => {
    const ran = await runText(
      '### a\n{"method":"m"}\n?? result == {"a":1,"b":[1,2],"c":0} ignoring c\n?? result == 5',
      { reply: ['{"jsonrpc":"2.0","id":1,"result":{"a":1,"b":[1,3,4],"c":9}}'] },
    );
    const [structured, scalar] = ran.report.requests[0]?.assertions ?? [];
    assert.deepEqual(structured?.differences, ['b[1]: found 3, expected 2', 'b[2]: found 4, expected nothing']);
    assert.deepEqual(scalar?.differences, [`found ${'{"a":1,"b":[1,3,4],"c":9}'}, expected 5`]);
  });

  test('what cannot be checked within its bound of work has not passed, negated or not', async () => {
    const long = `"${'a'.repeat(MAX_SUBJECT + 1)}"`;
    assert.equal(await holds('result matches "b"', long), false);
    assert.equal(await holds('result not matches "b"', long), false);
    assert.equal(await holds('result not matches "(?=a)"', '"b"'), false);
    const many = JSON.stringify(Array.from({ length: 4_000 }, () => 'a'.repeat(1_000)));
    assert.equal(await holds('any result[*] matches "(a|a|a|a|a|a|a|a)*b"', many), false);
    assert.equal(await holds('every result[*] not matches "(a|a|a|a|a|a|a|a)*b"', many), false);
    const numbers = JSON.stringify(Array.from({ length: 100_000 }, (_, index) => index));
    assert.equal(await holds(`every result[*] not in ${numbers.replaceAll(',', '.5,')}`, numbers), false);
    assert.equal(await holds(`result not matches "b"`, '"a"'), true);
  });

  test('a check that was given up says why', async () => {
    const ran = await runText('### a\n{"method":"m"}\n?? result not matches "b"', {
      reply: [`{"jsonrpc":"2.0","id":1,"result":"${'a'.repeat(MAX_SUBJECT + 1)}"}`],
    });
    assert.match(ran.report.requests[0]?.assertions[0]?.differences?.[0] ?? '', /^checking it takes more work than/);
  });

  test('the differences of deep values are found in one walk', () => {
    const deep = (last: number): JsonValue => {
      let value: JsonValue = [...Array<number>(300_000).fill(0), last];
      for (let depth = 0; depth < 500; depth++) value = { a: value };
      return value;
    };
    const found = differences(deep(1), deep(2));
    assert.equal(found.length, 1);
    assert.match(found[0] ?? '', /^(?:a\.){499}a\[300000\]: found 1, expected 2$/);
    const other = differences(Array<number>(300_000).fill(1), Array<number>(300_000).fill(2));
    assert.deepEqual([other.length, other.at(-1)], [9, 'and 299992 more']);
  });

  test('null is there: exists holds', async () => {
    assert.equal(await holds('result exists', 'null'), true);
  });

  test('a comparison with something that is not a number fails instead of guessing', async () => {
    assert.equal(await holds('result < 5', '"3"'), false);
  });

  test('members of the prototype are no members', async () => {
    assert.equal(await holds('result.constructor exists', '{}'), false);
    assert.equal(await holds('result contains "toString"', '{}'), false);
  });
});

describe('what an assertion can look at', () => {
  test('sees the status, the headers in any case and the duration with its unit', async () => {
    const text = [
      '### a',
      '{"method":"m"}',
      '?? status == 200',
      '?? headers.Content-Type startsWith "application/json"',
      '?? duration < 500ms',
      '?? duration >= 12ms',
      '?? duration > 1s',
    ].join('\n');
    const ran = await runText(text);
    assert.deepEqual(
      ran.report.requests[0]?.assertions.map((assertion) => assertion.passed),
      [true, true, true, true, false],
    );
  });

  test('answers of a batch by id, in any order', async () => {
    const ran = await runText(
      '### a\n[{"id":1,"method":"a"},{"id":"x","method":"b"}]\n?? [1].result == 5\n?? [x].result == 6',
      {
        reply: ['[{"id":"x","result":6},{"id":1,"result":5}]'],
      },
    );
    assert.equal(ran.report.requests[0]?.status, 'passed');
  });

  test('sees the number of items by .length', async () => {
    assert.equal(await holds('result.length == 3', '[1,2,3]'), true);
  });

  test('each failed assertion carries what was found, with exact digits, and its line', async () => {
    const ran = await runText('### a\n{"method":"m"}\n\n?? result == 1', {
      reply: ['{"id":1,"result":18446744073709551615}'],
    });
    const [assertion] = ran.report.requests[0]?.assertions ?? [];
    assert.equal(assertion?.line, 3);
    assert.ok(equalValues(assertion.actual ?? null, parseJson('18446744073709551615')));
  });
});

describe('errors and assertions', () => {
  const refusal = '{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Invalid param"}}';

  test('a JSON-RPC error fails the request', async () => {
    const ran = await runText('### a\n{"method":"m"}', { reply: [refusal] });
    assert.deepEqual(
      [ran.report.requests[0]?.status, ran.report.requests[0]?.error?.kind, ran.report.requests[0]?.error?.code],
      ['failed', 'rpc', -32602],
    );
  });

  test('an assertion on the error says that it is expected', async () => {
    const ran = await runText('### a\n{"method":"m"}\n?? error.code == -32602', { reply: [refusal] });
    assert.equal(ran.report.requests[0]?.status, 'passed');
    assert.equal(ran.report.requests[0].error, undefined);
  });

  test('an error inside a batch fails the request unless it is mentioned', async () => {
    const reply = ['[{"id":1,"error":{"code":1,"message":"no"}}]'];
    const silent = await runText('### a\n[{"id":1,"method":"m"}]', { reply });
    const asserted = await runText('### a\n[{"id":1,"method":"m"}]\n?? [1].error.code == 1', { reply });
    assert.deepEqual([silent.report.ok, asserted.report.ok], [false, true]);
  });

  test('a batch without an answer for every id is a broken answer', async () => {
    const ran = await runText('### a\n[{"id":1,"method":"m"},{"id":2,"method":"m"}]', {
      reply: ['[{"id":1,"result":1}]'],
    });
    assert.equal(ran.report.requests[0]?.error?.kind, 'protocol');
  });

  test('an answer that is not JSON is a broken answer', async () => {
    const ran = await runText('### a\n{"method":"m"}', { reply: ['<html>'] });
    assert.equal(ran.report.requests[0]?.error?.kind, 'protocol');
  });
});

describe('numbers', () => {
  test('compare by value in every notation', () => {
    const ordered = [
      '-1e400',
      '-2',
      '-1.5',
      '-0',
      '1e-400',
      '0.1',
      '0.10000000000000000000001',
      '1',
      '9007199254740993',
      '1e16',
    ];
    ordered.forEach((left, i) => {
      ordered.forEach((right, j) => {
        assert.equal(Math.sign(compareNumbers(left, right) ?? NaN), Math.sign(i - j), `${left} ${right}`);
      });
    });
    assert.equal(compareNumbers('100', '1e2'), 0);
    assert.equal(compareNumbers('-0', '0'), 0);
  });
});

describe('patterns', () => {
  const search = (pattern: string, text: string): string => {
    const compiled = compilePattern(pattern);
    return compiled.ok ? compiled.pattern.search(text, new Work()) : compiled.reason;
  };

  /** Patterns whose meaning RegExp knows as well: it is the judge. */
  const PATTERNS = [
    'abc',
    '^abc$',
    'a|b|',
    'a*b+c?',
    '(ab)+',
    '(?:a|bc){2,3}',
    '[a-c]+x',
    '[^a-c]',
    '[\\w-]+',
    '\\d{3}',
    '\\bfoo\\b',
    'a{2}',
    'a{2,}',
    'a{0,2}b',
    '.+?x',
    '\\u0061\\x62',
    '[\\]\\-]',
    'a.c',
    '(a|b)*abb',
    '\\Bx',
    '(?<year>\\d+)-',
    '{',
    'a{x',
  ];
  const TEXTS = [
    '',
    'a',
    'abc',
    'xabcx',
    'aabb',
    'ababab',
    'bcbcbc',
    'foo bar',
    'foobar',
    '123',
    '2024-01',
    'a\nc',
    'xx',
    '-]',
    '{',
    'a{x',
  ];

  for (const pattern of PATTERNS) {
    test(`${pattern} finds what RegExp finds`, () => {
      for (const text of TEXTS) {
        assert.equal(search(pattern, text), new RegExp(pattern).test(text) ? 'match' : 'noMatch', JSON.stringify(text));
      }
    });
  }

  test('a pattern that makes backtracking explode ends, after work that grows with the text alone', () => {
    assert.equal(search('^(a+)+$', `${'a'.repeat(50_000)}b`), 'noMatch');
    assert.equal(search('(.*)*(.*)*(.*)*x', 'y'.repeat(20_000)), 'noMatch');
  });

  test('too long a pattern, too long a text and too many repeats are refused', () => {
    assert.match(search('a'.repeat(MAX_PATTERN + 1), ''), /at most/);
    assert.equal(search('b', 'a'.repeat(MAX_SUBJECT + 1)), 'tooMuchWork');
    assert.match(search('((a{99}){99}){99}', 'a'), /multiply/);
  });

  test('what needs backtracking or is broken is refused with a reason', () => {
    for (const pattern of [
      '(?=a)',
      '(?<!a)b',
      '(a)\\1',
      '(',
      ')',
      '[',
      '*',
      'a**',
      '[b-a]',
      '\\',
      'a{2,1}',
      '\\p{L}',
    ]) {
      assert.ok(!compilePattern(pattern).ok, pattern);
    }
  });
});
