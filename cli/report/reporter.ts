// `--reporter NAME`: for whom the report on standard output is.
import { UsageError } from '../exit';
import type { Given } from '../options';

/** `github` adds annotations and a job summary to the text. */
const REPORTERS = ['text', 'github'] as const;

export type Reporter = (typeof REPORTERS)[number];

/** Throws UsageError for another name, and for annotations inside of a JSON document. */
export function reporterOf(given: Given): Reporter {
  const name = given.text('reporter') ?? 'text';
  const reporter = REPORTERS.find((one) => one === name);
  if (reporter === undefined) throw new UsageError(`--reporter takes one of: ${REPORTERS.join(', ')}.`);
  if (reporter === 'github' && given.flag('json'))
    throw new UsageError('--json and --reporter github both write to standard output; give one of them.');
  return reporter;
}
