// The fee of a message: five thousand lamports per signature, and the priority fee its compute budget offers; and which
// failed transactions pay it.
import {
  BPF_LOADER_1,
  BPF_LOADER_2,
  BPF_LOADER_UPGRADEABLE,
  COMPUTE_BUDGET_PROGRAM,
  LOADER_V4,
  SYSTEM_PROGRAM,
  VOTE_PROGRAM,
} from '../accounts/addresses';
import type { TransactionError } from '../types';
import type { DecodedMessage } from '../transaction/wireTypes';
import { viewOf } from '../../../core/solana/encoding/bytes';

const LAMPORTS_PER_SIGNATURE = 5000n;
const MICRO_LAMPORTS = 1_000_000n;
const MAX_COMPUTE_UNITS = 1_400_000n;
/** Units granted to an instruction when the message sets no limit: builtins need little. */
const UNITS_PER_INSTRUCTION = 200_000n;
const UNITS_PER_BUILTIN = 3_000n;

/** Programs of the runtime, as Agave counts them for this; Secp256r1 is not one of them. */
const BUILTINS: ReadonlySet<string> = new Set([
  SYSTEM_PROGRAM,
  VOTE_PROGRAM,
  COMPUTE_BUDGET_PROGRAM,
  BPF_LOADER_1,
  BPF_LOADER_2,
  BPF_LOADER_UPGRADEABLE,
  LOADER_V4,
  'Ed25519SigVerify111111111111111111111111111',
  'KeccakSecp256k11111111111111111111111111111',
]);

/** Programs whose first data byte counts signatures that are verified before execution, and what each costs a block. */
export const SIGNATURE_PROGRAMS: ReadonlyMap<string, number> = new Map([
  ['Ed25519SigVerify111111111111111111111111111', 2_400],
  ['KeccakSecp256k11111111111111111111111111111', 6_690],
  ['Secp256r1SigVerify1111111111111111111111111', 4_800],
]);

const SET_LIMIT = 2;
const SET_PRICE = 3;
const SET_LOADED_LIMIT = 4;
/** Bytes that a transaction may load where it sets no limit. */
const MAX_LOADED_BYTES = 64 * 1024 * 1024;

/** The price that the message offers, in micro-lamports per compute unit. */
export function unitPriceOf({ instructions, staticKeys, config, version }: DecodedMessage): bigint {
  if (version === 1) {
    const units = BigInt(config?.computeUnitLimit ?? 0);
    return units === 0n ? 0n : ((config?.priorityFee ?? 0n) * MICRO_LAMPORTS) / units;
  }
  return budgetSetting({ instructions, staticKeys }, SET_PRICE, 8)?.getBigUint64(0, true) ?? 0n;
}

/** Errors of a transaction of which nothing ran, though it is in a block and pays (SIMD-0082). */
const PAY_WITHOUT_RUNNING: ReadonlySet<string> = new Set([
  'ProgramAccountNotFound',
  'InvalidProgramForExecution',
  'MaxLoadedAccountsDataSizeExceeded',
]);

/** True for a failed transaction that the engine did not charge, though it pays. */
export const isFeesOnly = (err: TransactionError | null): boolean =>
  typeof err === 'string' && PAY_WITHOUT_RUNNING.has(err);

/** Whether a failed transaction is in a block and pays; otherwise it is refused before. */
export function pays(err: TransactionError, { instructions, staticKeys, version }: DecodedMessage): boolean {
  if (typeof err === 'string') return PAY_WITHOUT_RUNNING.has(err) || err === 'UnbalancedTransaction';
  if ('DuplicateInstruction' in err) return false;
  // In version 1 nobody reads Compute Budget instructions: they run and fail as any others.
  if (version === 1) return true;
  const failed = err['InstructionError'];
  // The compute budget is read before anything runs; when its instructions run, they do nothing.
  const index = Array.isArray(failed) ? Number(failed[0]) : -1;
  return staticKeys[instructions[index]?.programIdIndex ?? -1] !== COMPUTE_BUDGET_PROGRAM;
}

/** Lamports: what the signatures cost, and what is paid to come first. */
export interface Fees {
  readonly signatures: bigint;
  readonly priority: bigint;
}

export const NO_FEES: Fees = { signatures: 0n, priority: 0n };

export const addFees = (one: Fees, other: Fees): Fees => ({
  signatures: one.signatures + other.signatures,
  priority: one.priority + other.priority,
});

/** Lamports in total. */
export function feeOf(message: DecodedMessage): bigint {
  const { signatures, priority } = feesOf(message);
  return signatures + priority;
}

export function feesOf(message: DecodedMessage): Fees {
  let signatures = BigInt(message.numRequiredSignatures);
  for (const { programIdIndex, data } of message.instructions)
    if (SIGNATURE_PROGRAMS.has(message.staticKeys[programIdIndex] ?? '')) signatures += BigInt(data[0] ?? 0);
  return { signatures: signatures * LAMPORTS_PER_SIGNATURE, priority: priorityFeeOf(message) };
}

function priorityFeeOf(message: DecodedMessage): bigint {
  if (message.version === 1) return message.config?.priorityFee ?? 0n;
  const paid = computeUnitLimitOf(message) * unitPriceOf(message);
  return (paid + MICRO_LAMPORTS - 1n) / MICRO_LAMPORTS;
}

/** The compute units that the message may use. Nothing in version 1 where it sets no limit, else so much per instruction. */
export function computeUnitLimitOf({ version, config, instructions, staticKeys }: DecodedMessage): bigint {
  let assumed = 0n;
  for (const { programIdIndex } of instructions)
    assumed += BUILTINS.has(staticKeys[programIdIndex] ?? '') ? UNITS_PER_BUILTIN : UNITS_PER_INSTRUCTION;
  const set = version === 1 ? (config?.computeUnitLimit ?? 0) : budgetNumber({ instructions, staticKeys }, SET_LIMIT);
  const units = set === undefined ? assumed : BigInt(set);
  return units > MAX_COMPUTE_UNITS ? MAX_COMPUTE_UNITS : units;
}

/** The bytes that the message may load. */
export function loadedDataLimitOf(message: DecodedMessage): number {
  if (message.version === 1) return message.config?.loadedAccountsDataSizeLimit ?? 0;
  return Math.min(budgetNumber(message, SET_LOADED_LIMIT) ?? MAX_LOADED_BYTES, MAX_LOADED_BYTES);
}

type Instructions = Pick<DecodedMessage, 'instructions' | 'staticKeys'>;

const budgetNumber = (message: Instructions, kind: number): number | undefined =>
  budgetSetting(message, kind, 4)?.getUint32(0, true);

/** The number that the last Compute Budget instruction of a kind sets, of so many bytes. */
function budgetSetting({ instructions, staticKeys }: Instructions, kind: number, size: number): DataView | undefined {
  const last = instructions.findLast(
    ({ programIdIndex, data }) =>
      staticKeys[programIdIndex] === COMPUTE_BUDGET_PROGRAM && data[0] === kind && data.length === 1 + size,
  );
  return last && viewOf(last.data.subarray(1));
}
