// The commands of the keys: add, test, choose, rename, show the end of, rotate, remove. No command takes a key as an
// argument or gives one back.
import * as vscode from 'vscode';
import type { PlacedProfile } from '../../core/service/profiles/profile';
import { record } from '../../protocol/shapes';
import { testCandidate } from './keyFlow';
import { keyWords } from './keyItems';
import { areRivals, type KeyRecord } from './keyRecord';
import { stateAfterTest } from './keyStates';
import { plain, sentences, TYPE_NAMES } from '../shared/words';
import { addKey, enteredLabel } from './addKey';
import type { CommandTable } from '../shared/command';
import { rotateStoredKey, usedNow, type RotateDeps } from './rotateKey';

export function keyCommands(deps: RotateDeps): CommandTable {
  return {
    addKey: (target) => addKey(deps, target),
    testKey: (target) => withKey(deps, target, (key, placed) => test(deps, key, placed)),
    chooseKey: (target) => chooseKey(deps, target),
    renameKey: (target) => withRecord(deps, target, (key) => rename(deps, key)),
    showKeyEnd: (target) => withRecord(deps, target, (key) => showEnd(deps, key)),
    rotateKey: (target) => withKey(deps, target, (key, placed) => rotateStoredKey(deps, key, placed)),
    removeKey(target) {
      deps.vault.dismissRemoved(keyIdIn(target) ?? '');
      return withRecord(deps, target, (key) => removeKey(deps, key));
    },
  };
}

async function test(deps: RotateDeps, key: KeyRecord, { profile }: PlacedProfile): Promise<void> {
  const { vault } = deps;
  const secret = await vault.secret(key.id);
  if (secret === undefined) return vault.note(key.id, { state: { kind: 'removed' } });
  const result = await testCandidate(deps, profile, key.type, secret);
  const state = stateAfterTest(result, Date.now());
  if (state !== undefined) await vault.note(key.id, { state });
  const isGood = result.kind === 'accepted';
  const text = isGood ? vscode.l10n.t('The service accepts this key.') : plain(sentences(result.error));
  vscode.window.setStatusBarMessage(`$(${isGood ? 'pass' : 'error'}) ${text}`, 8_000);
}

/** The key that requests use, among several of one type. */
async function chooseKey({ vault }: RotateDeps, target: unknown): Promise<void> {
  const keys = await vault.list();
  const rivals = keys.filter((key) => keys.some((other) => areRivals(key, other)));
  const named = keyIdIn(target);
  const key = named === undefined ? await pickKey(rivals) : rivals.find(({ id }) => id === named);
  if (key === undefined) {
    if (rivals.length === 0)
      vscode.window.setStatusBarMessage(vscode.l10n.t('There is only one key of each type.'), 5_000);
    return;
  }
  await vault.choose(key.id);
  const text = vscode.l10n.t('Requests to {0} go out with the key “{1}”.', plain(key.profile), plain(key.label));
  vscode.window.setStatusBarMessage(`$(key) ${text}`, 5_000);
}

async function rename({ vault }: RotateDeps, key: KeyRecord): Promise<void> {
  const taken = (await vault.list()).filter((other) => areRivals(key, other)).map(({ label }) => label);
  const label = await enteredLabel(key.type, taken, key.label);
  if (label !== undefined && label !== key.label) await vault.rename(key.id, label);
}

async function showEnd({ vault }: RotateDeps, key: KeyRecord): Promise<void> {
  const end = await vault.lastFour(key.id);
  const label = plain(key.label);
  const text =
    end === undefined
      ? vscode.l10n.t('The key “{0}” is too short to show a part of it.', label)
      : vscode.l10n.t('The key “{0}” ends in …{1}', label, plain(end));
  vscode.window.setStatusBarMessage(`$(key) ${text}`, 10_000);
}

async function removeKey({ vault, streams }: RotateDeps, key: KeyRecord): Promise<void> {
  if (key.state.kind === 'removed') return vault.remove(key.id);
  const remove = vscode.l10n.t('Remove');
  const question = vscode.l10n.t('Remove the {0}?', keyWords(key, vscode.l10n.t));
  const detail = [
    vscode.l10n.t('It is deleted from the secret storage; it stays valid at the service.'),
    ...usedNow(streams, key),
  ].join('\n');
  const choice = await vscode.window.showWarningMessage(question, { modal: true, detail }, remove);
  if (choice === remove) await vault.remove(key.id);
}

/** Runs `work` on the key a tree item or an id names, else on one the user picks. */
async function withRecord(
  { vault }: RotateDeps,
  target: unknown,
  work: (key: KeyRecord) => Promise<void>,
): Promise<void> {
  const keys = await vault.list();
  const named = keyIdIn(target);
  const key = named === undefined ? await pickKey(keys) : keys.find(({ id }) => id === named);
  if (key !== undefined) await work(key);
}

/** The same where the key's endpoint is needed too. */
const withKey = (
  deps: RotateDeps,
  target: unknown,
  work: (key: KeyRecord, placed: PlacedProfile) => Promise<void>,
): Promise<void> =>
  withRecord(deps, target, async (key) => {
    const placed = deps.profiles.find(key.profile);
    if (placed !== undefined) await work(key, placed);
    else
      await vscode.window.showWarningMessage(
        vscode.l10n.t('The endpoint “{0}” of this key is gone.', plain(key.profile)),
      );
  });

async function pickKey(keys: readonly KeyRecord[]): Promise<KeyRecord | undefined> {
  const rows = keys.map((key) => ({
    label: `$(key) ${vscode.l10n.t('{0} key', TYPE_NAMES[key.type])}`,
    description: `${plain(key.label)} · ${plain(key.profile)}`,
    key,
  }));
  const choice = await vscode.window.showQuickPick(rows, { title: vscode.l10n.t('Which key?') });
  return choice?.key;
}

const keyRow = record({ record: record({ id: 'string' }) });

const keyIdIn = (target: unknown): string | undefined =>
  typeof target === 'string' ? target : keyRow(target)?.record.id;
