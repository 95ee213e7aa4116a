// ARCHITECTURE.md, its pages and CONTRIBUTING.md name what is there: every path and script exists, and the directions are
// those of the table.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { directionsTable, ROOMS } from '../../../scripts/directions.mjs';

const root = path.join(__dirname, '..', '..', '..');
const read = (name: string): string => readFileSync(path.join(root, name), 'utf8');
const TOP = new Set([...Object.keys(ROOMS).map((room) => room.split('/')[0]), 'test', 'scripts', 'bench', 'docs']);

/** Whether a path is there; a `*` stands for a part of a file's name, NAME for any. */
function isThere(name: string): boolean {
  if (!name.includes('*') && !name.includes('NAME')) return existsSync(path.join(root, name));
  const folder = path.dirname(name).replace(/\/NAME\b.*$/, '');
  if (name.includes('NAME')) return existsSync(path.join(root, folder));
  const pattern = new RegExp(`^${path.basename(name).replaceAll('.', '\\.').replaceAll('*', '.*')}$`);
  return readdirSync(path.join(root, folder)).some((file) => pattern.test(file));
}

const PAGES = readdirSync(path.join(root, 'docs/architecture')).map((name) => `docs/architecture/${name}`);

for (const name of ['ARCHITECTURE.md', 'CONTRIBUTING.md', ...PAGES])
  describe(name, () => {
    test('every path it names is there', () => {
      const named = [...read(name).matchAll(/`([a-z]+\/[\w./*-]*)`/g)]
        .map(([, found]) => found ?? '')
        .filter((found) => TOP.has(found.split('/')[0] ?? ''));
      assert.ok(named.length > 3);
      assert.deepEqual(
        named.filter((found) => !isThere(found)),
        [],
      );
    });
  });

test('CONTRIBUTING.md names scripts that package.json has, and every layer of tests', () => {
  const { scripts } = JSON.parse(read('package.json')) as { readonly scripts: Readonly<Record<string, string>> };
  const text = read('CONTRIBUTING.md');
  const named = [...text.matchAll(/`(?:npm run )?((?<=npm run )[\w:]+|test:\w+)/g)].map(([, name = '']) => name);
  assert.ok(named.length > 10);
  assert.deepEqual(
    named.filter((name) => !Object.hasOwn(scripts, name)),
    [],
  );
  const layers = readdirSync(path.join(root, 'test')).map((folder) => `test:${folder}`);
  assert.deepEqual(
    layers.filter((layer) => Object.hasOwn(scripts, layer) && !named.includes(layer)),
    [],
  );
});

test('the table of directions in ARCHITECTURE.md is the one that the linter reads', () => {
  assert.ok(read('ARCHITECTURE.md').includes(directionsTable()), 'run: npm run docs');
});
