// `npm run soak`: the service under load for 20 minutes, or as many as are asked for (`npm run soak -- 3`), and its memory
// minute by minute. Fails where the second half still grew, or where the service failed.
import { longRun } from './long-run';
import { soak, type SoakRow } from './soak-run';

/** Megabytes that the second half may grow by: what a heap breathes. */
const GROWTH = 48;

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

longRun('How many minutes? A whole number.', [20], async ([minutes = 0]) => {
  process.stdout.write(`${line(COLUMNS)}\n`);
  const { growth } = await soak(minutes, (row) => process.stdout.write(`${printed(row)}\n`));
  const grew = `The second half grew by ${growth.toFixed(1)} MB`;
  // A growth that could not be told is none that is small enough.
  return growth <= GROWTH
    ? { figures: [`${grew}, of ${GROWTH} MB that it may`], failures: [] }
    : { figures: [], failures: [`${grew}, more than ${GROWTH} MB`] };
});
