// `npm run flakes -- FILE… --times N [--load]`: runs test files again and again, each alone, and keeps the first failure of each
// kind. `--load` keeps every core busy meanwhile. Ends with a table and a non-zero exit code where anything failed.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { layerOf } from './test/layers.mjs';
import { seconds } from './test/report.mjs';
import { Session } from './test/session.mjs';
import { isFailed } from './test/tries.mjs';

const root = path.join(import.meta.dirname, '..');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { times: { type: 'string', default: '10' }, load: { type: 'boolean', default: false } },
});
const times = Number(values.times);
const files = positionals.map((file) => path.relative(root, path.resolve(file)));
const wrong = files.filter((file) => !existsSync(path.join(root, file)) || layerOf(file) === undefined);
if (files.length === 0 || wrong.length > 0 || !Number.isInteger(times) || times < 1) {
  const reason = wrong.length > 0 ? `Not a test file: ${wrong.join(', ')}.\n` : '';
  process.stderr.write(`${reason}Usage: npm run flakes -- test/LAYER/NAME.test.ts… --times N [--load]\n`);
  process.exit(1);
}

const session = await Session.open();
const jobs = files.map((file) => ({ name: file, layer: layerOf(file) ?? '', files: [file] }));
await session.prepare([...new Set(jobs.map(({ layer }) => layer))]);
/** Computes until this process is gone, in pieces, since it must see that. */
const BUSY = `
  process.stdin.resume().on('end', () => process.exit());
  const compute = () => { for (const end = Date.now() + 50; Date.now() < end;); setImmediate(compute); };
  compute();`;
const load = values.load ? os.availableParallelism() : 0;
for (let at = 0; at < load; at++)
  spawn(process.execPath, ['-e', BUSY], { stdio: ['pipe', 'ignore', 'ignore'] }).unref();

/** The first failure of each kind: of one test and with one first line. @type {Map<string, string>} */
const kinds = new Map();
/** @type {Map<string, number>} */
const failures = new Map(files.map((file) => [file, 0]));
for (let time = 1; time <= times; time++)
  for (const job of jobs) {
    const file = job.name;
    const finished = await session.run(job);
    const hasFailed = isFailed(finished);
    process.stdout.write(`${hasFailed ? '✖' : '✔'} ${time}/${times} ${file} (${seconds(finished.ms)})\n`);
    if (!hasFailed) continue;
    failures.set(file, (failures.get(file) ?? 0) + 1);
    const found = finished.results.flatMap(({ name, failure }) => (failure === undefined ? [] : [{ name, failure }]));
    for (const { name, failure } of [...found, ...finished.faults.map((fault) => ({ name: '', failure: fault }))]) {
      const kind = `${file} ${name} ${failure.split('\n')[0]}`;
      if (!kinds.has(kind)) kinds.set(kind, `✖ ${name}\n    in ${file}, run ${time}\n${failure}\n`);
    }
  }
process.stdout.write(`\n${[...kinds.values()].join('\n')}\nruns  failed  file\n`);
for (const [file, failed] of failures)
  process.stdout.write(`${String(times).padStart(4)}${String(failed).padStart(8)}  ${file}\n`);
await session.end(kinds.size === 0 ? 0 : 1);
