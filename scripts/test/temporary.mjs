// The temporary folder of one job: what a job leaves in it is a fault of its test file.
import { existsSync } from 'node:fs';
import { mkdir, readdir, rm, symlink } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

/** Files that other programs keep for their next start. */
const OTHERS = [/^tsx-/, /^node-compile-cache$/, /^nvim\./, /^vscode-/];
/** Names in one sentence. */
const NAMED = 5;

/** Elsewhere the sockets of an editor have too long a name inside a folder of the temporary one (macOS: 104 bytes). */
const HAS_OWN = process.platform === 'linux';

export class JobTemporary {
  /** @param {string} place a folder that does not exist yet; a short path, since sockets lie in it (108 bytes) */
  constructor(place) {
    this.place = place;
  }

  /** Makes the folder. @returns {Promise<NodeJS.ProcessEnv>} what the job needs to use it */
  async open() {
    if (!HAS_OWN) return {};
    await mkdir(this.place, { mode: 0o700 });
    // Shared: each job would compile again what tsx has compiled.
    const cache = `tsx-${process.getuid?.()}`;
    const shared = path.join(os.tmpdir(), cache);
    if (existsSync(shared)) await symlink(shared, path.join(this.place, cache));
    return { TMPDIR: this.place };
  }

  /** Removes the folder. @returns {Promise<readonly string[]>} a sentence where the job left something in it */
  async close() {
    if (!HAS_OWN) return [];
    const names = await readdir(this.place).catch(() => []);
    const left = names.filter((name) => !OTHERS.some((other) => other.test(name))).sort();
    await rm(this.place, { recursive: true, force: true, maxRetries: 3 });
    if (left.length === 0) return [];
    const more = left.length > NAMED ? ` and ${left.length - NAMED} more` : '';
    return [`It left in the temporary folder: ${left.slice(0, NAMED).join(', ')}${more}`];
  }
}
