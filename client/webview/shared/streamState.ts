// The state that a stream's page keeps over a reload of the window.
import type { StreamAnswer, StreamAsk, StreamCommand, StreamHello, StreamKept } from '../../../protocol/streamPanel';
import type { Extension } from './extension';

export type StreamExtension = Extension<StreamAsk, StreamAnswer, StreamCommand>;

/** Rows that outlive a reload of the window, and how often they are saved. */
export const KEPT_ROWS = 200;
export const KEEP_EVERY_MS = 2_000;

/** The kept state, where it is of this stream. */
export function readKept(kept: unknown, { info }: StreamHello): StreamKept | undefined {
  const state = kept as StreamKept | undefined;
  return state?.info?.id === info.id ? state : undefined;
}
