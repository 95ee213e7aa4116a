// The context keys for commands that need an endpoint, a key or a dashboard, and for the words of empty views.
import * as vscode from 'vscode';
import { LOCAL_PROFILE } from '../../core/service/profiles/profile';
import type { KeyVault } from '../keys/keyVault';
import type { Profiles } from '../profiles/profiles';
import type { SetContext } from '../shared/contexts';

/** Keeps them up to date until it is disposed. */
export function keepPalette(profiles: Profiles, vault: KeyVault, setContext: SetContext): vscode.Disposable {
  const update = async (): Promise<void> => {
    const own = profiles.list().some(({ source }) => source !== 'local');
    const absent = profiles.absent();
    const facts = {
      endpoints: own ? 'some' : 'none',
      keys: (await vault.list()).length > 0 ? 'some' : 'none',
      absent: absent === undefined ? 'none' : absent === LOCAL_PROFILE ? 'local' : 'endpoint',
      dashboard: profiles.active()?.profile.dashboardUrl === undefined ? 'none' : 'some',
    };
    for (const [name, value] of Object.entries(facts)) setContext(`solanaRpc.${name}`, value);
  };
  return vscode.Disposable.from(
    profiles.onDidChange(() => void update()),
    vault.onDidChange(() => void update()),
  );
}
