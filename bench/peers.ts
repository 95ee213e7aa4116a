// Puts what the benchmarks compare with into a folder of its own, once; nothing else needs these packages.
import { copyFile, mkdir, rm, stat } from 'node:fs/promises';
import { spawn } from 'node:child_process';
import path from 'node:path';

const root = path.join(import.meta.dirname, '..');
const folder = path.join(root, 'out', 'bench-peers');

/** The folder with the peers in its node_modules; undefined where they cannot be had, which is told on stderr. */
export async function peerFolder(): Promise<string | undefined> {
  const isThere = await stat(path.join(folder, 'node_modules', '.package-lock.json')).catch(() => undefined);
  if (isThere !== undefined) return folder;
  process.stderr.write('Installing what is compared with (bench/peers/package.json) into out/bench-peers …\n');
  await mkdir(folder, { recursive: true });
  await copyFile(path.join(root, 'bench', 'peers', 'package.json'), path.join(folder, 'package.json'));
  if (await installed()) return folder;
  process.stderr.write('That did not work: the rows that need it are left out.\n');
  await rm(folder, { recursive: true, force: true });
  return undefined;
}

function installed(): Promise<boolean> {
  const args = ['install', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const isWindows = process.platform === 'win32';
  return new Promise((resolve) => {
    const child = spawn(isWindows ? 'npm.cmd' : 'npm', args, { cwd: folder, stdio: 'ignore', shell: isWindows });
    child.on('error', () => resolve(false));
    child.on('close', (code) => resolve(code === 0));
  });
}
