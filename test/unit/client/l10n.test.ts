// The texts of the client: every one can be translated, because it is in the bundle that translations are made from.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { BUNDLE, bundleOf, textsOfClient, untranslatedTexts } from '../../../scripts/l10n.mjs';

test('the bundle holds every text of the client and no other; `node scripts/l10n.mjs` writes it', async () => {
  const texts = await textsOfClient();
  assert.ok(texts.length > 50);
  assert.equal(await readFile(BUNDLE, 'utf8'), bundleOf(texts));
});

test('every text that people read goes through a translation', async () => {
  assert.deepEqual(await untranslatedTexts(), []);
});

test('every text of the manifest can be translated', async () => {
  const manifest = JSON.parse(await readFile('package.json', 'utf8')) as { readonly contributes: unknown };
  const texts = JSON.parse(await readFile('package.nls.json', 'utf8')) as Readonly<Record<string, string>>;
  const used = new Set<string>();
  const bare: string[] = [];
  const look = (value: unknown, member: string): void => {
    if (typeof value === 'object' && value !== null)
      for (const [name, inner] of Object.entries(value)) look(inner, Array.isArray(value) ? member : name);
    else if (typeof value === 'string' && SHOWN.has(member)) {
      const key = /^%(.+)%$/.exec(value)?.[1];
      if (key !== undefined) used.add(key);
      else if (value !== 'Solana RPC' && !value.startsWith('solanaRpc')) bare.push(`${member}: ${value}`);
    }
  };
  look(withoutModels(manifest.contributes), '');
  look((manifest as { readonly capabilities?: unknown }).capabilities, '');
  assert.deepEqual(bare, []);
  assert.deepEqual(
    [...used].filter((key) => !Object.hasOwn(texts, key)),
    [],
  );
  assert.deepEqual(
    Object.keys(texts).filter((key) => !used.has(key)),
    [],
  );
});

/** Leaves out the texts of tools that language models read: they are not translated. */
function withoutModels(contributes: unknown): unknown {
  return JSON.parse(
    JSON.stringify(contributes, (name, value: unknown) =>
      name === 'inputSchema' || name === 'modelDescription' ? undefined : value,
    ),
  );
}

/** Members of the manifest that people read. */
const SHOWN = new Set(
  'title shortTitle displayName description markdownDescription altText name contents contextualTitle label enumDescriptions markdownEnumDescriptions deprecationMessage'.split(
    ' ',
  ),
);

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
