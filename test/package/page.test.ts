// The pictures of the pages: each caption says what its picture shows, by the text that was
// recorded when it was taken.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { linksOf } from '../support/data/markdown';
import { PAGES } from '../support/pages/pageBlocks';
import type { RecordedText } from '../support/editor/recording';

const ROOT = path.join(__dirname, '..', '..');
const PICTURES = path.join('docs', 'pictures');
const read = (name: string): string => readFileSync(path.join(ROOT, name), 'utf8');

const texts = JSON.parse(read(path.join(PICTURES, 'texts.json'))) as Readonly<Record<string, RecordedText>>;

/** Images of a GIF: each has an extension block that says how long it stays. */
const framesOf = (gif: Buffer): number => gif.toString('latin1').split('\x21\xf9\x04').length - 1;

describe('pictures', () => {
  const shown = PAGES.flatMap((page) =>
    linksOf(read(page))
      .filter(({ isPicture }) => isPicture)
      .map(({ target, words }) => ({ page, words, target: path.join(path.dirname(page), target) }))
      .map((picture) => ({ ...picture, name: path.basename(picture.target) })),
  );

  test('all of them are in docs/pictures', () => {
    assert.deepEqual(
      shown.filter(({ target }) => path.dirname(target) !== PICTURES),
      [],
    );
  });

  test('the page of the extension has one still and three that move; each file is shown somewhere', () => {
    const ofPage = shown.filter(({ page }) => page === 'EXTENSION.md').map(({ name }) => path.extname(name));
    assert.deepEqual(ofPage, ['.png', '.gif', '.gif', '.gif']);
    const files = readdirSync(path.join(ROOT, PICTURES)).filter((name) => name !== 'texts.json');
    assert.deepEqual([...new Set(shown.map(({ name }) => name))].sort(), files.sort());
  });

  for (const { page, name, words, target } of shown)
    test(`${page}, ${name}: shows what its caption quotes, whole and not still loading`, () => {
      const recorded = texts[name];
      assert.ok(recorded !== undefined, `${name} was not taken by npm run pictures`);
      const bytes = readFileSync(path.join(ROOT, target));
      assert.equal(
        createHash('sha256').update(bytes).digest('hex'),
        recorded.sha256,
        'text and picture are of one run',
      );
      const quoted = [...words.matchAll(/“([^”]+)”/g)].map(([, term = '']) => term);
      assert.ok(quoted.length >= 3, 'a caption quotes what is to be seen');
      const missing = quoted.filter((term) => !recorded.lines.some((line) => line.includes(term)));
      assert.deepEqual(missing, []);
      assert.deepEqual(
        recorded.last.filter((line) => /^…$|Loading|Reading the newest/.test(line)),
        [],
      );
    });

  test('what moves has several frames, and nothing is above 600 kB', () => {
    for (const { name, target } of shown) {
      const bytes = readFileSync(path.join(ROOT, target));
      assert.ok(bytes.length <= 600_000, `${name}: ${bytes.length} bytes`);
      if (name.endsWith('.gif')) assert.ok(framesOf(bytes) >= 4, `${name}: ${framesOf(bytes)} frames`);
    }
  });
});
