// The ledger's exceptions: one for a platform without the engine, one for input that a caller could have known to be bad.

/** The engine cannot run here. `message` is one sentence for people; callers print it and nothing else. */
export class EngineUnavailableError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'EngineUnavailableError';
  }
}

/** Input of an admin call that cannot be meant: a bad address, a jump back in time. `message` is for people. */
export class LedgerInputError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'LedgerInputError';
  }
}
