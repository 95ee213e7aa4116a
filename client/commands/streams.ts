// Watch a subscription or an account, and stop, reopen or export a stream: the one a row or lens names, else the one in
// front, else one that is chosen.
import * as vscode from 'vscode';
import type { ServiceError } from '../../core/errors';
import { isPublicKey } from '../../core/values/keys';
import type { ExportStreamParams, StreamSource } from '../../protocol/streams';
import { askAddress } from '../askAddress';
import type { StreamPanels } from '../panels/streamPanels';
import type { Profiles } from '../profiles';
import { offerTrust } from '../runs';
import { Stream } from '../stream';
import type { Streams } from '../streams';
import { viewState } from '../streamState';
import { plain } from '../words';
import type { CommandTable } from './command';
import { placeOf } from './run';

export interface StreamCommandDeps {
  readonly streams: Streams;
  readonly panels: StreamPanels;
  readonly profiles: Profiles;
}

export function streamCommands({ streams, panels, profiles }: StreamCommandDeps): CommandTable {
  const open = async (source: StreamSource): Promise<void> => {
    if (!vscode.workspace.isTrusted) {
      await offerTrust();
      return;
    }
    const opened = await streams.open(source);
    if (opened.kind === 'opened') panels.show(opened.stream);
    else await sayRefused(opened.error);
  };
  const choose = async (
    named: unknown,
    title: string,
    fits: (stream: Stream) => boolean,
  ): Promise<Stream | undefined> => {
    if (named instanceof Stream) return named;
    const front = panels.active();
    if (front !== undefined && fits(front)) return front;
    const fitting = streams.list().filter(fits);
    if (fitting.length <= 1) return fitting[0];
    const rows = fitting.map((stream) => ({
      label: plain(stream.info.title),
      description: viewState(stream.state, vscode.l10n.t, stream.tick).words,
      stream,
    }));
    return (await vscode.window.showQuickPick(rows, { title }))?.stream;
  };
  return {
    async watch(named, line) {
      if (named instanceof Stream) {
        panels.show(named);
        return;
      }
      const place = await placeOf(named, line);
      if (place === undefined) return;
      const { uri, version } = place.document;
      await open({ kind: 'block', uri: uri.toString(), version, line: place.line });
    },
    async watchAccount(named) {
      const address =
        typeof named === 'string' && isPublicKey(named)
          ? named
          : await askAddress(vscode.l10n.t('Watch account'), walletOf(profiles));
      if (address !== undefined) await open({ kind: 'account', address });
    },
    async stopStream(named) {
      await (await choose(named, vscode.l10n.t('Stop which stream?'), ({ isRunning }) => isRunning))?.stop();
    },
    async reopenStream(named) {
      const stream = await choose(named, vscode.l10n.t('Reopen which stream?'), ({ isRunning }) => !isRunning);
      if (stream !== undefined) await reopen(stream);
    },
    async exportStream(named) {
      const stream = await choose(named, vscode.l10n.t('Export which stream?'), ({ isKnown }) => isKnown);
      if (stream === undefined) return;
      const choice = await askExport();
      if (choice !== undefined) await exportTo(stream, { ...choice, filter: '' });
    },
  };
}

/** Opens a stream anew; a refusal is shown where the stream is. */
export async function reopen(stream: Stream): Promise<void> {
  if (vscode.workspace.isTrusted) await stream.reopen();
  else await offerTrust();
}

type ExportChoice = Pick<ExportStreamParams, 'format' | 'what' | 'filter'>;

/** Asks for the file; how far the writing is, the stream's own ticks tell. */
export async function exportTo(stream: Stream, { format, what, filter }: ExportChoice): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const name = `${stream.info.title.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '') || 'stream'}.${format}`;
  const target = await vscode.window.showSaveDialog({
    title: vscode.l10n.t('Export stream'),
    filters: format === 'csv' ? { CSV: ['csv'] } : { NDJSON: ['ndjson'] },
    ...(folder !== undefined && { defaultUri: vscode.Uri.joinPath(folder, name) }),
  });
  if (target === undefined) return;
  const result = await stream.export({ file: target.fsPath, format, what, filter });
  if (result.kind === 'refused') await sayRefused(result.error);
}

async function askExport(): Promise<Omit<ExportChoice, 'filter'> | undefined> {
  const whats = [
    { label: vscode.l10n.t('All that is kept'), what: 'kept' as const },
    { label: vscode.l10n.t('What comes from now on'), what: 'fromNow' as const },
  ];
  const what = await vscode.window.showQuickPick(whats, { title: vscode.l10n.t('What is exported') });
  if (what === undefined) return undefined;
  const formats = [
    { label: 'NDJSON', format: 'ndjson' as const },
    { label: 'CSV', format: 'csv' as const },
  ];
  const format = await vscode.window.showQuickPick(formats, { title: vscode.l10n.t('Format') });
  return format === undefined ? undefined : { what: what.what, format: format.format };
}

/** The endpoint's wallet, which people watch most. */
function walletOf(profiles: Profiles): string | undefined {
  const wallet = profiles.active()?.profile.variables?.['wallet'];
  return typeof wallet === 'string' ? wallet : undefined;
}

/** Says why something was refused, with the step that mends it where there is one. */
export async function sayRefused({ kind, message, hint }: ServiceError): Promise<void> {
  if (kind === 'cancelled') return;
  const step = kind === 'noKey' ? vscode.l10n.t('Add key…') : undefined;
  const text = plain(hint === undefined ? message : `${message} ${hint}`);
  const chosen = await vscode.window.showWarningMessage(text, ...(step === undefined ? [] : [step]));
  if (chosen !== undefined) await vscode.commands.executeCommand('solanaRpc.addKey');
}
