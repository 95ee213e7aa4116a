// `--reporter github`: commands that say exactly what was found, and nothing from outside that a runner obeys.
import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, test } from 'node:test';
import { annotationLine, annotationsOfRun } from '../../../cli/report/ci/annotations';
import { repositoryPath } from '../../../cli/report/ci/repositoryPath';
import { cell, checkSummary, runSummary } from '../../../cli/report/ci/summary';
import { textReport } from '../../../cli/report/text';
import { findingText } from '../../../cli/report/place';
import { escapeLine, escapeText, jsonFor, jsonPiecesFor, painterFor } from '../../../cli/terminal';
import { parseDocument } from '../../../core/requests/document/document';
import { HOSTILE } from '../../support/data/hostileTexts';
import { ANNOTATION_PROPERTIES, commandsIn, INJECTIONS } from '../../support/data/workflowLog';
import { runText } from '../../support/process/run';

const same = (file: string): string => file;
const range = { start: { line: 4, character: 2 }, end: { line: 4, character: 9 } };

describe('the test’s own runner', () => {
  test('obeys every text that is to be kept from it', () => {
    for (const text of INJECTIONS.filter((one) => !one.startsWith('%') && !one.startsWith(',')))
      assert.ok(commandsIn(text).length > 0, JSON.stringify(text));
  });

  test('reads both forms', () => {
    const expected = [{ name: 'error', properties: { file: 'a:b', line: '1' }, data: '1%\n' }];
    assert.deepEqual(commandsIn('  ::error file=a%3Ab,line=1::1%25%0A'), expected);
    assert.deepEqual(commandsIn('x ##[error file=a:b;line=1]1%25%0A'), expected);
    assert.deepEqual(commandsIn('::: a\n::unknown::b\nx ::error::b\n# #[error]b'), []);
  });
});

describe('an annotation', () => {
  test('has its place one-based, and every mark of the form escaped', () => {
    const line = annotationLine(
      { level: 'error', file: 'a,b:c%/d.jsonrpc', range, title: 'x: y, 100%', message: 'one: 1,2 %0A\ntwo' },
      same,
    );
    assert.equal(
      line,
      '::error file=a%2Cb%3Ac%25/d.jsonrpc,line=5,endLine=5,col=3,endColumn=9,title=x%3A y%2C 100%25::one: 1,2 %250A%0Atwo\n',
    );
  });

  test('over several lines has no columns, which the runner would drop', () => {
    const long = { start: { line: 0, character: 3 }, end: { line: 2, character: 1 } };
    const line = annotationLine({ level: 'warning', file: 'a', range: long, title: 't', message: 'm' }, same);
    assert.deepEqual(commandsIn(line)[0]?.properties, { file: 'a', line: '1', endLine: '3', title: 't' });
  });

  test('of a file outside of the checkout has no place', () => {
    const line = annotationLine({ level: 'error', file: '-', range, title: 't', message: 'm' }, () => undefined);
    assert.equal(line, '::error title=t::m\n');
  });

  test('is one command and says its own text, for any text', () => {
    for (const text of [...INJECTIONS, ...HOSTILE]) {
      const line = annotationLine({ level: 'error', file: text, range, title: text, message: text }, same);
      assert.ok(line.length < 20_000, 'is bounded');
      const [command, ...more] = commandsIn(line);
      assert.deepEqual(more, [], JSON.stringify(text));
      assert.equal(command?.name, 'error');
      assert.deepEqual(Object.keys(command?.properties ?? {}), ANNOTATION_PROPERTIES);
      assert.equal(command?.properties['title'], escapeLine(text, 200).replace(/[\ufe00-\ufe0f]/g, ''));
      // The log shows the message on separate lines.
      assert.deepEqual(commandsIn(command?.data ?? ''), [], JSON.stringify(text));
    }
  });
});

