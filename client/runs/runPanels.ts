// The reports of runs of whole files: one panel for each file, filled while its requests end, brought up again by the next
// run, and restored with the window. Shows what it is handed; sends nothing by itself.
import * as vscode from 'vscode';
import type { ExecuteOutcome, ExecuteResult } from '../../protocol/lsp';
import { runCommand, runView, type RunRow, type RunCommand, type RunView } from '../../protocol/runPanel';
import { openAsResponse } from '../shared/editorGroups';
import { attach, type PanelPage } from '../shared/page';
import { doneRun, emptyRun, withOutcome } from './runRows';

const TYPE = 'solanaRpc.runReport';

export interface RunPanelDeps {
  readonly extensionUri: vscode.Uri;
  readonly log: vscode.LogOutputChannel;
  /** Name of the active endpoint. */
  readonly endpoint: () => string;
  readonly openResponse: (row: RunRow) => Promise<void>;
  readonly goToRequest: (row: RunRow) => Promise<void>;
}

/** A request from a report: run the file again, or cancel its run. */
export interface RunAsk {
  readonly kind: 'again' | 'cancel';
  readonly uri: string;
}

/** Shows a run of a whole file, its progress and its outcome. */
export interface RunReports {
  begin(document: vscode.TextDocument): Promise<void>;
  note(file: string, outcome: ExecuteOutcome, isDone: boolean): void;
  end(file: string, result: ExecuteResult): void;
}

interface Shown {
  readonly panel: vscode.WebviewPanel;
  readonly page: PanelPage;
  view: RunView;
}

export class RunPanels implements RunReports, vscode.Disposable {
  readonly #shown = new Map<string, Shown>();
  readonly #asked = new vscode.EventEmitter<RunAsk>();
  readonly #serializer: vscode.Disposable;

  readonly onDidAsk = this.#asked.event;

  constructor(private readonly deps: RunPanelDeps) {
    this.#serializer = vscode.window.registerWebviewPanelSerializer(TYPE, {
      deserializeWebviewPanel: (panel, state) => {
        const kept = runView(state);
        if (kept === undefined) panel.dispose();
        // A run that was in progress has ended.
        else this.#serve(panel, { ...kept, isDone: true });
        return Promise.resolve();
      },
    });
  }

  dispose(): void {
    // The panels stay: a window that is loaded again restores them.
    this.#serializer.dispose();
    this.#asked.dispose();
  }

  /** A run of all requests of a file begins. */
  async begin(document: vscode.TextDocument): Promise<void> {
    const uri = document.uri.toString();
    const view = emptyRun(uri, this.deps.endpoint(), Date.now());
    const shown = this.#shown.get(uri);
    if (shown !== undefined) {
      this.#post(shown, view);
      if (!shown.panel.visible) shown.panel.reveal(undefined, true);
      return;
    }
    await openAsResponse(document.uri, (viewColumn) => {
      const title = vscode.l10n.t('Run: {0}', view.file);
      const place = { viewColumn, preserveFocus: true };
      this.#serve(vscode.window.createWebviewPanel(TYPE, title, place), view);
      return Promise.resolve();
    });
  }

  /** Adds the current outcome of one of its requests. */
  note(file: string, outcome: ExecuteOutcome, isDone: boolean): void {
    const shown = this.#shown.get(file);
    if (shown?.view.isDone === false) this.#post(shown, withOutcome(shown.view, outcome, isDone, vscode.l10n.t));
  }

  /** The run is over; if it sent nothing there is no report. */
  end(file: string, result: ExecuteResult): void {
    const shown = this.#shown.get(file);
    if (shown === undefined) return;
    if (result.kind === 'refused') shown.panel.dispose();
    else this.#post(shown, doneRun(shown.view, result.outcomes, result.skipped ?? [], vscode.l10n.t));
  }

  #post(shown: Shown, view: RunView): void {
    shown.view = view;
    shown.page.post(view);
  }

  #serve(panel: vscode.WebviewPanel, view: RunView): void {
    const { extensionUri, log } = this.deps;
    const page = attach(panel.webview, {
      name: 'run',
      extensionUri,
      log,
      words: vscode.l10n.bundle ?? {},
      hello: () => shown.view,
      command: runCommand,
      onCommand: (command) => void this.#take(shown, command),
    });
    const shown: Shown = { panel, page, view };
    this.#shown.set(view.uri, shown);
    panel.onDidDispose(() => {
      if (this.#shown.get(view.uri) === shown) this.#shown.delete(view.uri);
    });
    // A hidden page heard nothing.
    panel.onDidChangeViewState(() => {
      if (panel.visible) page.post(shown.view);
    });
  }

  async #take({ view }: Shown, command: RunCommand): Promise<void> {
    if (command.kind === 'again' || command.kind === 'cancel') {
      this.#asked.fire({ kind: command.kind, uri: view.uri });
      return;
    }
    const row = view.rows[command.row];
    if (row === undefined) return;
    await (command.kind === 'request' ? this.deps.goToRequest(row) : this.deps.openResponse(row));
  }
}
