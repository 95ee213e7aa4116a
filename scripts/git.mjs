// Runs git in a checkout and gives what it prints.
import { execFileSync } from 'node:child_process';

/**
 * Throws where git is missing, the folder is not a checkout, or git refuses; the error has what git printed.
 * @param {string} root the folder of the checkout
 * @param {...string} args
 * @returns {string} without the last line end
 */
export const git = (root, ...args) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trimEnd();
