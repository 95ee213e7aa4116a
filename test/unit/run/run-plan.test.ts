// The plan of a run: what runs, in which order, and what stops it before anything is sent.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseDocument } from '../../../core/requests/document/document';
import { Sources } from '../../../core/requests/run/source';
import { createPlan, planWithout, type Plan } from '../../../core/requests/run/plan';
import { codesOf, runText } from '../../support/process/run';
import type { PlacedBlock } from '../../../core/requests/document/model';
import type { Ran } from '../../support/process/run';

const methods = (ran: Ran): readonly string[] => ran.sent.map((request) => request.method);
const statuses = (ran: Ran): readonly string[] => ran.report.requests.map((row) => `${row.title} ${row.status}`);

const CHAIN = [
  '### last',
  '# @name last',
  '# @tag slow',
  '{"method":"last","params":["{{middle.result}}"]}',
  '### middle',
  '# @name middle',
  '{"method":"middle","params":["{{first.result}}"]}',
  '### first',
  '# @name first',
  '{"method":"first"}',
].join('\n');

describe('order', () => {
  test('blocks run in the order of the file', async () => {
    assert.deepEqual(methods(await runText('### a\n{"method":"a"}\n### b\n{"method":"b"}')), ['a', 'b']);
  });

  test('what a block needs runs before it, once', async () => {
    assert.deepEqual(methods(await runText(CHAIN)), ['first', 'middle', 'last']);
  });

  test('a dependency through a variable counts', async () => {
    const text = '@x = {{b.result}}\n### a\n{"method":"a","params":["{{x}}"]}\n### b\n# @name b\n{"method":"b"}';
    assert.deepEqual(methods(await runText(text)), ['b', 'a']);
  });

  test('a dependency of an assertion runs before the request it checks', async () => {
    const text = '### a\n{"method":"a"}\n?? result == {{b.result}}\n### b\n# @name b\n{"method":"b"}';
    const ran = await runText(text);
    assert.deepEqual([methods(ran), ran.report.ok], [['b', 'a'], true]);
  });

  test('an assertion may look at its own answer', async () => {
    const ran = await runText('### a\n# @name a\n{"method":"a"}\n?? result == {{a.result}}');
    assert.equal(ran.report.ok, true);
  });
});

describe('selection', () => {
  test('one block by its line, with what it needs', async () => {
    const ran = await runText(CHAIN, { selection: { kind: 'lines', lines: [6] } });
    assert.deepEqual(methods(ran), ['first', 'middle']);
  });

  test('by name and by tag', async () => {
    const named = await runText(CHAIN, { selection: { kind: 'named', names: ['first'], tags: [] } });
    const tagged = await runText(CHAIN, { selection: { kind: 'named', names: [], tags: ['slow'] } });
    assert.deepEqual([methods(named), methods(tagged)], [['first'], ['first', 'middle', 'last']]);
  });

  test('a name that no file has is not run as nothing', async () => {
    const ran = await runText(CHAIN, { selection: { kind: 'named', names: ['frist'], tags: [] } });
    assert.deepEqual(ran.outcome, { kind: 'unknownNames', names: ['frist'] });
  });

  test('a tag of the preamble is a tag of every block', async () => {
    const ran = await runText('# @tag smoke\n### a\n{"method":"a"}', {
      selection: { kind: 'named', names: [], tags: ['smoke'] },
    });
    assert.deepEqual(methods(ran), ['a']);
  });

  test('a disabled block is listed as skipped, and runs when it is named', async () => {
    const text = '### a\n# @name a\n# @disabled\n{"method":"a"}';
    assert.deepEqual(statuses(await runText(text)), ['a skipped']);
    assert.deepEqual(statuses(await runText(text, { selection: { kind: 'named', names: ['a'], tags: [] } })), [
      'a passed',
    ]);
  });

  test('a block without a body is not a request', async () => {
    assert.deepEqual(statuses(await runText('### a heading\n# notes\n### a\n{"method":"a"}')), ['a passed']);
  });
});

