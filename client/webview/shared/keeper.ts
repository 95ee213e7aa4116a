// Saves the state that a page keeps over a reload of the window: now and then, and when the page is hidden.
import type { Extension } from './extension';

export interface Keeper {
  /** Within a while. */
  readonly soon: () => void;
  readonly keep: () => void;
}

/** `everyMs`: between two savings of `soon`. */
export function keeper(
  extension: Pick<Extension<never, never, never>, 'keep'>,
  state: () => unknown,
  everyMs: number,
): Keeper {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const keep = (): void => {
    clearTimeout(timer);
    timer = undefined;
    extension.keep(state());
  };
  window.addEventListener('pagehide', keep);
  return { keep, soon: () => void (timer ??= setTimeout(keep, everyMs)) };
}