describe('a run with failures', () => {
  const refused = '{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"::error::no"}}';
  const text = '### First\n{"method":"a"}\n?? result == 2\n?? result == 1\n### Second\n{"method":"b"}\n';

  test('names each failed assertion at its line and each error at its request', async () => {
    const { report } = await runText(text, { reply: ['{"jsonrpc":"2.0","id":1,"result":1}', refused] });
    const lines = annotationsOfRun(report.requests).map((each) => annotationLine(each, same));
    const [assertion, error, ...more] = commandsIn(lines.join(''));
    assert.deepEqual(more, []);
    assert.deepEqual(assertion, {
      name: 'error',
      properties: { file: 'file.jsonrpc', line: '3', title: 'First' },
      data: '?? result == 2\nfound: 1',
    });
    assert.deepEqual(error?.properties, { file: 'file.jsonrpc', line: '5', title: 'Second: rpc' });
    assert.match(error?.data ?? '', /error::no/);
  });

  test('a run that passes has none', async () => {
    assert.deepEqual(annotationsOfRun((await runText('### a\n{"method":"a"}')).report.requests), []);
  });

  test('whose texts are commands writes none, in text and JSON', async () => {
    for (const text of INJECTIONS) {
      const title = text.replaceAll(/[\r\n]/g, ' ');
      const reply = JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        error: { code: 1, message: text, data: { logs: [text] } },
      });
      const { report } = await runText(`### ${title}\n{"method":"a"}\n`, { reply: [reply] });
      const named = { ...report, requests: report.requests.map((row) => ({ ...row, file: title })) };
      assert.deepEqual(commandsIn(textReport(named, painterFor({}, {}))), [], JSON.stringify(text));
      const finding = { file: title, code: 'c', severity: 'error', message: text, range };
      assert.deepEqual(commandsIn(findingText(finding, ['', '', '', '', title], painterFor({}, {}))), []);
      const summary = runSummary(named, 100_000);
      assert.deepEqual(commandsIn(summary), []);
    }
  });
});

describe('plain text', () => {
  test('keeps what only looks like a command', () => {
    for (const text of ['a::b', 'std::vec::Vec', '# [x]', '## Heading [1]', 'x ##', 'http://[::1]:80'])
      assert.equal(escapeText(text), text);
  });

  test('loses what a build server would obey, and nothing else', () => {
    assert.equal(escapeText('::error::a'), '\\u003a:error::a');
    assert.equal(escapeText('a\n  ::error::a'), 'a\n  \\u003a:error::a');
    assert.equal(
      escapeText('a ##[error]b ##vso[x]c ##teamcity[y]'),
      'a #\\u0023[error]b #\\u0023vso[x]c #\\u0023teamcity[y]',
    );
    for (const text of INJECTIONS) assert.deepEqual(commandsIn(escapeText(text)), [], JSON.stringify(text));
  });

  test('of millions of blanks, colons or number signs is escaped in one pass', () => {
    // The cost of a square would take this test to its limit.
    const blanks = ' '.repeat(3_000_000);
    assert.equal(escapeText(`${blanks}x`), `${blanks}x`);
    assert.equal(escapeText(`${blanks}::error::a`), `${blanks}\\u003a:error::a`);
    assert.equal(escapeText(`:${blanks}:`), `:${blanks}:`);
    assert.equal(escapeText(`x${':'.repeat(3_000_000)}`).length, 3_000_001);
    assert.equal(escapeText('#'.repeat(3_000_000)).length, 3_000_000);
  });
});

