// When what is packed was made: the time of its commit, so that every build of it gives the same bytes.
import { execFileSync } from 'node:child_process';
import path from 'node:path';

const root = path.join(import.meta.dirname, '..');

/**
 * Unix seconds: SOURCE_DATE_EPOCH, else the time of the commit.
 * @returns {number | undefined} undefined for a checkout without git
 */
export function sourceSeconds() {
  const given = process.env['SOURCE_DATE_EPOCH'] ?? '';
  const text = given === '' ? commitSeconds() : given;
  if (text === undefined) return undefined;
  if (!/^\d{1,11}$/.test(text)) throw new Error('SOURCE_DATE_EPOCH takes Unix seconds.');
  return Number(text);
}

function commitSeconds() {
  try {
    const args = ['log', '-1', '--format=%ct'];
    return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return undefined;
  }
}
