// The panel of the usage report: one for the window, kept up to date while it is shown, restored after a reload with the
// numbers of last time. Its page gets what to show and sends what the user wants; it asks nothing.
import * as vscode from 'vscode';
import { usageCommand, type ReportStep, type UsageReport, type UsageCommand } from '../../protocol/usagePanel';
import { attach, type PanelPage } from '../shared/page';
import type { UsageModel } from './usageModel';
import type { UsageTimeline } from './usageTimeline';
import { usageReport, type ReportSource } from './usageReport';
import { usageItems } from './usageState';
import { rangeText } from './usageTree';
import { plain } from '../shared/words';

const TYPE = 'solanaRpc.usageReport';

const COMMANDS: Readonly<Record<Exclude<ReportStep, 'next' | 'timeline'>, string>> = {
  refresh: 'solanaRpc.refreshUsage',
  range: 'solanaRpc.setUsageRange',
  export: 'solanaRpc.exportUsage',
  addKey: 'solanaRpc.addUsageKey',
};

export interface UsagePanelDeps {
  readonly model: UsageModel;
  readonly timeline: UsageTimeline;
  readonly extensionUri: vscode.Uri;
  readonly log: vscode.LogOutputChannel;
}

export class UsagePanels implements vscode.Disposable {
  readonly #parts: vscode.Disposable[];
  #shown: { readonly panel: vscode.WebviewPanel; readonly page: PanelPage } | undefined;

  constructor(private readonly deps: UsagePanelDeps) {
    this.#parts = [
      deps.model.onDidChange(() => this.#shown?.page.post(this.#report())),
      deps.timeline.onDidChange(() => this.#shown?.page.post(this.#report())),
      vscode.window.registerWebviewPanelSerializer(TYPE, {
        // A report restored with the window shows what was known and waits: nothing is sent without a gesture.
        deserializeWebviewPanel: (panel) => {
          this.#serve(panel);
          return Promise.resolve();
        },
      }),
    ];
  }

  dispose(): void {
    // The panel stays: a window that is loaded again restores it.
    this.#parts.forEach((part) => void part.dispose());
  }

  /** Brings the report up, and loads what it shows. */
  async open(): Promise<void> {
    if (this.#shown === undefined) {
      const column = vscode.ViewColumn.Active;
      this.#serve(vscode.window.createWebviewPanel(TYPE, vscode.l10n.t('Usage report'), column));
    } else this.#shown.panel.reveal();
    const { model } = this.deps;
    if (!vscode.workspace.isTrusted) return;
    if (model.state.kind !== 'loading') await model.load();
    if (model.state.kind === 'loaded') await model.openAll();
  }

  #serve(panel: vscode.WebviewPanel): void {
    const { extensionUri, log } = this.deps;
    this.#shown?.panel.dispose();
    const page = attach(panel.webview, {
      name: 'usage',
      extensionUri,
      log,
      words: vscode.l10n.bundle ?? {},
      hello: () => this.#report(),
      command: usageCommand,
      onCommand: (command) => void this.#take(command),
    });
    const shown = { panel, page };
    this.#shown = shown;
    panel.onDidDispose(() => {
      if (this.#shown === shown) this.#shown = undefined;
    });
    // A hidden page heard nothing.
    panel.onDidChangeViewState(() => {
      if (panel.visible) page.post(this.#report());
    });
  }

  /** Only what the buttons of the page stand for: no command comes from a page. */
  async #take({ step, keyId }: UsageCommand): Promise<void> {
    if (step === 'timeline') {
      await this.deps.timeline.load(keyId);
      return;
    }
    if (step !== 'next') {
      await vscode.commands.executeCommand(COMMANDS[step]);
      if (step === 'refresh' || step === 'range') await this.deps.model.openAll();
      return;
    }
    const { state, query } = this.deps.model;
    const items = usageItems(state, Date.now(), vscode.l10n.t, query === undefined ? {} : { query });
    const command = items.find((item) => item.command !== undefined)?.command;
    await vscode.commands.executeCommand(command?.id ?? COMMANDS.refresh, ...(command?.arguments ?? []));
  }

  #report(): UsageReport {
    const { model, timeline } = this.deps;
    const { state, keys, range, endpoint, query } = model;
    const source: ReportSource = {
      endpoint: plain(endpoint ?? ''),
      range: rangeText(range),
      state,
      keys,
      subject: query === undefined ? {} : { query },
      timeline: timeline.state,
      asks: timeline.spans.length,
    };
    return usageReport(source, Date.now(), vscode.l10n.t);
  }
}
