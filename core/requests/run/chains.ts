// Facts about the chains behind endpoints, from their answers: the newest slot, the pace of slots, and the consensus.
// By endpoint, in memory only.
import { integerOf, member, type JsonValue } from '../../solana/json/json';
import { chainAge, shownBy, type ChainAge, type ShownChain } from '../../solana/chain/chain';
import { BLOCKHASH_BLOCKS } from '../../solana/chain/limits';
import type { RequestReport } from './model';

/** Endpoints that are remembered, the latest ones. */
const MOST = 200;
/** Slots over which a pace is measured, at least: answers at different commitments differ by up to a few dozen. */
const PACE_SLOTS = 150n;
/** A slot this far below the newest one is from another ledger. */
const OTHER_LEDGER = BigInt(BLOCKHASH_BLOCKS);

interface Sighting {
  readonly slot: bigint;
  /** Unix milliseconds. */
  readonly at: number;
}

interface Known {
  readonly first?: Sighting;
  readonly newest?: Sighting;
  /** By answers about the chain. */
  readonly shown: ShownChain;
}

const NOTHING: Known = { shown: {} };

export class Chains {
  readonly #known = new Map<string, Known>();

  of(endpoint: string): ShownChain {
    const known = this.#known.get(endpoint) ?? NOTHING;
    return { ...known.shown, slotMs: paceOf(known) ?? known.shown.slotMs };
  }

  /** The rules that hold for an endpoint, by the known facts about its chain. */
  age(endpoint: string): ChainAge {
    return chainAge(this.of(endpoint));
  }

  /** About the newest slot at a time in Unix milliseconds; undefined where none was seen. */
  newestSlot(endpoint: string, now: number): bigint | undefined {
    const newest = this.#known.get(endpoint)?.newest;
    if (newest === undefined) return undefined;
    const { slotMs } = this.age(endpoint);
    return newest.slot + BigInt(Math.floor(Math.max(0, now - newest.at) / slotMs));
  }

  /** Learns from the row of a request, at a time in Unix milliseconds; true if it says something of the chain. */
  learn({ endpoint, method, response }: Pick<RequestReport, 'endpoint' | 'method' | 'response'>, at: number): boolean {
    const result = member(response, 'result');
    const named = member(member(result, 'context'), 'slot') ?? member(result, 'absoluteSlot');
    const slot = integerOf(method === 'getSlot' ? result : named);
    if (slot !== undefined) this.see(endpoint, slot, at);
    return this.read(endpoint, method, result);
  }

  /** An answer or an update named a slot. */
  see(endpoint: string, slot: bigint, at: number): void {
    const known = this.#known.get(endpoint) ?? NOTHING;
    const { first, newest } = known;
    const seen: Sighting = { slot, at };
    if (newest === undefined || slot + OTHER_LEDGER <= newest.slot) {
      this.#set(endpoint, { first: seen, newest: seen, shown: newest === undefined ? known.shown : {} });
      return;
    }
    // An answer at a stricter commitment is a little behind.
    const behind = (this.newestSlot(endpoint, at) ?? slot) - slot;
    const usual = BigInt(this.age(endpoint).finalitySlots + 1);
    if (slot < newest.slot || (behind > 0n && behind <= usual)) return;
    this.#set(endpoint, { ...known, first: first ?? seen, newest: seen });
  }

  /** An answer, which may say something of the chain. True if it did. */
  read(endpoint: string, method: string, result: JsonValue | undefined): boolean {
    const said = shownBy(method, result);
    const known = this.#known.get(endpoint) ?? NOTHING;
    // A certificate is never taken back: null comes from a node that is not there yet.
    if (said === undefined || (said.consensus === 'tower' && known.shown.consensus === 'alpenglow')) return false;
    this.#set(endpoint, { ...known, shown: { ...known.shown, ...said } });
    return true;
  }

  #set(endpoint: string, known: Known): void {
    this.#known.delete(endpoint);
    this.#known.set(endpoint, known);
    const [oldest] = this.#known.keys();
    if (this.#known.size > MOST && oldest !== undefined) this.#known.delete(oldest);
  }
}

/** Milliseconds per slot; undefined until enough slots were seen. */
function paceOf({ first, newest }: Known): number | undefined {
  if (first === undefined || newest === undefined || newest.slot - first.slot < PACE_SLOTS) return undefined;
  const ms = (newest.at - first.at) / Number(newest.slot - first.slot);
  return ms > 0 ? ms : undefined;
}
