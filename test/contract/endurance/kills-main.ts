// `npm run kills`: 200 kills, or as many as are asked for (`npm run kills -- 50 7`: how many, which seed), and whether
// anything that was told as kept was lost.
import { kills, type KillsReport } from './kills-run';
import { longRun } from './long-run';

/** Kills between two lines about how far it is. */
const TELL_EVERY = 20;

const figures = ({ kills, loaded, told, forgotten, duringSnapshot, lost }: KillsReport): string =>
  `${kills} kills: ${loaded} restarts loaded, ${duringSnapshot} kills came while a snapshot was written, ` +
  `${told} transactions, accounts and keys were told as kept, ` +
  `${forgotten} transactions are older than the ledger reaches back, ${lost.length} lost`;

longRun('How many kills, and which seed? Whole numbers.', [200, 1], async ([count = 0, seed = 0]) => {
  const report = await kills({ kills: count, seed }, (sofar) => {
    if (sofar.kills % TELL_EVERY === 0 && sofar.kills < count) process.stdout.write(`${figures(sofar)}\n`);
  });
  const notLoaded = count - report.loaded;
  return {
    figures: [`${figures(report)} (seed ${seed})`],
    failures: [
      ...report.lost.map((what) => `lost: ${what}`),
      ...(notLoaded > 0 ? [`${notLoaded} restarts did not load`] : []),
    ],
  };
});
