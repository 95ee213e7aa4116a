// `npm run fuzz:idl`: reads 50,000 damaged Codama documents and decodes hostile data by them, or as many as are asked for
// (`npm run fuzz:idl -- 5000 7`: how many, which seed).
import { longRun } from '../../../support/process/longRun';
import { readHostile } from './codama-hostile';

/** One document with its data takes a few milliseconds; beyond this its cost is not that of its size. ms */
const MAX_MS = 5_000;

longRun('How many documents, and which seed? Whole numbers.', [50_000, 1], ([documents = 0, seed = 0]) => {
  const { read, decoded, slowest, problems } = readHostile(documents, seed);
  const slow = slowest > MAX_MS ? [`a document took ${Math.round(slowest)} ms`] : [];
  return Promise.resolve({
    runs: documents,
    figures: [
      `${documents} documents with seed ${seed}: ${read} read, ${decoded} values decoded`,
      `the slowest took ${Math.round(slowest)} ms`,
    ],
    failures: problems,
    missed: slow,
  });
});
