// `npm run soak`: the service under load, a fork of another one, and language server, stream worker and editor at work, for 20 minutes, or as many
// as are asked for (`npm run soak -- 3`); memory, files and threads of each process minute by minute. Fails where the second
// half still grew, or where a part failed.
import { longRun } from '../../support/process/longRun';
import { soakEditor } from './soak/editor';
import { soakFork } from './soak/fork';
import { soakServer } from './soak/server';
import { soakService } from './soak/service';
import type { Soaked } from './soak/soaked';
import { FIGURES, MAY_GROW, watch, type Minute } from './soak/watch';

const COLUMNS = ['minute', ...FIGURES.map((figure) => (figure === 'active' ? 'timers, handles' : figure))];
const line = (name: string, cells: readonly string[]): string =>
  `${name.padEnd(20)}${cells.map((cell) => cell.padStart(18)).join('')}\n`;
const print = (name: string, cells: readonly string[]): void => void process.stdout.write(line(name, cells));

/** Of each figure its least, median and most. */
const printed = ({ minute, figures }: Minute): readonly string[] => [
  String(minute),
  ...FIGURES.map((figure) => figures[figure]?.map((value) => value.toFixed(0)).join(' ') ?? '-'),
];

longRun('How many minutes? A whole number.', [20], async ([minutes = 0]) => {
  const over = new AbortController();
  const parts: Soaked[] = [];
  try {
    for (const start of [soakService, soakFork, soakServer, soakEditor]) {
      const part = await start(over.signal);
      parts.push(part);
      // Awaited once all have started; a part that fails earlier then ends the soak with its reason.
      part.work.catch(() => undefined);
    }
    print('', COLUMNS);
    const subjects = parts.flatMap((part) => part.subjects);
    const watched = watch(subjects, minutes, over.signal, (minute) => {
      print(minute.name, printed(minute));
      if (minute.name === subjects.at(-1)?.name)
        process.stdout.write(`  ${parts.flatMap((part) => part.done()).join(', ')}\n`);
    });
    const works = parts.map(({ work }) => work);
    // A part ends before the soak only where it fails.
    const growths = await Promise.race([watched, Promise.all(works).then(() => watched)]);
    over.abort();
    await Promise.all(works);
    const found = growths.map(({ name, figure, growth }) => {
      const text = `${name}: ${figure} grew by ${growth.toFixed(1)} in the second half, of ${MAY_GROW[figure]} that it may`;
      return { text, isUnknown: Number.isNaN(growth), isTooMuch: growth > MAY_GROW[figure] };
    });
    return {
      runs: minutes,
      figures: found.map(({ text }) => text),
      failures: found.filter(({ isUnknown }) => isUnknown).map(({ text }) => text),
      missed: found.filter(({ isTooMuch }) => isTooMuch).map(({ text }) => text),
    };
  } finally {
    over.abort();
    for (const part of parts.reverse()) await part.close();
  }
});