describe('JSON in the log of a build server', () => {
  const value = ['##[set-output name=a]b', '####[x]', 'é#', '#'];
  const json = JSON.stringify(value);

  async function within<T>(work: () => Promise<T> | T): Promise<T> {
    process.env['GITHUB_ACTIONS'] = 'true';
    try {
      return await work();
    } finally {
      delete process.env['GITHUB_ACTIONS'];
    }
  }

  test('is the same value without a command', async () => {
    const written = await within(() => jsonFor({}, json));
    assert.deepEqual(JSON.parse(written), value);
    assert.deepEqual(commandsIn(written), []);
    assert.equal(jsonFor({}, json), json);
  });

  test('also in pieces that end anywhere, as text and as bytes', async () => {
    const bytes = Buffer.from(json);
    for (let at = 0; at <= bytes.length; at++) {
      const pieces = async function* (): AsyncGenerator<string | Uint8Array> {
        yield at % 2 === 0 ? bytes.subarray(0, at) : bytes.subarray(0, at).toString('latin1');
        yield bytes.subarray(at);
      };
      const parts: Buffer[] = [];
      await within(async () => {
        for await (const piece of jsonPiecesFor({}, pieces()))
          parts.push(typeof piece === 'string' ? Buffer.from(piece, 'latin1') : Buffer.from(piece));
      });
      const written = Buffer.concat(parts).toString();
      assert.deepEqual(JSON.parse(written), value);
      assert.doesNotMatch(written, /#/);
    }
  });
});

describe('the job summary', () => {
  test('shows any text as it is: no markup, no link, no cell more', () => {
    for (const text of [...INJECTIONS, ...HOSTILE, 'a|b', '<b>', '@somebody', 'https://x.example', '`a`', '\\|']) {
      const shown = cell(text);
      const inside = /^<code>(.*)<\/code>$/.exec(shown)?.[1] ?? '';
      assert.doesNotMatch(inside.replace(/&#\d+;/g, ''), /[!-/:-@[-`{-~]/, shown.slice(0, 200));
      const read = inside.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
      assert.equal(read, escapeLine(text, 200).trim());
    }
  });

  test('of a run has a row for each request, with outcome and time', async () => {
    const { report } = await runText('### A | B\n{"method":"a"}\n?? result == 2\n### Off\n# @disabled\n{"method":"b"}');
    const rows = runSummary(report, 10_000)
      .split('\n')
      .filter((line) => line.startsWith('| '));
    assert.equal(rows.length, 2 + report.requests.length);
    assert.match(rows[2] ?? '', /^\| ❌ failed \| <code>A &#124; B<\/code><br>.* \| \d+ ms \| <code>&#63;&#63; result/);
    for (const row of rows) assert.equal(row.split('|').length, 7, row);
  });

  test('of a check counts by severity', () => {
    const document = parseDocument('a.jsonrpc', 1, '### a\n{"method":"getSlot"}\n');
    assert.match(
      checkSummary([{ document, problems: [] }], true, 10_000),
      /✅ solana-rpc check\n\n.*\n.*\n\| <code>a&#46;jsonrpc<\/code> \| 0 \| 0 \| 0 \|\n/,
    );
  });

  test('keeps to its room in whole rows, failures first, and counts the rest', async () => {
    const blocks = Array.from(
      { length: 300 },
      (_, at) => `### Request ${at}\n{"method":"a"}\n?? result == ${at < 290 ? 1 : 2}\n`,
    );
    const { report } = await runText(blocks.join(''));
    const whole = runSummary(report, 1_000_000);
    assert.equal(whole.match(/^\| [✅❌]/gm)?.length, 300);
    for (const room of [10_000, 20_000, Buffer.byteLength(whole) - 1]) {
      const text = runSummary(report, room);
      assert.ok(Buffer.byteLength(text) <= room, String(room));
      assert.equal(text.match(/^\| ❌/gm)?.length, 10);
      const rows = text.match(/^\| [✅❌]/gm)?.length ?? 0;
      assert.match(text, new RegExp(`^${300 - rows} more rows are in the log only`, 'm'));
      for (const row of text.split('\n').filter((line) => line.startsWith('| '))) assert.match(row, / \|$/);
    }
    assert.equal(runSummary(report, 300), '');
    assert.equal(runSummary(report, -5), '');
  });
});

describe('a path of the checkout', () => {
  const at = (name: string, root: string | undefined, folder = '/w/repo/sub'): string | undefined =>
    repositoryPath(name, { folder, environment: { GITHUB_WORKSPACE: root }, paths: path.posix });

  test('begins at the root of the checkout, else at the working directory', () => {
    assert.equal(at('a.jsonrpc', '/w/repo'), 'sub/a.jsonrpc');
    assert.equal(at('../a.jsonrpc', '/w/repo'), 'a.jsonrpc');
    assert.equal(at('./x/..a.jsonrpc', undefined), 'x/..a.jsonrpc');
    assert.equal(at('a.jsonrpc', '/elsewhere'), 'a.jsonrpc');
  });

  test('is undefined for standard input and a file outside', () => {
    assert.equal(at('-', '/w/repo'), undefined);
    assert.equal(at('/etc/a.jsonrpc', '/w/repo'), undefined);
    assert.equal(at('../../other/a.jsonrpc', '/w/repo'), undefined);
  });

  test('has forward slashes on Windows, and no drive', () => {
    const checkout = {
      folder: 'D:\\a\\repo\\sub',
      environment: { GITHUB_WORKSPACE: 'D:\\a\\repo' },
      paths: path.win32,
    };
    assert.equal(repositoryPath('x\\a.jsonrpc', checkout), 'sub/x/a.jsonrpc');
    assert.equal(repositoryPath('C:\\other\\a.jsonrpc', checkout), undefined);
  });
});
