// @if, @foreach, @setup and @teardown in a run: what is sent, in which order, and what is left out with which reason.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseDocument } from '../../../core/requests/document/document';
import { diagnose } from '../../../core/requests/checks/diagnostics';
import { rowsOfFile, rowsOfJson } from '../../../core/requests/document/variables/rows';
import { codesOf, runText, type Ran, type Setup } from '../../support/process/run';

const methods = (ran: Ran): readonly string[] => ran.sent.map(({ method }) => method);
const statuses = (ran: Ran): readonly string[] => ran.report.requests.map(({ status }) => status);
const reasons = (ran: Ran): readonly (string | undefined)[] => ran.report.requests.map(({ reason }) => reason);
const params = (ran: Ran): readonly unknown[] =>
  ran.bodies.map((body) => (JSON.parse(body) as { params?: unknown[] }).params);

describe('@if', () => {
  const text = [
    '### balance\n# @name balance\n{"method":"balance"}',
    '### fund\n# @name fund\n# @if balance.result.value < 1000000\n{"method":"fund"}',
    '### after\n{"method":"after","params":["{{fund.result}}"]}',
    '### soft\n{"method":"soft","params":["{{fund.result else 7}}"]}',
  ].join('\n');

  test('a request runs where it holds', async () => {
    const ran = await runText(text, { reply: ['{"id":1,"result":{"value":999999}}'] });
    assert.deepEqual(methods(ran), ['balance', 'fund', 'after', 'soft']);
  });

  test('else it is skipped with the reason, and what needs it, but not where there is a default', async () => {
    const ran = await runText(text, { reply: ['{"id":1,"result":{"value":18446744073709551615}}'] });
    assert.deepEqual(statuses(ran), ['passed', 'skipped', 'skipped', 'passed']);
    assert.equal(
      ran.report.requests[1]?.reason,
      '@if balance.result.value < 1000000 does not hold: the value is 18446744073709551615.',
    );
    assert.match(ran.report.requests[2]?.reason ?? '', /^It needs "fund", which was skipped: @if balance/);
    assert.deepEqual(params(ran).at(-1), [7]);
    assert.equal(ran.report.ok, true);
  });

  test('it waits for the request that it names, and a variable is enough', async () => {
    const ran = await runText(
      '@net = dev\n### a\n# @if last.result == 1\n# @if net == "dev"\n{"method":"a"}\n### b\n# @if net != "dev"\n{"method":"b"}\n### last\n# @name last\n{"method":"last"}',
    );
    assert.deepEqual(methods(ran), ['last', 'a']);
  });

  test('a variable that nobody gave is absent, and any other operator stops the run', async () => {
    const absent = '### a\n# @if x isAbsent\n{"method":"a"}\n### b\n# @if x exists\n{"method":"b"}';
    assert.deepEqual(methods(await runText(absent)), ['a']);
    assert.deepEqual(methods(await runText(absent, { vars: { x: '1' } })), ['b']);
    assert.deepEqual(codesOf(await runText('### a\n# @if x == 1\n{"method":"a"}')), ['unresolved-variable']);
  });

  test('every element of a list, and a value that is another answer', async () => {
    const ran = await runText(
      '### l\n# @name l\n{"method":"l"}\n### a\n# @if every l.result[*].n > 1\n{"method":"a"}\n### b\n# @if l.result[0].n == {{l.result[1].n}}\n{"method":"b"}',
      { reply: ['{"id":1,"result":[{"n":2},{"n":2}]}'] },
    );
    assert.deepEqual(methods(ran), ['l', 'a', 'b']);
  });

  for (const source of ['@if', '@if x', '@if x ~ 1', '@if [0] == 1', '@if x == abc'])
    test(`# ${source} is a bad directive`, async () => {
      assert.deepEqual(codesOf(await runText(`### a\n# ${source}\n{"method":"m"}`)), ['bad-directive']);
    });

  test('a request whose condition needs it is a circle', async () => {
    const ran = await runText('### a\n# @name a\n# @if a.result == 1\n{"method":"a"}');
    assert.deepEqual(codesOf(ran), ['reference-cycle']);
  });
});

