// No file imports itself through others, type-only imports included (ARCHITECTURE.md, "Directions").
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import ts from 'typescript';
import { ROOMS } from '../../scripts/directions.mjs';

type Graph = ReadonlyMap<string, readonly string[]>;

const ROOT = path.join(__dirname, '..', '..');

/** The TypeScript files of a room by their paths from the root, with `/`. */
function filesOf(room: string): string[] {
  return readdirSync(path.join(ROOT, room), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${room}/${name.replaceAll('\\', '/')}`);
}

/** The other files that each file imports: `import`, `export … from` and `import()`, types included. */
function importsOf(files: readonly string[], read: (file: string) => string): Graph {
  const known = new Set(files);
  return new Map(
    files.map((file) => {
      const { importedFiles } = ts.preProcessFile(read(file), true, true);
      const targets = importedFiles.map(({ fileName }) => path.posix.join(path.posix.dirname(file), fileName));
      return [file, targets.flatMap((to) => [to, `${to}.ts`, `${to}/index.ts`].filter((name) => known.has(name)))];
    }),
  );
}

/** One cycle per file that closes one, as the files along it. */
function cyclesIn(graph: Graph): string[][] {
  const cycles: string[][] = [];
  const done = new Set<string>();
  const open: string[] = [];
  const visit = (file: string): void => {
    if (done.has(file)) return;
    const start = open.indexOf(file);
    if (start >= 0) {
      cycles.push([...open.slice(start), file]);
      return;
    }
    open.push(file);
    for (const to of graph.get(file) ?? []) visit(to);
    open.pop();
    done.add(file);
  };
  for (const file of graph.keys()) visit(file);
  return cycles;
}

describe('import cycles', () => {
  test('a cycle is found, through types, exports and lazy imports', () => {
    const texts: Readonly<Record<string, string>> = {
      'a.ts': "import type { B } from './b';",
      'b.ts': "export { c } from './c';\nimport { d } from './d';",
      'c.ts': "export const c = () => import('./a');",
      'd.ts': "import path from 'node:path';",
    };
    const graph = importsOf(Object.keys(texts), (file) => texts[file] ?? '');
    assert.deepEqual(cyclesIn(graph), [['a.ts', 'b.ts', 'c.ts', 'a.ts']]);
  });

  test('the project has none', () => {
    const files = [...new Set(Object.keys(ROOMS).flatMap(filesOf))];
    const graph = importsOf(files, (file) => readFileSync(path.join(ROOT, file), 'utf8'));
    assert.ok([...graph.values()].flat().length > files.length, 'imports are resolved');
    assert.deepEqual(
      cyclesIn(graph).map((cycle) => cycle.join(' → ')),
      [],
    );
  });
});
