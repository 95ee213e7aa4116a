// A command: its name without the prefix, and its function. Arguments can come from any extension and are checked.
import * as vscode from 'vscode';
import { record } from '../../protocol/shapes';

export type CommandTable = Readonly<Record<string, (...args: readonly unknown[]) => unknown>>;

/** Registers the commands of a table under `solanaRpc.`. No command returns anything: a caller could be any extension. */
export function registerCommands(table: CommandTable, log: vscode.LogOutputChannel): vscode.Disposable {
  const registered = Object.entries(table).map(([name, run]) =>
    vscode.commands.registerCommand(`solanaRpc.${name}`, async (...args: unknown[]) => {
      try {
        await run(...args);
      } catch (error) {
        log.error(`${name}: ${error instanceof Error ? error.message : 'failed'}`);
        await vscode.window.showErrorMessage(vscode.l10n.t('That failed. See the log for details.'));
      }
    }),
  );
  return vscode.Disposable.from(...registered);
}

/** The profile that an argument names: a name, or a row of the Endpoints view. */
export const profileNameIn = (target: unknown): string | undefined =>
  typeof target === 'string' ? target : (addKeyRow(target)?.profile ?? endpointRow(target)?.placed.profile.name);

const addKeyRow = record({ profile: 'string' });
const endpointRow = record({ placed: record({ profile: record({ name: 'string' }) }) });
