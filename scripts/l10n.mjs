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
  for (const { name, source } of await sourcesOfClient()) {
    /** @param {import('typescript').Node} node */
    const visit = (node) => {
      if (ts.isCallExpression(node) && isTranslation(node.expression)) {
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

/** Every file of the client, read and parsed. */
export async function sourcesOfClient() {
  const client = path.join(root, 'client');
  const names = (await readdir(client, { recursive: true })).filter((name) => name.endsWith('.ts'));
  return Promise.all(
    names.sort().map(async (name) => {
      const text = await readFile(path.join(client, name), 'utf8');
      return { name, source: ts.createSourceFile(name, text, ts.ScriptTarget.ES2022, true) };
    }),
  );
}

/** `t(…)`, also as a member of any object. @param {import('typescript').Expression} callee */
export function isTranslation(callee) {
  return ts.isIdentifier(callee)
    ? callee.text === 't'
    : ts.isPropertyAccessExpression(callee) && callee.name.text === 't';
}

/** Texts that are the same in every language: names of products, tools, formats and keys; states that nobody reads. */
const NO_TEXT = new Set(
  'Solana RPC|Escape|Enter|Error|its own|local service|curl|wscat|websocat|grpcurl|@solana/kit|@solana/web3.js|NDJSON|CSV'.split(
    '|',
  ),
);

/** Answers to language models, in English like the descriptions of their tools. */
const NOT_FOR_PEOPLE = new Set(['window/tools.ts']);

/** Members of objects whose text people read, even where it is one word. */
const SHOWN = new Set([
  'label',
  'title',
  'tooltip',
  'prompt',
  'placeHolder',
  'placeholder',
  'detail',
  'description',
  'message',
  'aria-label',
]);

/** Members and calls whose text nobody reads. */
const HIDDEN = new Set(['class', 'role', 'type', 'source', 'directive']);
const HIDDEN_CALLS = /(?:\blog\.(?:error|warn|info|debug|trace)|\.matchMedia|\.querySelector(?:<\w+>)?)$/;
/** Calls whose first argument is a class (client/webview/shared/dom.ts). */
const CLASS_FIRST = new Set(['div', 'span', 'paragraph', 'scrollArea', 'definitions']);

/**
 * Texts of the client that people read and no translation reaches, as `file:line: text`.
 * @returns {Promise<string[]>}
 */
export async function untranslatedTexts() {
  /** @type {string[]} */
  const found = [];
  for (const { name, source } of await sourcesOfClient()) {
    if (NOT_FOR_PEOPLE.has(name)) continue;
    /** @param {import('typescript').Node} node @param {boolean} isShown */
    const visit = (node, isShown) => {
      if (ts.isImportDeclaration(node) || ts.isTypeNode(node) || ts.isThrowStatement(node)) return;
      if (ts.isCallExpression(node) && HIDDEN_CALLS.test(node.expression.getText())) return;
      if (ts.isCallExpression(node) && isTranslation(node.expression)) {
        for (const argument of node.arguments.slice(1)) visit(argument, false);
        return;
      }
      if (ts.isCallExpression(node) && CLASS_FIRST.has(node.expression.getText())) {
        for (const argument of node.arguments.slice(1)) visit(argument, false);
        return;
      }
      const member = ts.isPropertyAssignment(node) ? node.name.getText().replace(/['"]/g, '') : undefined;
      if (member !== undefined && HIDDEN.has(member)) return;
      const text = textIn(node);
      if (text !== undefined && !NO_TEXT.has(text) && (isWords(text) || (isShown && /[A-Za-z]{2}/.test(text)))) {
        const { line } = source.getLineAndCharacterOfPosition(node.getStart());
        found.push(`${name}:${line + 1}: ${text}`);
      }
      const shows = member !== undefined && SHOWN.has(member);
      ts.forEachChild(node, (child) =>
        visit(child, shows && ts.isPropertyAssignment(node) && child === node.initializer),
      );
    };
    visit(source, false);
  }
  return found;
}

/** The text of a literal, with a sign in place of each value. @param {import('typescript').Node} node */
function textIn(node) {
  if (!ts.isStringLiteralLike(node) && !ts.isTemplateExpression(node)) return undefined;
  const text = ts.isTemplateExpression(node)
    ? [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('·')
    : node.text;
  // Icons and addresses are no words.
  return /^https?:/.test(text) ? '' : text.replace(/\$\([\w-]+\)/g, '').trim();
}

/** Two words in a row, or a capitalised word: a sentence or a title. @param {string} text */
const isWords = (text) =>
  !text.startsWith('<') && (/[A-Za-z]{2}[,;:]? [A-Za-z]{2}/.test(text) || /^[A-Z][a-z]{2,}\b/.test(text));

/** @param {readonly string[]} texts */
export const bundleOf = (texts) =>
  `${JSON.stringify(Object.fromEntries(texts.map((text) => [text, text])), undefined, 2)}\n`;

async function main() {
  await writeFile(BUNDLE, bundleOf(await textsOfClient()));
}

if (isMain(import.meta.url)) endWith(main());
