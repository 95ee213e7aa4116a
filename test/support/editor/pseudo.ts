// A language of long words, made from the English texts: what it shows is translated, and what it clips would be clipped in
// other languages too.
import { readFile, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';

/** Its name as the editor requests it: a code that belongs to no language. */
export const PSEUDO_LANGUAGE = 'qps';

/**
 * Each vowel three times, between signs that no page has: half as long again, and known wherever it is. Line by line;
 * placeholders, icons and the targets of links stay.
 */
export const pseudo = (text: string): string => text.split('\n').map(pseudoLine).join('\n');

function pseudoLine(line: string): string {
  // A line that is only a link is shown as a button.
  const [, label, target] = /^\[(.*)\](\(.*\))$/.exec(line) ?? [];
  if (label !== undefined) return `[${pseudoLine(label)}]${target}`;
  const long = line.replace(/\{\d+\}|\$\([^)]*\)|\]\([^)]*\)|[aeiou]/g, (part) =>
    part.length === 1 ? part.repeat(3) : part,
  );
  return `⟦${long}⟧`;
}

/** Adds the texts in this language to every extension in a folder of installed ones. */
export async function addPseudoLanguage(extensions: string): Promise<void> {
  for (const entry of await readdir(extensions, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    const folder = path.join(extensions, entry.name);
    await translate(path.join(folder, 'package.nls.json'), path.join(folder, `package.nls.${PSEUDO_LANGUAGE}.json`));
    const bundle = path.join(folder, 'l10n', 'bundle.l10n');
    await translate(`${bundle}.json`, `${bundle}.${PSEUDO_LANGUAGE}.json`);
  }
}

/** Texts in English to the same in this language; keys stay. */
async function translate(from: string, to: string): Promise<void> {
  const texts = JSON.parse(await readFile(from, 'utf8')) as Readonly<Record<string, string>>;
  const translated = Object.entries(texts).map(([key, text]) => [key, pseudo(text)]);
  await writeFile(to, JSON.stringify(Object.fromEntries(translated)));
}

/** Texts of the page that are cut off: by their own box, by one around it, or by the window; grids of data may scroll. */
export const clipped = (page: Page): Promise<string[]> =>
  page.evaluate(`(() => {
    const endOf = (own) => {
      let end = innerWidth;
      for (let box = own; box !== document.body; box = box.parentElement) {
        const { overflowX, clipPath } = getComputedStyle(box);
        // For screen readers alone.
        if (clipPath !== 'none') return Infinity;
        if (overflowX !== 'visible') end = Math.min(end, box.getBoundingClientRect().right);
      }
      return end;
    };
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found = [];
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const own = node.parentElement;
      if (own.closest('[title], option, [role=grid], [role=listbox], table') !== null) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const { right, width } = range.getBoundingClientRect();
      if (width > 0 && right > endOf(own) + 1) found.push(node.data);
    }
    return found;
  })()`);
