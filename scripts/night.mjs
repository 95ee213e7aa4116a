// `npm run night`: everything that makes load, takes bounds of memory, ends processes at random moments, fuzzes long, floods or
// takes pictures, one after the other; about two hours. `-- --smoke`: one small case of each kind. `-- --only TEXT`: those whose
// name holds the text. Ends with a table and a non-zero exit code where anything failed.
import { parseArgs } from 'node:util';
import { LAYERS } from './test/layers.mjs';
import { nightJobs, smokeJobs, tableOf } from './test/night.mjs';
import { Report } from './test/report.mjs';
import { Session } from './test/session.mjs';

/** @typedef {import('./test/job.mjs').Finished} Finished */

const { values } = parseArgs({
  options: { smoke: { type: 'boolean', default: false }, only: { type: 'string', default: '' } },
});
const begun = performance.now();
const all = values.smoke ? await smokeJobs() : await nightJobs();
const jobs = all.filter(({ name }) => name.includes(values.only));
if (jobs.length === 0) {
  process.stderr.write(
    `Nothing of the night has "${values.only}" in its name: ${all.map(({ name }) => name).join(', ')}\n`,
  );
  process.exit(1);
}
const session = await Session.open();
await session.prepare(Object.keys(LAYERS).filter((layer) => jobs.some((job) => job.layer === layer)));
const report = new Report(jobs.length);
/** @type {Finished[]} */
const finished = [];
for (const job of jobs) {
  const one = await session.run(job);
  finished.push(one);
  report.add(one);
}
const { failed } = report.end(performance.now() - begun);
process.stdout.write(`\n${tableOf(finished)}\n`);
await session.end(failed === 0 ? 0 : 1);
