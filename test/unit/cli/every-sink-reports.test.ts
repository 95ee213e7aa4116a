// One hostile text through the terminal and the reports for build servers, judged as the reader of each does.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { annotationLine } from '../../../cli/report/ci/annotations';
import { sarifLog } from '../../../cli/report/ci/sarif';
import { cell } from '../../../cli/report/ci/summary';
import { escapeXml, junitReport } from '../../../cli/report/junit';
import { escapeLine, escapeText, LONGEST_MESSAGE } from '../../../cli/terminal';
import { parseDocument } from '../../../core/requests/document/document';
import { diagnose } from '../../../core/requests/checks/diagnostics';
import { SINK_TEXTS, UNSEEN } from '../../support/data/hostileTexts';
import { readMarkdown } from '../../support/data/markdown';
import { readSarifMessage, readXml } from '../../support/data/readers';
import { ANNOTATION_PROPERTIES, commandsIn } from '../../support/data/workflowLog';
import { runText } from '../../support/process/run';
import type { RunReport } from '../../../core/requests/run/model';

const titleOf = (text: string): string => JSON.stringify(text.slice(0, 40));
/** A text in which what was written out as `\uXXXX` is itself again. */
const readEscapes = (text: string): string =>
  text.replace(/\\u([0-9a-f]{4})/g, (_all, code: string) => String.fromCharCode(parseInt(code, 16)));
/** The commands of GitHub Actions, Azure Pipelines and TeamCity. */
const isObeyed = (log: string): boolean => commandsIn(log).length > 0 || /##\w*\[/.test(log);

describe('a terminal', () => {
  for (const text of SINK_TEXTS) {
    test(`shows a block as it is: ${titleOf(text)}`, () => {
      const shown = escapeText(text);
      assert.doesNotMatch(shown.replaceAll('\t', ' '), UNSEEN);
      assert.ok(!isObeyed(shown));
      assert.equal(readEscapes(shown), text);
    });

    test(`shows a text on one line: ${titleOf(text)}`, () => {
      const shown = escapeLine(text, 30_000);
      assert.doesNotMatch(shown, /\n|\r/);
      assert.doesNotMatch(shown, UNSEEN);
      assert.ok(!isObeyed(shown));
      assert.equal(readEscapes(shown), text.replaceAll('\r', '').replaceAll('\n', '\\n').replaceAll('\t', ' '));
    });
  }
});

describe('the report of JUnit', () => {
  let report: RunReport;
  before(async () => {
    ({ report } = await runText('### a\n{"method":"a"}\n'));
  });

  for (const text of SINK_TEXTS)
    test(`is well-formed and says what it was given: ${titleOf(text)}`, () => {
      const requests = report.requests.map((row) => {
        const error = { kind: 'rpc', message: text } as const;
        return { ...row, file: text, name: text, title: text, status: 'failed' as const, error };
      });
      const { elements } = readXml(junitReport({ ...report, requests }, { startedAt: 0, hostname: text }));
      const [, suite, row, error] = elements;
      assert.deepEqual(
        elements.map(({ name }) => name),
        ['testsuites', 'testsuite', 'testcase', 'error'],
      );
      const said = [suite?.attributes['name'], suite?.attributes['hostname'], row?.attributes['classname']];
      for (const value of [...said, error?.attributes['message']]) assert.equal(readEscapes(value ?? ''), text);
      const written = readXml(`<a b="${escapeXml(text)}">${escapeXml(text)}</a>`);
      assert.deepEqual(
        [written.elements[0]?.attributes['b'], written.text].map((one) => readEscapes(one ?? '')),
        [text, text],
      );
      // No control but those that XML 1.0 has (2.2 Characters).
      assert.doesNotMatch(escapeXml(text), /[\0-\x1f\x7f-\x9f]/);
    });
});

describe('an annotation of GitHub', () => {
  const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } };

  for (const text of SINK_TEXTS)
    test(`is one command of one line: ${titleOf(text)}`, () => {
      const line = annotationLine({ level: 'error', file: text, range, title: text, message: text }, (file) => file);
      assert.match(line, /^::error [^\r\n]*\n$/);
      assert.doesNotMatch(line.replaceAll('\t', ' '), UNSEEN);
      const [command, ...more] = commandsIn(line);
      assert.deepEqual(more, []);
      assert.deepEqual(Object.keys(command?.properties ?? {}), ANNOTATION_PROPERTIES);
      assert.equal(command?.properties['title'], escapeLine(text, 200));
      const lines = text.split('\n').map((one) => escapeLine(one, LONGEST_MESSAGE));
      assert.equal(command?.data, lines.join('\n').slice(0, LONGEST_MESSAGE));
      assert.ok(!isObeyed(command?.data ?? ''));
    });
});

describe('the job summary', () => {
  for (const text of SINK_TEXTS)
    test(`has a cell with the text and no markup: ${titleOf(text)}`, () => {
      const { kinds, words } = readMarkdown(`| A | B |\n| --- | --- |\n| ${cell(text)} | end |\n`);
      const inCells = ['inline', 'text', 'text_special', 'html_inline'];
      assert.deepEqual(
        [...kinds].filter((kind) => !/^(?:table|thead|tbody|tr|th|td)_/.test(kind) && !inCells.includes(kind)),
        [],
      );
      assert.equal(words, `AB<code>${escapeLine(text, 200).trim()}</code>end`);
      assert.doesNotMatch(words, UNSEEN);
    });
});

describe('a message of SARIF', () => {
  const document = parseDocument('a.jsonrpc', 1, '### a\n{"method":"getSlto"}\n');
  const surroundings = { vars: new Map(), imports: { documentOf: () => undefined, whyNone: () => undefined } };
  const [found] = diagnose({ document, surroundings });
  assert.ok(found);

  for (const text of SINK_TEXTS)
    test(`is the text, without links and placeholders: ${titleOf(text)}`, () => {
      const problems = [{ ...found, problem: { ...found.problem, message: text } }];
      const log = sarifLog([{ document, problems }], '1', { folder: '/w', environment: {} });
      const { runs } = JSON.parse(JSON.stringify(log)) as {
        readonly runs: readonly { readonly results: readonly { readonly message: { readonly text: string } }[] }[];
      };
      assert.equal(readSarifMessage(runs[0]?.results[0]?.message.text ?? ''), text);
    });
});
