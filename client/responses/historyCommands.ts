// The kept responses as a whole: shown, two of them compared, all of them removed.
import * as vscode from 'vscode';
import type { HistoryRun } from './historyRows';
import type { HistoryNode, HistoryTree } from './historyTree';
import type { Responses } from './responses';
import type { CommandTable } from '../shared/command';
import { diffRuns } from './commands';

export interface HistoryCommandDeps {
  readonly responses: Responses;
  readonly tree: HistoryTree;
  /** Sends the request of a response as its file has it now. */
  readonly sendAgain: (run: HistoryRun) => Promise<void>;
  readonly goToRequest: (run: HistoryRun) => Promise<void>;
}

export function historyCommands({ responses, tree, sendAgain, goToRequest }: HistoryCommandDeps): CommandTable {
  const withRun =
    (act: (run: HistoryRun) => Promise<void>) =>
    async (clicked?: unknown): Promise<void> => {
      const [row] = runsIn([clicked]);
      await (row === undefined ? askAgain() : act(row.run));
    };
  return {
    sendFromHistory: withRun(sendAgain),
    goToRequest: withRun(goToRequest),
    async removeResponse(clicked, selected) {
      const selection = runsIn(selected);
      const chosen = selection.length > 0 ? selection : runsIn([clicked]);
      for (const { run } of chosen) await responses.remove(run);
      if (chosen.length === 0) await askAgain();
    },
    async showHistory() {
      await tree.focus();
    },
    async compareResponses(_clicked, selected) {
      const runs = runsIn(selected);
      const [left, right] = await Promise.all(runs.map(({ uri }) => responses.outcome(uri)));
      if (runs.length === 2 && left !== undefined && right !== undefined) await diffRuns(left, right);
      else await vscode.window.showInformationMessage(vscode.l10n.t('Select two responses in the History view.'));
    },
    async clearHistory() {
      const count = (await responses.history()).length;
      if (count === 0) {
        await vscode.window.showInformationMessage(vscode.l10n.t('No responses are kept.'));
        return;
      }
      const remove = vscode.l10n.t('Remove');
      const question =
        count === 1
          ? vscode.l10n.t('Remove the one kept response?')
          : vscode.l10n.t('Remove all {0} kept responses?', count);
      const detail = vscode.l10n.t('They are deleted from this disk and cannot be restored.');
      if ((await vscode.window.showWarningMessage(question, { modal: true, detail }, remove)) === remove)
        await responses.clear();
    },
  };
}

/** For a menu that was used while the editor redrew the rows: its command gets no row then. */
const askAgain = (): Thenable<unknown> =>
  vscode.window.showInformationMessage(vscode.l10n.t('The History view has just changed. Choose the response again.'));

/** The runs among the rows that a menu was opened on; arguments come from anyone. */
function runsIn(selected: unknown): readonly Extract<HistoryNode, { kind: 'run' }>[] {
  if (!Array.isArray(selected)) return [];
  return selected.filter(
    (row: unknown): row is Extract<HistoryNode, { kind: 'run' }> =>
      typeof row === 'object' && row !== null && 'uri' in row && row.uri instanceof vscode.Uri,
  );
}
