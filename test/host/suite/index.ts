// The entry point inside the extension host: runs the bundled suites with mocha and writes every result as a JSON line.
import { appendFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import Mocha from 'mocha';
import type { HostResult } from '../../support/editor/hostResults';

/** Runs every `*.test.js` next to this file. Rejects when a test failed: the editor then exits with a failure. */
export async function run(): Promise<void> {
  const mocha = new Mocha({ ui: 'bdd', timeout: 60_000, reporter: 'spec', color: false });
  const files = (await readdir(__dirname)).filter((name) => name.endsWith('.test.js')).sort();
  for (const name of files) mocha.addFile(path.join(__dirname, name));
  const failures = await new Promise<number>((resolve) => {
    const runner = mocha.run(resolve);
    runner.on('pass', (test) => report({ kind: 'test', title: test.fullTitle(), durationMs: test.duration ?? 0 }));
    runner.on('pending', (test) =>
      report({ kind: 'test', title: test.fullTitle(), durationMs: 0, failure: 'skipped: a test here runs or goes' }),
    );
    runner.on('fail', (test, error: unknown) =>
      report({ kind: 'test', title: test.fullTitle(), durationMs: test.duration ?? 0, failure: text(error) }),
    );
    runner.on('end', () => report({ kind: 'end', total: runner.total }));
  });
  if (failures > 0) throw new Error(`${failures} of the host's tests failed`);
}

function report(result: HostResult): void {
  const file = process.env['VSCODE_TEST_RESULTS'];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(result)}\n`);
}

const text = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));
