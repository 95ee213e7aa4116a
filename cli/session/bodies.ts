// The responses of a run that are too large to hold: files in a folder of their owner alone, made with the first of them
// and removed when the run has been reported.
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { discard, temporaryFolder } from '../../process/leftovers';

export class Bodies {
  #folder: string | undefined;

  /** Where the next one goes. */
  file(): string {
    this.#folder ??= temporaryFolder('bodies');
    return path.join(this.#folder, randomUUID());
  }

  remove(): void {
    if (this.#folder !== undefined) discard(this.#folder);
    this.#folder = undefined;
  }
}
