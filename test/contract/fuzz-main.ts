// `npm run fuzz`: 100,000 inputs, or as many as are asked for (`npm run fuzz -- 5000 7`: how many, which seed), and what
// came of them. Ends with exit code 1 where the service died, failed or grew.
import { fuzz } from './fuzz-run';

const MEMORY = 300 * 1024 * 1024;

const [inputs = 100_000, seed = 1] = process.argv.slice(2).map(Number);
fuzz({ inputs, seed }).then(
  (report) => {
    const { problems, largestMemory, outcomes, lanes } = report;
    const rows = (counts: Readonly<Record<string, number>>): string[] =>
      Object.entries(counts).map(([name, count]) => `  ${name.padEnd(28)}${count}`);
    const lines = [
      `${report.inputs} inputs with seed ${seed} in ${report.seconds} s`,
      ...rows(lanes),
      'Outcomes',
      ...rows(outcomes),
      `Memory, the most that was seen: ${(largestMemory / 1024 / 1024).toFixed(0)} MB`,
      ...problems.map((problem) => `PROBLEM ${problem}`),
    ];
    process.stdout.write(`${lines.join('\n')}\n`);
    process.exitCode = problems.length > 0 || largestMemory > MEMORY ? 1 : 0;
  },
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  },
);
