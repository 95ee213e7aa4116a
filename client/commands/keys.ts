// Keys: add, test, rotate, remove. No command takes a key as an argument or gives one back.
import * as vscode from 'vscode';
import { failed, ok, type KeyType, type Result } from '../../core/errors';
import type { EndpointProfile, PlacedProfile } from '../../core/profile';
import type { PastedRequest } from '../../core/curl/read';
import type { Secret } from '../../core/secret';
import {
  rotateLocalKey,
  type ExecuteOutcome,
  type RotateLocalKeyParams,
  type RotateLocalKeyResult,
  type TestKeyResult,
} from '../../protocol/lsp';
import { entryPorts, testCandidate, type KeyFlowDeps } from '../keyFlow';
import type { KeyRecord, KeyState, KeyVault } from '../keyVault';
import type { LocalServices } from '../localService';
import { hostOf, originsFor } from '../origins';
import type { Profiles } from '../profiles';
import { enterKey, rotate, type RotateOutcome } from '../rotation';
import { plain, TYPE_NAMES } from '../words';
import { profileNameIn, type CommandTable } from './command';

export interface KeyCommandDeps extends KeyFlowDeps {
  readonly vault: KeyVault;
  readonly profiles: Profiles;
  readonly local: LocalServices;
}

export function keyCommands(deps: KeyCommandDeps): CommandTable {
  return {
    addKey: (target) => addKey(deps, target),
    testKey: (target) => withKey(deps, target, (key, profile) => test(deps, key, profile)),
    rotateKey: (target) => withKey(deps, target, (key, profile) => rotateKey(deps, key, profile)),
    removeKey: (target) => withKey(deps, target, (key) => removeKey(deps, key)),
  };
}

/** `pasted`: a key that is here already; it is tested and stored as one that was typed. */
export async function addKey(deps: KeyCommandDeps, target: unknown, pasted?: Secret): Promise<void> {
  const placed = deps.profiles.find(profileNameIn(target) ?? '') ?? deps.profiles.active();
  if (placed === undefined) {
    await vscode.commands.executeCommand('solanaRpc.addEndpoint');
    return;
  }
  const { profile } = placed;
  const type = await pickType(profile);
  if (type === undefined) return;
  const label = await enteredLabel(type);
  if (label === undefined) return;
  const save = (secret: Secret, as: KeyType, tested: boolean): Promise<Result<void>> =>
    stored(() => deps.vault.add(newKey(profile, as, label, tested), secret));
  const ports = entryPorts(deps, profile, type, save);
  let first = pasted;
  const outcome = await enterKey(type, undefined, {
    ...ports,
    ask: (check) => {
      const given = first;
      first = undefined;
      return given === undefined ? ports.ask(check) : Promise.resolve(given);
    },
  });
  if (outcome.kind === 'kept') return;
  const stays = outcome.kind === 'storedAs' ? outcome.type : type;
  const hosts = [...new Set(Object.values(originsFor(profile, stays)).map(hostOf))].join(', ');
  vscode.window.setStatusBarMessage(
    `$(key) ${vscode.l10n.t('{0} key stored for {1}', TYPE_NAMES[stays], plain(hosts))}`,
    5_000,
  );
}

/** The label that the user gives a key; undefined when he gives up. */
export async function enteredLabel(type: KeyType): Promise<string | undefined> {
  const label = await vscode.window.showInputBox({
    title: vscode.l10n.t('A label for this key'),
    prompt: vscode.l10n.t('It is shown in the Keys view; a file chooses a key by it: # @key LABEL'),
    value: TYPE_NAMES[type].toLowerCase(),
    ignoreFocusOut: true,
    validateInput: (text) => (text.trim() === '' ? vscode.l10n.t('A label is needed.') : undefined),
  });
  return label?.trim();
}

async function test(deps: KeyCommandDeps, key: KeyRecord, { profile }: PlacedProfile): Promise<void> {
  const secret = await deps.vault.secret(key.id);
  if (secret === undefined) return;
  const result = await testCandidate(deps.broker, deps.server, profile, key.type, secret);
  const state = stateAfter(result);
  if (state !== undefined) await deps.vault.note(key.id, { state });
  const text =
    result.kind === 'accepted'
      ? vscode.l10n.t('The service accepts this key.')
      : `${plain(result.error.message)} ${plain(result.error.hint ?? '')}`;
  vscode.window.setStatusBarMessage(`$(${result.kind === 'accepted' ? 'pass' : 'error'}) ${text}`, 8_000);
}

