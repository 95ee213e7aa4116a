// The texts of the client: every one can be translated, because it is in the bundle that translations are made from.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { BUNDLE, bundleOf, textsOfClient } from '../../../scripts/l10n.mjs';

test('the bundle holds every text of the client and no other; `node scripts/l10n.mjs` writes it', async () => {
  const texts = await textsOfClient();
  assert.ok(texts.length > 50);
  assert.equal(await readFile(BUNDLE, 'utf8'), bundleOf(texts));
});

test('every placeholder of a text counts from zero without a gap', async () => {
  for (const text of await textsOfClient()) {
    const used = new Set([...text.matchAll(/\{(\d+)\}/g)].map((match) => Number(match[1])));
    assert.deepEqual(
      [...used].sort(),
      [...used.keys()].map((_, index) => index),
      text,
    );
  }
});
