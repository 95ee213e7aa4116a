// Every page of the repository: each internal link leads to a file and a heading that exist, each page of docs/ that a text
// names is there, and docs/README.md lists all of them.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { anchorsOf, linksOf } from '../../support/data/markdown';

const ROOT = path.join(__dirname, '..', '..', '..');
const read = (name: string): string => readFileSync(path.join(ROOT, name), 'utf8');

const git = (...args: readonly string[]): readonly string[] =>
  execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' })
    .split('\n')
    .filter((line) => line !== '');

/** From the root, with slashes. */
const PAGES = git('ls-files', '*.md').filter((name) => existsSync(path.join(ROOT, name)));

/** The fault of a page's link; undefined if it leads somewhere. */
function faultOf(page: string, target: string): string | undefined {
  if (/^(https:|mailto:)/.test(target)) return undefined;
  const [file = '', anchor] = target.split('#');
  const to = file === '' ? page : path.posix.join(path.posix.dirname(page), decodeURI(file));
  if (!existsSync(path.join(ROOT, to))) return `${target}: no such file`;
  if (anchor !== undefined && !anchorsOf(read(to)).includes(anchor)) return `${target}: no such heading`;
  return undefined;
}

describe('the links of', () => {
  for (const page of PAGES)
    test(page, () => {
      const text = read(page);
      assert.deepEqual(
        linksOf(text).flatMap(({ target }) => faultOf(page, target) ?? []),
        [],
      );
      const named = [...text.matchAll(/(?<![\w/.-])(?:docs\/[\w-]+|[A-Z]{4,})\.md\b/g)].map(([name]) => name);
      assert.deepEqual(
        named.filter((name) => ![name, `docs/${name}`].some((file) => existsSync(path.join(ROOT, file)))),
        [],
      );
    });
});

test('a wrong link is found: its file, its heading', () => {
  assert.equal(faultOf('docs/cli.md', 'nowhere.md'), 'nowhere.md: no such file');
  assert.equal(faultOf('docs/cli.md', 'ci.md#nowhere'), 'ci.md#nowhere: no such heading');
  assert.equal(faultOf('docs/cli.md', '../README.md'), undefined);
});

test('no page is empty, and each begins with its title', () => {
  assert.ok(PAGES.length > 20);
  assert.deepEqual(
    PAGES.filter((page) => !page.startsWith('.github/') && !/^# \S/m.test(read(page))),
    [],
  );
});

test('docs/README.md lists every page of docs/ once', () => {
  const listed = linksOf(read('docs/README.md')).map(({ target }) => target);
  const pages = readdirSync(path.join(ROOT, 'docs')).filter((name) => name.endsWith('.md') && name !== 'README.md');
  assert.deepEqual(listed.filter((name) => !name.includes('/')).sort(), pages.sort());
});

test('docs/comparison.md is dated, and each cell has its source', () => {
  const text = read('docs/comparison.md');
  assert.match(text, /^As of \w+ 20\d\d,/m);
  const rows = text.split('\n').filter((line) => /^\| [A-Z\w]/.test(line));
  assert.ok(rows.length > 20);
  const cells = rows.flatMap((row) => row.slice(1, -1).split(' | ').slice(1));
  assert.deepEqual(
    cells.filter((cell) => linksOf(cell).length === 0 && linksOf(cell.replaceAll('`', '')).length === 0),
    [],
  );
});

test('the texts of the code name no page that is gone', () => {
  const gone = git('grep', '-lE', 'docs/[a-z-]+\\.md', '--', '*.ts', '*.mjs', '*.json', '*.yml')
    .filter((name) => !name.startsWith('test/'))
    .flatMap((name) => [...read(name).matchAll(/\bdocs\/[a-z-]+\.md/g)].map(([page]) => `${name}: ${page}`))
    .filter((one) => !existsSync(path.join(ROOT, one.split(': ')[1] ?? '')));
  assert.deepEqual(gone, []);
});
