// `npm run kills`: kills each of our processes 200 times at random moments while it works, or only one, or less often
// (`npm run kills -- server 50 7`: which, how often, which seed). Fails where something was lost, left, torn or hung.
import { longRun, type Outcome } from '../../support/process/longRun';
import { TARGETS } from './kills/targets';

/** Kills between two lines about how far it is. */
const FIGURES_EVERY = 20;

const [first = '', ...rest] = process.argv.slice(2);
const one = TARGETS[first];
const names = one === undefined ? Object.keys(TARGETS) : [first];
const usage = `Which of ${Object.keys(TARGETS).join(', ')}, how many kills of each, and which seed? A name and whole numbers.`;

longRun(
  usage,
  [200, 1],
  async ([kills = 0, seed = 0]) => {
    const outcomes: Outcome[] = [];
    for (const name of names) {
      const started = performance.now();
      const timed = (figures: string, done: number): string =>
        `${name}, seed ${seed}: ${figures}; ${((performance.now() - started) / 1_000 / done).toFixed(1)} s each`;
      const said = (line: string): void => void process.stdout.write(`${line}\n`);
      const found = await TARGETS[name]?.({
        kills,
        seed,
        onFigures: (figures, done) => {
          if (done % FIGURES_EVERY === 0 && done < kills) said(timed(figures, done));
        },
      });
      const { figures = [], failures = [] } = found ?? {};
      const lines = figures.map((line) => timed(line, kills));
      lines.forEach(said);
      outcomes.push({
        runs: found?.runs ?? 0,
        figures: lines,
        failures: failures.map((line) => `${name}, seed ${seed}: ${line}`),
      });
    }
    return {
      runs: outcomes.reduce((sum, { runs }) => sum + runs, 0),
      figures: outcomes.flatMap(({ figures }) => figures),
      failures: outcomes.flatMap(({ failures }) => failures),
    };
  },
  one === undefined ? process.argv.slice(2) : rest,
);
