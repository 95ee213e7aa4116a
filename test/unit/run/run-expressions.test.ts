// Captures, defaults and arithmetic in a run: what is filled in, what waits for what, and what stops a run.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { codesOf, runText } from '../../support/process/run';

/** The parameters that a block with these variables sends. */
async function filled(param: string, preamble = '', vars: Record<string, string> = {}): Promise<string> {
  const ran = await runText(`${preamble}\n### a\n{"method":"m","params":[${JSON.stringify(`{{${param}}}`)}]}`, {
    vars,
  });
  assert.deepEqual(codesOf(ran), []);
  return /"params":\[(.*)\]\}$/.exec(ran.bodies[0] ?? '')?.[1] ?? '';
}

const errors = async (param: string, preamble = ''): Promise<readonly string[]> => {
  const ran = await runText(`${preamble}\n### a\n{"method":"m","params":[${JSON.stringify(`{{${param}}}`)}]}`);
  assert.deepEqual(ran.sent, []);
  return codesOf(ran);
};

describe('arithmetic', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['= 18446744073709551615 + 1', '18446744073709551616'],
    ['= 0.1 + 0.2', '0.3'],
    ['= 2 + 3 * 4 - (1 - 5)', '18'],
    ['= 7 / 2', '3.5'],
    ['= -7 % 3', '-1'],
    ['= floor(-7 / 2)', '-4'],
    ['= ceil(10 / 3)', '4'],
    ['= min(3, 2.5, 9) + max(1, 2)', '4.5'],
    ['= (1 / 3) * 3', '1'],
    ['= 1e3 * 1.5', '1500'],
    ['= 0.000000001 * 1000000000', '1'],
  ];
  for (const [source, value] of cases)
    test(`{{${source}}} is ${value}`, async () => assert.equal(await filled(source), value));

  test('variables are numbers, or the text of one', async () => {
    assert.equal(await filled('= fee * 2 + tip', '@fee = 9007199254740993\n@tip = "5"'), '18014398509481991');
  });

  test('it works inside other text too', async () => {
    const ran = await runText('@n = 2\n### a\n{"method":"m","params":["a{{= n + 1 }}b"]}');
    assert.match(ran.bodies[0] ?? '', /"a3b"/);
  });

  for (const source of [
    '= 1 / 3',
    '= 1 / 0',
    '= 5 % (2 - 2)',
    '= 1 +',
    '= floor(1, 2)',
    '= sqrt(4)',
    '= (1, 2)',
    '= n + 1',
    '= word * 2',
  ])
    test(`{{${source}}} stops the run`, async () =>
      assert.deepEqual(await errors(source, '@word = hello'), ['unresolved-variable']));

  test('it is bounded in digits, nesting and values', async () => {
    const deep = `= ${'('.repeat(60)}1${')'.repeat(60)}`;
    const long = `= ${'9'.repeat(300)} * ${'9'.repeat(300)}`;
    const many = `= ${'1 + '.repeat(2000)}1`;
    for (const source of [deep, long, many, `= ${'-'.repeat(5000)}1`])
      assert.deepEqual(await errors(source), ['unresolved-variable']);
  });
});

describe('defaults', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['x else 5', '5'],
    ['x else "five"', '"five"'],
    ['x else five apples', '"five apples"'],
    ['x else 18446744073709551616.50', '18446744073709551616.50'],
    ['= x * 2 else 7', '7'],
  ];
  for (const [source, value] of cases)
    test(`{{${source}}} is ${value} where there is no x`, async () => assert.equal(await filled(source), value));

  test('a variable that is there counts', async () => {
    assert.equal(await filled('x else 5', '', { x: '[1]' }), '[1]');
  });

  test('a value that the answer lacks has its default', async () => {
    const ran = await runText(
      '### a\n# @name a\n{"method":"a"}\n### b\n{"method":"b","params":["{{a.result.none else 3}}", "{{a.result else 4}}"]}',
      { reply: ['{"id":1,"result":18446744073709551615}', '{"id":2,"result":0}'] },
    );
    assert.match(ran.bodies[1] ?? '', /\[3,18446744073709551615\]/);
  });

  test('a request that no file has is an error all the same', async () => {
    assert.deepEqual(await errors('nobody.result else 3'), ['unresolved-variable']);
  });
});

