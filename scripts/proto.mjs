// Writes proto/gen from the .proto files, or into the folder that is named: `npm run proto`. Needs no network.
import { spawnSync } from 'node:child_process';
import path from 'node:path';

const root = path.join(import.meta.dirname, '..');
const bin = path.join(root, 'node_modules', '.bin');
const out = path.resolve(process.argv[2] ?? path.join(root, 'proto'));

const { status, error } = spawnSync(
  path.join(bin, process.platform === 'win32' ? 'buf.cmd' : 'buf'),
  ['generate', '-o', out],
  {
    cwd: path.join(root, 'proto'),
    // buf finds its plugin on the path.
    env: { ...process.env, PATH: `${bin}${path.delimiter}${process.env.PATH ?? ''}` },
    stdio: 'inherit',
    shell: process.platform === 'win32',
  },
);
if (error !== undefined) process.stderr.write(`${error.message}\n`);
process.exit(status ?? 1);
