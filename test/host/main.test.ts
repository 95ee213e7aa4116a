// Runs test/host/suite inside a real VS Code and repeats each of its results as a test of this run.
// The editor is the server build by default, the downloaded desktop one with VSCODE_TEST_DESKTOP=1.
import { runTests } from '@vscode/test-electron';
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { bundleHostSuites } from '../support/editor/editorBundles';
import { parseHostResults, type HostResult } from '../support/editor/hostResults';

const root = path.join(__dirname, '..', '..');

/** For all tests of the suites together, of which each has its limit inside the editor. ms */
const LIMIT_MS = 900_000;

test('the suites inside the editor finish', { timeout: LIMIT_MS }, async (t) => {
  const temporary = await mkdtemp(path.join(os.tmpdir(), 'workbench-host-run-'));
  t.after(() => rm(temporary, { recursive: true, force: true }));
  const { ended, results } = await runInEditor(temporary);

  const tests = results.filter((result) => result.kind === 'test');
  for (const result of tests)
    await t.test(result.title, () => {
      if (result.failure !== undefined) assert.fail(result.failure);
    });
  const end = results.find((result) => result.kind === 'end');
  assert.ok(end, `the host ended early: ${String(ended)}`);
  assert.equal(tests.length, end.total, 'every test reported');
  assert.ok(end.total > 0, 'there are tests');
  assert.equal(
    ended === 0,
    tests.every((result) => result.failure === undefined),
    `the exit code reports failures: ${String(ended)}`,
  );
});

/** `ended` is the editor's exit code, or the error of a run that failed. */
async function runInEditor(temporary: string): Promise<{ ended: unknown; results: readonly HostResult[] }> {
  const workspace = path.join(temporary, 'workspace');
  await mkdir(workspace);
  await writeFile(path.join(workspace, 'slot.jsonrpc'), '### Slot\n{ "method": "getSlot" }\n');
  const resultsFile = path.join(temporary, 'results.jsonl');
  await writeFile(resultsFile, '');
  const desktop = process.env['VSCODE_TEST_DESKTOP'] === '1';
  const ended = await runTests({
    ...(desktop ? {} : { vscodeExecutablePath: path.join(root, 'scripts', 'editor', 'code.mjs') }),
    extensionDevelopmentPath: root,
    extensionTestsPath: await bundleHostSuites(root),
    extensionTestsEnv: { VSCODE_TEST_RESULTS: resultsFile },
    launchArgs: [
      workspace,
      `--user-data-dir=${path.join(temporary, 'user-data')}`,
      `--extensions-dir=${path.join(temporary, 'extensions')}`,
    ],
  }).catch((error: unknown) => error);
  return { ended, results: parseHostResults(await readFile(resultsFile, 'utf8')) };
}
