// The unit of an integer, by its name in nodes' answers and method records, and its value in familiar terms: SOL, the age
// of a slot, a date, a share of the compute budget. Exact digits are passed in as bigint; the clock is a parameter.
import { chainAge } from './chain';
import { formatSol, formatUnits, groupDigits } from './lamports';
import { INSTRUCTION_COMPUTE_UNITS, MAX_COMPUTE_UNITS } from './limits';

export type Unit = 'lamports' | 'slot' | 'seconds' | 'computeUnits' | 'microLamports';

/** Members of answers, and the words that records use for a value without a name. */
const NAMES: Readonly<Record<Unit, readonly string[]>> = {
  lamports: [
    'lamports',
    'fee',
    'preBalances',
    'postBalances',
    'postBalance',
    'activatedStake',
    'totalStake',
    'circulating',
    'nonCirculating',
    'lamportsPerByte',
  ],
  slot: ['slot', 'parentSlot', 'absoluteSlot', 'rootSlot', 'minContextSlot', 'fromSlot', 'effectiveSlot'],
  seconds: ['blockTime', 'Unix seconds'],
  computeUnits: ['unitsConsumed', 'computeUnitsConsumed', 'costUnits', 'computeUnitLimit'],
  microLamports: ['prioritizationFee'],
};

const UNITS: ReadonlyMap<string, Unit> = new Map(
  Object.entries(NAMES).flatMap(([unit, names]) => names.map((name) => [name, unit as Unit] as const)),
);

/** The unit of the member `name` of an answer; undefined for a number without one, or with several meanings. */
export const unitOf = (name: string): Unit | undefined => UNITS.get(name);

/** Known facts about the context of a value. */
export interface UnitContext {
  /** Unix milliseconds. */
  readonly now?: number;
  /** The newest slot that is known. */
  readonly slot?: bigint;
  /** From one slot to the next, as the endpoint showed it. ms */
  readonly slotMs?: number | undefined;
}

const MAX_COMPUTE = BigInt(MAX_COMPUTE_UNITS);
const DEFAULT_COMPUTE = BigInt(INSTRUCTION_COMPUTE_UNITS);

/** A value in people's terms; undefined where nothing can be added to its digits. */
export function unitText(unit: Unit, value: bigint, { now, slot, slotMs }: UnitContext): string | undefined {
  switch (unit) {
    case 'lamports':
      return formatSol(value);
    case 'slot':
      return slot === undefined ? undefined : slotAge(slot - value, chainAge({ slotMs }).slotMs);
    case 'seconds':
      return momentText(value * 1000n, now);
    case 'computeUnits':
      return value > MAX_COMPUTE
        ? undefined
        : `${formatUnits((value * 10_000n) / MAX_COMPUTE, 2)} % of ${groupDigits(String(MAX_COMPUTE))} compute units`;
    case 'microLamports':
      return `${formatUnits(value * DEFAULT_COMPUTE, 6)} lamports for ${groupDigits(String(DEFAULT_COMPUTE))} compute units`;
  }
}

/** How far a slot is behind the newest one: `12 slots ago, about 5 s`. */
function slotAge(slots: bigint, slotMs: number): string {
  if (slots === 0n) return 'the newest slot known';
  const count = groupDigits(String(slots < 0n ? -slots : slots));
  const many = count === '1' ? '1 slot' : `${count} slots`;
  const about = spanText(BigInt(Math.round(Number(slots < 0n ? -slots : slots) * slotMs)));
  return slots < 0n ? `in ${many}, about ${about}` : `${many} ago, about ${about}`;
}

/** Dates that JavaScript can hold. ms */
const MAX_DATE = 8_640_000_000_000_000n;

function momentText(ms: bigint, now: number | undefined): string | undefined {
  if (ms < -MAX_DATE || ms > MAX_DATE) return undefined;
  const date = new Date(Number(ms)).toISOString().replace('T', ' ').replace('.000Z', ' UTC').replace('Z', ' UTC');
  if (now === undefined) return date;
  const past = BigInt(Math.floor(now)) - ms;
  return past < 0n ? `${date}, in ${spanText(-past)}` : `${date}, ${spanText(past)} ago`;
}

const SPANS: readonly (readonly [ms: bigint, name: string])[] = [
  [86_400_000n, 'd'],
  [3_600_000n, 'h'],
  [60_000n, 'min'],
  [1_000n, 's'],
];

/** The largest unit that fits: `3 d`, `5 s`, `200 ms`. */
function spanText(ms: bigint): string {
  const [size, name] = SPANS.find(([least]) => ms >= least) ?? [1n, 'ms'];
  return `${groupDigits(String(ms / size))} ${name}`;
}
