// `--reporter NAME`: for whom the report on standard output is.
import { UsageError } from '../exit';
import type { Given } from '../options';

/** `github` adds annotations and a job summary to the text. */
const REPORTERS = ['text', 'github'] as const;

export type ReporterName = (typeof REPORTERS)[number];

/** Throws UsageError for another name, and for annotations inside of a JSON document. */
export function reporterOf(given: Given): ReporterName {
  const name = given.text('reporter') ?? 'text';
  const reporter = REPORTERS.find((one) => one === name);
  if (reporter === undefined) throw new UsageError(`--reporter takes one of: ${REPORTERS.join(', ')}.`);
  if (reporter === 'github' && given.flag('json'))
    throw new UsageError('--json and --reporter github both write to standard output; give one of them.');
  return reporter;
}

/** Where `github` was asked for, also annotates why the command did not even start: a step's log alone is easily missed. */
export async function annotateUsage(args: readonly string[], message: string): Promise<void> {
  const isAsked = args.some(
    (arg, at) => arg === '--reporter=github' || (arg === 'github' && args[at - 1] === '--reporter'),
  );
  if (!isAsked) return;
  const { annotationLine } = await import('./ci/annotations');
  const annotation = { level: 'error', file: '-', range: { line: 0 }, title: 'solana-rpc', message } as const;
  process.stdout.write(annotationLine(annotation, () => undefined));
}
