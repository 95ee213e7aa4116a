// The responses of a run that are too large to hold: files in a folder of their owner alone, made with the first of them
// and removed when the run has been reported.
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder } from '../../process/leftovers';

export class Bodies {
  #folder: string | undefined;

  /** Where the next one goes. */
  file(): string {
    this.#folder ??= this.#made();
    return path.join(this.#folder, randomUUID());
  }

  remove(): void {
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true });
    this.#folder = undefined;
  }

  #made(): string {
    // A second Ctrl+C ends the process at once.
    process.once('exit', () => this.remove());
    return temporaryFolder('bodies');
  }
}
