// The streams of this window: opens them, hands out what the server tells of each, and marks them all as interrupted when
// the server ends. Shows nothing.
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import type { StreamKept } from '../protocol/streamPanel';
import {
  moveStreams,
  openStream,
  streamTick,
  type MoveStreamsParams,
  type MoveStreamsResult,
  type OpenStreamParams,
  type OpenStreamResult,
  type StreamSource,
  type StreamTick,
} from '../protocol/streams';
import type { ServerState } from './serverProcess';
import { current, Stream, type StreamDeps } from './stream';

export type OpenedStream =
  { readonly kind: 'opened'; readonly stream: Stream } | Extract<OpenStreamResult, { kind: 'refused' }>;

export class Streams implements vscode.Disposable {
  readonly #streams = new Set<Stream>();
  readonly #byId = new Map<string, Stream>();
  /** Ticks that overtook the answer to their stream's opening: the last one of each. */
  readonly #early = new Map<string, StreamTick>();
  readonly #changed = new vscode.EventEmitter<Stream>();
  readonly #deps: StreamDeps;
  #opening = 0;

  /** Fires when a stream comes, goes, or changes in any way. */
  readonly onDidChange = this.#changed.event;

  constructor(private readonly server: () => Promise<LanguageClient>) {
    this.#deps = { server, onOpened: (stream) => this.#name(stream) };
  }

  dispose(): void {
    for (const stream of this.#streams) stream.dispose();
    this.#changed.dispose();
  }

  /** Registers what the server tells. */
  attach(client: LanguageClient): void {
    client.onNotification(streamTick, (tick: StreamTick) => {
      const stream = this.#byId.get(tick.id);
      if (stream !== undefined) stream.told(tick);
      else if (this.#opening > 0) this.#early.set(tick.id, tick);
    });
  }

  /** A server that ended took what it kept of every stream with it. */
  serverIs(state: ServerState): void {
    if (state !== 'restarting' && state !== 'gaveUp') return;
    this.#byId.clear();
    for (const stream of this.#streams) stream.interrupt();
  }

  /** Oldest first. */
  list(): readonly Stream[] {
    return [...this.#streams];
  }

  async open(source: StreamSource): Promise<OpenedStream> {
    const params: OpenStreamParams = { source: await current(source) };
    this.#opening++;
    try {
      const result = await (await this.server()).sendRequest<OpenStreamResult>(openStream, params);
      if (result.kind === 'refused') return result;
      return { kind: 'opened', stream: this.#add(new Stream(this.#deps, result.stream, { kind: 'connecting' })) };
    } finally {
      this.#opening--;
      if (this.#opening === 0) this.#early.clear();
    }
  }

  /** One that a window showed before it was loaded again: stopped, as it was then. */
  restore({ info }: Pick<StreamKept, 'info'>): Stream {
    return this.#add(new Stream(this.#deps, info, { kind: 'restored' }));
  }

  /** Forgets it here and on the server. */
  async remove(stream: Stream): Promise<void> {
    if (!this.#streams.delete(stream)) return;
    this.#byId.delete(stream.info.id);
    this.#changed.fire(stream);
    stream.dispose();
    await stream.forget();
  }

  /** Connects the streams of a key anew, each from its last slot on where it is told again. */
  async move(params: MoveStreamsParams): Promise<MoveStreamsResult> {
    return (await this.server()).sendRequest<MoveStreamsResult>(moveStreams, params);
  }

  #add(stream: Stream): Stream {
    this.#streams.add(stream);
    stream.onDidChange(() => this.#changed.fire(stream));
    this.#name(stream);
    this.#changed.fire(stream);
    return stream;
  }

  #name(stream: Stream): void {
    if (!stream.isKnown) return;
    const { id } = stream.info;
    for (const [old, named] of this.#byId) if (named === stream) this.#byId.delete(old);
    this.#byId.set(id, stream);
    const early = this.#early.get(id);
    if (early !== undefined) stream.told(early);
  }
}
