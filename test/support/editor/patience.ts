// How long a test waits for a page, and what one try of a loop may take.
import { setTimeout } from 'node:timers/promises';
import { errors, type Locator, type Page } from 'playwright-core';
import { waiting } from '../waiting';

/** The longest wait for anything on the page: long enough for a machine that is busy with much else. */
export const PATIENCE_MS = 60_000;

/** One attempt on an element that may close or be redrawn by itself. */
export const ATTEMPT_MS = 3_000;

/** Looking costs the page and this process time that the editor needs. */
const LOOK_EVERY_MS = 50;

/** False if a step did not finish in time. */
export async function inTime(step: Promise<unknown>): Promise<boolean> {
  try {
    await step;
    return true;
  } catch (error) {
    if (error instanceof errors.TimeoutError) return false;
    throw error;
  }
}

/** True when it shows within an attempt's time, else undefined: for a look. */
export async function comes(shown: Locator): Promise<true | undefined> {
  return (await inTime(shown.waitFor({ timeout: ATTEMPT_MS }))) ? true : undefined;
}

/** Waits on one page by looking again and again. */
export class Patience {
  /** Looks that are under way; one may hold another. */
  #looks = 0;

  constructor(
    private readonly page: Page,
    /** Describes the page, for the message of a wait that failed. */
    private readonly describe: () => Promise<string>,
  ) {
    page.setDefaultTimeout(PATIENCE_MS);
  }

  /** Looks again until `look` finds something; fails with the sentence. */
  async until<T>(sentence: string, look: () => Promise<T | undefined>): Promise<T> {
    const end = performance.now() + PATIENCE_MS;
    return waiting(sentence, async () => {
      for (;;) {
        const { found, missed } = await this.#try(look);
        if (found !== undefined) return found;
        if (performance.now() > end)
          throw new errors.TimeoutError(`Not in time: ${sentence}; ${await this.describe()}${missed}`);
        await setTimeout(LOOK_EVERY_MS);
      }
    });
  }

  /**
   * One look. Inside it a click or a wait without a limit has that of an attempt: waiting for something that will not come
   * would use up the patience of the whole loop, and end it, where the next look might succeed.
   */
  async #try<T>(
    look: () => Promise<T | undefined>,
  ): Promise<{ readonly found?: T | undefined; readonly missed: string }> {
    if (this.#looks++ === 0) this.page.setDefaultTimeout(ATTEMPT_MS);
    try {
      return { found: await look(), missed: '' };
    } catch (error) {
      if (error instanceof errors.TimeoutError) return { missed: `; last: ${error.message}` };
      throw error;
    } finally {
      if (--this.#looks === 0) this.page.setDefaultTimeout(PATIENCE_MS);
    }
  }
}
