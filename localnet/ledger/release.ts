// The release of Agave that the node answers as: its version, and the shapes of its line. Never a mix of two.
import { createHash } from 'node:crypto';
import { decodeBase58 } from '../../core/solana/encoding/base58';
import type { AgaveLine, NodeRelease } from './types';

const VERSIONS: Readonly<Record<AgaveLine, string>> = { '3.1': '3.1.0', '4.2': '4.2.0', '4.4': '4.4.0' };

/** The version of a line's release. */
export const versionOf = (line: AgaveLine): string => VERSIONS[line];

/** `features` are the addresses of every feature that the engine knows, in any order. */
export function releaseOf(line: AgaveLine, features: readonly string[]): NodeRelease {
  return { line, version: VERSIONS[line], featureSet: featureSetOf(features) };
}

/** The answer to getVersion, over HTTP and over the WebSocket. */
export const versionsOf = ({ version, featureSet }: NodeRelease) =>
  ({ 'feature-set': featureSet, 'solana-core': version }) as const;

/** The first four bytes of the hash of all feature addresses in ascending order, as `solana --version` shows them. */
function featureSetOf(features: readonly string[]): number {
  const hash = createHash('sha256');
  const bytes = features.map((feature) => decodeBase58(feature) ?? new Uint8Array());
  for (const feature of bytes.sort((a, b) => Buffer.compare(a, b))) hash.update(feature);
  return hash.digest().readUInt32LE(0);
}
