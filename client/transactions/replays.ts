// "Replay Locally": runs a transaction of the chain again on a private ledger, shows it as a panel, changes it and runs it
// again, keeps it as a folder. What it needs is read at the active endpoint, when the user asks for it.
import path from 'node:path';
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import type { ReplayStep } from '../../core/solana/replay/case';
import { decodeBase64 } from '../../core/solana/encoding/base64';
import { isPublicKey, isSignature } from '../../core/solana/chain/keys';
import type { ReplayOrigin, TransactionSource, TransactionView } from '../../protocol/explain';
import {
  replay,
  replayAgain,
  replayFolder,
  replayStep,
  saveReplay,
  type ReplayChange,
  type ReplayResult,
} from '../../protocol/replay';
import type { TransactionHello } from '../../protocol/transactionPanel';
import type { CommandTable } from '../shared/command';
import { cancellable } from '../shared/cancellable';
import { askWhere } from '../shared/saving';
import { offerTrust, sayRefused } from '../shared/refusal';
import { plain } from '../shared/words';
import type { MissingEndpoint } from '../profiles/missingEndpoint';
import { encodedUnder, shortSignature } from './found';

export interface ReplayCommandDeps {
  readonly server: () => Promise<LanguageClient>;
  readonly endpoints: MissingEndpoint;
  readonly show: (hello: TransactionHello) => Promise<void>;
}

const CASE_FILE = 'case.json';

type ReplaySource = Extract<TransactionSource, { kind: 'replay' }>;
type Send = (client: LanguageClient, token: vscode.CancellationToken) => Promise<ReplayResult>;

/** A request from the panel of a replay. */
export interface ReplayAsk {
  readonly kind: 'replayAgain' | 'renewReplay' | 'saveReplay';
  readonly source: ReplaySource;
  /** The view in the panel. */
  readonly view: TransactionView | undefined;
}

export class ReplayCommands {
  readonly #reports = new Set<vscode.Progress<{ readonly message: string }>>();
  #client: LanguageClient | undefined;

  constructor(private readonly deps: ReplayCommandDeps) {}

  get commands(): CommandTable {
    return {
      replayTransaction: (named) => this.#start(named),
      replayCase: (named) => this.#open(named),
    };
  }

  /** `named`: a signature; if omitted, the one under the cursor or the user's input. */
  async #start(named: unknown): Promise<void> {
    const signature = await signatureOf(named);
    if (signature !== undefined) await this.#begin({ kind: 'signature', signature });
  }

  /** Runs a case that was kept as a folder. `named`: its `case.json`; without one the user chooses the folder. */
  async #open(named: unknown): Promise<void> {
    const folder = await caseFolderOf(named);
    if (folder !== undefined) await this.#begin({ kind: 'folder', folder: folder.fsPath });
  }

  /** Does what the user asks for in a panel. */
  async take({ kind, source, view }: ReplayAsk): Promise<void> {
    switch (kind) {
      case 'replayAgain':
        return this.#again(source.id, view);
      case 'renewReplay':
        return this.#renew(source);
      case 'saveReplay':
        return this.#save(source.id, view);
    }
  }

  /** `id`: of the replay whose place it takes. */
  async #begin(of: ReplayOrigin, id?: string): Promise<void> {
    if (!vscode.workspace.isTrusted) return offerTrust();
    const place = id === undefined ? {} : { id };
    if (of.kind === 'folder') {
      const { folder } = of;
      const send: Send = (client, token) => client.sendRequest(replayFolder, { folder, ...place }, token);
      return this.#run(path.basename(folder), send, of);
    }
    if (!(await this.deps.endpoints.settle())) return;
    const { signature } = of;
    const send: Send = (client, token) => client.sendRequest(replay, { signature, ...place }, token);
    return this.#run(shortSignature(signature), send, of);
  }

  /** Asks what is to be changed. `view`: what the panel shows, whose programs are offered. */
  async #again(id: string, view: TransactionView | undefined): Promise<void> {
    const change = await askChange(view);
    if (change === undefined) return;
    const send: Send = (client, token) => client.sendRequest(replayAgain, { id, ...change }, token);
    await this.#run(shortSignature(view?.signature ?? ''), send);
  }

  /** Runs again what is no longer kept, as it was before it was changed; its panel shows it. */
  async #renew({ id, of }: ReplaySource): Promise<void> {
    if (of !== undefined) await this.#begin(of, id);
  }

  async #save(id: string, view: TransactionView | undefined): Promise<void> {
    const name = `replay-${view?.signature?.slice(0, 8) ?? 'case'}`;
    const folder = await askWhere(name, vscode.l10n.t('Save the replay as a folder'));
    if (folder === undefined) return;
    const result = await (await this.deps.server()).sendRequest(saveReplay, { id, folder: folder.fsPath });
    if (result.kind === 'failed') await sayRefused(result.error);
    else
      await vscode.window.showInformationMessage(
        vscode.l10n.t('Saved. In a terminal: solana-rpc replay {0}', plain(path.basename(folder.fsPath))),
      );
  }

  /** `name` and `of`: of the panel, where it is a new one. */
  async #run(name: string, send: Send, of?: ReplayOrigin): Promise<void> {
    const doing = vscode.l10n.t('Replaying the transaction on a private ledger');
    const result = await cancellable(doing, async (token, report) => {
      const client = await this.deps.server();
      this.#listen(client);
      this.#reports.add(report);
      try {
        return await send(client, token);
      } catch (error) {
        if (token.isCancellationRequested) return undefined;
        throw error;
      } finally {
        this.#reports.delete(report);
      }
    });
    if (result === undefined) {
      void vscode.window.showInformationMessage(vscode.l10n.t('The replay was cancelled.'));
      return;
    }
    if (result.kind === 'failed') return sayRefused(result.error);
    const title = vscode.l10n.t('Replay {0}', plain(name));
    await this.deps.show({ source: { kind: 'replay', id: result.id, ...(of !== undefined && { of }) }, title });
  }

  /** To what is done while a replay is made ready. */
  #listen(client: LanguageClient): void {
    if (this.#client === client) return;
    this.#client = client;
    client.onNotification(replayStep, (step) => {
      for (const report of this.#reports) report.report({ message: stepWords(step) });
    });
  }
}

