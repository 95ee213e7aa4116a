// The tour: the walkthrough with the sample beside it. Offered with the first request file after the installation, once
// for a user: a walkthrough that opened by itself would take the keyboard from the file.
import * as vscode from 'vscode';
import type { CommandTable } from './command';
import type { OpenCopy } from './guide';

export interface TourDeps {
  readonly context: vscode.ExtensionContext;
  readonly startLocal: () => Promise<unknown>;
  /** Opens the sample as a document of the user's own. */
  readonly opened: OpenCopy;
}

/** Marks in the storage of the user that the tour was open or offered. */
const SEEN = 'tourSeen';

/** The step at which the tour begins once the local service runs. */
const FIRST_REQUEST = 'sample';

export class Tour implements vscode.Disposable {
  readonly #deps: TourDeps;
  readonly #category: string;
  readonly #listener: vscode.Disposable;

  constructor(deps: TourDeps) {
    this.#deps = deps;
    this.#category = `${deps.context.extension.id}#start`;
    this.#listener = vscode.window.onDidChangeActiveTextEditor((editor) => this.#saw(editor));
    this.#saw(vscode.window.activeTextEditor);
  }

  dispose(): void {
    this.#listener.dispose();
  }

  get commands(): CommandTable {
    return {
      openWalkthrough: () => this.#open(this.#category, false),
      startTour: async () => {
        // Open first: a step that is done before the editor has read its walkthroughs gets no mark.
        await this.#open({ category: this.#category, step: FIRST_REQUEST }, false);
        const viewColumn = vscode.ViewColumn.Beside;
        await this.#deps.opened((document) => vscode.window.showTextDocument(document, { viewColumn, preview: false }));
        await this.#deps.startLocal();
      },
    };
  }

  /** Not offered to those who want no page at the start. */
  #saw(editor: vscode.TextEditor | undefined): void {
    if (editor?.document.languageId !== 'jsonrpc' || this.#deps.context.globalState.get(SEEN) === true) return;
    const settings = vscode.workspace.getConfiguration('workbench');
    const wantsNone =
      settings.get('startupEditor') === 'none' || settings.get('welcomePage.walkthroughs.openOnInstall') === false;
    if (!wantsNone) void this.#offer();
  }

  async #offer(): Promise<void> {
    await this.#deps.context.globalState.update(SEEN, true);
    const start = vscode.l10n.t('Start Tour');
    const text = vscode.l10n.t('The two-minute tour runs on a ledger of this machine: no account, no cost.');
    if ((await vscode.window.showInformationMessage(text, start)) === start)
      await vscode.commands.executeCommand('solanaRpc.startTour');
  }

  async #open(what: string | { readonly category: string; readonly step: string }, how: unknown): Promise<void> {
    await this.#deps.context.globalState.update(SEEN, true);
    await vscode.commands.executeCommand('workbench.action.openWalkthrough', what, how);
  }
}
