// Keys that are written out in the user's settings: says so once per endpoint, and moves them into secret storage. The
// settings change only once every key of an endpoint is stored.
import * as vscode from 'vscode';
import type { EndpointProfile, PlacedProfile } from '../../core/service/profiles/profile';
import { holdsKeys, takenOut, type ProfileKey } from '../../core/service/providers/profileKeys';
import { plain } from '../shared/words';
import type { Profiles } from '../profiles/profiles';
import { storedUnasked, type AddKeyDeps } from './addKey';
import { keyUses, type KeyUse } from './keyPlace';

const withKeys = (profiles: Profiles): readonly PlacedProfile[] =>
  profiles.list().filter(({ profile, source }) => source !== 'local' && holdsKeys(profile));

/** Watches the profiles until it is disposed. */
export function reportKeys(profiles: Profiles): vscode.Disposable {
  const reported = new Set<string>();
  const report = (): void => {
    for (const { profile, source } of withKeys(profiles)) {
      if (reported.has(profile.name)) continue;
      reported.add(profile.name);
      void offerStep(profile.name, source === 'user');
    }
  };
  report();
  return profiles.onDidChange(report);
}

async function offerStep(name: string, isOwn: boolean): Promise<void> {
  const step = isOwn ? vscode.l10n.t('Move to Secret Storage') : vscode.l10n.t('Edit the Endpoint');
  const text = isOwn
    ? vscode.l10n.t('The endpoint “{0}” has a key in your settings, so nothing is sent to it.', plain(name))
    : vscode.l10n.t('The endpoint “{0}” has a key in solana-rpc.json, so nothing is sent to it.', plain(name));
  if ((await vscode.window.showWarningMessage(text, step)) !== step) return;
  if (isOwn) await vscode.commands.executeCommand('solanaRpc.moveSettingsKeys');
  else await vscode.commands.executeCommand('solanaRpc.editEndpoint', name);
}

/** Moves the keys of all endpoints of the user's settings. */
export async function moveSettingsKeys(deps: AddKeyDeps): Promise<void> {
  const { profiles } = deps;
  const own = withKeys(profiles).filter(({ source }) => source === 'user');
  if (own.length === 0) {
    vscode.window.setStatusBarMessage(vscode.l10n.t('No key is in your settings.'), 5_000);
    return;
  }
  if (!(await profiles.isWritable())) return;
  let moved = 0;
  for (const { profile } of own) {
    const count = await moveOut(deps, profile);
    if (count === undefined) return;
    moved += count;
  }
  if (moved === 0) return;
  const rotate = vscode.l10n.t('Rotate a Key…');
  const text = vscode.l10n.t(
    'Keys moved to secret storage: {0}. The local history of the settings, synchronisation and backups may still have them: rotate them.',
    moved,
  );
  if ((await vscode.window.showInformationMessage(text, rotate)) === rotate)
    await vscode.commands.executeCommand('solanaRpc.rotateKey');
}

/** How many keys were moved; undefined where the secret storage failed. */
async function moveOut(deps: AddKeyDeps, profile: EndpointProfile): Promise<number | undefined> {
  const { changes, keys, left } = takenOut(profile);
  const name = plain(profile.name);
  if (left.length > 0) {
    const text = vscode.l10n.t('A URL of the endpoint “{0}” has several keys: remove all but one.', name);
    void vscode.window.showWarningMessage(text);
  }
  const next = { ...profile, ...changes };
  for (const key of keys) {
    const rivals = keys.filter(({ type }) => type === key.type);
    const stored = await storedUnasked(deps, placeOf(next, key, rivals.length > 1), key.secret);
    if (stored.ok) continue;
    const reason = plain(stored.error.message);
    void vscode.window.showWarningMessage(vscode.l10n.t('The keys of “{0}” stay in the settings: {1}', name, reason));
    return undefined;
  }
  if (keys.length > 0) await deps.profiles.edit(profile.name, changes);
  return keys.length;
}

/** Every place of the endpoint for a key of the type; where there are several keys of it, those that had this one. */
function placeOf(profile: EndpointProfile, { type, faces }: ProfileKey, isOneOfSeveral: boolean): KeyUse {
  const place = keyUses({ profile, source: 'user' }, type);
  if (!isOneOfSeveral) return place;
  const origins = Object.entries(place.origins).filter(([face]) => faces.some((own) => own === face));
  return { ...place, origins: Object.fromEntries(origins) };
}
