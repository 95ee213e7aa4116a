// Rotates a key: shows what uses it, opens the dashboard, takes the new key, swaps it, and moves the streams to it. The
// consequence of each answer is decided in rotation.ts.
import * as vscode from 'vscode';
import { failed, type KeyType, type Result } from '../../core/service/errors';
import type { PlacedProfile } from '../../core/service/profiles/profile';
import type { Secret } from '../../core/service/keys/secret';
import type { LocalServiceState } from '../../process/localService';
import type { MoveStreamsResult } from '../../protocol/streams';
import { rotateLocalKey, type RotateLocalKeyParams } from '../../protocol/usage';
import { entryPorts } from './keyFlow';
import { keyWords } from './keyItems';
import { keyUses } from './keyPlace';
import type { KeyRecord } from './keyRecord';
import { rotate, type RotateOutcome } from './rotation';
import { plain, TYPE_NAMES } from '../shared/words';
import { stored, storedAt, type AddKeyDeps } from './addKey';

/** The open streams of the window. */
export interface LiveStreams {
  /** Those that run with this key, or wait for its successor. */
  using(key: KeyRecord): readonly { readonly title: string }[];
  /** Connects them with the key that is stored now, each before its old connection ends. Resolves when each runs again or failed. */
  reopen(key: KeyRecord): Promise<MoveStreamsResult>;
}

export interface RotateDeps extends AddKeyDeps {
  /** The local service, which rotates its keys by itself. */
  readonly local: { readonly state: LocalServiceState };
  readonly streams: LiveStreams;
  readonly log: vscode.LogOutputChannel;
}

export async function rotateStoredKey(deps: RotateDeps, key: KeyRecord, placed: PlacedProfile): Promise<void> {
  const { profile, source } = placed;
  const current = await deps.vault.secret(key.id);
  const place = { ...keyUses(placed, key.type), origins: key.origins };
  const save = (secret: Secret, type: KeyType, tested: boolean): Promise<Result<void>> =>
    type === key.type
      ? stored(() => deps.vault.swap(key.id, secret, { state: { kind: tested ? 'active' : 'untested' } }))
      : storedAt(deps, place, { type, label: key.label, tested }, secret);
  const dashboard = dashboardOf(placed);
  const { keyId } = key;
  const isHere = source === 'local' && keyId !== undefined;
  const outcome = await rotate(key.type, current, {
    ...entryPorts(deps, place, save),
    explain: () => explain(key, deps.streams, isHere ? 'here' : dashboard === undefined ? 'provider' : 'dashboard'),
    openDashboard: async () => {
      if (dashboard === undefined) return undefined;
      return { url: dashboard.toString(true), opened: await opened(dashboard) };
    },
    rotateItself: isHere ? () => rotateHere(deps, key.id, keyId) : undefined,
    reopen: () => reopened(deps, key),
  });
  await showOutcome(outcome, profile.name);
}

/** A page of the web alone: what a project's file calls its dashboard is opened by the system. */
export function dashboardOf({ profile }: PlacedProfile): vscode.Uri | undefined {
  const { dashboardUrl = '' } = profile;
  return /^https?:\/\//i.test(dashboardUrl) && URL.canParse(dashboardUrl) ? vscode.Uri.parse(dashboardUrl) : undefined;
}

/** False also where the system answers with an error. */
async function opened(dashboard: vscode.Uri): Promise<boolean> {
  try {
    return await vscode.env.openExternal(dashboard);
  } catch {
    return false;
  }
}

/** The uses of a key for a prompt, one line each. */
export function usedNow(streams: LiveStreams, key: KeyRecord): readonly string[] {
  const used =
    key.lastUsed === undefined
      ? vscode.l10n.t('It has not been used yet.')
      : vscode.l10n.t('It was last used {0}.', new Date(key.lastUsed).toLocaleString());
  const titles = streams.using(key).map(({ title }) => `• ${plain(title)}`);
  return titles.length === 0 ? [used] : [used, vscode.l10n.t('Streams that use it now:'), ...titles];
}

