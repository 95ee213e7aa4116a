// The usage view's commands: load again, and choose the range or the key.
import * as vscode from 'vscode';
import { RANGES, rangeNames, type RangeName, type UsageTree } from '../usageTree';
import type { KeyVault } from '../keyVault';
import { plain } from '../words';
import type { CommandTable } from './command';

export function usageCommands(usage: UsageTree, vault: Pick<KeyVault, 'list'>): CommandTable {
  return {
    refreshUsage: () => usage.load(),
    async setUsageRange(name) {
      if (isRange(name)) {
        await usage.setRange({ ...usage.range, range: name });
        return;
      }
      const keys = (await vault.list()).flatMap(({ keyId, label }) => (keyId === undefined ? [] : [{ keyId, label }]));
      const range = await vscode.window.showQuickPick(
        [
          ...Object.entries(rangeNames()).map(([key, label]) => ({
            label,
            range: key as RangeName,
            description: key === usage.range.range ? vscode.l10n.t('shown') : '',
          })),
          { label: vscode.l10n.t('Scope'), kind: vscode.QuickPickItemKind.Separator },
          { label: vscode.l10n.t('The whole account'), account: true },
          ...keys.map(({ keyId, label }) => ({ label: plain(label), description: plain(keyId), keyId })),
        ],
        { title: vscode.l10n.t('Show usage of') },
      );
      if (range === undefined) return;
      if ('range' in range) await usage.setRange({ ...usage.range, range: range.range });
      else if ('keyId' in range) await usage.setRange({ ...usage.range, keyId: range.keyId });
      else await usage.setRange({ range: usage.range.range });
    },
  };
}

function isRange(name: unknown): name is RangeName {
  return typeof name === 'string' && Object.hasOwn(RANGES, name);
}
