// The pages name settings, commands and methods as they are: each setting is in the manifest, what is in italics and begins
// like a title is a text of the manifest or of the client, and what the local service refuses is on its page.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { HTTP_METHODS } from '../../corpus/methods';
import { PAGES, ROOT, textOf } from '../../support/pages/pageBlocks';

const json = (name: string): unknown => JSON.parse(readFileSync(path.join(ROOT, name), 'utf8'));

interface Manifest {
  readonly contributes: { readonly configuration: { readonly properties: object } };
}

const SETTINGS = Object.keys((json('package.json') as Manifest).contributes.configuration.properties);
/** The command of the language server in other editors. */
const OF_OTHER_EDITORS = ['solanaRpc.run'];

const bare = (text: string): string => text.replaceAll('…', '');
const TEXTS = [
  ...Object.values(json('package.nls.json') as Readonly<Record<string, string>>),
  ...Object.keys(json('l10n/bundle.l10n.json') as object),
].map(bare);
/** Texts of others: the editor's own, and a column that the terminal and the panel write as a value. */
const NOT_OURS = ['Help > Welcome', 'Fate', 'Solana RPC: Show Log', 'Show Running Extensions'];

/** Without blocks of code. */
const proseOf = (page: string): string => textOf(page).replace(/^ *```[^]*?^ *```/gm, '');

const settingsIn = (text: string): readonly string[] =>
  [...text.matchAll(/\bsolanaRpc\.\w+(?:\.\w+)*/g)].map(([name]) => name);

/** In italics, with a capital first: commands, views, buttons. */
const titlesIn = (text: string): readonly string[] =>
  [...text.matchAll(/(?<![*\w])\*([A-Z][^*\n]{2,60})\*(?!\*)/g)].map(([, title = '']) => title);

const unknownTitles = (text: string): readonly string[] =>
  titlesIn(text).filter((title) => !NOT_OURS.includes(title) && !TEXTS.some((known) => known.includes(bare(title))));

describe('what the pages name of the editor is there', () => {
  for (const page of PAGES.filter((one) => one !== 'CHANGELOG.md'))
    test(page, () => {
      assert.deepEqual(
        settingsIn(proseOf(page)).filter((name) => !SETTINGS.includes(name) && !OF_OTHER_EDITORS.includes(name)),
        [],
      );
      assert.deepEqual(unknownTitles(proseOf(page)), []);
    });

  test('and it is much', () => {
    const all = PAGES.map(proseOf).join('\n');
    assert.ok(settingsIn(all).length > 10);
    assert.ok(titlesIn(all).length > 80);
  });
});

test('a title that no text has is found', () => {
  assert.deepEqual(unknownTitles('Click *Explain Transaction…*, then *Explain Nothing*.'), ['Explain Nothing']);
});

test('the page of the local service names every method that it refuses', () => {
  const page = textOf('docs/local-service.md');
  const refused = HTTP_METHODS.filter((method) => method.refused !== undefined);
  assert.ok(refused.length > 0);
  for (const { name } of refused) assert.ok(page.includes(`\`${name}\``), name);
});
