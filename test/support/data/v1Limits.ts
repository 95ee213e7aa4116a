// Version 1 transactions at each limit of the format (SIMD-0385), which a reader must take, and what a node says of those
// beyond.
import { BROKEN, key, SOUND, v1Bytes, type V1Layout } from './v1Transactions';

const addresses = (count: number): readonly Uint8Array[] => Array.from({ length: count }, (_, at) => key(at + 1));
const signatures = (count: number): readonly Uint8Array[] =>
  Array.from({ length: count }, (_, at) => new Uint8Array(64).fill(at + 1));
const u32 = (value: number): readonly number[] => [0, 8, 16, 24].map((shift) => (value >>> shift) & 0xff);

export const AT_LIMIT: Readonly<Record<string, Partial<V1Layout>>> = {
  'no instruction': { instructionCount: 0, instructionHeaders: [], payload: [] },
  '12 signers': {
    header: [12, 0, 1],
    addressCount: 13,
    addresses: addresses(13),
    instructionHeaders: [[12, 2, 3]],
    signatures: signatures(12),
  },
  'every signer but the first is readonly': {
    header: [2, 1, 1],
    addressCount: 3,
    signatures: signatures(2),
  },
  '64 addresses': { addressCount: 64, addresses: addresses(64) },
  '64 instructions': {
    instructionCount: 64,
    instructionHeaders: Array.from({ length: 64 }, () => [2, 0, 0] as const),
    payload: [],
  },
  'an instruction with 255 accounts': {
    instructionHeaders: [[2, 255, 0]],
    payload: Array.from({ length: 255 }, (_, at) => at % 2),
  },
  'a heap of 32,768 bytes': { mask: 0b1_0000, config: u32(32_768) },
  'a heap of 262,144 bytes': { mask: 0b1_0000, config: u32(262_144) },
  'no value': { mask: 0, config: [] },
  'the fee alone, of 2^64-1 lamports': { mask: 0b11, config: new Array<number>(8).fill(255) },
  'a compute unit limit above 1,400,000': { mask: 0b100, config: u32(2_000_000) },
  'a limit for loaded data alone': { mask: 0b1000, config: u32(1) },
};

/** A sound one of this many bytes: its instruction has more data. */
export function v1OfSize(size: number): Uint8Array {
  const more = size - v1Bytes().length;
  return v1Bytes({ instructionHeaders: [[2, 2, 3 + more]], payload: [0, 1, ...new Array<number>(3 + more).fill(9)] });
}

/** Bytes by the formula of SIMD-0385: 42 + 32A + 4·popcount + 4I + payload + 64S. */
export function sizeByFormula(changed: Partial<V1Layout>): number {
  const { header, mask, addresses: keys, instructionHeaders, payload } = { ...SOUND, ...changed };
  const bits = [...(mask >>> 0).toString(2)].filter((bit) => bit === '1').length;
  return 42 + 32 * keys.length + 4 * bits + 4 * instructionHeaders.length + payload.length + 64 * header[0];
}

/** The reference implementation's message for each broken rule; rules with an unknown message are left out. */
export const NODE_TEXTS: Readonly<Record<string, string>> = {
  'an unknown bit of the mask': 'invalid transaction config mask',
  'the highest bit of the mask': 'invalid transaction config mask',
  'the first half of the fee alone': 'invalid transaction config mask',
  'the second half of the fee alone': 'invalid transaction config mask',
  'no signer': 'must have at least one signer (fee payer)',
  'every signer is readonly': 'must have at least one signer (fee payer)',
  'more accounts in the header than there are': 'not enough addresses for required signatures',
  '13 signers': 'too many signatures (max 12)',
  '65 addresses': 'too many addresses (max 64)',
  '65 instructions': 'too many instructions (max 64)',
  'an address twice': 'duplicate addresses found in message',
  'the fee payer as program': 'program ID index out of bounds or is fee payer',
  'a program outside the list': 'program ID index out of bounds or is fee payer',
  'an account outside the list': 'instruction account index out of bounds',
  'a heap that is not a multiple of 1,024': 'heap size must be a multiple of 1024',
  'a byte too many': 'unexpected trailing data',
  'a byte too few': 'buffer too small',
  'no signature': 'buffer too small',
  'no addresses': 'not enough addresses for required signatures',
  'one byte': 'buffer too small',
};

/** The broken ones that begin as version 1. */
export const BROKEN_V1 = Object.entries(BROKEN).filter(([, { 0: first }]) => first === 0x81);
