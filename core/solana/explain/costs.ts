// The cost of a transaction: its fee in parts, and the limits it requests along with the amounts used.
import type { DecodedInstruction, DecodedTransaction } from '../decode/decoded';
import { known } from '../common/known';
import { COMPUTE_BUDGET_PROGRAM, knownAddress, PRECOMPILES, SYSTEM_PROGRAM } from '../chain/addresses';
import { INSTRUCTION_COMPUTE_UNITS, MAX_COMPUTE_UNITS } from '../chain/limits';
import type { ExplainedCall, FeeParts, ComputeLimits } from './explanation';
import { BUILTIN_PRECOMPILES, BUILTIN_UNITS } from './units';

/** Lamports for each signature (Solana documentation, "Fees"). */
const LAMPORTS_PER_SIGNATURE = 5_000n;

/** The requests of Compute Budget instructions, by the names of their arguments. */
interface Asked {
  readonly units?: bigint | undefined;
  readonly heap?: bigint | undefined;
  readonly loaded?: bigint | undefined;
  readonly microLamports?: bigint | undefined;
}

export function limitsOf(transaction: DecodedTransaction, loadedAccountsData?: bigint): ComputeLimits {
  const { config, version, computeUnits } = transaction;
  const asked: Asked =
    version === 1
      ? {
          units: whole(config?.computeUnitLimit),
          heap: whole(config?.heapSize),
          loaded: whole(config?.loadedAccountsDataSizeLimit),
        }
      : askedIn(transaction.instructions);
  const isDefault = asked.units === undefined && asked.microLamports !== undefined;
  return known({
    computeUnits: known({
      asked: asked.units,
      byDefault: isDefault ? defaultUnits(transaction.instructions) : undefined,
      used: computeUnits,
    }),
    loadedAccountsData: known({ asked: asked.loaded, used: loadedAccountsData }),
    heap: known({ asked: asked.heap }),
    microLamports: asked.microLamports,
  });
}

/** Compute units that an instruction gives its transaction where it asks for no limit (SIMD-0170). */
const UNITS_PER_INSTRUCTION = BigInt(INSTRUCTION_COMPUTE_UNITS);
const UNITS_PER_BUILTIN = 3_000n;

function defaultUnits(instructions: readonly DecodedInstruction[]): bigint {
  const isBuiltin = (program: string): boolean => BUILTIN_UNITS.has(program) || BUILTIN_PRECOMPILES.has(program);
  const builtins = instructions.filter(({ program }) => isBuiltin(program)).length;
  const others = instructions.length - builtins;
  return atMost(BigInt(builtins) * UNITS_PER_BUILTIN + BigInt(others) * UNITS_PER_INSTRUCTION);
}

const MOST_UNITS = BigInt(MAX_COMPUTE_UNITS);
const atMost = (units: bigint): bigint => (units > MOST_UNITS ? MOST_UNITS : units);

const whole = (value: number | undefined): bigint | undefined => (value === undefined ? undefined : BigInt(value));

/** Instructions of Compute Budget. */
const ASKED: ReadonlyMap<string, keyof Asked> = new Map([
  ['setComputeUnitLimit', 'units'],
  ['requestHeapFrame', 'heap'],
  ['setLoadedAccountsDataSizeLimit', 'loaded'],
  ['setComputeUnitPrice', 'microLamports'],
]);

function askedIn(instructions: readonly DecodedInstruction[]): Asked {
  let asked: Asked = {};
  for (const { program, name = '', fields } of instructions) {
    const member = program === COMPUTE_BUDGET_PROGRAM ? ASKED.get(name) : undefined;
    const value = fields[0]?.value;
    if (member !== undefined && value?.kind === 'integer') asked = { ...asked, [member]: value.value };
  }
  return asked;
}

/** The priority part is what was paid beyond the signatures, or what was asked for where nothing was paid yet. */
export function feeParts(
  transaction: DecodedTransaction,
  limits: ComputeLimits,
  calls: readonly ExplainedCall[],
): FeeParts {
  const base = LAMPORTS_PER_SIGNATURE * BigInt(signaturesOf(transaction));
  const { fee: total } = transaction;
  const priority = total === undefined ? askedPriority(transaction, limits) : total - base;
  const tip = transaction.error === undefined ? tipOf(calls) : 0n;
  return {
    ...((total === undefined || total >= base) && { base }),
    ...(total !== undefined && { total }),
    ...(priority >= 0n && { priority }),
    ...(tip > 0n && { tip }),
  };
}

/** The fee that was or will be paid. Without a total both parts are known. */
export const wholeFee = ({ total, base = 0n, priority = 0n }: FeeParts): bigint => total ?? base + priority;

/** The first byte of a precompile's data is how many signatures it verifies; each costs as the transaction's own. */
const signaturesOf = ({ accounts, instructions }: DecodedTransaction): number =>
  accounts.filter(({ isSigner }) => isSigner).length +
  instructions.filter(({ program }) => PRECOMPILES.has(program)).reduce((sum, { data }) => sum + (data?.[0] ?? 0), 0);

/** Lamports that System transfers, also those that programs made, pay to the tip accounts of block engines. */
function tipOf(calls: readonly ExplainedCall[]): bigint {
  return calls.reduce((sum, { program, name, fields, accounts, calls: inner }) => {
    const to = accounts[1]?.address;
    const isTip = program === SYSTEM_PROGRAM && name === 'transfer' && to !== undefined;
    const amount = fields[0]?.value;
    const own = isTip && knownAddress(to)?.kind === 'tip-account' && amount?.kind === 'integer' ? amount.value : 0n;
    return sum + own + tipOf(inner);
  }, 0n);
}

/** Lamports: the price is for each compute unit that may be used. */
function askedPriority(
  { version, config }: DecodedTransaction,
  { computeUnits: { asked, byDefault = 0n }, microLamports = 0n }: ComputeLimits,
): bigint {
  if (version === 1) return config?.priorityFee ?? 0n;
  return (atMost(asked ?? byDefault) * microLamports + 999_999n) / 1_000_000n;
}

/** Compute units used beyond those of the calls; undefined where the logs do not say what every call used. */
export function unitsOutside({ computeUnits }: ComputeLimits, calls: readonly ExplainedCall[]): bigint | undefined {
  const isCut = calls.some(({ isCut }) => isCut === true);
  const known = calls.flatMap(({ units }) => (units === undefined ? [] : [units.total]));
  if (computeUnits.used === undefined || isCut || known.length === 0) return undefined;
  const outside = computeUnits.used - known.reduce((sum, units) => sum + units, 0n);
  return outside > 0n ? outside : undefined;
}
