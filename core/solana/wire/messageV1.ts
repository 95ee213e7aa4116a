// Reads version 1 messages (SIMD-0385): fixed counts in front, no compact lengths, no lookup tables, and the limits that
// other versions ask for by Compute Budget instructions in the message itself. Never throws.
import type { ByteReader } from '../encoding/bytes';
import { malformed, type WireResult, type Instruction, type Message, type TransactionConfig } from './transactionTypes';

/** First byte of a version 1 message, and of a version 1 transaction. */
export const V1 = 0x81;

/** The most that a version 1 message may have of each. */
export const V1_LIMITS = { signatures: 12, addresses: 64, instructions: 64 } as const;
const MIN_HEAP = 32_768;
const MAX_HEAP = 262_144;
const HEAP_STEP = 1024;

/** Bits of the mask; the two bits of the fee are set together. */
export const V1_MASK = { fee: 0b11, computeUnits: 0b100, loadedData: 0b1000, heap: 0b1_0000 } as const;
const ALL = V1_MASK.fee | V1_MASK.computeUnits | V1_MASK.loadedData | V1_MASK.heap;

/** Reads up to the end of the message; what follows (the signatures) stays unread. */
export function readMessageV1(reader: ByteReader): WireResult<Message> {
  reader.u8();
  const requiredSignatures = reader.u8();
  const readonlySigned = reader.u8();
  const readonlyUnsigned = reader.u8();
  const mask = reader.u32();
  const blockhash = reader.take(32);
  const instructionCount = reader.u8();
  const addressCount = reader.u8();
  const fault = headFault(reader, { requiredSignatures, readonlySigned, readonlyUnsigned, mask });
  if (fault !== undefined) return malformed(fault);
  if (instructionCount > V1_LIMITS.instructions)
    return malformed(`it has ${instructionCount} instructions, and version 1 allows ${V1_LIMITS.instructions}`);
  if (addressCount > V1_LIMITS.addresses)
    return malformed(`it names ${addressCount} accounts, and version 1 allows ${V1_LIMITS.addresses}`);
  if (requiredSignatures + readonlyUnsigned > addressCount)
    return malformed('its header names more accounts than it has');

  const accountKeys: Uint8Array[] = [];
  for (let i = 0; i < addressCount && !reader.failed; i++) accountKeys.push(reader.take(32));
  const config = readConfig(reader, mask);
  const instructions = readInstructions(reader, instructionCount);
  if (reader.endedAt !== undefined) return malformed(`the message breaks off at byte ${reader.endedAt}`);
  const wrong =
    heapFault(config) ?? duplicateFault(accountKeys) ?? indexFault(instructions, addressCount, addressCount);
  if (wrong !== undefined) return malformed(wrong);
  return {
    ok: true,
    value: {
      version: 1,
      requiredSignatures,
      readonlySigned,
      readonlyUnsigned,
      accountKeys,
      blockhash,
      instructions,
      lookups: [],
      config,
    },
  };
}

interface Head {
  readonly requiredSignatures: number;
  readonly readonlySigned: number;
  readonly readonlyUnsigned: number;
  readonly mask: number;
}

function headFault(reader: ByteReader, { requiredSignatures, readonlySigned, mask }: Head): string | undefined {
  if (reader.endedAt !== undefined) return `the message breaks off at byte ${reader.endedAt}`;
  if (requiredSignatures === 0) return 'no account signs it';
  if (requiredSignatures > V1_LIMITS.signatures)
    return `it asks for ${requiredSignatures} signatures, and version 1 allows ${V1_LIMITS.signatures}`;
  if (readonlySigned >= requiredSignatures) return 'its fee payer is not writable';
  if ((mask & ~ALL) !== 0) return 'its configuration has values that version 1 does not know';
  if ((mask & V1_MASK.fee) !== 0 && (mask & V1_MASK.fee) !== V1_MASK.fee)
    return 'its configuration has half a priority fee';
  return undefined;
}

function readConfig(reader: ByteReader, mask: number): TransactionConfig {
  return {
    ...((mask & V1_MASK.fee) === 0 ? {} : { priorityFee: reader.u64() }),
    ...((mask & V1_MASK.computeUnits) === 0 ? {} : { computeUnitLimit: reader.u32() }),
    ...((mask & V1_MASK.loadedData) === 0 ? {} : { loadedAccountsDataSizeLimit: reader.u32() }),
    ...((mask & V1_MASK.heap) === 0 ? {} : { heapSize: reader.u32() }),
  };
}

/** All headers first, then what each of them announced. */
function readInstructions(reader: ByteReader, count: number): readonly Instruction[] {
  const headers: { readonly program: number; readonly accounts: number; readonly data: number }[] = [];
  for (let i = 0; i < count && !reader.failed; i++)
    headers.push({ program: reader.u8(), accounts: reader.u8(), data: reader.u16() });
  return headers.map(({ program, accounts, data }) => ({
    program,
    accounts: reader.take(accounts),
    data: reader.take(data),
  }));
}

function heapFault({ heapSize }: TransactionConfig): string | undefined {
  if (heapSize === undefined) return undefined;
  return heapSize >= MIN_HEAP && heapSize <= MAX_HEAP && heapSize % HEAP_STEP === 0
    ? undefined
    : `its heap of ${heapSize} bytes is not a multiple of ${HEAP_STEP} from ${MIN_HEAP} to ${MAX_HEAP}`;
}

function duplicateFault(keys: readonly Uint8Array[]): string | undefined {
  const seen = new Set<string>();
  for (const key of keys) {
    const name = String.fromCharCode(...key);
    if (seen.has(name)) return 'it names an account twice';
    seen.add(name);
  }
  return undefined;
}

/** `keys`: how many accounts are in the message's own list; `accounts`: those of lookup tables, too. */
export function indexFault(instructions: readonly Instruction[], keys: number, accounts: number): string | undefined {
  for (const instruction of instructions) {
    if (instruction.program === 0) return 'its fee payer is called as a program';
    if (instruction.program >= keys) return 'an instruction names a program that is not in its list';
    if (instruction.accounts.some((index) => index >= accounts))
      return 'an instruction names an account that is not in its list';
  }
  return undefined;
}
