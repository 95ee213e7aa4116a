// One hostile text through every sink: each shows it as text, judged as the sink's own reader does.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { markdownBlock, markdownCode, markdownText } from '../../../core/markdown';
import { EVERY_SINK, UNSEEN } from '../../support/data/hostileTexts';
import { readMarkdown } from '../../support/data/markdown';

const LINES = EVERY_SINK.split(/[\r\n]+/);
/** The text, its lines, and each of them in the middle of a line. */
const TEXTS = [EVERY_SINK, ...LINES, ...LINES.map((line) => `a ${line} b`)];

describe('Markdown', () => {
  const IN_TEXT = ['paragraph_open', 'inline', 'text', 'text_special', 'paragraph_close'];

  for (const text of TEXTS) {
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