describe('what stops a run', () => {
  const STOPPED: readonly (readonly [string, string])[] = [
    ['json-syntax', '### a\n{"method":}'],
    ['second-body', '### a\n{"method":"a"}\n{"method":"b"}'],
    ['stray-text', '### a\n{"method":"a"}\nwhat is this'],
    ['bad-directive', '### a\n# @timeout soon\n{"method":"a"}'],
    ['bad-directive', '### a\n# @until 3 messages\n{"method":"getSlot"}'],
    ['bad-assertion', '### a\n{"method":"a"}\n?? result is nice'],
    ['bad-redirect', '### a\n{"method":"a"}\n>>'],
    ['bad-redirect', '### a\n# @name a\n{"method":"a"}\n>> {{a.result}}.json'],
    ['reference-cycle', '@name = {{a.result}}\n### a\n# @name a\n{"method":"a"}\n>> {{name}}.json'],
    ['unresolved-variable', '### a\n{"method":"a","params":["{{no}}"]}'],
    ['unresolved-variable', '### a\n{"method":"a","params":["{{no.result}}"]}'],
    ['unresolved-variable', '### a\n{"method":"a"}\n?? result == {{no}}'],
    ['unresolved-variable', '### a\n# @prompt amount\n{"method":"a","params":["{{amount}}"]}'],
    ['unresolved-variable', '### a\n{"method":"a","params":["{{$processEnv NO_SUCH}}"]}'],
    [
      'reference-cycle',
      '### a\n# @name a\n{"method":"a","params":["{{b.result}}"]}\n### b\n# @name b\n{"method":"b","params":["{{a.result}}"]}',
    ],
    ['reference-cycle', '@x = {{y}}\n@y = {{x}}\n### a\n{"method":"a","params":["{{x}}"]}'],
    [
      'duplicate-name',
      '### a\n# @name a\n{"method":"a"}\n### a\n# @name a\n{"method":"a"}\n### b\n{"method":"b","params":["{{a.result}}"]}',
    ],
    ['import-failed', '# @import ./no.jsonrpc\n### a\n{"method":"a"}'],
  ];
  for (const [code, text] of STOPPED) {
    test(`${code}: nothing is sent for ${JSON.stringify(text).slice(0, 70)}`, async () => {
      const ran = await runText(text);
      assert.deepEqual([[...new Set(codesOf(ran))], ran.sent.length, ran.report.ok], [[code], 0, false]);
    });
  }

  test('a fault in a block that is not selected does not matter', async () => {
    const text = '### a\n# @name a\n{"method":"a"}\n### b\n{"method":}';
    const ran = await runText(text, { selection: { kind: 'named', names: ['a'], tags: [] } });
    assert.deepEqual(methods(ran), ['a']);
  });

  test('a wrong parameter is shown elsewhere and goes out: a test may send it on purpose', async () => {
    const ran = await runText('### a\n{"method":"getBalance","params":["no key"]}');
    assert.deepEqual(methods(ran), ['getBalance']);
  });

  test('a duplicate name that is not used does not matter', async () => {
    const ran = await runText('### a\n# @name a\n{"method":"a"}\n### a\n# @name a\n{"method":"b"}');
    assert.deepEqual(methods(ran), ['a', 'b']);
  });

  test('the report names the faulty block as failed and the others as skipped', async () => {
    const ran = await runText('### good\n{"method":"a"}\n### bad\n{"method":"a","params":["{{no}}"]}');
    assert.deepEqual(statuses(ran), ['good skipped', 'bad failed']);
  });
});

