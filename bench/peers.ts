// Installs the packages that the benchmarks compare with into a separate folder, once; nothing else needs them.
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { spawn } from 'node:child_process';
import path from 'node:path';
import { root } from './root';

const folder = path.join(root, 'out', 'bench-peers');

/** The folder with the peers in its node_modules; undefined if they cannot be installed, which is reported on stderr. */
export async function peerFolder(): Promise<string | undefined> {
  const wanted = await readFile(path.join(root, 'bench', 'peers', 'package.json'), 'utf8');
  // Written last: marks a complete installation.
  const mark = path.join(folder, 'installed');
  if ((await readFile(mark, 'utf8').catch(() => undefined)) === wanted) return folder;
  process.stderr.write('Installing what is compared with (bench/peers/package.json) into out/bench-peers …\n');
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'package.json'), wanted);
  if (await installed()) {
    await writeFile(mark, wanted);
    return folder;
  }
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
