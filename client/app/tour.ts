// The tour: the walkthrough with the sample beside it. Opens by itself beside the first request file after the
// installation, once for a user and never over the file.
import * as vscode from 'vscode';
import type { CommandTable } from './command';
import type { OpenCopy } from './guide';

export interface TourDeps {
  readonly context: vscode.ExtensionContext;
  readonly startLocal: () => Promise<unknown>;
  /** Opens the sample as a document of the user's own. */
  readonly opened: OpenCopy;
}

/** Marks in the storage of the user that the tour was open. */
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

  /** The first request file opens the tour too, except for those who want no page that they did not ask for. */
  #saw(editor: vscode.TextEditor | undefined): void {
    if (editor?.document.languageId !== 'jsonrpc' || this.#deps.context.globalState.get(SEEN) === true) return;
    const settings = vscode.workspace.getConfiguration('workbench');
    const wantsNone =
      settings.get('startupEditor') === 'none' || settings.get('welcomePage.walkthroughs.openOnInstall') === false;
    if (!wantsNone) void this.#open(this.#category, { toSide: true, inactive: true });
  }

  async #open(what: string | { readonly category: string; readonly step: string }, how: unknown): Promise<void> {
    await this.#deps.context.globalState.update(SEEN, true);
    await vscode.commands.executeCommand('workbench.action.openWalkthrough', what, how);
  }
}
