// One stream as this window has it: its last tick, and what can be asked and done. Outlives the stream
// of the server: a server that ended, or a window that was loaded again, leaves it as it was, to be opened again.
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import type { ServiceError } from '../../core/service/errors';
import type { ShownState } from '../../protocol/streamPanel';
import {
  closeStream,
  exportStream,
  openStream,
  reopenStream,
  stopExport,
  stopStream,
  streamRow,
  streamRows,
  type ExportStreamParams,
  type OpenStreamParams,
  type StreamInfo,
  type StreamParams,
  type StreamResult,
  type StreamRowResult,
  type StreamRowsParams,
  type StreamRowsResult,
  type StreamSource,
  type StreamTick,
} from '../../protocol/streams';
import type { CheckedRequest } from '../../protocol/messages';

export interface StreamDeps {
  /** The running server, started where it is not. */
  readonly server: () => Promise<LanguageClient>;
  /** It has another id from now on: ticks of it are for this stream. */
  readonly onOpened: (stream: Stream) => void;
}

const GONE = { kind: 'gone' } as const;

export class Stream implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<'tick' | 'opened'>();
  #info: StreamInfo;
  #state: ShownState;
  #tick: StreamTick | undefined;

  /** Fires with every tick and change of state, and with `opened` when it is another stream of the server from now on. */
  readonly onDidChange = this.#changed.event;

  constructor(
    private readonly deps: StreamDeps,
    info: StreamInfo,
    state: ShownState,
  ) {
    this.#info = info;
    this.#state = state;
  }

  get info(): StreamInfo {
    return this.#info;
  }

  get state(): ShownState {
    return this.#state;
  }

  get tick(): StreamTick | undefined {
    return this.#tick;
  }

  /** Whether the server knows it. */
  get isKnown(): boolean {
    return this.#state.kind !== 'interrupted' && this.#state.kind !== 'restored';
  }

  /** Whether something still comes, or is waited for. */
  get isRunning(): boolean {
    return this.isKnown && this.#state.kind !== 'ended' && this.#state.kind !== 'refused';
  }

  dispose(): void {
    this.#changed.dispose();
  }

  take(tick: StreamTick): void {
    this.#tick = tick;
    this.#become(tick.state);
  }

  /** The server is gone, and what it kept. */
  interrupt(): void {
    if (this.isKnown) this.#become({ kind: 'interrupted' });
  }

  async rows(params: Omit<StreamRowsParams, 'id'>): Promise<StreamRowsResult> {
    return this.isKnown ? this.#ask(streamRows, params) : GONE;
  }

  async row(number: number): Promise<StreamRowResult> {
    return this.isKnown ? this.#ask(streamRow, { number }) : GONE;
  }

  async stop(): Promise<void> {
    if (this.isRunning) await this.#ask(stopStream, {});
  }

  /** Continues it if the server has it and its endpoint is unchanged, else opens it from its source. Undefined if it runs. */
  async reopen(): Promise<ServiceError | undefined> {
    const result = this.isKnown ? await this.#ask(reopenStream, {}) : GONE;
    switch (result.kind) {
      case 'done':
        return undefined;
      case 'refused':
        this.#become({ kind: 'refused', error: result.error });
        return result.error;
      case 'gone':
        return this.#openAgain();
    }
  }

  /** Lets the server forget it. */
  async forget(): Promise<void> {
    if (this.isKnown) await this.#ask(closeStream, {});
  }

  async export(params: Omit<ExportStreamParams, 'id'>): Promise<StreamResult> {
    return this.isKnown ? this.#ask(exportStream, params) : GONE;
  }

  async stopExport(): Promise<void> {
    if (this.isKnown) await this.#ask(stopExport, {});
  }

  async #openAgain(): Promise<ServiceError | undefined> {
    const { source, endpoint } = this.#info;
    const isHeld = this.isKnown;
    const params: OpenStreamParams = { source: await current(endpoint === '' ? source : { ...source, endpoint }) };
    const result = await (await this.deps.server()).sendRequest(openStream, params);
    if (result.kind === 'refused') {
      this.#become({ kind: 'refused', error: result.error });
      return result.error;
    }
    // The server drops the data of the old stream: it is a new stream there from here on.
    if (isHeld) await this.#ask(closeStream, {});
    this.#info = result.stream;
    this.#tick = undefined;
    this.#state = { kind: 'connecting' };
    this.deps.onOpened(this);
    this.#changed.fire('opened');
    return undefined;
  }

  async #ask<P extends StreamParams, R>(type: CheckedRequest<P, R>, params: Omit<P, 'id'>): Promise<R> {
    const asked: StreamParams = { ...params, id: this.#info.id };
    return (await this.deps.server()).sendRequest<StreamParams, R, void>(type, asked);
  }

  #become(state: ShownState): void {
    this.#state = state;
    this.#changed.fire('tick');
  }
}

/** The source with its file as it is now: the server reads no version but the one it has. */
export async function current(source: StreamSource): Promise<StreamSource> {
  if (source.kind === 'account') return source;
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(source.uri, true));
  return { ...source, version: document.version };
}
