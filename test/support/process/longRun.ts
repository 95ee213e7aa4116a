// What the long runs share (`npm run fuzz:service`, `kills` and `soak`): whole numbers from the command line, figures and at last
// a verdict on stdout, an exit code, and an end on interrupt that ends what was started too.

export interface Outcome {
  /** Lines for people. */
  readonly figures: readonly string[];
  /** What must not be, a line each; none where all is well. */
  readonly failures: readonly string[];
}

/** 0 where all is well, 1 where not, 2 for numbers that are none, 130 when interrupted. */
const EXIT = { well: 0, failed: 1, usage: 2, interrupted: 130 } as const;

/**
 * Runs once with the numbers of the command line, or of `words`, each at least 1, or these where fewer are given. `usage`
 * says what they are.
 */
export function longRun(
  usage: string,
  defaults: readonly number[],
  run: (numbers: readonly number[]) => Promise<Outcome>,
  words: readonly string[] = process.argv.slice(2),
): void {
  const given = words.map(Number);
  if (given.length > defaults.length || given.some((number) => !Number.isSafeInteger(number) || number < 1)) {
    process.stderr.write(`${usage}\n`);
    process.exit(EXIT.usage);
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      process.stdout.write('Verdict: none, interrupted\n');
      process.exit(EXIT.interrupted);
    });
  const tell = ({ figures, failures }: Outcome): void => {
    const verdict = failures.length === 0 ? 'Verdict: passed' : `Verdict: FAILED (${failures.length})`;
    process.stdout.write([...figures, ...failures.map((what) => `FAILED ${what}`), verdict, ''].join('\n'));
    process.exitCode = failures.length === 0 ? EXIT.well : EXIT.failed;
  };
  run(defaults.map((number, at) => given[at] ?? number)).then(tell, (error: unknown) => {
    tell({ figures: [], failures: [error instanceof Error ? (error.stack ?? error.message) : String(error)] });
  });
}
