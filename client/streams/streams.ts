// The streams of this window: opens them, hands out the server's updates of each, and marks them all as interrupted when
// the server ends. Shows nothing.
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import type { StreamKept } from '../../protocol/streamPanel';
import {
  STREAM_VERBS,
  streamTick,
  type MoveStreamsResult,
  type OpenStreamResult,
  type StreamInfo,
  type StreamSource,
  type StreamTick,
} from '../../protocol/streams';
import type { KeyQuery } from '../../core/service/profiles/profile';
import type { KeyRecord } from '../keys/keyRecord';
import type { LiveStreams } from '../keys/rotateKey';
import type { ServerState } from '../shared/health';
import { current, Stream, type StreamDeps } from './stream';

export type OpenedStream =
  | { readonly kind: 'opened'; readonly stream: Stream }
  | Extract<OpenStreamResult, { kind: 'refused' }>;

export class WindowStreams implements LiveStreams, vscode.Disposable {
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

  /** Registers for the server's ticks. */
  attach(client: LanguageClient): void {
    client.onNotification(streamTick, (tick) => {
      const stream = this.#byId.get(tick.id);
      if (stream !== undefined) stream.take(tick);
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
    const params = { source: await current(source) };
    this.#opening++;
    try {
      const result = await (await this.server()).sendRequest(STREAM_VERBS.openStream, params);
      if (result.kind === 'refused') return result;
      return { kind: 'opened', stream: this.#add(new Stream(this.#deps, result.stream, { kind: 'connecting' })) };
    } finally {
      this.#opening--;
      if (this.#opening === 0) this.#early.clear();
    }
  }

  /** Adds a stream that a window showed before it was reloaded, stopped and unchanged. */
  restore({ info }: Pick<StreamKept, 'info'>): Stream {
    return this.#add(new Stream(this.#deps, info, { kind: 'restored' }));
  }

  /** Forgets it here and on the server. */
  async remove(stream: Stream): Promise<void> {
    if (!this.#streams.delete(stream)) return;
    this.#byId.delete(stream.info.id);
    this.#changed.fire(stream);
    stream.dispose();
    await stream.ask('closeStream', {});
  }

  using(key: KeyRecord): readonly StreamInfo[] {
    return this.list().flatMap(({ info, isRunning }) => (isRunning && isOpenedWith(info.key, key) ? [info] : []));
  }

  async reopen(key: KeyRecord): Promise<MoveStreamsResult> {
    // One key may serve several interfaces of its endpoint: each needs a separate request to the server.
    const queries = new Map(this.using(key).map(({ key: query }) => [JSON.stringify(query), query]));
    const results: MoveStreamsResult[] = [];
    for (const query of queries.values()) {
      if (query === undefined) continue;
      results.push(await (await this.server()).sendRequest(STREAM_VERBS.moveStreams, { key: query }));
    }
    return {
      moved: results.reduce((sum, { moved }) => sum + moved, 0),
      unsure: results.reduce((sum, { unsure }) => sum + unsure, 0),
      stayed: results.flatMap(({ stayed }) => stayed),
      failed: results.flatMap(({ failed }) => failed),
    };
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
    if (early !== undefined) stream.take(early);
  }
}

const isOpenedWith = (query: KeyQuery | undefined, { type, profile, origins, label }: KeyRecord): boolean =>
  query !== undefined &&
  query.type === type &&
  query.profile === profile &&
  origins[query.interface] === query.origin &&
  (query.label === undefined || query.label === label);
