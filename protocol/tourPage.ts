// The messages of the tour's page: the steps and which are done, and the action that the user chose.
import { kinds, upTo, type ReadBy } from './shapes';

export interface TourStepView {
  readonly title: string;
  /** A paragraph each. */
  readonly text: readonly string[];
  /** Titles of its actions. */
  readonly actions: readonly string[];
  readonly isDone: boolean;
}

export interface TourView {
  readonly title: string;
  readonly steps: readonly TourStepView[];
  /** The tour has just been opened: a screen reader says so, since the page takes no focus. */
  readonly isNew: boolean;
}

/** A request of the page: an action of a step, both zero-based, or the end of the tour. No command comes from a page. */
export const tourCommand = kinds({ act: { step: upTo(99), action: upTo(99) }, end: {} });
export type TourCommand = ReadBy<typeof tourCommand>;
