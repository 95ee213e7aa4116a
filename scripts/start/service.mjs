// Starts the built local service and reads its first line, which holds keys: they stay in this process.
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';

/** How long the service may take to say that it is ready. */
const READY_MS = 30_000;

/**
 * The part of the service's first line that is used here.
 * @typedef {{ readonly rpcUrl: string, readonly wsUrl: string, readonly grpcUrl: string,
 *   readonly restUrl: string, readonly dashboardUrl: string,
 *   readonly keys: Readonly<Record<'rpc' | 'grpc' | 'swqos', { readonly keyId: string, readonly key: string }>>,
 *   readonly wallet: { readonly address: string, readonly secretKey: string } }} Ready
 */

/**
 * @param {string} root
 * @returns {Promise<{ ready: Ready, stop(): Promise<void> }>} rejects with the service's own words when it ends early
 */
export async function startService(root) {
  const file = path.join(root, 'dist', 'localnet.js');
  // Its stdin is the tie: when this process is gone, however it went, the service ends too.
  const child = spawn(process.execPath, [file, '--json', '--traffic', '5', '--with-parent'], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors = (errors + String(chunk)).slice(-2000);
  });
  const ended = new Promise((resolve) => child.on('close', resolve));
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill();
    await ended;
  };
  /** @type {Promise<Ready>} */
  const ready = new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('The local service did not start in time.')), READY_MS);
    createInterface({ input: child.stdout }).once('line', (line) => {
      clearTimeout(timer);
      resolve(JSON.parse(line));
    });
    child.on('error', reject);
    void ended.then((code) => {
      clearTimeout(timer);
      reject(new Error(`The local service ended with ${String(code)}. ${errors.trim()}`));
    });
  });
  try {
    return { ready: await ready, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * The service's settings for the terminal tool: a separate configuration with the wallet next to it, readable only by this
 * user and removed afterwards; the keys in the environment.
 * @param {Ready} ready
 * @returns {Promise<{ environment: NodeJS.ProcessEnv, remove(): Promise<void> }>}
 */
export async function configurationFor({ rpcUrl, wsUrl, grpcUrl, restUrl, keys, wallet }) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'workbench-start-'));
  const wallets = path.join(folder, 'wallet.json');
  const owner = { mode: 0o600 };
  await writeFile(wallets, JSON.stringify(base58Bytes(wallet.secretKey)), owner);
  const configuration = {
    endpoints: [{ name: 'local', rpcUrl, wsUrl, grpcUrl, restUrl }],
    endpoint: 'local',
    wallets: { local: wallets },
  };
  await mkdir(path.join(folder, 'solana-rpc'));
  await writeFile(path.join(folder, 'solana-rpc', 'config.json'), JSON.stringify(configuration), owner);
  return {
    environment: {
      XDG_CONFIG_HOME: folder,
      SOLANA_RPC_KEY: keys.rpc.key,
      SOLANA_GRPC_KEY: keys.grpc.key,
      SOLANA_SWQOS_KEY: keys.swqos.key,
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/**
 * The 64 bytes of a secret key.
 * @param {string} text
 */
function base58Bytes(text) {
  let number = 0n;
  for (const letter of text) number = number * 58n + BigInt(BASE58.indexOf(letter));
  return [...Buffer.from(number.toString(16).padStart(128, '0'), 'hex')];
}

/** @typedef {{ readonly request_count: number, readonly methods: readonly { method: string, count: number, errors: number }[] }} Usage */

/**
 * The key's usage since the service started, as lines of text.
 * @param {Ready} ready
 */
export async function usageLines(ready) {
  const response = await fetch(new URL('/v1/usage', ready.restUrl), {
    headers: { authorization: `Bearer ${ready.keys.rpc.key}` },
    signal: AbortSignal.timeout(10_000),
  });
  if (!response.ok) throw new Error(`The local service answered ${response.status} for its usage.`);
  const usage = /** @type {Usage} */ (await response.json());
  const rows = usage.methods.toSorted((a, b) => b.count - a.count || a.method.localeCompare(b.method));
  const width = Math.max(0, ...rows.map(({ method }) => method.length));
  return [
    `${usage.request_count} requests`,
    ...rows.map(({ method, count, errors }) => {
      const failures = errors === 0 ? '' : `   ${errors} ${errors === 1 ? 'error' : 'errors'}`;
      return `${method.padEnd(width)}  ${String(count).padStart(5)}${failures}`;
    }),
  ];
}
