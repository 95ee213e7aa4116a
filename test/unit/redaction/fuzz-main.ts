// `npm run fuzz:redaction`: compares the redactor with a plain one on 20,000 random texts, or as many as are asked for
// (`npm run fuzz:redaction -- 5000 7`: how many, which seed).
import { longRun } from '../../support/process/longRun';
import { compareRedactors } from './compare';

longRun('How many texts, and which seed? Whole numbers.', [20_000, 1], ([texts = 0, seed = 0]) => {
  const { cuts, problems } = compareRedactors(texts, seed);
  return Promise.resolve({
    runs: texts,
    figures: [`${texts} texts with seed ${seed}, cut in ${cuts} ways`],
    failures: problems,
  });
});
