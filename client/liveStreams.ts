// What a rotation asks of the streams that are open: which of them a key is used by, and to go on with the new one.
import type { ServiceError } from '../core/errors';
import type { KeyQuery } from '../core/profile';
import type { ShownState } from '../protocol/streamPanel';
import type { MoveStreamsParams, MoveStreamsResult, StreamInfo } from '../protocol/streams';
import type { KeyRecord } from './keyRecord';

/** How the streams of a key came over to the new one. */
export interface Reopened {
  readonly moved: number;
  /** Updates that are known to be missed. */
  readonly missed: number;
  /** Streams that stopped, with Reopen; the others run. */
  readonly failed: readonly { readonly title: string; readonly error: ServiceError }[];
}

export interface LiveStreams {
  /** The streams that run with this key, or wait for its successor. */
  using(key: KeyRecord): readonly { readonly title: string }[];
  /** Connects them anew, over gRPC from their last slot on. Resolves when each runs again or failed. */
  reopen(key: KeyRecord): Promise<Reopened>;
}

export const NO_STREAMS: LiveStreams = {
  using: () => [],
  reopen: () => Promise.resolve({ moved: 0, missed: 0, failed: [] }),
};

/** What is needed of the window's streams. */
export interface StreamsPort {
  list(): readonly { readonly info: StreamInfo; readonly state: ShownState }[];
  move(params: MoveStreamsParams): Promise<MoveStreamsResult>;
}

const OVER: readonly ShownState['kind'][] = ['ended', 'refused', 'interrupted', 'restored'];

export function liveStreamsOf(streams: StreamsPort): LiveStreams {
  const running = (key: KeyRecord): readonly StreamInfo[] =>
    streams
      .list()
      .filter(({ info, state }) => info.key !== undefined && fits(key, info.key) && !OVER.includes(state.kind))
      .map(({ info }) => info);
  return {
    using: running,
    async reopen(key) {
      const questions = new Map(
        running(key).flatMap(({ key: query }) =>
          query === undefined ? [] : [[JSON.stringify(query), query] as const],
        ),
      );
      let all = await NO_STREAMS.reopen(key);
      for (const query of questions.values()) {
        const { moved, missed, failed } = await streams.move({ key: query });
        all = { moved: all.moved + moved, missed: all.missed + missed, failed: [...all.failed, ...failed] };
      }
      return all;
    },
  };
}

/** True where the broker would answer the question with this key, were it the only one. */
const fits = (key: KeyRecord, query: KeyQuery): boolean =>
  key.type === query.type &&
  key.origins[query.interface] === query.origin &&
  (query.label === undefined || query.label === key.label);
