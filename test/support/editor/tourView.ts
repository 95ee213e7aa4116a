// The tour in the side bar, as a person and a screen reader find it.
import type { FrameLocator, Locator } from 'playwright-core';
import type { Workbench } from './workbench';

export class TourView {
  readonly #page: FrameLocator;

  constructor(private readonly workbench: Workbench) {
    this.#page = workbench.page
      .locator('iframe.webview.ready[src*="purpose=webviewView"]')
      .contentFrame()
      .locator('#active-frame')
      .contentFrame();
  }

  /** Present while the tour is open. */
  get heading(): Locator {
    return this.#page.getByRole('heading', { name: 'Solana RPC in two minutes', exact: true });
  }

  /** How far it is, in the head of the view, for example `2 of 6`. */
  progress(words: string): Locator {
    return this.workbench.page.locator('.pane-header').getByText(words, { exact: true });
  }

  /** The title of a step, as a button. */
  step(title: string): Locator {
    return this.#page.getByRole('button', { name: new RegExp(`^${title}`) });
  }

  /** A step that is done. */
  tick(title: string): Locator {
    return this.#page.getByRole('button', { name: `${title} done`, exact: true });
  }

  /** The title of the step that is open. */
  opened(title: string): Locator {
    return this.#page.getByRole('button', { name: new RegExp(`^${title}`), expanded: true });
  }

  /** A button of the step that is open, or of the tour itself. */
  button(name: string): Locator {
    return this.#page.getByRole('button', { name, exact: true });
  }

  /** The last announcement to a screen reader. */
  get announced(): Locator {
    return this.#page.getByRole('status');
  }
}
