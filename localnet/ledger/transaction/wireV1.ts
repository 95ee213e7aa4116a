// Reads version 1 messages off the wire (SIMD-0385), strictly: the engine aborts the process on a mask, a count or an end it
// does not expect. Texts are those of the format's reference implementation.
import { encodeBase58 } from '../../../core/solana/encoding/base58';
import { StrictReader, WireError } from './wireReader';
import type { CompiledInstruction, DecodedMessage, MessageConfig } from './wireTypes';

/** First byte of a version 1 message, and of the transaction that begins with it. */
export const V1 = 0x81;
/** Where the blockhash lies: version, header and mask come before it. */
export const V1_BLOCKHASH_OFFSET = 8;

/** The reference implementation's errors for bytes that end too soon or too late. */
const ENDS = { tooShort: 'buffer too small', tooLong: 'unexpected trailing data' } as const;

const MAX_SIGNATURES = 12;
const MAX_ADDRESSES = 64;
const MAX_INSTRUCTIONS = 64;
const HEAP = { least: 32_768, most: 262_144, step: 1024 } as const;

const FEE_BITS = 3;
const COMPUTE_UNITS_BIT = 4;
const LOADED_DATA_BIT = 8;
const HEAP_BIT = 16;
const KNOWN_BITS = FEE_BITS + COMPUTE_UNITS_BIT + LOADED_DATA_BIT + HEAP_BIT;

/** A reader of bytes that begin with a version 1 message. */
export const readerOfV1 = (bytes: Uint8Array): StrictReader => new StrictReader(bytes, ENDS);

/** Reads up to the end of the message. Throws WireError. */
export function readMessageV1(reader: StrictReader): DecodedMessage {
  if (reader.byte('version') !== V1) throw new WireError('invalid version byte (expected 0x81)');
  const numRequiredSignatures = reader.byte('header');
  const numReadonlySigned = reader.byte('header');
  const numReadonlyUnsigned = reader.byte('header');
  const mask = reader.u32('transaction config mask');
  const blockhash = encodeBase58(reader.bytes(32, 'blockhash'));
  const instructionCount = reader.byte('instruction count');
  const addressCount = reader.byte('address count');

  if (numRequiredSignatures === 0) throw new WireError('must have at least one signer (fee payer)');
  if (numRequiredSignatures > MAX_SIGNATURES) throw new WireError('too many signatures (max 12)');
  if (numReadonlySigned >= numRequiredSignatures) throw new WireError('must have at least one signer (fee payer)');
  if (addressCount > MAX_ADDRESSES) throw new WireError('too many addresses (max 64)');
  if (instructionCount > MAX_INSTRUCTIONS) throw new WireError('too many instructions (max 64)');
  if (addressCount < numRequiredSignatures + numReadonlyUnsigned)
    throw new WireError('not enough addresses for required signatures');
  if ((mask & ~KNOWN_BITS) !== 0 || (mask & FEE_BITS) === 1 || (mask & FEE_BITS) === 2)
    throw new WireError('invalid transaction config mask');

  const staticKeys: string[] = [];
  for (let i = 0; i < addressCount; i++) staticKeys.push(encodeBase58(reader.bytes(32, 'address')));
  if (new Set(staticKeys).size !== addressCount) throw new WireError('duplicate addresses found in message');
  const config = readConfig(reader, mask);
  const instructions = readInstructions(reader, instructionCount, addressCount);
  return {
    version: 1,
    numRequiredSignatures,
    numReadonlySigned,
    numReadonlyUnsigned,
    staticKeys,
    blockhash,
    instructions,
    lookups: [],
    config,
  };
}

function readConfig(reader: StrictReader, mask: number): MessageConfig {
  const config: MessageConfig = {
    ...((mask & FEE_BITS) !== 0 && { priorityFee: reader.u64('priority fee') }),
    ...((mask & COMPUTE_UNITS_BIT) !== 0 && { computeUnitLimit: reader.u32('compute unit limit') }),
    ...((mask & LOADED_DATA_BIT) !== 0 && { loadedAccountsDataSizeLimit: reader.u32('loaded data limit') }),
    ...((mask & HEAP_BIT) !== 0 && { heapSize: reader.u32('heap size') }),
  };
  const { heapSize } = config;
  if (heapSize !== undefined && heapSize % HEAP.step !== 0) throw new WireError('heap size must be a multiple of 1024');
  if (heapSize !== undefined && (heapSize < HEAP.least || heapSize > HEAP.most))
    throw new WireError(`heap size must be from ${HEAP.least} to ${HEAP.most}`);
  return config;
}

/** The headers of all instructions come first, then what each of them announced. */
function readInstructions(reader: StrictReader, count: number, addresses: number): readonly CompiledInstruction[] {
  const headers = Array.from({ length: count }, () => ({
    programIdIndex: reader.byte('instruction header'),
    accounts: reader.byte('instruction header'),
    data: reader.u16('instruction header'),
  }));
  return headers.map((header) => {
    const { programIdIndex } = header;
    if (programIdIndex === 0 || programIdIndex >= addresses)
      throw new WireError('program ID index out of bounds or is fee payer');
    const accounts = reader.bytes(header.accounts, 'account indexes');
    if (accounts.some((index) => index >= addresses)) throw new WireError('instruction account index out of bounds');
    return { programIdIndex, accounts, data: reader.bytes(header.data, 'instruction data') };
  });
}
