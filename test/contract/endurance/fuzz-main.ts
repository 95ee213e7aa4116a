// `npm run fuzz:service`: 100,000 inputs, or as many as are asked for (`-- 5000 7`: how many, which seed), a fifth of them
// on a fork, and what came of them. Fails where the service died, failed or grew.
import { fuzz, MAX_MEMORY } from './fuzz-run';
import { longRun } from '../../support/process/longRun';

const megabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(0)} MB`;

longRun('How many inputs, and which seed? Whole numbers.', [100_000, 1], async ([inputs = 0, seed = 0]) => {
  const onFork = Math.ceil(inputs / 5);
  const parts = [
    { name: 'a separate ledger', report: await fuzz({ inputs: inputs - onFork, seed }) },
    { name: 'a fork', report: await fuzz({ inputs: onFork, seed, isFork: true }) },
  ];
  const rows = (counts: Readonly<Record<string, number>>): string[] =>
    Object.entries(counts).map(([name, count]) => `  ${name.padEnd(28)}${count}`);
  return {
    runs: inputs,
    figures: parts.flatMap(({ name, report }) => [
      `${report.inputs} inputs with seed ${seed} on ${name} in ${report.seconds} s`,
      ...rows(report.lanes),
      'Outcomes',
      ...rows(report.outcomes),
      `Memory, the most that was seen: ${megabytes(report.largestMemory)} of ${megabytes(MAX_MEMORY)}`,
    ]),
    failures: parts.flatMap(({ report }) => report.problems),
    missed: parts
      .filter(({ report }) => report.largestMemory > MAX_MEMORY)
      .map(({ name }) => `Memory grew above ${megabytes(MAX_MEMORY)} on ${name}`),
  };
});