async function removeKey(deps: KeyCommandDeps, key: KeyRecord): Promise<void> {
  const remove = vscode.l10n.t('Remove');
  const question = vscode.l10n.t('Remove the key “{0}”? It stays valid at the service.', plain(key.label));
  if ((await vscode.window.showWarningMessage(question, { modal: true }, remove)) === remove)
    await deps.vault.remove(key.id);
}

async function rotateKey(deps: KeyCommandDeps, key: KeyRecord, placed: PlacedProfile): Promise<void> {
  const { profile, source } = placed;
  const current = await deps.vault.secret(key.id);
  const save = (secret: Secret, type: KeyType, tested: boolean): Promise<Result<void>> =>
    type === key.type
      ? stored(() => deps.vault.swap(key.id, secret, { state: { kind: tested ? 'active' : 'untested' } }))
      : stored(() => deps.vault.add(newKey(profile, type, key.label, tested), secret));
  const { keyId } = key;
  const outcome = await rotate(key.type, current, {
    ...entryPorts(deps, profile, key.type, save),
    explain: () => (source === 'local' ? Promise.resolve(true) : explain(key)),
    openDashboard: async () => {
      const url = profile.dashboardUrl;
      if (url === undefined) return undefined;
      return { url, opened: await vscode.env.openExternal(vscode.Uri.parse(url)) };
    },
    rotateItself: source === 'local' && keyId !== undefined ? () => rotateHere(deps, key.id, keyId) : undefined,
  });
  await tell(outcome);
}

async function explain(key: KeyRecord): Promise<boolean> {
  const used =
    key.lastUsed === undefined
      ? vscode.l10n.t('It has not been used yet.')
      : vscode.l10n.t('It was last used {0}.', new Date(key.lastUsed).toLocaleString());
  const next = vscode.l10n.t('Open the dashboard, rotate the key there, and paste the new one here.');
  const loss = vscode.l10n.t('The old key stops working the moment it is rotated there.');
  const go = vscode.l10n.t('Continue');
  const title = vscode.l10n.t('Rotate the key “{0}”', plain(key.label));
  const options = { modal: true, detail: `${used} ${next} ${loss}` };
  return (await vscode.window.showInformationMessage(title, options, go)) === go;
}

/** The local service rotates by itself; its new key comes over the key channel. */
async function rotateHere(deps: KeyCommandDeps, id: string, keyId: string): Promise<Result<void>> {
  const { state } = deps.local;
  if (state.kind !== 'running')
    return failed({ kind: 'network', message: vscode.l10n.t('The local service does not run.') });
  const params: RotateLocalKeyParams = { adminUrl: state.ready.adminUrl, keyId };
  const client = await deps.server();
  const result = await client.sendRequest<RotateLocalKeyResult>(rotateLocalKey, params);
  if (result.kind === 'refused') return failed(result.error);
  const delivered = await deps.broker.delivery(result.handle);
  if (delivered === undefined)
    return failed({
      kind: 'protocol',
      message: vscode.l10n.t('The new key did not arrive. Restart the local service.'),
    });
  return stored(() => deps.vault.swap(id, delivered.secret, { keyId: delivered.keyId, state: { kind: 'active' } }));
}

async function tell(outcome: RotateOutcome): Promise<void> {
  if (outcome.kind === 'rotated') {
    const text = outcome.tested ? vscode.l10n.t('Rotated.') : vscode.l10n.t('Rotated; the new key is untested.');
    vscode.window.setStatusBarMessage(`$(key) ${text}`, 8_000);
  } else if (outcome.kind === 'storedAs') {
    const text = vscode.l10n.t(
      'Stored as {0} key; the key you wanted to rotate is unchanged.',
      TYPE_NAMES[outcome.type],
    );
    vscode.window.setStatusBarMessage(`$(key) ${text}`, 8_000);
  } else if (outcome.error !== undefined && outcome.error.kind !== 'cancelled') {
    await vscode.window.showWarningMessage(
      vscode.l10n.t('Not rotated, the old key is in place: {0}', plain(outcome.error.message)),
    );
  }
}

/** What the answer to a test says of the key; undefined where it says nothing. */
function stateAfter(result: TestKeyResult): KeyState | undefined {
  if (result.kind === 'accepted') return { kind: 'active' };
  return stateOfError(result.error.kind, 'retryAfterMs' in result.error ? result.error.retryAfterMs : undefined);
}

