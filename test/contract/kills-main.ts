// `npm run kills`: 200 kills, or as many as are asked for (`npm run kills -- 50 7`: how many, which seed), and whether
// anything that was told as kept was lost. Ends with exit code 1 where something was.
import { kills } from './kills-run';

const [count = 200, seed = 1] = process.argv.slice(2).map(Number);
kills({ kills: count, seed }).then(
  (report) => {
    const lines = [
      `${report.kills} kills with seed ${seed}: ${report.loaded} restarts loaded, ${report.duringSnapshot} kills came while a snapshot was written`,
      `${report.told} transactions, accounts and keys were told as kept`,
      ...report.lost.map((what) => `LOST ${what}`),
    ];
    process.stdout.write(`${lines.join('\n')}\n`);
    process.exitCode = report.lost.length > 0 || report.loaded < report.kills ? 1 : 0;
  },
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exitCode = 1;
  },
);
