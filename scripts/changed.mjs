// `npm run test:changed -- [BASE]`: runs the test files that the difference to a commit can reach (default: HEAD, so what is
// not committed yet). For daily work; it finds most of what `npm test` finds, and is never its replacement.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { git } from './git.mjs';

const root = path.join(import.meta.dirname, '..');
const [base = 'HEAD'] = process.argv.slice(2);

/** @param {string[]} args @returns {readonly string[]} lines */
function linesOf(...args) {
  try {
    return git(root, ...args)
      .split('\n')
      .filter(Boolean);
  } catch (error) {
    process.stderr.write(`git could not compare with ${base}: ${/** @type {Error} */ (error).message}\n`);
    process.exit(1);
  }
}

/** @param {string[]} args of Node */
const run = (...args) =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit' });
    for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
      process.on(signal, () => child.kill(signal));
    child.on('exit', (code, signal) => resolve(signal === null ? code : 1));
  });

const changed = [...linesOf('diff', '--name-only', base), ...linesOf('ls-files', '--others', '--exclude-standard')];
if (changed.length === 0) {
  process.stdout.write(`Nothing differs from ${base}.\n`);
  process.exit(0);
}
const built = await run('esbuild.mjs');
if (built !== 0) process.exit(1);
// Late: it needs a package.
const { graphOf, reachedBy } = await import('./test/reach.mjs');
const files = reachedBy(await graphOf(root), changed);
process.stdout.write(`${changed.length} files differ from ${base}; ${files.length} test files can be reached.\n`);
process.exitCode = files.length === 0 ? 0 : Number(await run('scripts/test.mjs', ...files));
