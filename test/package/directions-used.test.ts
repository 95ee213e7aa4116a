// Every allowance of the table of directions is used by a file, imports of types included, and each file is in a room.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import ts from 'typescript';
import { roomOf, ROOMS } from '../../scripts/directions.mjs';

const ROOT = path.join(__dirname, '..', '..');

/** Imports of a room's files: paths from the root, and packages. */
function importsOf(room: string): readonly string[] {
  return readdirSync(path.join(ROOT, room), { recursive: true, encoding: 'utf8' })
    .map((name) => `${room}/${name.replaceAll('\\', '/')}`)
    .filter((file) => file.endsWith('.ts') && roomOf(file) === room)
    .flatMap((file) =>
      ts
        .preProcessFile(readFileSync(path.join(ROOT, file), 'utf8'), true, true)
        .importedFiles.map(({ fileName }) =>
          fileName.startsWith('.') ? path.posix.join(path.posix.dirname(file), fileName) : fileName,
        ),
    );
}

for (const [room, { rooms, packages = [] }] of Object.entries(ROOMS))
  test(`${room} uses all that it may import`, () => {
    const imports = importsOf(room);
    const isUsed = (place: string): boolean => imports.some((to) => to === place || to.startsWith(`${place}/`));
    assert.deepEqual(
      [...rooms, ...packages].filter((place) => !isUsed(place)),
      [],
    );
  });

// A file outside every room could import anything: one directly in core/, for example.
test('every file is in a room of the table', () => {
  const folders = new Set(Object.keys(ROOMS).map((room) => room.replace(/\/.*/, '')));
  const files = [...folders].flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => `${folder}/${name.replaceAll('\\', '/')}`),
  );
  assert.deepEqual(
    files.filter((file) => roomOf(file) === undefined),
    ['core/platform.d.ts'],
  );
});
