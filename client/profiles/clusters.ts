// Which public cluster an address serves, by the genesis hash that an earlier answer of it gave. Never guessed by a name.
import type { Memento } from 'vscode';
import type { EndpointProfile } from '../../core/service/profiles/profile';
import type { ExecuteOutcome } from '../../protocol/lsp';
import { originsOf } from './origins';

/** The genesis hashes of the public clusters (Agave's documentation, "Solana Clusters"). */
const GENESIS = {
  '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d': 'mainnet-beta',
  EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG: 'devnet',
  '4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY': 'testnet',
} as const;

/** As explorers call it. */
export type ExplorerCluster = (typeof GENESIS)[keyof typeof GENESIS];

/** The public cluster with this genesis hash; undefined for a ledger that is nobody else's. */
export const clusterWith = (genesisHash: string): ExplorerCluster | undefined =>
  Object.hasOwn(GENESIS, genesisHash) ? GENESIS[genesisHash as keyof typeof GENESIS] : undefined;

const MEMORY = 'solanaRpc.clusters';
/** Addresses that are remembered, the ones that answered last. */
const MOST = 100;

/** `cluster` is null for a ledger that is nobody else's. `since`: when an address was found to have moved there. */
type Known = readonly [address: string, cluster: ExplorerCluster | null, since?: number];

export class Clusters {
  /** `now`: Unix milliseconds. */
  constructor(
    private readonly memory: Pick<Memento, 'get' | 'update'>,
    private readonly now: () => number = Date.now,
  ) {}

  /**
   * `address`: the RPC URL of an endpoint, with `{key}` in place of a key, or an origin that a file names. `at`: when it
   * answered, in Unix milliseconds; which ledger answered before the address moved is not known any more.
   */
  of(address: string, at: number): ExplorerCluster | undefined {
    const [, cluster, since = 0] = this.#of(address) ?? [];
    return at < since ? undefined : (cluster ?? undefined);
  }

  /** Records the genesis hash that this address returned. An address that moved to another ledger leaves its old cluster. */
  async note(address: string, genesisHash: string): Promise<void> {
    const cluster = clusterWith(genesisHash) ?? null;
    const before = this.#of(address);
    if ((before?.[1] ?? null) === cluster) return;
    const others = this.#known().filter(([known]) => known !== address);
    const known: Known = before === undefined ? [address, cluster] : [address, cluster, this.now()];
    await this.memory.update(MEMORY, [...others, known].slice(-MOST));
  }

  #of(address: string): Known | undefined {
    return this.#known().find(([known]) => known === address);
  }

  #known(): readonly Known[] {
    return this.memory.get<readonly Known[]>(MEMORY) ?? [];
  }
}

/**
 * The address that an answer came from, as it is remembered. The endpoint's own URL counts only if the request went to one
 * of its hosts, since a file may name another one, and only while the local service there has the ledger that answered.
 */
export function answeringAddress(
  { origin, ledger }: Pick<ExecuteOutcome, 'origin' | 'ledger'>,
  profile: EndpointProfile | undefined,
): { readonly rpcUrl: string | undefined; readonly address: string | undefined } {
  const isOfProfile = profile !== undefined && (origin === undefined || originsOf(profile).includes(origin));
  const rpcUrl = isOfProfile && ledger === profile.ledger ? profile.rpcUrl : undefined;
  return { rpcUrl, address: rpcUrl ?? origin };
}