describe('@foreach', () => {
  const files = {
    './wallets.csv': 'owner,lamports,note\nA,18446744073709551615,"two, words"\n"12",1.50,\n',
    './wallets.json': '[{"owner":"A"},{"owner":{"deep":[1,18446744073709551615]}}]',
  };
  const each = (source: string, body = '"{{row.owner}}","{{row.$index}}"'): string =>
    `### each\n# @name each\n# @foreach row in ${source}\n{"method":"each","params":[${body}]}`;

  test('a row of a file is a request, with the digits of the file', async () => {
    const ran = await runText(each('./wallets.csv', '"{{row.owner}}","{{row.lamports}}","{{row.note}}"'), { files });
    assert.deepEqual(
      ran.bodies.map((body) => /"params":(.*)\}$/.exec(body)?.[1]),
      ['["A",18446744073709551615,"two, words"]', '["12",1.50,""]'],
    );
    assert.deepEqual(
      ran.report.requests.map(({ row, status }) => [row, status]),
      [
        [0, 'passed'],
        [1, 'passed'],
      ],
    );
  });

  test('of a JSON file, and of a list in place', async () => {
    assert.deepEqual(params(await runText(each('./wallets.json', '"{{row.owner}}"'), { files }))[0], ['A']);
    assert.deepEqual(params(await runText(each('["x", "y"]', '"{{row}}","{{row.$index}}"'))), [
      ['x', 0],
      ['y', 1],
    ]);
  });

  test('others read the answer of each row, and wait for all of them', async () => {
    const text = `### after\n{"method":"after","params":["{{each.rows[1].result}}","{{each.rows.length}}","{{each.result}}"]}\n${each('[1,2,3]')}`;
    const ran = await runText(text.replace('{{row.owner}}', '{{row}}'), {
      reply: (request, nth) => `{"id":${request.ids[0]},"result":${nth}}`,
    });
    assert.deepEqual(methods(ran), ['each', 'each', 'each', 'after']);
    assert.deepEqual(params(ran).at(-1), [1, 3, 2]);
  });

  test('at the same time with --parallel; the report keeps the order', async () => {
    let most = 0;
    let open = 0;
    const reply: Setup['reply'] = async (request) => {
      most = Math.max(most, ++open);
      for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
      open--;
      return `{"id":${request.ids[0]},"result":1}`;
    };
    const text = each('[1,2,3,4]', '"{{row}}"').replace('"method":"each"', '"method":"getEach"');
    const ran = await runText(`${text}\n### after\n{"method":"getAfter","params":["{{each.rows[3].result}}"]}`, {
      parallel: 3,
      reply,
    });
    assert.equal(most, 3);
    assert.deepEqual(
      ran.report.requests.map(({ row }) => row),
      [0, 1, 2, 3, undefined],
    );
    assert.equal(methods(ran).at(-1), 'getAfter');
  });

  test('each row has its own @if; what reads the block is left out where all rows are', async () => {
    const text = `${each('[1,5,9]', '"{{row}}"').replace('# @name', '# @if row > 4\n# @name')}\n### after\n{"method":"after","params":["{{each.rows[1].result}}"]}`;
    const ran = await runText(text);
    assert.deepEqual(statuses(ran), ['skipped', 'passed', 'passed', 'passed']);
    const none = await runText(text.replace('> 4', '> 10'));
    assert.deepEqual(statuses(none), ['skipped', 'skipped', 'skipped', 'skipped']);
  });

  test('no rows: the request is skipped and says so', async () => {
    assert.deepEqual(reasons(await runText(each('[]'))), ['There are no rows.']);
  });

  test('a file that is not there, or holds no rows, stops the run', async () => {
    for (const [name, content] of [
      ['./no.csv', undefined],
      ['./a.json', '{"a":1}'],
      ['./a.json', '[1'],
      ['./a.csv', 'a,b\n1\n'],
      ['./a.csv', 'a,a\n1,2\n'],
      ['./a.csv', ''],
    ] as const)
      assert.deepEqual(
        codesOf(await runText(each(name), { files: content === undefined ? {} : { [name]: content } })),
        ['unresolved-variable'],
        `${name} ${content}`,
      );
  });

  test('a column that is not there fails its row alone, unless it has a default', async () => {
    const ran = await runText(each('[{"owner":1},{}]'));
    assert.deepEqual(statuses(ran), ['passed', 'failed']);
    assert.match(ran.report.requests[1]?.error?.message ?? '', /^Row 1 has no "owner"/);
    assert.deepEqual(params(await runText(each('[{}]', '"{{row.owner else 3}}"'))), [[3]]);
  });

  test('a column that no row has stops the run with what check says, and nothing is sent', async () => {
    const csv = { files: { './a.csv': 'owner,least\nA,1\nB,2\n' } };
    const stopped = async (text: string): Promise<void> => {
      const ran = await runText(text, csv);
      assert.deepEqual([codesOf(ran), ran.sent.length], [['unresolved-variable'], 0], text);
      const [problem] = ran.outcome.kind === 'invalid' ? ran.outcome.problems : [];
      const [found] = diagnose({
        document: parseDocument('file.jsonrpc', 1, text),
        surroundings: {},
        files: { rows: () => rowsOfFile('a.csv', csv.files['./a.csv']) },
      }).filter(({ problem: { code } }) => code === 'unresolved-variable');
      assert.deepEqual([problem?.message, problem?.span], [found?.problem.message, found?.problem.span]);
    };
    await stopped(each('./a.csv', '"{{row.ownr}}"'));
    await stopped(each('./a.csv', '"{{= row.lest + 1 }}"'));
    await stopped(`${each('./a.csv', '"{{row.owner}}"')}\n?? result == {{row.lest}}`);
    await stopped(each('./a.csv', '"{{row.owner}}"').replace('# @name each', '# @name each\n# @if row.lest > 1'));
    await stopped(`### first\n{"method":"first"}\n${each('[{"a":1},{"b":2}]', '"{{row.c}}"')}`);
    assert.deepEqual(codesOf(await runText(each('./a.csv', '"{{row.lest else 3}}"'), csv)), []);
    assert.deepEqual(codesOf(await runText(each('[{"a":1},{"b":2}]', '"{{row.b}}"'))), []);
  });

  for (const source of [
    '@foreach',
    '@foreach row',
    '@foreach row in',
    '@foreach row in ./a.txt',
    '@foreach row in [1',
    '@foreach 1 in [1]',
  ])
    test(`# ${source} is a bad directive`, async () => {
      assert.deepEqual(codesOf(await runText(`### a\n# ${source}\n{"method":"m"}`)), ['bad-directive']);
    });

  test('rows are bounded, and hostile names are only data', () => {
    assert.equal(rowsOfJson(`[${'1,'.repeat(10_000)}1]`).ok, false);
    assert.equal(rowsOfFile('a.csv', `a\n${'1\n'.repeat(10_001)}`).ok, false);
    const read = rowsOfFile('a.csv', '__proto__,constructor\n1,2\n');
    assert.ok(read.ok);
    assert.equal(({} as { polluted?: unknown }).polluted, undefined);
    assert.deepEqual(Object.keys(read.rows[0]?.value ?? {}), ['__proto__', 'constructor']);
  });

  test('CSV: quotes, line ends, a byte order mark, an unclosed quote', () => {
    const read = rowsOfFile('a.CSV', '\ufeffa,b\r\n"x ""y""","1\n2"\r\n\r\n 3 ,"open');
    assert.ok(read.ok);
    assert.deepEqual(
      read.rows.map(({ value }) => value),
      [
        { a: 'x "y"', b: '1\n2' },
        { a: 3, b: 'open' },
      ],
    );
  });
});

