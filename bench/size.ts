// P13: what people download, and how much code is in it. test/package/vsix.test.ts holds the same limits.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { packageExtension } from '../scripts/package.mjs';
import { ENGINES, isCode, SIZE_LIMITS } from '../scripts/vsix.mjs';
import { readZip } from '../test/support/data/zip';
import type { Measured } from './measure';

const megabytes = (bytes: number): number => Number((bytes / 1e6).toFixed(2));

export async function measureSize(): Promise<readonly Measured[]> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'solana-rpc-bench-'));
  const row = (name: string, bytes: number, atMost: number, note: string): Measured => ({
    goal: 'P13',
    name,
    figure: megabytes(bytes),
    unit: 'MB',
    bound: { atMost: megabytes(atMost) },
    note,
  });
  try {
    const file = path.join(folder, 'universal.vsix');
    const { bytes } = await packageExtension({ file });
    const scripts = readZip(await readFile(file)).filter(({ name }) => isCode(name));
    const code = scripts.reduce((sum, { data }) => sum + data.length, 0);
    const rows = [
      row('code of the VSIX, without the verb mcp', code, SIZE_LIMITS.code, `${scripts.length} files`),
      row('VSIX without the engine of the local service', bytes, SIZE_LIMITS.universal, 'packed'),
    ];
    const target = `${process.platform}-${process.arch}`;
    if (!ENGINES.has(target)) return rows;
    const own = await packageExtension({ file: path.join(folder, 'platform.vsix'), target });
    return [...rows, row("VSIX with a platform's engine", own.bytes, SIZE_LIMITS.platform, target)];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
