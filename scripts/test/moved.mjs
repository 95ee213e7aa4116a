// `node scripts/test/moved.mjs BASE`: the titles of tests that `npm test` has lost and gained since a commit. A title is what the
// source says, a value in it as its expression; a test that only moved to another file is in neither list.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { git } from '../git.mjs';

/** @typedef {{ readonly title: string, readonly file: string }} Titled */

const root = path.join(import.meta.dirname, '..', '..');
const MAKERS = new Set(['test', 'it']);

/**
 * The titles of the tests in a source.
 * @param {string} file @param {string} text
 * @returns {readonly Titled[]}
 */
export function titlesIn(file, text) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true);
  /** @type {Titled[]} */
  const found = [];
  /** @param {import('typescript').Node} node */
  const visit = (node) => {
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && MAKERS.has(node.expression.text)) {
      const [title] = node.arguments;
      if (title !== undefined)
        found.push({ file, title: ts.isStringLiteralLike(title) ? title.text : title.getText() });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/**
 * Those of `from` that `others` do not have, or have less often.
 * @param {readonly Titled[]} from @param {readonly Titled[]} others
 */
export function without(from, others) {
  /** @type {Map<string, number>} */
  const left = new Map();
  for (const { title } of others) left.set(title, (left.get(title) ?? 0) + 1);
  return from.filter(({ title }) => {
    const count = left.get(title) ?? 0;
    left.set(title, count - 1);
    return count <= 0;
  });
}

/** @param {string} name */
const isOfTests = (name) => /\.ts$/.test(name) && !name.includes('node_modules');

/** @param {string} base */
function main(base) {
  const before = git(root, 'ls-tree', '-r', '--name-only', base, 'test').split('\n').filter(isOfTests);
  const now = readdirSync(path.join(root, 'test'), { recursive: true, encoding: 'utf8' }).filter(isOfTests);
  const was = before.flatMap((name) => titlesIn(name, git(root, 'show', `${base}:${name}`)));
  const is = now.flatMap((name) =>
    titlesIn(path.join('test', name), readFileSync(path.join(root, 'test', name), 'utf8')),
  );
  for (const [what, titles] of /** @type {const} */ ([
    ['Lost', without(was, is)],
    ['Gained', without(is, was)],
  ])) {
    process.stdout.write(`${what}: ${titles.length}\n`);
    for (const { title, file } of titles) process.stdout.write(`  ${title} (${file})\n`);
  }
}

if (process.argv[1] === import.meta.filename) {
  const [base] = process.argv.slice(2);
  if (base === undefined) {
    process.stderr.write('Usage: node scripts/test/moved.mjs BASE, a commit\n');
    process.exitCode = 1;
  } else main(base);
}
