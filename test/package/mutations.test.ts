// The list of mutants follows the code: every edit applies exactly once, every named test is there, and the bounded sample
// of a commit is what it claims to be.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { transformSync } from 'esbuild';
import { MUTANTS } from '../../scripts/mutations/list.mjs';
import { layerOf, mutated, nameOf, readPlace, sampleOf, type Mutant } from '../../scripts/mutations/model.mjs';
import { LAYERS } from '../../scripts/test/layers.mjs';

const root = path.join(__dirname, '..', '..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

describe('the list of mutants', () => {
  test('has at least 160, each with a unique name', () => {
    assert.ok(MUTANTS.length >= 160, `${MUTANTS.length}`);
    assert.equal(new Set(MUTANTS.map(nameOf)).size, MUTANTS.length);
  });

  test('holds edits that apply exactly once and leave a program', () => {
    const texts = new Map<string, string>();
    for (const mutant of MUTANTS) {
      const text = texts.get(mutant.file) ?? read(mutant.file);
      texts.set(mutant.file, text);
      const edited = mutated(mutant, text);
      if (mutant.file.endsWith('.ts'))
        assert.doesNotThrow(() => transformSync(edited, { loader: 'ts' }), nameOf(mutant));
    }
  });

  test('names tests that are there, in layers that need no editor', () => {
    for (const mutant of MUTANTS) {
      assert.ok(mutant.tests.length > 0, nameOf(mutant));
      for (const { file, pattern = '' } of mutant.tests.map(readPlace)) {
        assert.ok(existsSync(path.join(root, file)), `${nameOf(mutant)}: ${file}`);
        assert.equal(LAYERS[layerOf(file)]?.editor, undefined, `${nameOf(mutant)}: ${file}`);
        assert.match(read(file), new RegExp(pattern), `${nameOf(mutant)}: no test of ${file} is named ${pattern}`);
      }
    }
  });
});

describe('an edit', () => {
  const mutant = (from: string, to: string): Mutant => ({ guard: 'g', file: 'a.ts', from, to, tests: [] });

  test('replaces its one text literally', () => {
    assert.equal(mutated(mutant('if (x)', '$& $1'), 'a if (x) b'), 'a $& $1 b');
  });

  test('whose text is gone, is there twice, or changes nothing is a fault of the list', () => {
    assert.throws(() => mutated(mutant('x', 'y'), 'a'), /found 0 times/);
    assert.throws(() => mutated(mutant('x', 'y'), 'x x'), /found 2 times/);
    assert.throws(() => mutated(mutant('x', 'x'), 'x'), /a\.ts: g/);
  });
});

describe('the sample of a commit', () => {
  const names = (commit: string): readonly string[] => sampleOf(MUTANTS, commit).map(nameOf);

  test('is a tenth, the same one for the same commit', () => {
    assert.equal(names('a').length, Math.ceil(MUTANTS.length / 10));
    assert.deepEqual(names('a'), names('a'));
    assert.notDeepEqual(names('a'), names('b'));
  });

  test('leaves no mutant out for good', () => {
    const seen = new Set<string>();
    for (let commit = 0; commit < 400; commit++) for (const name of names(`commit ${commit}`)) seen.add(name);
    assert.equal(seen.size, MUTANTS.length);
  });
});
