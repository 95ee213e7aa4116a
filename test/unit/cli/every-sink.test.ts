// One hostile text through Markdown, the findings of check and CSV, judged as the reader of each does.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { findingText } from '../../../cli/report/place';
import { painterFor } from '../../../cli/terminal';
import { csvLine } from '../../../core/solana/common/csv';
import { markdownBlock, markdownCode, markdownText } from '../../../core/solana/common/markdown';
import { SINK_TEXTS, UNSEEN } from '../../support/data/hostileTexts';
import { readMarkdown } from '../../support/data/markdown';

describe('Markdown', () => {
  const IN_TEXT = ['paragraph_open', 'inline', 'text', 'text_special', 'paragraph_close'];

  for (const text of SINK_TEXTS) {
    const title = JSON.stringify(text.slice(0, 40));
    test(`shows text as text: ${title}`, () => {
      for (const max of [50, 1_000]) {
        const { kinds, words } = readMarkdown(markdownText(text, max));
        assert.deepEqual(
          [...kinds].filter((kind) => !IN_TEXT.includes(kind)),
          [],
        );
        assert.doesNotMatch(words, UNSEEN);
        assert.ok(words.length <= max);
        const whole = text.length > max ? `${text.slice(0, max - 1)}…` : text;
        assert.equal(
          words.replaceAll(/[\s\ufffd]/g, ''),
          whole.replaceAll(new RegExp(`\\s|${UNSEEN.source}`, 'gu'), ''),
        );
      }
    });

    test(`shows text as a span of code: ${title}`, () => {
      const { kinds } = readMarkdown(`before ${markdownCode(text)} behind`);
      assert.deepEqual(kinds, new Set(['paragraph_open', 'inline', 'text', 'code_inline', 'paragraph_close']));
    });

    test(`shows lines as a block of code: ${title}`, () => {
      for (const block of [text, `\n${'`'.repeat(5)}\n${text}`]) {
        const { kinds, words } = readMarkdown(`${markdownBlock(block)}\n`);
        assert.deepEqual([...kinds], ['fence']);
        assert.doesNotMatch(words.replaceAll('\t', ' '), UNSEEN);
      }
    });
  }

  test('has nothing for an empty text', () => {
    assert.deepEqual([markdownText(' \n'), markdownCode('')], ['', '']);
  });
});

describe('a finding of check', () => {
  for (const text of SINK_TEXTS)
    test(`is three lines for any file and message: ${JSON.stringify(text.slice(0, 40))}`, () => {
      const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } };
      const finding = { file: text, code: 'unknown-method', severity: 'error', message: text, range };
      const shown = findingText(finding, [text], painterFor({}, {}));
      assert.match(shown, /^[^\n]*:1:1: error unknown-method: [^\n]*\n {2}1 \| [^\n]*\n {4}\| \^\n$/);
      assert.doesNotMatch(shown, UNSEEN);
    });
});

/** Rows as a spreadsheet reads them whose language separates cells so: a quote counts at the start of a cell alone. */
function rowsOf(csv: string, separator: string): readonly (readonly string[])[] {
  const rows: string[][] = [['']];
  let isQuoted = false;
  const add = (text: string): void => {
    const row = rows.at(-1) ?? [];
    row.push(`${row.pop() ?? ''}${text}`);
  };
  let isStart = true;
  for (let at = 0; at < csv.length; at++) {
    const char = csv.charAt(at);
    if (isQuoted && char === '"' && csv[at + 1] === '"') add(csv.charAt(at++));
    else if (char === '"' && (isQuoted || isStart)) isQuoted = !isQuoted;
    else if (isQuoted || !(char === separator || char === '\r' || char === '\n')) add(char);
    else if (char === separator) rows.at(-1)?.push('');
    else rows.push(['']);
    isStart = !isQuoted && (char === separator || char === '\r' || char === '\n');
  }
  return rows.filter((row) => row.join('') !== '');
}

const cellsOf = (csv: string): readonly string[] =>
  [',', ';', '\t'].flatMap((separator) => rowsOf(csv, separator).flat());

const isFormula = (cell: string): boolean => /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]/.test(cell);

describe('CSV', () => {
  const MARKS = ['=', '+', '-', '@', '\uff1d', '\uff0b', '\uff0d', '\uff20'];

  for (const before of [
    '',
    ' ',
    '\t',
    '\r',
    '\n',
    '\u00a0',
    'a;',
    'a; ',
    'a\t',
    'a,',
    'a|',
    'a\n',
    'a"',
    'a;"',
    'a;\t"',
  ])
    for (const mark of MARKS)
      test(`a formula behind ${JSON.stringify(before)}${mark} is text for every separator of cells`, () => {
        for (const cell of cellsOf(csvLine(['x', `${before}${mark}1+1`, '7'])))
          assert.ok(!isFormula(cell), JSON.stringify(cell));
      });

  for (const start of ['\t', '\r', '\n'])
    test(`a text that begins with ${JSON.stringify(start)} is marked as text`, () => {
      assert.equal(csvLine([`${start}x`]), `"'${start}x"\r\n`);
    });

  test('numbers stay numbers', () => {
    const numbers = ['-5', '5', '-1.5e3', '18446744073709551615', '0.000000001', '-0'];
    assert.equal(csvLine(numbers), `${numbers.join(',')}\r\n`);
  });

  test('a text of any kind is one field of one record', () => {
    for (const text of SINK_TEXTS) {
      const line = csvLine(['a', text, 'b']);
      const cells = rowsOf(line, ',').flat();
      assert.equal(cells.length, 3);
      assert.equal(cells[1]?.replaceAll("'", ''), text.replaceAll("'", ''));
    }
  });
});
