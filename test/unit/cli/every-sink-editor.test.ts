// One hostile text through what the editor shows and copies: labels, tooltips, pages, messages of diagnostics and commands
// for a shell, judged as the reader of each does.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { afterEach, beforeEach, describe, test } from 'node:test';
import type { tooltip as Tooltip } from '../../../client/shared/tooltip';
import { plain } from '../../../client/shared/words';
import { writeCurl } from '../../../core/requests/copy/shell';
import { parseDocument } from '../../../core/requests/document/document';
import { createLanguageService } from '../../../core/requests/language/service';
import { SINK_TEXTS, UNSEEN } from '../../support/data/hostileTexts';
import { readMarkdown } from '../../support/data/markdown';
import { pageDocument, readHtml } from '../../support/data/readers';
import { loadOver } from '../../support/editor/fakeVscode';

const titleOf = (text: string): string => JSON.stringify(text.slice(0, 40));
/** Without what cannot be seen, and without blanks. */
const visible = (text: string): string => text.replace(new RegExp(`\\s|${UNSEEN.source}`, 'gu'), '');

describe('a label or message of the editor', () => {
  for (const text of SINK_TEXTS)
    test(`draws no icon and makes no link: ${titleOf(text)}`, () => {
      const shown = plain(text);
      assert.doesNotMatch(shown, /\$\([a-z0-9-]+(?:~[a-z]+)?\)/i);
      assert.doesNotMatch(shown, /\[[^\]]+\]\([^)\s]+/);
      // Ignores the zero-width spaces that we insert between a mark and its bracket.
      assert.doesNotMatch(shown.replace(/([$\]])\u200b\(/g, '$1('), new RegExp(`${UNSEEN.source}|\\n`, 'u'));
      assert.ok(visible(text).startsWith(visible(shown).replace('…', '')));
    });
});

describe('a tooltip', () => {
  class MarkdownString {
    constructor(public value: string) {}
    appendMarkdown(text: string): void {
      this.value += text;
    }
  }
  const { tooltip } = loadOver<{ readonly tooltip: typeof Tooltip }>(
    { MarkdownString },
    '../../../client/shared/tooltip',
    __filename,
  );

  for (const text of SINK_TEXTS)
    test(`is a heading and lines of words: ${titleOf(text)}`, () => {
      const { kinds, words } = readMarkdown(tooltip(text, [text, 'end']).value);
      const expected = [
        'paragraph_open',
        'inline',
        'strong_open',
        'text',
        'text_special',
        'strong_close',
        'paragraph_close',
      ];
      assert.deepEqual(
        [...kinds].filter((kind) => ![...expected, 'hardbreak'].includes(kind)),
        [],
      );
      assert.ok(kinds.has('strong_open'));
      assert.doesNotMatch(words, UNSEEN);
    });
});

describe('a page of the editor', () => {
  const { element } = loadOver<{ readonly element: (tag: string, ...inside: readonly unknown[]) => unknown }>(
    {},
    '../../../client/webview/shared/dom',
    __filename,
  );

  beforeEach(() => {
    Object.defineProperty(globalThis, 'document', { value: pageDocument, configurable: true });
  });
  afterEach(() => {
    Reflect.deleteProperty(globalThis, 'document');
  });

  // HTML text holds no NUL.
  for (const text of SINK_TEXTS.map((one) => one.replaceAll('\0', '')))
    test(`shows text and attributes as they are: ${titleOf(text)}`, () => {
      const { tags, attributes, words } = readHtml(element('p', { title: text }, text, element('b', {}, text)));
      assert.deepEqual(tags, ['p', 'b']);
      assert.deepEqual(attributes.map(visible), [visible(text)]);
      assert.equal(visible(words), visible(text + text));
    });
});

describe('a message of the language server', () => {
  const service = createLanguageService({ surroundings: () => ({}), log: (message) => assert.fail(message) });

  for (const text of SINK_TEXTS)
    test(`is a line without anything unseen: ${titleOf(text)}`, () => {
      const word = text.replace(/[\r\n]/g, ' ');
      const call = { method: text, params: [text, { [text]: text }], [text]: 1 };
      const balance = { method: 'getBalance', params: [text, { commitment: text, [text]: 1 }] };
      const request = `### ${word}\n# @${word}\n# @pack ${word}\n@${word} = {{${word}}}\n${JSON.stringify(call)}\n?? ${word}\n`;
      const found = service.diagnostics(
        parseDocument(
          'file:///a.jsonrpc',
          1,
          `${request}\n### b\n${JSON.stringify(balance)}\n?? result == {{${word}}}\n`,
        ),
      );
      assert.ok(found.length > 0);
      for (const message of found.map((one) => (typeof one.message === 'string' ? one.message : one.message.value))) {
        assert.doesNotMatch(message, new RegExp(`${UNSEEN.source}|\\n`, 'u'), message.slice(0, 200));
        assert.ok(message.length < 2_000, String(message.length));
      }
    });
});

describe('a copied command', () => {
  for (const text of SINK_TEXTS)
    test(`is one word of a real shell: ${titleOf(text)}`, () => {
      // No argument of a process holds this character.
      const word = text.replaceAll('\0', '');
      const url = `http://127.0.0.1/?x=${word}`;
      const headers = [['X-Text', word]] as const;
      const request = { transport: 'POST', url, headers, body: word, calls: [], isBatch: false, keys: [] } as const;
      const written = writeCurl(request);
      assert.ok(written.kind === 'text');
      const script = `curl() { printf '%s\\0' "$@"; }\n${written.text}`;
      const words = execFileSync('sh', ['-c', script], { encoding: 'utf8', env: { PATH: process.env['PATH'] } }).split(
        '\0',
      );
      const expected = ['-H', 'Content-Type: application/json', '-H', `X-Text: ${word}`, '--data-raw', word, ''];
      assert.deepEqual(words, ['--silent', '--show-error', url, ...expected]);
    });
});