describe('which value counts', () => {
  /** The value of `{{x}}` if each of these places sets it to its own name. */
  async function winner(places: ReadonlySet<string>): Promise<string> {
    const has = (place: string): boolean => places.has(place);
    const text = [
      '# @import ./lib',
      ...(has('preamble') ? ['@x = preamble'] : []),
      '### giver',
      ...(has('capture') ? ['# @capture x = result'] : ['# nothing']),
      '{"method":"give"}',
      '### a',
      ...(has('prompt') ? ['# @prompt x'] : []),
      ...(has('row') ? ['# @foreach x in ["row"]'] : []),
      ...(has('block') ? ['@x = block'] : []),
      '{"method":"m","params":["{{x}}"]}',
    ].join('\n');
    const ran = await runText(text, {
      imports: { './lib': has('import') ? '@x = import\n### b' : '### b' },
      reply: (request) => `{"id":${request.ids[0]},"result":"capture"}`,
      ports: { prompt: async () => 'prompt' },
      ...(has('var') && { vars: { x: 'var' } }),
      ...(has('environment') && { environment: { x: 'environment' } }),
      ...(has('profile') && { profile: { x: 'profile' } }),
    });
    return /"params":\["(\w+)"\]/.exec(ran.bodies.at(-1) ?? '')?.[1] ?? codesOf(ran).join();
  }

  const ORDER = ['var', 'prompt', 'row', 'capture', 'block', 'preamble', 'environment', 'import', 'profile'];

  test('the whole order, one place after another', async () => {
    for (let from = 0; from < ORDER.length; from++) assert.equal(await winner(new Set(ORDER.slice(from))), ORDER[from]);
  });
});

describe('captures', () => {
  const text = [
    '### user',
    '{"method":"use","params":["{{fee}}", "{{= fee * 2 }}"]}',
    '### giver',
    '# @capture fee = result.value[-1]',
    '# @capture code = status',
    '{"method":"give"}',
    '### other',
    '{"method":"other","params":["{{code}}"]}',
  ].join('\n');
  const reply = ['{"id":1,"result":{"value":[1,9007199254740993]}}', '{"id":2,"result":0}', '{"id":3,"result":0}'];

  test('a request that uses one waits for its block, which runs once', async () => {
    const ran = await runText(text, { reply });
    assert.deepEqual(
      ran.sent.map(({ method }) => method),
      ['give', 'use', 'other'],
    );
    assert.match(ran.bodies[1] ?? '', /\[9007199254740993,18014398509481986\]/);
    assert.match(ran.bodies[2] ?? '', /\[200\]/);
  });

  test('only a variable that was given counts before it', async () => {
    const given = await runText(text, { reply, vars: { fee: '5' } });
    assert.match(given.bodies.find((body) => body.includes('"use"')) ?? '', /\[5,10\]/);
    const own = await runText(text.replace('### user\n', '@fee = 1\n### user\n@fee = 2\n'), { reply });
    assert.match(own.bodies.find((body) => body.includes('"use"')) ?? '', /\[9007199254740993,/);
  });

  test('a block that needs its own capture is a circle', async () => {
    const ran = await runText('### a\n# @capture x = result\n{"method":"m","params":["{{x}}"]}');
    assert.deepEqual(codesOf(ran), ['reference-cycle']);
  });

  test('its own assertions may read it', async () => {
    const ran = await runText('### a\n# @capture x = result\n{"method":"m"}\n?? result == {{x}}', {
      reply: ['{"id":1,"result":7}'],
    });
    assert.equal(ran.report.requests[0]?.status, 'passed');
  });

  test('a missing value fails the requests that use it', async () => {
    const ran = await runText(text, { reply: ['{"id":1,"result":{"value":[]}}', '{"id":2,"result":0}'] });
    assert.deepEqual(
      ran.report.requests.map(({ status }) => status),
      ['passed', 'failed', 'passed'],
    );
  });

  for (const source of ['@capture', '@capture x', '@capture x = ', '@capture 1x = result', '@capture x = result['])
    test(`# ${source} is a bad directive`, async () => {
      assert.deepEqual(codesOf(await runText(`### a\n# ${source}\n{"method":"m"}`)), ['bad-directive']);
    });
});