function stepWords(step: ReplayStep): string {
  const { l10n } = vscode;
  switch (step.kind) {
    case 'transaction':
      return l10n.t('Reading the transaction');
    case 'accounts':
      return l10n.t('Reading accounts: {0}', step.count);
    case 'programs':
      return l10n.t('Reading programs: {0}', step.count);
    case 'changes':
      return l10n.t('Looking up when account {0} of {1} changed last', step.at, step.of);
    case 'ledger':
      return l10n.t('Starting the private ledger');
  }
}

async function caseFolderOf(named: unknown): Promise<vscode.Uri | undefined> {
  const isCase = named instanceof vscode.Uri && named.scheme === 'file' && path.basename(named.fsPath) === CASE_FILE;
  if (isCase) return vscode.Uri.joinPath(named, '..');
  const [folder] =
    (await vscode.window.showOpenDialog({
      title: vscode.l10n.t('The folder of a replay'),
      canSelectFiles: false,
      canSelectFolders: true,
    })) ?? [];
  return folder;
}

async function signatureOf(named: unknown): Promise<string | undefined> {
  const editor = vscode.window.activeTextEditor;
  const given = typeof named === 'string' ? named : editor === undefined ? undefined : encodedUnder(editor);
  if (given !== undefined && isSignature(given)) return given;
  const typed = await vscode.window.showInputBox({
    title: vscode.l10n.t('Replay locally'),
    prompt: vscode.l10n.t('The signature of a transaction. What it needs is read at the active endpoint.'),
    ignoreFocusOut: true,
    validateInput: (text) => (isSignature(text.trim()) ? undefined : vscode.l10n.t('This is not a signature.')),
  });
  return typed?.trim();
}

async function askChange(view: TransactionView | undefined): Promise<ReplayChange | undefined> {
  const { l10n, window } = vscode;
  const program = l10n.t('The code of a program, from its .so file…');
  const account = l10n.t('An account, from a JSON file…');
  const field = l10n.t('Lamports, owner or data of an account…');
  const clock = l10n.t('The time of the clock…');
  const title = l10n.t('Change and run again');
  const chosen = await window.showQuickPick([program, account, field, clock], { title });
  if (chosen === program) return askProgram(view);
  if (chosen === field) return askField(view);
  if (chosen === account) {
    const file = await fileOf(l10n.t('An account of "solana account --output json"'), { JSON: ['json'] });
    return file === undefined ? undefined : { kind: 'account', file };
  }
  if (chosen !== clock) return undefined;
  const text = await window.showInputBox({
    title: l10n.t('The time of the clock'),
    prompt: l10n.t('Unix seconds'),
    validateInput: (typed) => (/^\d{1,11}$/.test(typed) ? undefined : l10n.t('A whole number of seconds.')),
  });
  return text === undefined ? undefined : { kind: 'clock', unixTime: Number(text) };
}

async function askProgram(view: TransactionView | undefined): Promise<ReplayChange | undefined> {
  const titles = new Map((view?.calls ?? []).map(({ program, title }) => [program, title]));
  const rows = [...titles].map(([program, title]) => ({ label: plain(title), description: program, program }));
  const chosen = await vscode.window.showQuickPick(rows, { title: vscode.l10n.t('Which program?') });
  const file =
    chosen === undefined ? undefined : await fileOf(vscode.l10n.t('The program’s .so file'), { '.so': ['so'] });
  return chosen === undefined || file === undefined ? undefined : { kind: 'program', program: chosen.program, file };
}

async function askField(view: TransactionView | undefined): Promise<ReplayChange | undefined> {
  const { l10n, window } = vscode;
  const addresses = (view?.accounts ?? []).flatMap(({ address, name }) =>
    address === undefined ? [] : [{ label: address, ...(name !== undefined && { description: plain(name) }) }],
  );
  const account = await window.showQuickPick(addresses, { title: l10n.t('Which account?'), matchOnDescription: true });
  if (account === undefined) return undefined;
  const fields = [
    {
      label: l10n.t('Lamports'),
      field: 'lamports' as const,
      check: isLamports,
      fault: l10n.t('A whole number of lamports.'),
    },
    { label: l10n.t('Owner'), field: 'owner' as const, check: isPublicKey, fault: l10n.t('The address of a program.') },
    { label: l10n.t('Data, in base64'), field: 'data' as const, check: isBase64, fault: l10n.t('This is not base64.') },
  ];
  const chosen = await window.showQuickPick(fields, { title: l10n.t('Which field?') });
  if (chosen === undefined) return undefined;
  const { field, check, fault, label } = chosen;
  const value = await window.showInputBox({
    title: label,
    prompt: account.label,
    validateInput: (typed) => (check(typed.trim()) ? undefined : fault),
  });
  return value === undefined ? undefined : { kind: 'field', address: account.label, field, value: value.trim() };
}

const isLamports = (text: string): boolean => /^\d{1,20}$/.test(text);
const isBase64 = (text: string): boolean => decodeBase64(text) !== undefined;

async function fileOf(title: string, filters: Record<string, string[]>): Promise<string | undefined> {
  const [file] = (await vscode.window.showOpenDialog({ title, filters })) ?? [];
  return file?.fsPath;
}
