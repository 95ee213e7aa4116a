// The state that a stream's page keeps over a reload of the window.
import type { StreamHello, StreamKept } from '../../../protocol/streamPanel';

/** The kept state, where it is of this stream. */
export function readKept(kept: unknown, { info }: StreamHello): StreamKept | undefined {
  const state = kept as StreamKept | undefined;
  return state?.info?.id === info.id ? state : undefined;
}
