// Gathers the English texts of the client into l10n/bundle.l10n.json, from which translations are made.
// `node scripts/l10n.mjs` writes the file; a test compares it with the source.
import { readFile, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import ts from 'typescript';
import { endWith, isMain } from './editor/run.mjs';

const root = path.join(import.meta.dirname, '..');

export const BUNDLE = path.join(root, 'l10n', 'bundle.l10n.json');

/**
 * Every text that goes through `vscode.l10n.t`, `l10n.t` or a function `t` that stands for it, sorted.
 * @returns {Promise<string[]>} rejects where a text is put together instead of written out
 */
export async function textsOfClient() {
  /** @type {Set<string>} */
  const texts = new Set();
  const client = path.join(root, 'client');
  for (const name of (await readdir(client, { recursive: true })).filter((name) => name.endsWith('.ts'))) {
    const source = ts.createSourceFile(name, await readFile(path.join(client, name), 'utf8'), ts.ScriptTarget.ES2022);
    /** @param {import('typescript').Node} node */
    const visit = (node) => {
      if (ts.isCallExpression(node) && isTranslation(node.expression, source)) {
        const [text] = node.arguments;
        if (text === undefined || !ts.isStringLiteralLike(text))
          throw new Error(`client/${name}: a text to translate must be written out: ${node.getText(source)}`);
        texts.add(text.text);
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return [...texts].sort();
}

/**
 * @param {import('typescript').Expression} callee
 * @param {import('typescript').SourceFile} source
 */
function isTranslation(callee, source) {
  return ['t', 'l10n.t', 'vscode.l10n.t'].includes(callee.getText(source));
}

/** @param {readonly string[]} texts */
export const bundleOf = (texts) =>
  `${JSON.stringify(Object.fromEntries(texts.map((text) => [text, text])), undefined, 2)}\n`;

async function main() {
  await writeFile(BUNDLE, bundleOf(await textsOfClient()));
}

if (isMain(import.meta.url)) endWith(main());
