// A fault in a state file or a file of accounts, in a sentence for people.

/** `message` is one sentence; callers print it and nothing else. */
export class StateFileError extends Error {
  override readonly name = 'StateFileError';
}
