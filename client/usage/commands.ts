// The commands of usage: load again, choose the range, look at a key by its id, the report, the numbers as a file.
import * as vscode from 'vscode';
import { rangeNames } from './usageTree';
import type { MissingEndpoint } from '../profiles/missingEndpoint';
import type { UsageModel } from './usageModel';
import { isRangeName, readMoment, type ChosenRange } from './usageRange';
import { usageCsv } from './usageReport';
import type { UsagePanels } from './usagePanel';
import { record } from '../../protocol/shapes';
import type { CommandTable } from '../shared/command';
import { askWhere, saveText } from '../shared/saving';

export interface UsageCommandDeps {
  readonly model: UsageModel;
  readonly panels: UsagePanels;
  readonly endpoints: MissingEndpoint;
}

export function usageCommands({ model, panels, endpoints }: UsageCommandDeps): CommandTable {
  return {
    async refreshUsage() {
      if (await endpoints.settle()) await model.load();
    },
    async setUsageRange(name) {
      if (!(await endpoints.settle())) return;
      const range = isRangeName(name) ? { kind: name } : await pickRange(model.range);
      if (range !== undefined) await model.setRange(range);
    },
    async addUsageKey() {
      const keyId = await vscode.window.showInputBox({
        title: vscode.l10n.t('Usage of which key?'),
        prompt: vscode.l10n.t('The id of the key, as the dashboard shows it; never the key itself.'),
        validateInput: keyIdProblem,
      });
      if (keyId !== undefined) await model.addKeyId(keyId.trim());
    },
    async removeUsageKey(target) {
      const keyId = keyRow(target)?.opens.keyId;
      if (keyId !== undefined) await model.removeKeyId(keyId);
    },
    async openUsageReport() {
      if (await endpoints.settle()) await panels.open();
    },
    exportUsage: () => exportUsage(model),
  };
}

function keyIdProblem(text: string): string | undefined {
  if (text.trim() === '') return vscode.l10n.t('An id is needed.');
  return /^[\w.:-]{1,64}$/.test(text.trim()) ? undefined : vscode.l10n.t('This does not look like the id of a key.');
}

const keyRow = record({ opens: record({ keyId: 'string' }) });

async function pickRange(current: ChosenRange): Promise<ChosenRange | undefined> {
  const names = { ...rangeNames(), custom: vscode.l10n.t('From … to …') };
  const rows = Object.entries(names).map(([range, label]) => ({
    label,
    range,
    description: range === current.kind ? vscode.l10n.t('shown') : '',
  }));
  const choice = await vscode.window.showQuickPick(rows, { title: vscode.l10n.t('Show usage of') });
  if (choice === undefined) return undefined;
  return isRangeName(choice.range) ? { kind: choice.range } : enteredRange();
}

async function enteredRange(): Promise<ChosenRange | undefined> {
  const now = Math.floor(Date.now() / 1000);
  const moment = (title: string, after: number, value: string): Thenable<string | undefined> =>
    vscode.window.showInputBox({
      title,
      value,
      prompt: vscode.l10n.t('A date, with a time if you like (2026-01-31 14:30), how long ago (3d, 12h), or now.'),
      ignoreFocusOut: true,
      validateInput: (text) => {
        const seconds = readMoment(text, now);
        if (seconds === undefined) return vscode.l10n.t('Not a time: write 2026-01-31, 2026-01-31 14:30, 3d or now.');
        if (seconds > now) return vscode.l10n.t('This is in the future.');
        return seconds <= after ? vscode.l10n.t('The end must be after the beginning.') : undefined;
      },
    });
  const first = await moment(vscode.l10n.t('Usage from (1 of 2)'), -1, '7d');
  const from = first === undefined ? undefined : readMoment(first, now);
  if (from === undefined) return undefined;
  const last = await moment(vscode.l10n.t('Usage to (2 of 2)'), from, 'now');
  const to = last === undefined ? undefined : readMoment(last, now);
  return to === undefined ? undefined : { kind: 'custom', from, to };
}

/** Exports the loaded usage to a file that the user chooses. */
async function exportUsage(model: UsageModel): Promise<void> {
  const csv = usageCsv(model.state, model.keys, vscode.l10n.t);
  if (csv === undefined) {
    await vscode.window.showInformationMessage(vscode.l10n.t('There is no usage to export yet. Load it first.'));
    return;
  }
  const target = await askWhere('usage.csv', vscode.l10n.t('Export usage'), { CSV: ['csv'] });
  if (target !== undefined) await saveText(target, csv);
}
