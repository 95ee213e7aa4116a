// The box at the top of the window, as a person uses it.
import { errors, type Locator, type Page } from 'playwright-core';
import { ATTEMPT_MS, inTime, type Patience } from './patience';
import { escaped, wholeText } from './wholeText';

const CLOSE_TRIES = 3;
/** Present in a box that offers rows, even while it has none. */
const LIST = '.quick-input-list:not([style*="display: none"])';
/** In playwright's log once the events of a click are under way. */
const IS_UNDER_WAY = 'performing click action';
/** In which a busy window opens the box. Asked again sooner, it would open another one later. */
const OPEN_MS = 10_000;
/** In which it takes the row that was clicked. */
const TAKEN_MS = 30_000;

/** The element, as the page knows it. */
interface Box {
  value: string;
  focus(): void;
  dispatchEvent(event: Event): boolean;
}

/** The box in which VS Code asks: the palette, lists to pick from, text and passwords to type. */
export class QuickInput {
  constructor(
    private readonly page: Page,
    private readonly patience: Patience,
  ) {}

  get #widget(): Locator {
    return this.page.locator('.quick-input-widget');
  }

  get input(): Locator {
    return this.#widget.locator('input.input');
  }

  /**
   * Puts words into the box, in place of what is there. Typed, they would go to anything that takes the focus meanwhile: to an
   * editor that loads late, say, as a change of its file. Rejects with a TimeoutError when no box opens. timeout: ms
   */
  async fill(text: string, timeout?: number): Promise<void> {
    await this.input.waitFor(timeout === undefined ? {} : { timeout });
    await this.input.evaluate((input: Box, value) => {
      input.focus();
      input.value = value;
      input.dispatchEvent(new Event('input', { bubbles: true }));
    }, text);
  }

  /** The rows on offer. */
  options(name?: RegExp): Locator {
    return this.#widget.getByRole('option', name === undefined ? {} : { name });
  }

  /** The rows on offer of a list from which several are picked. */
  checks(name: RegExp): Locator {
    return this.#widget.getByRole('checkbox', { name, exact: true });
  }

  /** Chooses the first row that begins with the words. */
  async pick(words: string): Promise<void> {
    await this.row(words).click();
  }

  /** The first row that begins with the words: its description may follow. */
  row(words: string): Locator {
    return this.options(new RegExp(`^${escaped(words)}`)).first();
  }

  /** Types and chooses the first row that begins with the words; false when the box or the row is not there in time. */
  async take(typed: string, words: string): Promise<boolean> {
    const isTaken = (await inTime(this.fill(typed, OPEN_MS))) && (await isClicked(this.row(words)));
    // Where the row was there is now a tab, say, whose hover would lie over what is clicked next.
    if (isTaken) await this.page.mouse.move(0, 0);
    return isTaken;
  }

  /** Clicks a row on offer; false if it was not there in time. */
  async tryPick(row: RegExp): Promise<boolean> {
    return isClicked(this.options(row).first());
  }

  /** Waits for a box to type into, types, and confirms. */
  async answer(text: string): Promise<void> {
    await this.fill(text);
    await this.input.press('Enter');
  }

  /**
   * Types and presses Enter until the box is gone, or another one is there. A box that reads its folder, or looks at what was
   * typed, takes no Enter, and puts the name of its folder in place of what was typed. The box that follows has another title,
   * or is of the other kind. row: a row that appears once the words were processed
   */
  async give(text: string, row?: RegExp): Promise<void> {
    await this.#confirm(text, async () => {
      await this.fill(text);
      if (row !== undefined) await this.options(row).first().waitFor();
      return true;
    });
  }

  /** Takes the place that a box of files proposes, once it has read its folder. */
  async accept(proposed: string): Promise<void> {
    await this.#confirm(proposed, async () => (await this.input.inputValue()) === proposed);
  }

  async #confirm(what: string, isReady: () => Promise<boolean>): Promise<void> {
    await this.input.waitFor();
    const asked = await this.#asked();
    await this.patience.until(`the box takes ${what}`, async () => {
      if (await asked.isHidden()) return true;
      if (!(await isReady())) return undefined;
      await this.input.press('Enter');
      await asked.waitFor({ state: 'hidden' });
      return true;
    });
  }

  /** The box that is there, even if its rows and its message change. */
  async #asked(): Promise<Locator> {
    const title = this.#widget.locator('.quick-input-title');
    const list = this.page.locator(LIST);
    const isList = (await this.#widget.locator(LIST).count()) > 0;
    return this.#widget
      .filter({
        has: this.page.locator('.quick-input-title', { hasText: wholeText((await title.textContent()) ?? '') }),
      })
      .filter(isList ? { has: list } : { hasNot: list });
  }

  async cancel(): Promise<void> {
    await this.input.press('Escape');
  }

  /**
   * Closes the box if it is open, even if it opens late or does not have the focus. False when it is still
   * there after a few tries, for loops that have others: they would wait here instead.
   */
  async close(): Promise<boolean> {
    for (let tries = 0; tries < CLOSE_TRIES; tries++) {
      if (await this.input.isVisible()) await inTime(this.input.press('Escape', { timeout: ATTEMPT_MS }));
      if (await inTime(this.#widget.waitFor({ state: 'hidden', timeout: ATTEMPT_MS }))) return true;
    }
    return false;
  }

  /** True for a box that hides what is typed. */
  async isPassword(): Promise<boolean> {
    return (await this.input.getAttribute('type')) === 'password';
  }

  /** The words above the box. */
  title(words: string | RegExp): Locator {
    return this.#widget.locator('.quick-input-title').filter({ hasText: wholeText(words) });
  }

  /** The message under the box's line, errors included. */
  get message(): Locator {
    return this.#widget.locator('.quick-input-message');
  }
}

/**
 * False when the row was not clicked in time, or when the click was lost: a list that is drawn again between the press and
 * the release of the button takes no notice of either. A window that is slow to take a click has been clicked all the same:
 * once more would run the command twice, or press a key under the question it asks.
 */
async function isClicked(row: Locator): Promise<boolean> {
  const isGone = (timeout: number) => inTime(row.waitFor({ state: 'hidden', timeout }));
  try {
    await row.click({ timeout: ATTEMPT_MS });
  } catch (error) {
    if (!(error instanceof errors.TimeoutError)) throw error;
    return error.message.includes(IS_UNDER_WAY) && isGone(TAKEN_MS);
  }
  return isGone(ATTEMPT_MS);
}
