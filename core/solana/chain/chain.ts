// How long things take on a chain: one table with a column for each consensus, outranked by what an endpoint itself showed.
// All words about seconds, finality and commitments derive from it.
import { integerOf, isJsonArray, member, type JsonValue } from '../json/json';
import { BLOCKHASH_BLOCKS } from './limits';

/** `alpenglow`: mainnet since 21 October 2026, testnet and devnet since September 2026. `tower`: the chain before. */
export type Consensus = 'alpenglow' | 'tower';

export interface ChainRules {
  /** For people. */
  readonly name: string;
  /** From one slot to the next, as the chain intends it. ms */
  readonly slotMs: number;
  /** Slots that `finalized` is behind `processed`. */
  readonly finalitySlots: number;
  /** From a block to its finality. ms */
  readonly finalityMs: number;
  /** `confirmed` is a step before `finalized`. */
  readonly hasConfirmed: boolean;
}

export const CHAIN_RULES: Readonly<Record<Consensus, ChainRules>> = {
  alpenglow: { name: 'Alpenglow', slotMs: 200, finalitySlots: 1, finalityMs: 150, hasConfirmed: false },
  tower: { name: 'TowerBFT', slotMs: 400, finalitySlots: 31, finalityMs: 13_000, hasConfirmed: true },
};

/** Final blocks whose transactions' statuses a node knows without a search of its history (Agave, the status cache). */
export const STATUS_BLOCKS = 300;

/** Slots behind the newest one from which on a node is unhealthy and a validator delinquent (Agave). */
export const HEALTH_SLOTS = 128;

/** The shortest and the longest slot that any chain is taken to have. ms */
export const SLOT_MS_BOUNDS = [1, 60_000] as const;

/** Facts about its chain that an endpoint itself showed; they outrank the table. */
export interface ShownChain {
  /** By its genesis certificate: a certificate is `alpenglow`, null `tower`. */
  readonly consensus?: Consensus | undefined;
  /** The last block before Alpenglow, by the certificate. */
  readonly genesisSlot?: bigint | undefined;
  /** From one slot to the next, as measured. ms */
  readonly slotMs?: number | undefined;
}

/** The chain of an endpoint, as far as it is known. */
export interface ChainAge extends ChainRules {
  readonly consensus: Consensus;
  /** The endpoint showed which consensus it has. */
  readonly isShown: boolean;
  /** `slotMs` was measured. */
  readonly isMeasured: boolean;
}

/** The rules that hold for an endpoint. An unknown chain counts as Alpenglow; a pace out of bounds is ignored. */
export function chainAge(shown: ShownChain = {}): ChainAge {
  const consensus = shown.consensus ?? 'alpenglow';
  const rules = CHAIN_RULES[consensus];
  const [least, most] = SLOT_MS_BOUNDS;
  const { slotMs = 0 } = shown;
  const isMeasured = slotMs >= least && slotMs <= most;
  return {
    ...rules,
    slotMs: isMeasured ? slotMs : rules.slotMs,
    consensus,
    isShown: shown.consensus !== undefined,
    isMeasured,
  };
}

/** The newest samples that a pace is taken of. */
const SAMPLES = 20;

/** The facts about the chain in the result of a method; undefined for a method without such facts. */
export function shownBy(method: string, result: JsonValue | undefined): ShownChain | undefined {
  if (method === 'getAgGenesisCert') return consensusIn(result);
  if (method !== 'getRecentPerformanceSamples' || !isJsonArray(result)) return undefined;
  const sum = (name: string): number =>
    result
      .slice(0, SAMPLES)
      .reduce<number>((total, sample) => total + Number(integerOf(member(sample, name)) ?? 0n), 0);
  const slotMs = (sum('samplePeriodSecs') * 1_000) / sum('numSlots');
  return slotMs > 0 && Number.isFinite(slotMs) ? { slotMs } : undefined;
}

function consensusIn(certificate: JsonValue | undefined): ShownChain | undefined {
  if (certificate === null) return { consensus: 'tower' };
  const genesisSlot = integerOf(member(member(certificate, 'block'), 'slot'));
  return genesisSlot === undefined ? undefined : { consensus: 'alpenglow', genesisSlot };
}

/** How long a blockhash is taken. ms */
export const blockhashMs = ({ slotMs }: Pick<ChainRules, 'slotMs'>): number => BLOCKHASH_BLOCKS * slotMs;