/** What a run says of the key it went out with: an answer of any kind, a JSON-RPC error among them, means a good one. */
export function stateAfterRun({ error, httpStatus, retryAfterMs }: ExecuteOutcome): KeyState | undefined {
  const answered = httpStatus !== undefined && httpStatus < 300 && (error === undefined || error.kind === 'rpc');
  return answered ? { kind: 'active' } : stateOfError(error?.kind ?? '', retryAfterMs);
}

/** The state of a key after an answer of this kind; undefined where the key is not what is wrong. */
function stateOfError(kind: string, retryAfterMs: number | undefined): KeyState | undefined {
  if (kind === 'keyRejected') return { kind: 'rejected' };
  if (kind === 'wrongKeyType') return { kind: 'wrongType' };
  if (kind !== 'suspended') return undefined;
  return { kind: 'suspended', ...(retryAfterMs !== undefined && { until: Date.now() + retryAfterMs }) };
}

export async function stored(write: () => Promise<unknown>): Promise<Result<void>> {
  try {
    await write();
    return ok(undefined);
  } catch (error) {
    // The storage's own words may hold what it was given; its kind of error is enough.
    const reason = error instanceof Error ? error.name : 'Error';
    return failed({ kind: 'invalidRequest', message: vscode.l10n.t('the secret storage failed ({0})', reason) });
  }
}

export function newKey(profile: EndpointProfile, type: KeyType, label: string, tested: boolean) {
  const state: KeyState = { kind: tested ? 'active' : 'untested' };
  return { type, label, profile: profile.name, origins: originsFor(profile, type), state };
}

export async function pickType(profile: EndpointProfile): Promise<KeyType | undefined> {
  const rows = [
    { type: 'rpc', detail: vscode.l10n.t('JSON-RPC, WebSocket and usage') },
    { type: 'grpc', detail: vscode.l10n.t('Streams') },
    { type: 'swqos', detail: vscode.l10n.t('Priority transaction landing') },
  ] as const;
  const offered = rows.filter(({ type }) => Object.keys(originsFor(profile, type)).length > 0);
  const choice = await vscode.window.showQuickPick(
    offered.map((row) => ({ ...row, label: vscode.l10n.t('{0} key', TYPE_NAMES[row.type]) })),
    { title: vscode.l10n.t('Add a key for {0}', plain(profile.name)) },
  );
  return choice?.type;
}

/** Runs `work` on the key a tree item or an id names, else on one the user picks. */
async function withKey(
  { vault, profiles }: KeyCommandDeps,
  target: unknown,
  work: (key: KeyRecord, placed: PlacedProfile) => Promise<void>,
): Promise<void> {
  const keys = await vault.list();
  const named = keyIdIn(target);
  const key = named === undefined ? await pickKey(keys) : keys.find(({ id }) => id === named);
  if (key === undefined) return;
  const placed = profiles.find(key.profile);
  if (placed !== undefined) await work(key, placed);
  else
    await vscode.window.showWarningMessage(
      vscode.l10n.t('The endpoint “{0}” of this key is gone.', plain(key.profile)),
    );
}

async function pickKey(keys: readonly KeyRecord[]): Promise<KeyRecord | undefined> {
  const rows = keys.map((record) => ({
    label: `$(key) ${vscode.l10n.t('{0} key', TYPE_NAMES[record.type])}`,
    description: `${plain(record.label)} · ${plain(record.profile)}`,
    record,
  }));
  const choice = await vscode.window.showQuickPick(rows, { title: vscode.l10n.t('Which key?') });
  return choice?.record;
}

function keyIdIn(target: unknown): string | undefined {
  if (typeof target === 'string') return target;
  if (typeof target !== 'object' || target === null || !('record' in target)) return undefined;
  const { record } = target as { readonly record: { readonly id?: unknown } };
  return typeof record.id === 'string' ? record.id : undefined;
}

/** A pasted command held a key: it stays out of the file, and can go to the secret storage of the endpoint it was for. */
export async function offerKeys(deps: KeyCommandDeps, { keys, host }: PastedRequest): Promise<void> {
  const [key] = keys;
  if (key === undefined) return;
  const placed = deps.profiles.list().find(({ profile }) => hostOf(profile.rpcUrl ?? '') === host);
  const store = placed === undefined ? vscode.l10n.t('Add endpoint…') : vscode.l10n.t('Store the key');
  const text = vscode.l10n.t('The command held a key for {0}. It was left out of the file.', plain(host));
  if ((await vscode.window.showInformationMessage(text, store)) !== store) return;
  if (placed === undefined) await vscode.commands.executeCommand('solanaRpc.addEndpoint');
  else await addKey(deps, placed.profile.name, key);
}
