// The pages say each thing once, in plain words: no sentence is in two of them, or twice in one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { proseOf } from '../../support/data/markdown';
import { PAGES, textOf } from '../../support/pages/pageBlocks';

/** Shorter sentences repeat by chance ("It prints one line per file"). Characters */
const SENTENCE = 60;
/** Two pages that share a run of so many words say the same thing with another beginning or end. */
const WORDS = 12;

/** Reference pages that nobody reads from top to bottom: each method's section is complete, even if it repeats another. */
const LOOKED_UP = ['docs/methods.md', 'docs/packs.md'];

/** A log of changes repeats what the pages say now. */
const pages = PAGES.filter((page) => page !== 'CHANGELOG.md').map((page) => ({ page, prose: proseOf(textOf(page)) }));

const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

interface Prose {
  readonly page: string;
  readonly prose: readonly string[];
}

/** Repeated sentences and runs of words, each with its two pages. */
function repeated(all: readonly Prose[]): readonly string[] {
  const sentences = new Map<string, string>();
  const runs = new Map<string, string>();
  const found: string[] = [];
  for (const { page, prose } of all)
    for (const paragraph of prose) {
      for (const sentence of paragraph.split(/(?<=[.:;!?])\s+/)) {
        const said = wordsOf(sentence).join(' ');
        const before = sentences.get(said);
        if (said.length >= SENTENCE && before !== undefined && !(before === page && LOOKED_UP.includes(page)))
          found.push(`${before}, ${page}: ${said}`);
        sentences.set(said, page);
      }
      const words = wordsOf(paragraph);
      for (let at = 0; at + WORDS <= words.length; at++) {
        const run = words.slice(at, at + WORDS).join(' ');
        const before = runs.get(run);
        if (before !== undefined && before !== page) found.push(`${before}, ${page}: ${run}`);
        runs.set(run, page);
      }
    }
  return found;
}

test('no sentence is in two pages, or twice in one', () => {
  assert.ok(pages.flatMap(({ prose }) => prose).length > 500);
  assert.deepEqual(repeated(pages), []);
});

test('a sentence that is repeated is found, also within another one and with other signs', () => {
  const said = 'A key goes to exactly the origin that it was saved for, and nothing else may change that.';
  const inside = 'As SECURITY.md says, a key goes to exactly the *origin* that it was saved for, in any case.';
  const [one, two] = [
    { page: 'a.md', prose: [said] },
    { page: 'b.md', prose: ['Something else.', inside] },
  ];
  assert.deepEqual(repeated([one]), []);
  assert.notDeepEqual(repeated([one, two]), []);
  assert.notDeepEqual(repeated([{ page: 'a.md', prose: [said, `Again: ${said}`] }]), []);
});

/** Words that these pages used where English has a plainer one: reports, is, again, manual. */
const STILTED = /\b(?:tells|told|stands|anew|by hand)\b/i;

test('the pages use plain words', () => {
  const found = pages.flatMap(({ page, prose }) =>
    prose.filter((paragraph) => STILTED.test(paragraph)).map((paragraph) => `${page}: ${paragraph.slice(0, 80)}`),
  );
  assert.deepEqual(found, []);
});
