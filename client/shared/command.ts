// A command: its name without the prefix, and its function. Arguments can come from any extension and are checked.
import * as vscode from 'vscode';

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
export function profileNameIn(target: unknown): string | undefined {
  if (typeof target === 'string') return target;
  if (typeof target !== 'object' || target === null) return undefined;
  if ('profile' in target && typeof target.profile === 'string') return target.profile;
  if (!('placed' in target)) return undefined;
  const { placed } = target as { readonly placed: { readonly profile?: { readonly name?: unknown } } };
  return typeof placed.profile?.name === 'string' ? placed.profile.name : undefined;
}
