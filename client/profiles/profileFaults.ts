// Says once what is wrong with an endpoint profile, with the step that mends it. The Endpoints view keeps showing it.
import * as vscode from 'vscode';
import type { PlacedProfile } from '../../core/service/profiles/profile';
import type { Profiles } from './profiles';
import { plain } from '../shared/words';

/** Watches the profiles until it is disposed. */
export function reportFaults(profiles: Profiles): vscode.Disposable {
  const reported = new Set<string>();
  const report = (): void => {
    for (const placed of profiles.list()) {
      const text = sentence(placed);
      if (text === undefined || reported.has(text)) continue;
      reported.add(text);
      void offerEdit(text, placed.profile.name);
    }
  };
  report();
  return profiles.onDidChange(report);
}

function sentence({ profile, fault }: PlacedProfile): string | undefined {
  if (fault === undefined) return undefined;
  return plain(vscode.l10n.t('The endpoint “{0}” cannot be used: {1} {2}', profile.name, fault.message, fault.hint));
}

async function offerEdit(text: string, name: string): Promise<void> {
  const edit = vscode.l10n.t('Edit the Endpoint');
  if ((await vscode.window.showWarningMessage(text, edit)) === edit)
    await vscode.commands.executeCommand('solanaRpc.editEndpoint', name);
}
