// SECURITY.md names the tests that prove each promise: they are there, and no promise is without one.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

const root = path.join(__dirname, '..', '..');
const text = readFileSync(path.join(root, 'SECURITY.md'), 'utf8');

/** The rows of the table under a heading, as cells. */
function rowsUnder(heading: string): readonly (readonly string[])[] {
  const [, section = ''] = text.split(`## ${heading}\n`);
  const [own = ''] = section.split('\n## ');
  const rows = own.split('\n').filter((line) => line.startsWith('| '));
  return rows.slice(1).map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '')));
}

test('every promise names tests that are there', () => {
  const promises = rowsUnder('Promises, and the tests that prove them');
  assert.ok(promises.length >= 10, `${promises.length}`);
  for (const [promise = '', proofs = ''] of promises) {
    const files = [...proofs.matchAll(/`(test\/[\w/.-]+\.test\.ts)`/g)].map(([, file = '']) => file);
    assert.ok(files.length > 0, promise);
    for (const file of files) assert.ok(existsSync(path.join(root, file)), `${promise}: ${file}`);
  }
});

test('says how to report, what is out of scope, and what is kept with which mode', () => {
  assert.match(text, /Report a weakness privately/);
  assert.match(text, /^Out of scope: /m);
  for (const [what = '', where = '', mode = ''] of rowsUnder('What is stored, and where'))
    assert.ok(where !== '' && mode !== '', what);
});
