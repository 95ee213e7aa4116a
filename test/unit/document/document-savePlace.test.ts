// Names under which no response is saved, in every spelling that leads to the same file, and near misses that are fine.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseDocument } from '../../../core/requests/document/document';
import { unsafeSavePlace } from '../../../core/requests/document/savePlace';
import { diagnose } from '../../../core/requests/checks/diagnostics';

const REFUSED: readonly string[] = [
  '.git/hooks/pre-commit',
  './.git/hooks/pre-commit',
  'a/../.git/config',
  'out/.git/config.json',
  '.GIT/hooks/pre-commit',
  'GIT~1/hooks/pre-commit',
  '\u200c.git/x.json',
  '.vscode/tasks.json',
  '.vscode\\tasks.json',
  '.github/workflows/build.yml',
  '.husky/pre-commit',
  '.envrc',
  '.env',
  '.npmrc',
  '.bashrc',
  'sub/.hidden.json',
  'solana-rpc.json',
  'Solana-RPC.json',
  'solana-rpc.json.',
  'solana-rpc.json ',
  'solana-rpc.json. \u200b',
  'solana-rpc.json::$DATA',
  'a::$DATA',
  'slot-12:00.json',
  'out/answer.json:hidden',
  'a:b/slot.json',
  'C:slot.json',
  '\u017folana-rpc.json',
  'sub/package.json',
  'PACKAGE.JSON',
  'tsconfig.json',
  'tsconfig.build.json',
  'Cargo.toml',
  'Anchor.toml',
  'Makefile',
  'action.yml',
  'Dockerfile',
  'Dockerfile.prod',
  'docker-compose.yml',
  'compose.override.yaml',
  'requirements-dev.txt',
  'vite.config.json',
  'next.config.js',
  'project.code-workspace',
  'run.sh',
  'index.js',
  'index.d.ts',
  'other.jsonrpc',
  'node_modules/left-pad/data.json',
  'page.html',
  'AGENTS.md',
  'sub/CLAUDE.md',
  'copilot-instructions.md',
  'send.prompt.md',
  'mcp.json',
];
const TAKEN: readonly string[] = [
  'slot.json',
  './out/slot.json',
  'out/deep/slot.json',
  '../slot.json',
  'a/../b.json',
  'slot',
  'v1.2/slot.json',
  'packages.json',
  'my-package.json',
  'git/hooks.json',
  'config.json',
  'answers.txt',
  'accounts.csv',
  'rows.ndjson',
  'transfer.b64',
  'report.xml',
  'конфигурация.json',
  'makefile-answer.json',
  'answer.md',
  'my-agents.md',
];

describe('a response is not saved as', () => {
  for (const place of REFUSED)
    test(JSON.stringify(place), () => {
      const reason = unsafeSavePlace(place);
      assert.match(reason ?? '', /^A response is not saved there: .+ Choose another name/);
    });
});

describe('a response may be saved as', () => {
  for (const place of TAKEN) test(JSON.stringify(place), () => assert.equal(unsafeSavePlace(place), undefined));
});

describe('the editor says so at ">>"', () => {
  const codesOf = (text: string): string[] =>
    diagnose({ document: parseDocument('file:///project/a.jsonrpc', 1, text), surroundings: {} }).map(
      ({ problem }) => problem.code,
    );
  const request = '{ "method": "getSlot" }';

  test('for a literal name, and for a name from a variable', () => {
    assert.deepEqual(codesOf(`### a\n${request}\n>>! .git/hooks/pre-commit\n`), ['bad-redirect']);
    assert.deepEqual(codesOf(`### a\n${request}\n>>! a::$DATA\n`), ['bad-redirect']);
    assert.deepEqual(codesOf(`@dir = .vscode\n### a\n${request}\n>> {{dir}}/tasks.json\n`), ['bad-redirect']);
  });

  test('and not for a name that only the answer completes, nor for an absolute path through a dotted folder', () => {
    assert.deepEqual(codesOf(`### a\n# @name other\n${request}\n### b\n${request}\n>> .{{other.result}}.json\n`), []);
    assert.deepEqual(codesOf(`### a\n${request}\n>> /home/somebody/.work/project/slot.json\n`), []);
    assert.deepEqual(codesOf(`### a\n${request}\n>> C:\\Users\\me\\.work\\slot.json\n`), []);
  });

  test('for a name of a million blanks, in one pass', () => {
    // The cost of a square would take this test to its limit.
    const blanks = ' '.repeat(1_000_000);
    const dots = '.'.repeat(1_000_000);
    for (const run of [blanks, dots, `${blanks}x`.repeat(2), '. '.repeat(1_000_000)])
      assert.deepEqual(codesOf(`### a\n${request}\n>> ./x${run}b.json\n`), []);
    assert.deepEqual(codesOf(`### a\n${request}\n>> ./package.json${dots}\n`), ['bad-redirect']);
  });
});
