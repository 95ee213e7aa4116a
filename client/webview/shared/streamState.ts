// The state that a stream's page keeps over a reload of the window, and the page's actions on the stream.
import type { StreamAnswer, StreamAsk, StreamCommand, StreamHello, StreamKept } from '../../../protocol/streamPanel';
import type { DecodedTreeOptions } from './decodedTree';
import { button } from './dom';
import type { Extension } from './extension';

export type StreamExtension = Extension<StreamAsk, StreamAnswer, StreamCommand>;

/** Rows that outlive a reload of the window, and how often they are saved. */
export const KEPT_ROWS = 200;
const KEEP_EVERY_MS = 2_000;

/** The kept state, where it is of this stream. */
export function readKept(kept: unknown, { info }: StreamHello): StreamKept | undefined {
  const state = kept as StreamKept | undefined;
  return state?.info?.id === info.id ? state : undefined;
}

export interface Keeper {
  /** Within a while. */
  readonly soon: () => void;
  readonly keep: () => void;
}

/** Saves the state of a page now and then, and when the page is hidden. */
export function keeper(extension: StreamExtension, state: () => StreamKept): Keeper {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const keep = (): void => {
    clearTimeout(timer);
    timer = undefined;
    extension.keep(state());
  };
  window.addEventListener('pagehide', keep);
  return { keep, soon: () => void (timer ??= setTimeout(keep, KEEP_EVERY_MS)) };
}

/** The buttons that end a stream and open it again. */
export function streamButtons({ t, send }: StreamExtension): Readonly<Record<'stop' | 'reopen', HTMLButtonElement>> {
  return {
    stop: button(t('Stop'), () => send({ kind: 'stop' })),
    reopen: button(t('Reopen'), () => send({ kind: 'reopen' })),
  };
}

/** The actions on a decoded value. */
export const treeActions = ({ t, send }: StreamExtension): DecodedTreeOptions => ({
  t,
  onCopy: (text) => send({ kind: 'copy', text }),
  onWatch: (address) => send({ kind: 'watch', address }),
  onFetchIdl: (program) => send({ kind: 'fetchIdl', program }),
});
