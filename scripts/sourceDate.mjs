// When what is packed was made: the time of its commit, so that every build of it gives the same bytes.
import path from 'node:path';
import { git } from './git.mjs';

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
    return git(root, 'log', '-1', '--format=%ct');
  } catch {
    return undefined;
  }
}
