// How a command ends: the exit codes, and the one error that means "you called it wrong".

/** Documented in docs/cli.md; `interrupted` is how `--watch` ends, and any command at a second Ctrl+C. Where several fit, the first of invalid, request, assertion, usage counts. */
export const EXIT = { ok: 0, usage: 1, invalid: 2, request: 3, assertion: 4, interrupted: 130 } as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The command line cannot be carried out; the message is for people and goes to stderr. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}
