// Which public cluster an address serves, by the genesis hash that an earlier answer of it gave. Never guessed by a name.
import type { Memento } from 'vscode';
import type { EndpointProfile } from '../../core/profile';
import type { ExecuteOutcome } from '../../protocol/lsp';
import { originsOf } from './origins';

/** The genesis hashes of the public clusters (Agave's documentation, "Solana Clusters"). */
const GENESIS = {
  '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d': 'mainnet-beta',
  EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG: 'devnet',
  '4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY': 'testnet',
} as const;

/** As explorers call it. */
export type Cluster = (typeof GENESIS)[keyof typeof GENESIS];

/** The public cluster with this genesis hash; undefined for a ledger that is nobody else's. */
export const clusterWith = (genesisHash: string): Cluster | undefined =>
  Object.hasOwn(GENESIS, genesisHash) ? GENESIS[genesisHash as keyof typeof GENESIS] : undefined;

const MEMORY = 'solanaRpc.clusters';
/** Addresses that are remembered, the ones that answered last. */
const MOST = 100;

export class Clusters {
  constructor(private readonly memory: Pick<Memento, 'get' | 'update'>) {}

  /** `address`: the RPC URL of an endpoint, with `{key}` in place of a key, or an origin that a file names. */
  of(address: string): Cluster | undefined {
    return this.#known().find(([known]) => known === address)?.[1];
  }

  /** What an answer from this address said. An address that moved to another ledger is no longer of its cluster. */
  async note(address: string, genesisHash: string): Promise<void> {
    const cluster = clusterWith(genesisHash);
    if (this.of(address) === cluster) return;
    const others = this.#known().filter(([known]) => known !== address);
    const all = cluster === undefined ? others : [...others, [address, cluster] as const];
    await this.memory.update(MEMORY, all.slice(-MOST));
  }

  #known(): readonly (readonly [string, Cluster])[] {
    return this.memory.get<readonly (readonly [string, Cluster])[]>(MEMORY) ?? [];
  }
}

/**
 * The address that an answer came from, as it is remembered. The endpoint's own URL counts only if the request went to one
 * of its hosts: a file may name another one.
 */
export function addressOf(
  { origin }: Pick<ExecuteOutcome, 'origin'>,
  profile: EndpointProfile | undefined,
): { readonly rpcUrl: string | undefined; readonly address: string | undefined } {
  const isOfProfile = profile !== undefined && (origin === undefined || originsOf(profile).includes(origin));
  const rpcUrl = isOfProfile ? profile.rpcUrl : undefined;
  return { rpcUrl, address: rpcUrl ?? origin };
}