describe('@setup and @teardown', () => {
  const text = [
    '### end\n# @teardown\n{"method":"end"}',
    '### a\n# @name a\n{"method":"a"}',
    '### begin\n# @name begin\n# @setup\n{"method":"begin"}',
    '### b\n{"method":"b"}',
  ].join('\n');

  test('run around the others, wherever they are in the file', async () => {
    assert.deepEqual(methods(await runText(text)), ['begin', 'a', 'b', 'end']);
  });

  test('run around a selected request, but a selected setup runs alone', async () => {
    const named = (name: string): Promise<Ran> =>
      runText(text, { selection: { kind: 'named', names: [name], tags: [] } });
    assert.deepEqual(methods(await named('a')), ['begin', 'a', 'end']);
    assert.deepEqual(methods(await named('begin')), ['begin']);
  });

  const lost = { error: { kind: 'network', message: 'Gone.' }, lost: true } as const;

  test('after a setup that failed the others are skipped and say so, and the teardown runs', async () => {
    const ran = await runText(text, { reply: [lost] });
    assert.deepEqual(methods(ran), ['begin', 'end']);
    assert.deepEqual(statuses(ran), ['failed', 'skipped', 'skipped', 'passed']);
    assert.equal(ran.report.requests[1]?.reason, 'The setup "begin" failed.');
  });

  test('the teardown runs after a failure with --bail', async () => {
    const ran = await runText(text, { bail: true, reply: ['{"id":1,"result":1}', lost] });
    assert.deepEqual(methods(ran), ['begin', 'a', 'end']);
  });

  test('and after a cancel, but not where nothing had begun', async () => {
    const stop = new AbortController();
    const ran = await runText(text, {
      signal: stop.signal,
      reply: (request) => {
        if (request.method === 'a') stop.abort();
        return request.method === 'a' ? new Promise(() => undefined) : `{"id":${request.ids[0]},"result":1}`;
      },
    });
    assert.deepEqual(methods(ran), ['begin', 'a', 'end']);
    assert.deepEqual(statuses(ran), ['passed', 'failed', 'skipped', 'passed']);
    const early = new AbortController();
    early.abort();
    assert.deepEqual(methods(await runText(text, { signal: early.signal })), []);
  });

  test('a teardown waits for the streams that are still open', async () => {
    const order: string[] = [];
    await runText(
      '### end\n# @teardown\n{"method":"end"}\n### s\n# @until 1 messages\nWS\n{"method":"slotSubscribe"}',
      {
        reply: (request) => {
          order.push(request.method);
          return `{"id":${request.ids[0]},"result":1}`;
        },
        ports: {
          clock: { now: () => 0, unixSeconds: () => 0, sleep: () => new Promise<void>(() => undefined) },
          stream: {
            openStream: async () => ({
              ok: true,
              value: {
                async *messages() {
                  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
                  order.push('message');
                  yield 1;
                },
                dropped: 0,
                close: async () => undefined,
              },
            }),
          },
        },
      },
    );
    assert.deepEqual(order, ['message', 'end']);
  });

  test('a request is one of the two, and takes no words', async () => {
    for (const source of ['# @setup\n# @teardown', '# @setup now'])
      assert.deepEqual(codesOf(await runText(`### a\n${source}\n{"method":"m"}\n### b\n{"method":"b"}`)), [
        'bad-directive',
      ]);
  });
});
