// The plain words of scripts/plainWords.mjs: in what people read that the linter does not see, and the linter's rule itself.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { wordsIn, wordsInComment } from '../../scripts/plainWords.mjs';
import { testFolder } from '../support/folder';

interface Example {
  readonly words?: readonly string[];
  readonly text?: string;
  /** With its marks. */
  readonly comment?: string;
}

const ROOT = path.join(__dirname, '..', '..');
const OXLINT = path.join(ROOT, 'node_modules', 'oxlint', 'bin', 'oxlint');
/** In a file that the linter does not see. */
const EXAMPLES = JSON.parse(readFileSync(path.join(ROOT, 'test', 'fixtures', 'plainWords.json'), 'utf8')) as Readonly<
  Record<'found' | 'allowed', readonly Example[]>
>;

const folder = testFolder('words');

/** The words found in an example, with single spaces. */
function found({ text = '', comment }: Example): readonly string[] {
  const whole = comment ?? text;
  const findings = comment === undefined ? wordsIn(text) : wordsInComment(comment);
  return findings.map(({ at, length }) =>
    whole
      .slice(at, at + length)
      .trim()
      .replace(/[\s*]+/g, ' '),
  );
}

describe('plain words', () => {
  test('finds the words of a sentence, also where it is wrapped', () => {
    for (const example of EXAMPLES.found) assert.deepEqual(found(example), example.words, JSON.stringify(example));
  });

  test('takes what only looks like them', () => {
    for (const example of EXAMPLES.allowed) assert.deepEqual(found(example), [], JSON.stringify(example));
  });

  test('the linter looks at comments, texts and templates, and at no single word', () => {
    const config = path.join(folder, 'config.json');
    const file = path.join(folder, 'found.ts');
    const word = ['be', 'side'].join('');
    const lines = [
      `// Its file, ${word} it.`,
      '',
      `/** A file. */ // Lies ${word} it.`,
      'export const texts = [',
      `  '${word}',`,
      `  '${word} it',`,
      `  \`\${1} lies ${word} \${2}\`,`,
      `  \`\${1} lies`,
      `  ${word} \${2}\`,`,
      '];',
      '// What is this?',
      '',
      '// What is read.',
    ];
    writeFileSync(
      config,
      JSON.stringify({
        jsPlugins: [path.join(ROOT, 'scripts', 'lint.mjs')],
        categories: { correctness: 'off' },
        rules: { 'house/plain-words': 'error' },
      }),
    );
    writeFileSync(file, lines.join('\n'));
    const { stdout } = spawnSync(process.execPath, [OXLINT, '-c', config, '-f', 'unix', file], { encoding: 'utf8' });
    const places = [...stdout.matchAll(/found\.ts:(\d+):(\d+): Plain words/g)].map(([, line, column]) => [
      line,
      column,
    ]);
    assert.deepEqual(
      places.map(([line, column]) => `${line}:${column}`).sort((a, b) => Number.parseInt(a) - Number.parseInt(b)),
      ['1:14', '3:24', '6:4', '7:14', '9:3', '13:4'],
      stdout,
    );
  });

  test('documents and translations have none of them', () => {
    const documents = readdirSync(path.join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md'))
      .map((name) => path.join('docs', name));
    const examples = readdirSync(path.join(ROOT, 'examples')).map((name) => path.join('examples', name));
    const files = [
      ...['README.md', 'EXTENSION.md', 'CONTRIBUTING.md', 'SECURITY.md', 'ARCHITECTURE.md', 'package.nls.json'],
      path.join('l10n', 'bundle.l10n.json'),
      ...documents,
      ...examples,
    ];
    const findings = files.flatMap((file) => {
      const text = readFileSync(path.join(ROOT, file), 'utf8');
      return wordsIn(text).map(
        ({ at, message }) => `${file}:${text.slice(0, at).split('\n').length}: ${message.replace(/^.*?: /, '')}`,
      );
    });
    assert.deepEqual(findings, []);
  });
});
