// The reports of runs of whole files: one panel for each file, filled while its requests end, brought up again by the next
// run, and restored with the window. Shows what it is handed; sends nothing by itself.
import * as vscode from 'vscode';
import type { ExecuteOutcome, ExecuteResult } from '../../protocol/lsp';
import { runPanelCommand, runView, type RunRow, type RunCommand, type RunView } from '../../protocol/runPanel';
import { openAsResponse } from '../shared/editorGroups';
import type { PageDeps } from '../shared/page';
import { Panels, type ShownPanel } from '../shared/panels';
import { doneRun, emptyRun, withOutcome } from './runRows';

export interface RunPanelDeps extends PageDeps {
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

/** The run that a panel shows: its latest state. */
interface Shown {
  view: RunView;
}

export class RunPanels implements vscode.Disposable {
  readonly #panels: Panels<Shown, never, RunCommand>;
  readonly #asked = new vscode.EventEmitter<RunAsk>();

  readonly onDidAsk = this.#asked.event;

  constructor(private readonly deps: RunPanelDeps) {
    this.#panels = new Panels({
      ...deps,
      name: 'run',
      type: 'solanaRpc.runReport',
      key: ({ view }) => view.uri,
      restore: (state) => {
        const kept = runView(state);
        // A run that was in progress has ended.
        return kept && { view: { ...kept, isDone: true } };
      },
      serve: ({ content }) => ({
        hello: () => content.view,
        command: runPanelCommand,
        onCommand: (command) => this.#take(content, command),
      }),
      current: ({ view }) => view,
    });
  }

  dispose(): void {
    this.#panels.dispose();
    this.#asked.dispose();
  }

  /** A run of all requests of a file begins. */
  async begin(document: vscode.TextDocument): Promise<void> {
    const uri = document.uri.toString();
    const view = emptyRun(uri, this.deps.endpoint(), Date.now());
    const shown = this.#panels.of(uri);
    if (shown !== undefined) {
      post(shown, view);
      if (!shown.panel.visible) shown.panel.reveal(undefined, true);
      return;
    }
    await openAsResponse(document.uri, async (viewColumn) =>
      this.#panels.open({ view }, vscode.l10n.t('Run: {0}', view.file), { viewColumn, preserveFocus: true }),
    );
  }

  /** Adds the current outcome of one of its requests. */
  note(file: string, outcome: ExecuteOutcome, isDone: boolean): void {
    const shown = this.#panels.of(file);
    if (shown?.content.view.isDone === false)
      post(shown, withOutcome(shown.content.view, outcome, isDone, vscode.l10n.t));
  }

  /** The run is over; if it sent nothing there is no report. */
  end(file: string, result: ExecuteResult): void {
    const shown = this.#panels.of(file);
    if (shown === undefined) return;
    if (result.kind === 'refused') shown.panel.dispose();
    else post(shown, doneRun(shown.content.view, result.outcomes, result.skipped ?? [], vscode.l10n.t));
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

function post({ content, post }: ShownPanel<Shown>, view: RunView): void {
  content.view = view;
  post(view);
}
