// Shared by the long runs of `npm run night`: whole numbers from the command line, figures and a verdict on stdout, an exit
// code, and an end on interrupt that also ends what was started.

export interface Outcome {
  /** Inputs, kills or updates that were tried, or minutes. */
  readonly runs: number;
  /** Lines for people. */
  readonly figures: readonly string[];
  /** Failures, a line each; empty if all is well. */
  readonly failures: readonly string[];
  /** Bounds of memory or pace that were missed, a line each: they fail a whole run, and are only shown in a small one. */
  readonly missed?: readonly string[];
}

/** 0 where all is well, 1 where not, 2 for wrong numbers, 130 when interrupted. */
const EXIT = { well: 0, failed: 1, usage: 2, interrupted: 130 } as const;
/** The word of the command line for a small run. */
const SMALL = '--small';

/** The last line of a long run, which the table of the night is made of. */
export const verdict = (runs: number, failed: number): string => `Verdict: ${failed} of ${runs} failed`;

/**
 * Runs once with the numbers of the command line, or of `words`, each at least 1, or these where fewer are given. `usage`
 * says what they are. With `--small` a bound of memory or pace does not fail it.
 */
export function longRun(
  usage: string,
  defaults: readonly number[],
  run: (numbers: readonly number[]) => Promise<Outcome>,
  words: readonly string[] = process.argv.slice(2),
): void {
  const isSmall = words.includes(SMALL);
  const given = words.filter((word) => word !== SMALL).map(Number);
  if (given.length > defaults.length || given.some((number) => !Number.isSafeInteger(number) || number < 1)) {
    process.stderr.write(`${usage}\n`);
    process.exit(EXIT.usage);
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      process.stdout.write('Interrupted, no verdict\n');
      process.exit(EXIT.interrupted);
    });
  const report = ({ runs, figures, failures, missed = [] }: Outcome): void => {
    const failed = isSmall ? failures : [...failures, ...missed];
    const shown = isSmall ? missed.map((what) => `Missed, which fails a whole run alone: ${what}`) : [];
    const lines = [...figures, ...shown, ...failed.map((what) => `FAILED ${what}`), verdict(runs, failed.length), ''];
    process.stdout.write(lines.join('\n'));
    process.exitCode = failed.length === 0 ? EXIT.well : EXIT.failed;
  };
  run(defaults.map((number, at) => given[at] ?? number)).then(report, (error: unknown) => {
    const failures = [error instanceof Error ? (error.stack ?? error.message) : String(error)];
    report({ runs: 1, figures: [], failures });
  });
}
