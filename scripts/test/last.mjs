// Writes out/test/last.json: what the last whole run of the tests saw, and of which commit.
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { git } from '../git.mjs';

/** @typedef {{ readonly commit: string | null, readonly dirty: boolean | null }} State */

/**
 * The commit of a checkout and whether its files differ from it; null for both where git does not know.
 * @param {string} root
 * @returns {State}
 */
export function stateOf(root) {
  try {
    return { commit: git(root, 'rev-parse', 'HEAD'), dirty: git(root, 'status', '--porcelain') !== '' };
  } catch {
    return { commit: null, dirty: null };
  }
}

/**
 * @param {string} root
 * @param {State} state at the start of the run
 * @param {import('./report.mjs').Totals} totals
 * @param {number} ms
 */
export function writeLast(root, state, totals, ms) {
  const folder = path.join(root, 'out', 'test');
  mkdirSync(folder, { recursive: true });
  const last = { ...state, ...totals, seconds: Math.round(ms / 1_000), cores: os.availableParallelism() };
  const file = path.join(folder, 'last.json');
  writeFileSync(`${file}.new`, `${JSON.stringify(last, undefined, 2)}\n`);
  renameSync(`${file}.new`, file);
}
