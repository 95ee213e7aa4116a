// `npm run fuzz -- --minutes N`: inputs by chance for every reader of outside data, one kind after the other until the time is
// over. Each failure is added to out/fuzz-failures.jsonl with its kind and seed; `-- --kind curl --seed 7` makes one again.
import { appendFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { verdict } from '../../support/process/longRun';
import { failureAt, KINDS, type Failure } from './kinds';

const FAILURES = path.join(__dirname, '..', '..', '..', 'out', 'fuzz-failures.jsonl');
/** Inputs of one kind before the next one has its turn. */
const TURN = 50;
const MINUTE_MS = 60_000;
const EXIT = { well: 0, failed: 1, usage: 2 } as const;

function keep(failure: Failure): void {
  mkdirSync(path.dirname(FAILURES), { recursive: true });
  appendFileSync(FAILURES, `${JSON.stringify(failure)}\n`);
  process.stdout.write(`FAILED ${failure.kind} with seed ${failure.seed}\n  ${failure.message.split('\n', 1)[0]}\n`);
}

/** Runs every kind in turn from this seed on; how many inputs each had, and how many failed. */
function runAll(
  kinds: readonly string[],
  firstSeed: number,
  ms: number,
): { readonly inputs: number; readonly failed: number } {
  const end = performance.now() + ms;
  let [seed, inputs, failed] = [firstSeed, 0, 0];
  while (performance.now() < end) {
    for (const kind of kinds)
      for (let next = seed; next < seed + TURN && performance.now() < end; next++, inputs++) {
        const failure = failureAt(kind, next);
        if (failure === undefined) continue;
        failed++;
        keep(failure);
      }
    seed += TURN;
  }
  return { inputs, failed };
}

function main(): number {
  const { values } = parseArgs({
    options: { minutes: { type: 'string' }, kind: { type: 'string' }, seed: { type: 'string' } },
  });
  const { kind } = values;
  const [minutes, seed] = [Number(values.minutes ?? NaN), Number(values.seed ?? NaN)];
  const isKnown = kind === undefined || Object.hasOwn(KINDS, kind);
  const isOne = kind !== undefined && Number.isSafeInteger(seed) && values.minutes === undefined;
  if (!isKnown || !(isOne || minutes > 0)) {
    process.stderr.write(
      `--minutes N [--kind KIND] [--seed N], or --kind KIND --seed N. Kinds: ${Object.keys(KINDS).join(', ')}\n`,
    );
    return EXIT.usage;
  }
  if (isOne) {
    const failure = failureAt(kind, seed);
    process.stdout.write(failure === undefined ? 'No failure.\n' : `${failure.message}\n`);
    return failure === undefined ? EXIT.well : EXIT.failed;
  }
  const first = Number.isSafeInteger(seed) ? seed : Math.floor(Date.now() / 1000);
  const kinds = kind === undefined ? Object.keys(KINDS) : [kind];
  const { inputs, failed } = runAll(kinds, first, minutes * MINUTE_MS);
  process.stdout.write(`${inputs} inputs of ${kinds.length} kinds from seed ${first} on\n${verdict(inputs, failed)}\n`);
  return failed === 0 ? EXIT.well : EXIT.failed;
}

process.exitCode = main();
