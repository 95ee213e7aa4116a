// `npm run soak`: the service under load for 20 minutes, or as many as are asked for (`npm run soak -- 3`), and its memory
// minute by minute. Ends with exit code 1 where the second half still grew, or where the service failed.
import { soak, type SoakRow } from './soak-run';

/** Megabytes that the second half may grow by: what a heap breathes. */
const GROWTH = 48;

const [minutes = 20] = process.argv.slice(2).map(Number);
if (!Number.isInteger(minutes) || minutes < 1) {
  process.stderr.write('How many minutes? A whole number, at least 1.\n');
  process.exit(2);
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(130));

const COLUMNS = [
  'minute',
  'MB least',
  'median',
  'most',
  'answers',
  'transfers',
  'notified',
  'updates',
  'anew',
  'cut off',
];
const line = (cells: readonly (string | number)[]): string => cells.map((cell) => String(cell).padStart(9)).join('  ');

function printed({ minute, memory, counts }: SoakRow): string {
  const { answers, transfers, notifications, updates, reconnects, cutOff } = counts;
  const megabytes = memory.map((value) => value.toFixed(0));
  return line([minute, ...megabytes, answers, transfers, notifications, updates, reconnects, cutOff]);
}

process.stdout.write(`${line(COLUMNS)}\n`);
soak(minutes, (row) => process.stdout.write(`${printed(row)}\n`)).then(
  ({ growth }) => {
    const grew = !(growth <= GROWTH);
    process.stdout.write(
      `The second half grew by ${growth.toFixed(1)} MB; ${grew ? 'more than' : 'within'} ${GROWTH} MB\n`,
    );
    process.exitCode = grew ? 1 : 0;
  },
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  },
);