/** False when the user leaves everything as it is. */
async function explain(key: KeyRecord, streams: LiveStreams, way: 'here' | 'dashboard' | 'provider'): Promise<boolean> {
  const next = {
    here: vscode.l10n.t('The local service makes a new key at once, and streams move to it.'),
    dashboard: vscode.l10n.t('Open the dashboard, rotate the key there, and paste the new one here.'),
    provider: vscode.l10n.t('Rotate the key where your provider does it, and paste the new one here.'),
  };
  const loss =
    way === 'here'
      ? vscode.l10n.t('The old key stops working.')
      : vscode.l10n.t('The old key stops working the moment it is rotated there; streams wait for the new one.');
  const go = way === 'here' ? vscode.l10n.t('Rotate') : vscode.l10n.t('Continue');
  const question = vscode.l10n.t('Rotate the {0}?', keyWords(key, vscode.l10n.t));
  const detail = [...usedNow(streams, key), '', `${next[way]} ${loss}`].join('\n');
  return (await vscode.window.showWarningMessage(question, { modal: true, detail }, go)) === go;
}

/** The local service rotates by itself; its new key comes over the key channel. */
async function rotateHere(deps: RotateDeps, id: string, keyId: string): Promise<Result<void>> {
  const { state } = deps.local;
  if (state.kind !== 'running')
    return failed({ kind: 'network', message: vscode.l10n.t('The local service is not running.') });
  const params: RotateLocalKeyParams = { adminUrl: state.ready.adminUrl, keyId };
  const client = await deps.server();
  const result = await client.sendRequest(rotateLocalKey, params);
  if (result.kind === 'refused') return failed(result.error);
  const delivered = await deps.broker.delivery(result.handle);
  if (delivered === undefined)
    return failed({
      kind: 'protocol',
      message: vscode.l10n.t('The new key did not arrive. Restart the local service.'),
    });
  return stored(() => deps.vault.swap(id, delivered.secret, { keyId: delivered.keyId, state: { kind: 'active' } }));
}

/** By now the key has been swapped, even if the streams fail. */
async function reopened({ streams, log }: RotateDeps, key: KeyRecord): Promise<MoveStreamsResult> {
  try {
    return await streams.reopen(key);
  } catch (error) {
    log.error(`Streams could not be reopened: ${error instanceof Error ? error.message : 'failed'}`);
    return { moved: 0, unsure: 0, stayed: [], failed: [] };
  }
}

async function showOutcome(outcome: RotateOutcome, endpoint: string): Promise<void> {
  switch (outcome.kind) {
    case 'rotated':
      vscode.window.setStatusBarMessage(`$(key) ${rotatedText(outcome.tested, outcome.streams)}`, 10_000);
      await showFailures(outcome.streams);
      return;
    case 'storedAs':
      vscode.window.setStatusBarMessage(
        `$(key) ${vscode.l10n.t('Stored as {0} key of {1}; the key you wanted to rotate is unchanged.', TYPE_NAMES[outcome.type], plain(endpoint))}`,
        8_000,
      );
      return;
    case 'kept':
      if (outcome.error !== undefined && outcome.error.kind !== 'cancelled')
        await vscode.window.showWarningMessage(
          vscode.l10n.t('Not rotated, the old key is in place: {0}', plain(outcome.error.message)),
        );
  }
}

function rotatedText(tested: boolean, { moved, unsure }: MoveStreamsResult): string {
  const done = tested ? vscode.l10n.t('Rotated') : vscode.l10n.t('Rotated; the new key is untested');
  if (moved === 0) return `${done}.`;
  const streams = moved === 1 ? vscode.l10n.t('1 stream moved') : vscode.l10n.t('{0} streams moved', moved);
  return `${done}; ${streams}, ${missedText(moved, unsure)}.`;
}

function missedText(moved: number, unsure: number): string {
  if (unsure === 0) return vscode.l10n.t('0 updates missed');
  if (unsure === moved) return vscode.l10n.t('updates before the new key arrived are unknown');
  return vscode.l10n.t('for {0}, updates before the new key arrived are unknown', unsure);
}

/** Lists the streams that did not move and why: they keep their old connection, or stopped and can be reopened. */
async function showFailures({ stayed, failed }: MoveStreamsResult): Promise<void> {
  const lines = (streams: MoveStreamsResult['failed']): string =>
    streams.map(({ title, error }) => `${plain(title)}: ${plain(error.message)}`).join(' · ');
  if (failed.length > 0)
    await vscode.window.showWarningMessage(
      vscode.l10n.t('The key is rotated; these streams stopped and can be reopened: {0}', lines(failed)),
    );
  if (stayed.length > 0)
    await vscode.window.showWarningMessage(
      vscode.l10n.t(
        'The key is rotated; these streams could not be opened with it and keep their old connection: {0}',
        lines(stayed),
      ),
    );
}
