// The state that a stream's page keeps over a reload of the window, and the page's actions on the stream.
import type { StreamAnswer, StreamAsk, StreamCommand, StreamHello, StreamKept } from '../../../protocol/streamPanel';
import { button } from './dom';
import type { Extension } from './extension';
import { keeper, type Keeper } from './keeper';

export type StreamExtension = Extension<StreamAsk, StreamAnswer, StreamCommand>;

/** Rows that outlive a reload of the window, and how often they are saved. */
export const KEPT_ROWS = 200;
const KEEP_EVERY_MS = 2_000;

/** The kept state, where it is of this stream. */
export function readKept(kept: unknown, { info }: StreamHello): StreamKept | undefined {
  const state = kept as StreamKept | undefined;
  return state?.info?.id === info.id ? state : undefined;
}

/** Saves the state of a stream's page. */
export const streamKeeper = (extension: StreamExtension, state: () => StreamKept): Keeper =>
  keeper(extension, state, KEEP_EVERY_MS);

/** The buttons that end a stream and open it again. */
export function streamButtons({ t, send }: StreamExtension): Readonly<Record<'stop' | 'reopen', HTMLButtonElement>> {
  return {
    stop: button(t('Stop'), () => send({ kind: 'stop' })),
    reopen: button(t('Reopen'), () => send({ kind: 'reopen' })),
  };
}
