// No file imports itself through others, and no folder its siblings in a circle, type-only imports included
// (ARCHITECTURE.md, "Directions").
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

/** The imports of the files of every room. */
function importsOfRooms(): Graph {
  const files = [...new Set(Object.keys(ROOMS).flatMap(filesOf))];
  return importsOf(files, (file) => readFileSync(path.join(ROOT, file), 'utf8'));
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

/** The imports between the folders inside one folder: from a child to a child, each as `file → file`. */
type Siblings = Map<string, Map<string, string[]>>;

/** By parent, what is imported between its folders at any depth. A file that lies in the parent itself is not counted. */
function siblingsIn(graph: Graph): ReadonlyMap<string, Siblings> {
  const parents = new Map<string, Siblings>();
  for (const [file, targets] of graph)
    for (const to of targets) {
      const [here, there] = [file.split('/'), to.split('/')];
      const depth = here.findIndex((name, at) => name !== there[at]);
      const isBelow = depth > 0 && depth < Math.min(here.length, there.length) - 1;
      const [from, target] = [here[depth], there[depth]];
      if (!isBelow || from === undefined || target === undefined) continue;
      const parent = here.slice(0, depth).join('/');
      const siblings = valueOf(parents, parent, () => new Map<string, Map<string, string[]>>());
      valueOf(
        valueOf(siblings, from, () => new Map<string, string[]>()),
        target,
        () => [],
      ).push(`${file} → ${to}`);
    }
  return parents;
}

function valueOf<V>(map: Map<string, V>, key: string, make: () => V): V {
  const value = map.get(key) ?? make();
  map.set(key, value);
  return value;
}

/** One sentence per circle of folders: the circle, and the fewest imports that close it between two of them. */
function circlesIn(graph: Graph): string[] {
  return [...siblingsIn(graph)].flatMap(([parent, siblings]) =>
    cyclesIn(new Map([...siblings].map(([from, targets]) => [from, [...targets.keys()]]))).map((circle) => {
      const steps = circle.slice(1).map((to, at) => ({ from: circle[at] ?? '', to }));
      const [least] = steps
        .map(({ from, to }) => ({ from, to, imports: siblings.get(from)?.get(to) ?? [] }))
        .sort((a, b) => a.imports.length - b.imports.length);
      const { from, to, imports } = least ?? { from: '', to: '', imports: [] };
      return `${parent}: ${circle.join(' → ')}; fewest from ${from} to ${to}: ${imports.join(', ')}`;
    }),
  );
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

  test('a circle of folders is found at any depth, with the fewest imports that close it', () => {
    const graph = new Map([
      ['room/a/x.ts', ['room/b/y.ts']],
      ['room/a/deep/x.ts', ['room/b/z.ts']],
      ['room/b/y.ts', ['room/c/deep/z.ts', 'room/main.ts']],
      ['room/b/z.ts', ['room/c/z.ts']],
      ['room/c/z.ts', ['room/a/w.ts']],
      ['room/main.ts', ['room/a/x.ts', 'room/b/y.ts']],
      ['room/d/one/x.ts', ['room/d/two/x.ts']],
      ['room/d/two/y.ts', ['room/d/one/y.ts', 'other/a/x.ts']],
      ['other/a/x.ts', ['room/a/x.ts']],
    ]);
    assert.deepEqual(circlesIn(graph), [
      'room: a → b → c → a; fewest from c to a: room/c/z.ts → room/a/w.ts',
      'room/d: one → two → one; fewest from one to two: room/d/one/x.ts → room/d/two/x.ts',
    ]);
  });

  test('the project has none', () => {
    const graph = importsOfRooms();
    const files = [...graph.keys()];
    assert.ok([...graph.values()].flat().length > files.length, 'imports are resolved');
    assert.deepEqual(
      cyclesIn(graph).map((cycle) => cycle.join(' → ')),
      [],
    );
  });

  test('there is no circle of folders', () => {
    assert.deepEqual(circlesIn(importsOfRooms()), []);
  });
});