describe('imports', () => {
  const shared = '@x = shared\n### s\n# @name s\n{"method":"shared","params":["{{x}}"]}';

  test('named requests and variables of another file are visible by name', async () => {
    const ran = await runText('# @import ./shared.jsonrpc\n### a\n{"method":"a","params":["{{s.result}}","{{x}}"]}', {
      imports: { './shared.jsonrpc': shared },
    });
    assert.deepEqual(methods(ran), ['shared', 'a']);
    assert.match(ran.bodies[1] ?? '', /\[1,"shared"\]/);
  });

  test('an imported request sees its own file first', async () => {
    const ran = await runText(
      '# @import ./shared.jsonrpc\n@x = mine\n### a\n{"method":"a","params":["{{s.result}}"]}',
      {
        imports: { './shared.jsonrpc': shared },
      },
    );
    assert.match(ran.bodies[0] ?? '', /\["shared"\]/);
  });
});

describe('size', () => {
  /** How often names are looked up while a chain of `n` named requests is planned. */
  function lookUps(n: number): number {
    const blocks = Array.from({ length: n }, (_, i) => {
      const params = i === 0 ? '' : `,"params":["{{r${i - 1}.result}}"]`;
      return `### ${i}\n# @name r${i}\n{"method":"m"${params}}`;
    });
    let count = 0;
    const sources = new Sources({
      variables: new Map(),
      profileVariables: () => new Map(),
      imports: { documentOf: () => undefined },
    });
    const document = parseDocument('f', 1, blocks.reverse().join('\n'));
    const locate = sources.request.bind(sources);
    sources.request = (request) => {
      count++;
      return locate(request);
    };
    const plan = createPlan([document], { kind: 'all' }, sources);
    assert.deepEqual([plan.steps.length, plan.problems.length], [n, 0]);
    return count;
  }

  test('a chain of 1,000 named requests, each needing the one after it, costs work in proportion', () => {
    assert.equal(lookUps(1_000), 999);
    assert.equal(lookUps(5_000), 4_999);
  });
});

describe('a plan without what is known', () => {
  const named = (plan: Plan, names: readonly string[]): Set<PlacedBlock> =>
    new Set(plan.steps.flatMap(({ at: { placed } }) => (names.includes(nameOf(placed)) ? [placed] : [])));
  const nameOf = ({ block }: PlacedBlock): string => block.settings.name?.text ?? '';
  const textOf = (name: string, ...needs: readonly string[]): string =>
    `### ${name}\n# @name ${name}\n${JSON.stringify({ method: 'm', params: needs.map((need) => `{{${need}.result}}`) })}`;
  const left = (answered: readonly string[], out: readonly string[], lines?: readonly number[]): string[] => {
    const text = [textOf('deep'), textOf('near', 'deep'), textOf('last', 'near')].join('\n');
    const document = parseDocument('f', 1, text);
    const sources = new Sources({
      variables: new Map(),
      profileVariables: () => new Map(),
      imports: { documentOf: () => undefined },
    });
    const plan = createPlan([document], lines === undefined ? { kind: 'all' } : { kind: 'lines', lines }, sources);
    const { steps } = planWithout({ answered: named(plan, answered), left: named(plan, out) }, plan);
    return steps.map(({ at: { placed }, skip, isLeft }) => `${nameOf(placed)}${skip ? ` skipped ${isLeft}` : ''}`);
  };

  test('leaves out an answered request and what it alone needs', () => {
    assert.deepEqual(left([], [], [6]), ['deep', 'near', 'last']);
    assert.deepEqual(left(['near'], [], [6]), ['last']);
    assert.deepEqual(left(['deep'], [], [6]), ['near', 'last']);
  });

  test('sends a selected request although its answer is known', () => {
    assert.deepEqual(left(['near'], []), ['deep', 'near', 'last']);
  });

  test('lists a selected request that may not run as skipped, and leaves out what only it needs', () => {
    assert.deepEqual(left([], ['last'], [6]), ['last skipped true']);
    assert.deepEqual(left([], ['near', 'last']), ['deep', 'near skipped true', 'last skipped true']);
  });
});
