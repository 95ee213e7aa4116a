// "Replay Locally": runs a transaction of the chain again on a private ledger, shows it as a panel, changes it and runs it
// again, keeps it as a folder. What it needs is read at the active endpoint, when the user asks for it.
import path from 'node:path';
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import { isSignature } from '../../core/values/solana/keys';
import type { TransactionView } from '../../protocol/explain';
import { replay, replayAgain, saveReplay, type ReplayChange, type ReplayResult } from '../../protocol/replay';
import type { TransactionHello } from '../../protocol/transactionPanel';
import type { CommandTable } from '../app/command';
import { plain } from '../app/words';
import type { MissingEndpoint } from '../endpoints/missingEndpoint';
import { offerTrust } from '../runs/runs';
import { sayRefused } from '../streams/commands';
import { encodedAt } from './found';

export interface ReplayDeps {
  readonly server: () => Promise<LanguageClient>;
  readonly endpoints: MissingEndpoint;
  readonly show: (hello: TransactionHello) => Promise<void>;
}

export const replayCommands = (replays: Replays): CommandTable => ({
  replayTransaction: (named) => replays.start(named),
});

export class Replays {
  constructor(private readonly deps: ReplayDeps) {}

  /** `named`: a signature; without one that under the cursor, or what the user types. */
  async start(named: unknown): Promise<void> {
    const signature = await signatureOf(named);
    if (signature === undefined) return;
    if (!vscode.workspace.isTrusted) {
      await offerTrust();
      return;
    }
    if (!(await this.deps.endpoints.settle())) return;
    await this.#run((client, token) => client.sendRequest(replay, { signature }, token));
  }

  /** Asks what is to be changed. `view`: what the panel shows, whose programs are offered. */
  async again(id: string, view: TransactionView | undefined): Promise<void> {
    const change = await askChange(view);
    if (change === undefined) return;
    await this.#run((client, token) => client.sendRequest(replayAgain, { id, ...change }, token));
  }

  async save(id: string, view: TransactionView | undefined): Promise<void> {
    const [workspace] = vscode.workspace.workspaceFolders ?? [];
    const name = `replay-${view?.signature?.slice(0, 8) ?? 'case'}`;
    const folder = await vscode.window.showSaveDialog({
      title: vscode.l10n.t('Save the replay as a folder'),
      ...(workspace !== undefined && { defaultUri: vscode.Uri.joinPath(workspace.uri, name) }),
    });
    if (folder === undefined) return;
    const result = await (await this.deps.server()).sendRequest(saveReplay, { id, folder: folder.fsPath });
    if (result.kind === 'failed') await sayRefused(result.error);
    else
      await vscode.window.showInformationMessage(
        vscode.l10n.t('Saved. In a terminal: solana-rpc replay {0}', plain(path.basename(folder.fsPath))),
      );
  }

  async #run(send: (client: LanguageClient, token: vscode.CancellationToken) => Promise<ReplayResult>): Promise<void> {
    const progress = {
      location: vscode.ProgressLocation.Notification,
      title: vscode.l10n.t('Replaying the transaction on a private ledger'),
      cancellable: true,
    };
    const result = await vscode.window.withProgress(progress, async (_report, token) =>
      send(await this.deps.server(), token),
    );
    if (result.kind === 'failed') await sayRefused(result.error);
    else await this.deps.show({ source: { kind: 'replay', id: result.id }, title: vscode.l10n.t('Replay') });
  }
}

async function signatureOf(named: unknown): Promise<string | undefined> {
  const editor = vscode.window.activeTextEditor;
  const given = typeof named === 'string' ? named : editor === undefined ? undefined : encodedAt(editor);
  if (given !== undefined && isSignature(given)) return given;
  const typed = await vscode.window.showInputBox({
    title: vscode.l10n.t('Replay locally'),
    prompt: vscode.l10n.t('The signature of a transaction. What it needs is read at the active endpoint.'),
    ignoreFocusOut: true,
    validateInput: (text) => (isSignature(text.trim()) ? undefined : vscode.l10n.t('This is no signature.')),
  });
  return typed?.trim();
}

async function askChange(view: TransactionView | undefined): Promise<ReplayChange | undefined> {
  const { l10n, window } = vscode;
  const program = l10n.t('The code of a program, from its .so file…');
  const account = l10n.t('An account, from a JSON file…');
  const clock = l10n.t('The time of the clock…');
  const chosen = await window.showQuickPick([program, account, clock], { title: l10n.t('Change and run again') });
  if (chosen === program) return askProgram(view);
  if (chosen === account) {
    const file = await fileOf(l10n.t('An account of "solana account --output json"'), { JSON: ['json'] });
    return file === undefined ? undefined : { kind: 'account', file };
  }
  if (chosen !== clock) return undefined;
  const text = await window.showInputBox({
    title: l10n.t('Change and run again'),
    prompt: l10n.t('Unix seconds'),
    validateInput: (typed) => (/^\d{1,11}$/.test(typed) ? undefined : l10n.t('A whole number of seconds.')),
  });
  return text === undefined ? undefined : { kind: 'clock', unixTime: Number(text) };
}

async function askProgram(view: TransactionView | undefined): Promise<ReplayChange | undefined> {
  const titles = new Map((view?.calls ?? []).map(({ program, title }) => [program, title]));
  const rows = [...titles].map(([program, title]) => ({ label: plain(title), description: program, program }));
  const chosen = await vscode.window.showQuickPick(rows, { title: vscode.l10n.t('Whose code?') });
  const file =
    chosen === undefined ? undefined : await fileOf(vscode.l10n.t('The program’s .so file'), { '.so': ['so'] });
  return chosen === undefined || file === undefined ? undefined : { kind: 'program', program: chosen.program, file };
}

async function fileOf(title: string, filters: Record<string, string[]>): Promise<string | undefined> {
  const [file] = (await vscode.window.showOpenDialog({ title, filters })) ?? [];
  return file?.fsPath;
}
