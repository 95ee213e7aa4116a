// Finds the endpoint that a command is about: the one a row names, else one the user picks.
import * as vscode from 'vscode';
import type { PlacedProfile } from '../../core/service/profiles/profile';
import { profileNameIn } from '../shared/command';
import { plain } from '../shared/words';
import { hostOf } from './origins';
import type { Profiles } from './profiles';

/** A theme icon for each place that an endpoint can come from. */
export const SOURCE_ICONS: Readonly<Record<PlacedProfile['source'], string>> = {
  user: 'plug',
  local: 'vm-running',
  workspace: 'folder',
};

/** The endpoint that a row of the view names, else one the user picks; of the given sources. */
export async function chosenEndpoint(
  profiles: Profiles,
  target: unknown,
  title: string,
  sources: readonly PlacedProfile['source'][] = ['user', 'workspace'],
): Promise<PlacedProfile | undefined> {
  const offered = profiles.list().filter(({ source }) => sources.includes(source));
  const named = profileNameIn(target);
  if (named !== undefined) return offered.find(({ profile }) => profile.name === named);
  const rows = offered.map((placed) => ({
    label: `$(${SOURCE_ICONS[placed.source]}) ${plain(placed.profile.name)}`,
    description: plain(hostOf(placed.profile.rpcUrl ?? '')),
    placed,
  }));
  return (await vscode.window.showQuickPick(rows, { title }))?.placed;
}
