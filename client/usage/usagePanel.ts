// The panel of the usage report: one for the window, kept up to date while it is shown, restored after a reload with the
// numbers of last time. Its page gets what to show and sends what the user wants; it asks nothing.
import * as vscode from 'vscode';
import { usagePanelCommand, type ReportStep, type UsageReport, type UsageCommand } from '../../protocol/usagePanel';
import type { PageDeps } from '../shared/page';
import { Panels } from '../shared/panels';
import type { UsageModel } from './usageModel';
import type { UsageTimeline } from './usageTimeline';
import { usageReport, type ReportSource } from './usageReport';
import { usageItems } from './usageState';
import { rangeText } from './usageTree';
import { plain } from '../shared/words';

/** There is one panel, of what the model has. */
const ONLY = 'report';

const COMMANDS: Readonly<Record<Exclude<ReportStep, 'next' | 'timeline'>, string>> = {
  refresh: 'solanaRpc.refreshUsage',
  range: 'solanaRpc.setUsageRange',
  export: 'solanaRpc.exportUsage',
  addKey: 'solanaRpc.addUsageKey',
};

export interface UsagePanelDeps extends PageDeps {
  readonly model: UsageModel;
  readonly timeline: UsageTimeline;
}

export class UsagePanels implements vscode.Disposable {
  readonly #panels: Panels<typeof ONLY, never, UsageCommand>;
  readonly #parts: vscode.Disposable[];

  constructor(private readonly deps: UsagePanelDeps) {
    this.#panels = new Panels({
      ...deps,
      name: 'usage',
      type: 'solanaRpc.usageReport',
      key: () => ONLY,
      // A report restored with the window shows what was known and waits: nothing is sent without a gesture.
      restore: () => {
        this.#panels.of(ONLY)?.panel.dispose();
        return ONLY;
      },
      serve: () => ({
        hello: () => this.#report(),
        command: usagePanelCommand,
        onCommand: (command) => this.#take(command),
      }),
      current: () => this.#report(),
    });
    const post = (): void => this.#panels.of(ONLY)?.post(this.#report());
    this.#parts = [deps.model.onDidChange(post), deps.timeline.onDidChange(post), this.#panels];
  }

  dispose(): void {
    this.#parts.forEach((part) => void part.dispose());
  }

  /** Brings the report up, and loads what it shows. */
  async open(): Promise<void> {
    const shown = this.#panels.of(ONLY);
    if (shown === undefined) this.#panels.open(ONLY, vscode.l10n.t('Usage report'), vscode.ViewColumn.Active);
    else shown.panel.reveal();
    const { model } = this.deps;
    if (!vscode.workspace.isTrusted) return;
    if (model.state.kind !== 'loading') await model.load();
    if (model.state.kind === 'loaded') await model.openAll();
  }

  /** Only what the buttons of the page stand for: no command comes from a page. */
  async #take({ step, keyId }: UsageCommand): Promise<void> {
    if (step === 'timeline') return this.deps.timeline.load(keyId);
    if (step !== 'next') {
      await vscode.commands.executeCommand(COMMANDS[step]);
      if (step === 'refresh' || step === 'range') await this.deps.model.openAll();
      return;
    }
    const { state, query } = this.deps.model;
    const items = usageItems(state, Date.now(), vscode.l10n.t, { query });
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
      subject: { query },
      timeline: timeline.state,
      asks: timeline.spans.length,
    };
    return usageReport(source, Date.now(), vscode.l10n.t);
  }
}
