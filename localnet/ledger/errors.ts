// The ledger's exceptions: for a platform without the engine, for input that a caller could have known to be bad, for an
// account that cannot be fetched.

/** The engine cannot run here. `message` is one sentence for people; callers print it and nothing else. */
export class EngineUnavailableError extends Error {
  override readonly name = 'EngineUnavailableError';
}

/** An account could not be fetched from where the ledger was forked. `message` is for people. */
export class ForkError extends Error {
  override readonly name = 'ForkError';
}

/** Input of an admin call that cannot be meant: a bad address, a jump back in time. `message` is for people. */
export class LedgerInputError extends Error {
  override readonly name = 'LedgerInputError';
}
