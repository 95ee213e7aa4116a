// One stream as this window has it: its last tick, and what can be asked and done. Outlives the stream
// of the server: a server that ended, or a window that was loaded again, leaves it as it was, to be opened again.
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import type { ServiceError } from '../../core/service/errors';
import type { ShownState } from '../../protocol/streamPanel';
import {
  STREAM_VERBS,
  type Gone,
  type OneStreamVerb,
  type StreamInfo,
  type StreamParams,
  type StreamSource,
  type StreamTick,
  type StreamVerbParams,
  type StreamVerbResults,
} from '../../protocol/streams';

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

  /** The server's answer about this stream. */
  async ask<V extends OneStreamVerb>(
    verb: V,
    params: Omit<StreamVerbParams[V], 'id'>,
  ): Promise<StreamVerbResults[V] | Gone> {
    if (!this.isKnown) return GONE;
    const asked: StreamParams = { ...params, id: this.#info.id };
    return (await this.deps.server()).sendRequest<StreamParams, StreamVerbResults[V], void>(STREAM_VERBS[verb], asked);
  }

  async stop(): Promise<void> {
    if (this.isRunning) await this.ask('stopStream', {});
  }

  /** Continues it if the server has it and its endpoint is unchanged, else opens it from its source. Undefined if it runs. */
  async reopen(): Promise<ServiceError | undefined> {
    const result = await this.ask('reopenStream', {});
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

  async #openAgain(): Promise<ServiceError | undefined> {
    const { source, endpoint } = this.#info;
    const params = { source: await current(endpoint === '' ? source : { ...source, endpoint }) };
    const result = await (await this.deps.server()).sendRequest(STREAM_VERBS.openStream, params);
    if (result.kind === 'refused') {
      this.#become({ kind: 'refused', error: result.error });
      return result.error;
    }
    // The server drops the data of the old stream: it is a new stream there from here on.
    await this.ask('closeStream', {});
    this.#info = result.stream;
    this.#tick = undefined;
    this.#state = { kind: 'connecting' };
    this.deps.onOpened(this);
    this.#changed.fire('opened');
    return undefined;
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
