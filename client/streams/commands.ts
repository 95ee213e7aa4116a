// Watches a subscription or an account, and stops, reopens or exports a stream: the one that a row or lens names, else the one
// in front, else the one that the user picks.
import * as vscode from 'vscode';
import { variablesOf } from '../../core/service/profiles/profile';
import { isPublicKey } from '../../core/solana/chain/keys';
import type { ExportStreamParams, StreamInfo, StreamSource } from '../../protocol/streams';
import type { StreamPanels } from './streamPanels';
import type { MissingEndpoint } from '../profiles/missingEndpoint';
import type { Profiles } from '../profiles/profiles';
import type { Runs } from '../runs/runs';
import { Stream } from './stream';
import type { WindowStreams } from './streams';
import { viewState } from './streamState';
import { askAddress } from '../shared/askAddress';
import { offerTrust, sayRefused } from '../shared/refusal';
import { askWhere } from '../shared/saving';
import { plain } from '../shared/words';
import type { CommandTable } from '../shared/command';
import { lensPlace } from '../runs/run';

export interface StreamCommandDeps {
  readonly streams: WindowStreams;
  readonly panels: StreamPanels;
  readonly profiles: Profiles;
  readonly runs: Pick<Runs, 'sendFirst'>;
  readonly endpoints: MissingEndpoint;
}

export function streamCommands({ streams, panels, profiles, runs, endpoints }: StreamCommandDeps): CommandTable {
  const reopen = reopener(endpoints);
  const open = async (source: StreamSource): Promise<void> => {
    if (!vscode.workspace.isTrusted) return offerTrust();
    const stopped = streams.list().filter((stream) => !stream.isRunning && isOf(source, stream.info));
    await endpoints.localSettled();
    let opened = await streams.open(source);
    if (opened.kind === 'refused' && opened.error.kind === 'noEndpoint') {
      if (!(await endpoints.settle(opened.error.name))) return;
      opened = await streams.open(source);
    }
    if (opened.kind === 'opened') {
      panels.show(opened.stream);
      // It takes the place of those that showed the same and have stopped.
      for (const stream of stopped) await panels.remove(stream);
      return;
    }
    const { error, sendFirst } = opened;
    if (sendFirst === undefined || source.kind !== 'block') return sayRefused(error);
    const file = { uri: vscode.Uri.parse(source.uri, true), version: source.version };
    if (await runs.sendFirst(file, sendFirst, error)) await open(source);
  };
  /** `addressOf` is called once there is an endpoint. */
  const watchAccount = async (addressOf: () => string | undefined | Promise<string | undefined>): Promise<void> => {
    if (!vscode.workspace.isTrusted) return offerTrust();
    if (!(await endpoints.settle())) return;
    const address = await addressOf();
    if (address !== undefined) await open({ kind: 'account', address });
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
      const place = await lensPlace(named, line);
      if (place === undefined) return;
      const { uri, version } = place.document;
      await open({ kind: 'block', uri: uri.toString(), version, line: place.line });
    },
    watchAccount: (named) =>
      watchAccount(() =>
        typeof named === 'string' && isPublicKey(named)
          ? named
          : askAddress(vscode.l10n.t('Watch account'), walletOf(profiles)),
      ),
    watchWallet: () => watchAccount(() => walletOf(profiles) ?? askAddress(vscode.l10n.t('Watch account'))),
    async stopStream(named) {
      await (await choose(named, vscode.l10n.t('Stop which stream?'), ({ isRunning }) => isRunning))?.stop();
    },
    async reopenStream(named) {
      const stream = await choose(named, vscode.l10n.t('Reopen which stream?'), ({ isRunning }) => !isRunning);
      if (stream !== undefined) await reopen(stream);
    },
    async removeStream(named) {
      const title = vscode.l10n.t('Remove which stream?');
      const stream = await choose(named, title, ({ isRunning }) => !isRunning);
      if (stream !== undefined) await panels.remove(stream);
    },
    async exportStream(named) {
      const stream = await choose(named, vscode.l10n.t('Export which stream?'), ({ isKnown }) => isKnown);
      if (stream === undefined) return;
      const choice = await askExport();
      if (choice !== undefined) await exportTo(stream, { ...choice, filter: '' });
    },
  };
}

/** Whether a stream shows this source: the same request, or the same account. */
function isOf(wanted: StreamSource, { source }: StreamInfo): boolean {
  if (wanted.kind === 'account') return source.kind === 'account' && source.address === wanted.address;
  return source.kind === 'block' && source.uri === wanted.uri && source.line === wanted.line;
}

/** Reopens a stream, if need be after the question for its endpoint; a refusal is shown where the stream is. */
export function reopener(endpoints: MissingEndpoint): (stream: Stream) => Promise<void> {
  return async (stream) => {
    if (!vscode.workspace.isTrusted) return offerTrust();
    await endpoints.localSettled();
    const refused = await stream.reopen();
    if (refused?.kind === 'noEndpoint' && (await endpoints.settle(refused.name))) await stream.reopen();
  };
}

type ExportChoice = Pick<ExportStreamParams, 'format' | 'what' | 'filter'>;

/** Asks for the file; the stream's own ticks report the progress of the export. */
export async function exportTo(stream: Stream, { format, what, filter }: ExportChoice): Promise<void> {
  const name = `${stream.info.title.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '') || 'stream'}.${format}`;
  const filters: Record<string, string[]> = format === 'csv' ? { CSV: ['csv'] } : { NDJSON: ['ndjson'] };
  const target = await askWhere(name, vscode.l10n.t('Export stream'), filters);
  if (target === undefined) return;
  const result = await stream.ask('exportStream', { file: target.fsPath, format, what, filter });
  if (result.kind === 'refused') await sayRefused(result.error);
}

async function askExport(): Promise<Omit<ExportChoice, 'filter'> | undefined> {
  const whats = [
    { label: vscode.l10n.t('All kept updates'), what: 'kept' as const },
    { label: vscode.l10n.t('Updates from now on'), what: 'fromNow' as const },
  ];
  const what = await vscode.window.showQuickPick(whats, { title: vscode.l10n.t('What to export') });
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
  const wallet = variablesOf(profiles.active()).get('wallet');
  return typeof wallet === 'string' ? wallet : undefined;
}
