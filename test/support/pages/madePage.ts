// Compares a page of docs/ with the one that its tables give, and says in one line how to mend it.
import assert from 'node:assert/strict';
import { textOf } from './pageBlocks';

/** @param page such as `docs/methods.md` */
export function assertMade(page: string, made: string): void {
  const written = textOf(page).split('\n');
  const line = made.split('\n').findIndex((text, at) => text !== written[at]) + 1;
  assert.ok(textOf(page) === made, `${page} differs from its tables at line ${line || written.length}: npm run docs`);
}
