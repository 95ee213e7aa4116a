// The linter's own rules (scripts/lint.mjs), by the linter itself on small files.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { testFolder } from '../support/folder';

const ROOT = path.join(__dirname, '..', '..');
const OXLINT = path.join(ROOT, 'node_modules', 'oxlint', 'bin', 'oxlint');

const folder = testFolder('lint');

/** The statements that a rule refuses. */
function refused(rule: string, statements: readonly string[]): readonly string[] {
  const config = path.join(folder, 'config.json');
  const file = path.join(folder, 'found.ts');
  writeFileSync(
    config,
    JSON.stringify({
      jsPlugins: [path.join(ROOT, 'scripts', 'lint.mjs')],
      categories: { correctness: 'off' },
      rules: { [`house/${rule}`]: 'error' },
    }),
  );
  writeFileSync(file, statements.map((statement) => `${statement};\n`).join(''));
  const { stdout, stderr } = spawnSync(process.execPath, [OXLINT, '-c', config, '-f', 'unix', file], {
    encoding: 'utf8',
  });
  const lines = [...stdout.matchAll(/found\.ts:(\d+):.*house\(/g)].map(([, line]) => Number(line));
  assert.match(stdout, lines.length === 0 ? /^$/ : /problem/, stderr);
  return [...new Set(lines)].sort((a, b) => a - b).map((line) => statements[line - 1] ?? '');
}

describe('whole-names', () => {
  test('refuses a search by a part of a name', () => {
    const parts = [
      "page.getByRole('button', { name: 'Sign' })",
      "page.getByRole('button', { name: `Sign ${what}` })",
      "page.getByRole('button', { name: /Sign/ })",
      "page.getByRole('button', { name: /Sign/, exact: true })",
      "page.getByRole('button', { name })",
      "page.getByRole('button', { name: 'Sign', exact: false })",
      "page.getByRole('button', { name: new RegExp(what) })",
      "page.getByRole('button', { name: new RegExp(`${what} now`) })",
      "page.getByRole('button', { name: /^Sign|Send/ })",
      "page.getByText('Sent')",
      'page.getByText(words, { exact: false })',
      'page.getByText(/costs 5\\$/)',
      "page.getByLabel('Address')",
      "page.getByTitle('Address')",
      "page.getByPlaceholder('Address')",
      "page.getByAltText('Address')",
      "page.locator('.row', { hasText: 'one' })",
      "page.locator('.row', { hasNotText: 'one' })",
      "rows.filter({ hasText: 'one' })",
      'rows.filter({ hasText: words })',
      'rows.filter({ hasText: /one/ })',
      'page.locator(\'[aria-label*="Sign"]\')',
      'page.locator(\'button:has-text("Sign")\')',
      "page.locator('text=Sign')",
      'workbench.dialog(/Sign/)',
      "workbench.treeItem('Streams', /Live/)",
    ];
    assert.deepEqual(refused('whole-names', parts), parts);
  });

  test('takes whole names, and texts of which the rest varies', () => {
    const whole = [
      "page.getByRole('button', { name: 'Sign', exact: true })",
      "page.getByRole('button', { name, exact: true })",
      "page.getByRole('button', { name: /^Sign/ })",
      "page.getByRole('button', { name: /now$/i })",
      "page.getByRole('button', { name: /^(Sign|Send)/ })",
      "page.getByRole('button', { name: /^Sign|^Send/ })",
      "page.getByRole('button', { name: new RegExp(`^${what}`) })",
      "page.getByRole('button', { expanded: true })",
      "page.getByRole('option')",
      "page.getByText('Sent', { exact: true })",
      "page.locator('.row', { hasText: /^one$/ })",
      'rows.filter({ hasText: wholeText(words) })',
      'page.locator(\'[aria-label^="method"]\')',
      'page.locator(\'iframe[src*="purpose=webviewView"]\')',
      "workbench.dialog('Sign?')",
      "workbench.treeItem('Streams', /^Every slot, Live/)",
    ];
    assert.deepEqual(refused('whole-names', whole), []);
  });
});

describe('linear-patterns', () => {
  const refusedPatterns = (statements: readonly string[]): readonly string[] => refused('linear-patterns', statements);

  test('refuses what can cost more than the length of a text', () => {
    const slow = [
      'text.replace(/[. ]+$/, "")',
      'text.replace(/\\0+$/g, "")',
      '/(?<=^[^!-~\\n]*):(?=:)/gm.test(text)',
      '/^\\s*=\\s*(.*?)\\s*$/.exec(text)',
      '/^[\\w.-]+@[\\w.-]+[^\\s$]*[$]\\s/.exec(text)',
      '/"(?:[^"\\\\]|\\\\.)*"/g.exec(text)',
      '/<(?:\\\\.|[^>])*>/.exec(text)',
      '/begin.*end/.exec(text)',
      '/^\\|[^]*end\\|/m.exec(text)',
      'new RegExp(`^(?:(${methods}) )?(\\\\S.*?)(?:\\\\s+HTTP)?\\\\s*$`)',
      'const blanks = "\\\\s*"; new RegExp("^a" + blanks + blanks + "$", "i")',
      'const part = /\\s*/; new RegExp(String.raw`^a${part.source}\\s*$`)',
    ];
    assert.deepEqual(refusedPatterns(slow), slow);
  });

  test('takes what is anchored, closed or ends where the next begins', () => {
    const linear = [
      '/^\\s*=\\s*(?!\\s)(.*)$/.exec(text)',
      '/:(?=:)(?<=^[^!-~\\n]*:)/gm.test(text)',
      '/"[^"\\\\]*(?:\\\\[^][^"\\\\]*)*"?/g.exec(text)',
      '/(?<!\\\\)(\\\\+)"/g.exec(text)',
      '/\\{\\{[^{}]*\\}\\}/g.exec(text)',
      '/[A-Za-z0-9+/]{64,16384}={0,2}/g.exec(text)',
      '/^\\|.*end\\|/m.exec(text)',
      '/\\w+/g.exec(text)',
      'new RegExp(pattern)',
      'new RegExp(`^${pattern}$`)',
    ];
    assert.deepEqual(refusedPatterns(linear), []);
  });
});
