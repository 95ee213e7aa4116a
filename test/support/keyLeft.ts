// The failure of a test that found a key where none may be: the runner gives it no second try.
import { AssertionError } from 'node:assert';

export class KeyLeft extends AssertionError {
  /** Read by scripts/test/events.mjs. */
  readonly isFinal = true;

  constructor(message: string) {
    super({ message });
  }
}
