// An editor that is killed in the middle of everything: the language server and the local service that its window had
// started end by themselves, whichever of their parents ended first.
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, test } from 'node:test';
import { testEditor } from '../support/editor/editor';
import { connectionsOf, descendantsOf, isRunning, listenersOf, type Seen } from '../support/process/processes';
import { prepare } from '../support/shared';

const SLOTS = '### Every slot\n# @endpoint local\n{ "method": "slotSubscribe" }\n';
const OURS = /extensions.rpc-workbench\.[^ ]*dist.(?:server|localnet)\.js/;
/** As long as a busy machine may need. ms */
const PATIENCE = 60_000;

async function ended(processes: readonly Seen[]): Promise<readonly string[]> {
  const left = (): readonly Seen[] => processes.filter(({ pid }) => isRunning(pid));
  for (const end = performance.now() + PATIENCE; left().length > 0 && performance.now() < end;) await pause(50);
  return left().map(({ cmdline }) => cmdline);
}

const KILLED: readonly (readonly [what: string, program: RegExp])[] = [
  ['a killed editor', /server-main\.js/],
  ['a killed extension host', /--type=extensionHost/],
];

function kill(program: RegExp): void {
  const [killed, ...others] = descendantsOf(process.pid).filter(({ cmdline }) => program.test(cmdline));
  assert.ok(killed !== undefined && others.length === 0);
  process.kill(killed.pid, 'SIGKILL');
}

for (const [what, program] of KILLED)
  describe(what, () => {
    const editor = testEditor({ files: { 'slots.jsonrpc': SLOTS } });

    prepare(async () => {
      const { workbench } = editor;
      await workbench.openContainer('Solana RPC');
      await workbench.startLocalService();
      await workbench.treeItem('Endpoints', /^local, active/).waitFor();
      await workbench.openFile('slots.jsonrpc');
      await workbench.lensAction('Watch').click();
      await workbench
        .webview()
        .locator('.state-words', { hasText: /^Live$/ })
        .waitFor();
    });

    test('takes a language server with an open stream and a local service along', async () => {
      const ours = descendantsOf(process.pid).filter(({ cmdline }) => OURS.test(cmdline));
      assert.equal(ours.length, 2, ours.map(({ cmdline }) => cmdline).join('\n'));
      assert.ok(ours.some(({ pid }) => listenersOf(pid).length > 0));
      assert.ok(ours.every(({ pid }) => connectionsOf(pid).length > 0));
      kill(program);
      assert.deepEqual(await ended(ours), []);
    });
  });
