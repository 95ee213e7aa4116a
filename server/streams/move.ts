// Moves a stream to another key and reports the outcome. net moves the connection itself.
import type { ServiceError } from '../../core/service/errors';
import type { Follow } from '../../net/streams/follow';
import type { MovedStream, StreamState } from '../../protocol/streams';

/** How long a stream may take to open with the new key, in milliseconds. */
export const MOVE_MS = 15_000;

export interface MovableStream {
  readonly state: StreamState;
  readonly isOver: boolean;
  readonly isUnsure: boolean;
  start(): void;
  settled(signal: AbortSignal): Promise<void>;
}

/** Resolves when the stream runs with the currently stored key, or has failed to. */
export async function moveTo(
  stream: MovableStream,
  follow: Follow | undefined,
  signal: AbortSignal,
): Promise<MovedStream> {
  if (follow === undefined) return { kind: 'failed', error: errorOf(stream.state) };
  const wasUnsure = stream.isUnsure;
  const moved = await follow.move(signal);
  if (moved.kind === 'stayed') return { kind: 'stayed', error: signal.aborted ? LATE : moved.error };
  if (moved.kind === 'moved') return { kind: 'moved', isUnsure: wasUnsure || moved.isUnsure };
  if (stream.isOver) stream.start();
  await stream.settled(signal);
  const { kind } = stream.state;
  if (kind !== 'live' && kind !== 'catchingUp') return { kind: 'failed', error: errorOf(stream.state) };
  return { kind: 'moved', isUnsure: stream.isUnsure };
}

const LATE: ServiceError = {
  kind: 'timeout',
  afterMs: MOVE_MS,
  message: 'The stream did not open in time.',
  hint: 'It is tried further by itself.',
};

const errorOf = (state: StreamState): ServiceError =>
  'error' in state && state.error !== undefined ? state.error : LATE;
