// A transaction's cost to its block, in compute units: signatures, write locks, instruction data, loaded data and the units of
// its programs, as Agave's cost model counts them (cost-model/src/block_cost_limits.rs). Does not affect the fee.
import type { AccountView } from '../accounts/accounts';
import { VOTE_PROGRAM } from '../accounts/addresses';
import { codeAddressOf } from '../accounts/programs';
import { computeUnitLimitOf, loadedDataLimitOf, SIGNATURE_PROGRAMS } from './fees';
import { isWritable } from '../transaction/wire';
import type { DecodedMessage } from '../transaction/wireTypes';

const SIGNATURE_COST = 720;
const WRITE_LOCK_COST = 300;
/** Bytes of instruction data for one compute unit. */
const DATA_BYTES_PER_UNIT = 4;
/** Loaded data counts in whole pages; 8 compute units each. Bytes. */
const PAGE = 32 * 1024;
const PAGE_COST = 8;
/** Bytes counted for each loaded account besides its data, and for each lookup table (SIMD-0186). */
const LOADED_ACCOUNT_BYTES = 64;
const LOADED_TABLE_BYTES = 8_248;
/** A vote of the old kind has a fixed cost. */
const SIMPLE_VOTE_COST = 3_428n;

/** The resources that a transaction used, or may use at most. */
export interface ComputeUsage {
  readonly computeUnits: bigint;
  /** Bytes. */
  readonly loadedBytes: number;
  /** How many addresses came through lookup tables. */
  readonly loadedKeys: number;
}

/** Compute units. Data that version 1 loads counts as a page at least (SIMD-0385). */
export function costOf(message: DecodedMessage, { computeUnits, loadedBytes, loadedKeys }: ComputeUsage): bigint {
  if (isSimpleVote(message)) return SIMPLE_VOTE_COST;
  let [units, data] = [message.numRequiredSignatures * SIGNATURE_COST, 0];
  for (const { programIdIndex, data: bytes } of message.instructions) {
    data += bytes.length;
    units += (bytes[0] ?? 0) * (SIGNATURE_PROGRAMS.get(message.staticKeys[programIdIndex] ?? '') ?? 0);
  }
  units += Math.floor(data / DATA_BYTES_PER_UNIT);
  for (let at = 0; at < message.staticKeys.length + loadedKeys; at++)
    if (isWritable(message, at)) units += WRITE_LOCK_COST;
  const pages = Math.ceil(loadedBytes / PAGE);
  return BigInt(units + (message.version === 1 ? Math.max(1, pages) : pages) * PAGE_COST) + computeUnits;
}

/** The cost reserved for a transaction before it runs: all that it may use. */
export function highestCostOf(message: DecodedMessage): bigint {
  const { lookups } = message;
  return costOf(message, {
    computeUnits: computeUnitLimitOf(message),
    loadedBytes: loadedDataLimitOf(message),
    loadedKeys: lookups.reduce((sum, use) => sum + use.writableIndexes.length + use.readonlyIndexes.length, 0),
  });
}

/**
 * Bytes counted against the limit for loaded data: each account that exists counts its data and a fixed part, and so does the
 * account with the code of a program of the upgradeable loader, once (SIMD-0186).
 */
export function loadedBytesOf(
  { lookups }: DecodedMessage,
  accountKeys: readonly string[],
  accounts: Pick<AccountView, 'get'>,
): number {
  const code = new Set<string>();
  let bytes = lookups.length * LOADED_TABLE_BYTES;
  const count = (address: string): void => {
    const account = accounts.get(address);
    if (account === undefined) return;
    bytes += LOADED_ACCOUNT_BYTES + account.data.length;
    const itsCode = codeAddressOf(account);
    if (itsCode === undefined || code.has(itsCode) || accountKeys.includes(itsCode)) return;
    code.add(itsCode);
    count(itsCode);
  };
  for (const address of accountKeys) count(address);
  return bytes;
}

function isSimpleVote({ version, instructions, staticKeys, numRequiredSignatures }: DecodedMessage): boolean {
  const [only] = instructions;
  return (
    version === 'legacy' &&
    numRequiredSignatures <= 2 &&
    instructions.length === 1 &&
    staticKeys[only?.programIdIndex ?? -1] === VOTE_PROGRAM
  );
}
