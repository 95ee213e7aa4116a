// The language server that is started again while it does not answer: what waits for it settles, and the next one works.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { eventually, show } from './steps';

/** A file of a process in /proc; empty if the process is gone. */
function proc(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

/** The language servers of this extension host. */
const servers = (): readonly number[] =>
  readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid))
    .filter((pid) => proc(pid, 'status').includes(`\nPPid:\t${process.pid}\n`))
    .filter((pid) => /dist.server\.js/.test(proc(pid, 'cmdline')))
    .map(Number);

if (process.platform === 'linux')
  describe('a language server that hangs', () => {
    it('is ended by Restart Language Server, and what waited for it continues', async () => {
      const { uri } = await show('### A\n{ "method": "getBalanec", "params": [] }\n');
      const hovered = (): Thenable<readonly vscode.Hover[]> =>
        vscode.commands.executeCommand('vscode.executeHoverProvider', uri, new vscode.Position(1, 14));
      const [hung] = await eventually(() => (servers().length === 1 ? servers() : undefined));
      assert.ok(hung !== undefined);
      process.kill(hung, 'SIGSTOP');
      // This one gets no answer.
      const waiting = hovered();
      await vscode.commands.executeCommand('solanaRpc.restartServer');
      await waiting;
      await eventually(() => (servers().includes(hung) ? undefined : true));
      const found = await eventually(async () => {
        const { uri: next } = await show('### B\n{ "method": "getSlto" }\n');
        return vscode.languages.getDiagnostics(next).find(({ code }) => code === 'unknown-method');
      });
      assert.equal(found.range.start.line, 1);
      assert.equal(servers().length, 1);
    });
  });
