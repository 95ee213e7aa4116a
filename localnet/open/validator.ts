// Reads the configuration that solana-test-validator reads, and prints the text that it prints.
import { existsSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { encodeBase58 } from '../../core/solana/encoding/base58';
import type { Ledger } from '../node/open';
import { StateFileError } from '../state/error';
import { readKeypairFile } from './files';

const CONFIG = path.join('.config', 'solana', 'cli', 'config.yml');
const WALLET = path.join('.config', 'solana', 'id.json');

/**
 * The address of the wallet of the Solana tools, to which that program gives its SOL; `undefined` if there is no wallet. Only
 * the public half of the wallet's file is used. Throws StateFileError if the file of --config does not exist.
 */
export function walletOfTools(config: string | undefined, home = os.homedir()): string | undefined {
  if (config !== undefined && !existsSync(config)) throw new StateFileError(`${config} of --config does not exist.`);
  const named = keypairPathIn(config ?? path.join(home, CONFIG));
  const file = named?.replace(/^~(?=\/)/, home) ?? path.join(home, WALLET);
  const keypair = existsSync(file) ? readKeypairFile(file) : undefined;
  return keypair === undefined ? undefined : encodeBase58(keypair.subarray(32));
}

function keypairPathIn(file: string): string | undefined {
  if (!existsSync(file)) return undefined;
  const [, written = ''] = /^keypair_path:(.*)$/m.exec(readFileSync(file, 'utf8')) ?? [];
  return /^["']?(.+?)["']?$/.exec(written.trim())?.[1];
}

/** The lines of a validator's log that scripts read. `rpcPort` is where calls need no key, else where they need one. */
export async function startLog(
  { rpc, genesisHash, validator }: Pick<Ledger, 'rpc' | 'genesisHash' | 'validator'>,
  rpcPort: number,
): Promise<readonly string[]> {
  const outcome = await rpc.call('getClusterNodes', [], { staked: false });
  const [node] = (outcome.ok ? outcome.result : []) as unknown as readonly ClusterNode[];
  if (node === undefined) return [];
  const { version, featureSet, gossip, shredVersion } = node;
  return [
    `agave-validator ${version} (src:00000000; feat:${featureSet.toString(16)}, client:Agave)`,
    `identity pubkey: ${validator.identity.address}`,
    `vote pubkey: ${validator.vote.address}`,
    `genesis hash: ${genesisHash}`,
    `shred version: ${shredVersion}`,
    `node info: shred_version: ${shredVersion}`,
    ...(gossip === null ? [] : [`local gossip address: ${gossip}`]),
    `rpc bound to 127.0.0.1:${rpcPort}`,
  ];
}

/** Of getClusterNodes. */
interface ClusterNode {
  readonly version: string;
  readonly featureSet: number;
  readonly gossip: string | null;
  readonly shredVersion: number;
}

/** The lines that scripts wait for. */
export function startText(
  { validator, release, view, genesisHash }: Pick<Ledger, 'validator' | 'release' | 'view' | 'genesisHash'>,
  { ledger, rpcPort }: { readonly ledger: string; readonly rpcPort: number },
): string {
  const slot = view('processed').slot;
  return [
    `Ledger location: ${ledger}`,
    `Log: ${path.join(ledger, 'validator.log')}`,
    `Identity: ${validator.identity.address}`,
    `Genesis Hash: ${genesisHash}`,
    `Version: ${release.version}`,
    `JSON RPC URL: http://127.0.0.1:${rpcPort}`,
    `WebSocket PubSub URL: ws://127.0.0.1:${rpcPort + 1}`,
    `Processed Slot: ${slot} | Confirmed Slot: ${view('confirmed').slot} | Finalized Slot: ${view('finalized').slot}`,
    '',
  ].join('\n');
}
