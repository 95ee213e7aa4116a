// A service that a fork has its accounts from, for the long runs, and the terminal's process that forks it.
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { startTestLedger } from '../../support/process/localnet';
import { freshKey } from '../rpc/rpc-harness';

const PROGRAM = path.join(__dirname, '..', '..', '..', 'dist', 'cli.js');

export interface ForkSource {
  /** Base58. */
  readonly addresses: readonly string[];
  /** `solana-rpc localnet` as a fork of it, with these options; killed with this process. */
  readonly fork: (args: readonly string[]) => ChildProcess;
  /** Gives an account other lamports, at the source. */
  readonly set: (address: string, lamports: number) => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** Its accounts are empty and belong to the system program; the first has 1,000,000 lamports, each other one more. */
export async function startForkSource(count: number): Promise<ForkSource> {
  const addresses = Array.from({ length: count }, (_, at) => freshKey(`account of the source ${at}`).address);
  const folder = mkdtempSync(path.join(os.tmpdir(), 'fork-source-'));
  try {
    const file = path.join(folder, 'accounts.json');
    const owner = '11111111111111111111111111111111';
    const rows = addresses.map((pubkey, at) => ({
      pubkey,
      account: { lamports: 1_000_000 + at, owner, data: ['', 'base64'], executable: false, rentEpoch: 0 },
    }));
    writeFileSync(file, JSON.stringify(rows));
    const source = await startTestLedger(['--plan', 'Shared Metal', '--accounts', file]);
    return {
      addresses,
      fork: (args) =>
        startTerminal(['--fork', source.ready.rpcUrl, ...args], {
          ...process.env,
          SOLANA_RPC_KEY: source.ready.keys.rpc.key,
        }),
      set: (address, lamports) => source.cheat('setAccount', { address, lamports }),
      stop: () => source.stop(),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** `solana-rpc localnet`, as built. */
export function startTerminal(args: readonly string[], env: NodeJS.ProcessEnv = process.env): ChildProcess {
  const child = spawn(process.execPath, [PROGRAM, 'localnet', ...args], { stdio: ['pipe', 'pipe', 'pipe'], env });
  const kill = (): boolean => child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  return child;
}
