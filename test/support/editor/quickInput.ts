// The box at the top of the window, as a person uses it, and what one try at something is.
import { errors, type Locator, type Page } from 'playwright-core';

/** One try at what may close or be drawn anew by itself. */
export const ATTEMPT_MS = 3_000;

/** The box in which VS Code asks: the palette, lists to pick from, text and passwords to type. */
export class QuickInput {
  constructor(private readonly page: Page) {}

  get #widget(): Locator {
    return this.page.locator('.quick-input-widget');
  }

  get input(): Locator {
    return this.#widget.locator('input.input');
  }

  /** The rows on offer. */
  options(name?: string | RegExp): Locator {
    return this.#widget.getByRole('option', name === undefined ? {} : { name });
  }

  /** The rows on offer of a list from which several are picked. */
  checks(name: RegExp): Locator {
    return this.#widget.getByRole('checkbox', { name });
  }

  /** Chooses the first row that begins with the words. */
  async pick(words: string): Promise<void> {
    await this.#row(words).click();
  }

  #row(words: string): Locator {
    return this.options(new RegExp(`^${escaped(words)}`)).first();
  }

  /** Types and chooses the first row that begins with the words; false when the box or the row is not there in time. */
  async take(typed: string, words: string): Promise<boolean> {
    return (
      (await inTime(this.input.fill(typed, { timeout: ATTEMPT_MS }))) &&
      inTime(this.#row(words).click({ timeout: ATTEMPT_MS }))
    );
  }

  /** Clicks a row on offer; false if it is not there in time, as in a list that lost the focus and closed. */
  async tryPick(row: RegExp): Promise<boolean> {
    return inTime(this.options(row).first().click({ timeout: ATTEMPT_MS }));
  }

  /** Waits for a box to type into, types, and confirms. */
  async answer(text: string): Promise<void> {
    await this.input.waitFor();
    await this.input.fill(text);
    await this.input.press('Enter');
  }

  async cancel(): Promise<void> {
    await this.input.press('Escape');
  }

  /** Closes the box where one is open. */
  async close(): Promise<void> {
    if (await this.input.isVisible()) await this.page.keyboard.press('Escape');
    await this.#widget.waitFor({ state: 'hidden' });
  }

  /** True for a box that hides what is typed. */
  async isPassword(): Promise<boolean> {
    return (await this.input.getAttribute('type')) === 'password';
  }

  /** The words above the box. */
  title(words: string | RegExp): Locator {
    return this.#widget.locator('.quick-input-title').filter({ hasText: words });
  }

  /** What the box says under its line, errors included. */
  get message(): Locator {
    return this.#widget.locator('.quick-input-message');
  }
}

/** False when a step did not come to its end in its time. */
export async function inTime(step: Promise<unknown>): Promise<boolean> {
  try {
    await step;
    return true;
  } catch (error) {
    if (error instanceof errors.TimeoutError) return false;
    throw error;
  }
}

/** The text as a part of a regular expression. */
export const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
