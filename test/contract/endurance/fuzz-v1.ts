// Version 1 transactions for the fuzz: sound ones with every kind of configuration, and mutated ones, half of them signed
// after the mutation so that they pass the check of signatures.
import { decodeBase58 } from '../../../core/solana/encoding/base58';
import type { Keypair } from '../../../localnet/ledger/wallets/keys';
import { v1Bytes } from '../../support/data/v1Transactions';
import { SYSTEM } from '../rpc/rpc-harness';

/** A whole number from 0 up to `count`, exclusive. */
type Below = (count: number) => number;

const SIGNATURE = 64;
/** Bytes of the parts of the configuration, by the bits that stand for them. */
const PARTS = [
  { bits: 0b11, bytes: 8 },
  { bits: 0b100, bytes: 4 },
  { bits: 0b1000, bytes: 4 },
  { bits: 0b1_0000, bytes: 4 },
] as const;
/** Sizes of the heap, in bytes. */
const HEAPS = [32_768, 65_536, 262_144];

/** Transfers of the wallet in one transaction, signed; `to`: any address where it is left out. */
export function v1Wire(below: Below, wallet: Keypair, blockhash: string, to = randomAddress(below)): Buffer {
  let mask = 0;
  const config: number[] = [];
  PARTS.forEach(({ bits, bytes }, part) => {
    if (below(4) === 0) return;
    mask |= bits;
    const value = Buffer.alloc(bytes);
    value.writeUInt32LE(part === 3 ? (HEAPS[below(HEAPS.length)] ?? 0) : below(2 ** 20));
    config.push(...value);
  });
  const lamports = Buffer.alloc(12);
  lamports.writeUInt32LE(2);
  lamports.writeUInt32LE(1_000_000 + below(1_000_000), 4);
  const count = 1 + below(3);
  const message = v1Bytes({
    header: [1, 0, 1],
    mask,
    blockhash: decodeBase58(blockhash) ?? new Uint8Array(32),
    addresses: [wallet.publicKey, to, decodeBase58(SYSTEM) ?? new Uint8Array(32)],
    config,
    instructionCount: count,
    instructionHeaders: Array.from({ length: count }, () => [2, 2, lamports.length] as const),
    payload: Array.from({ length: count }, () => [0, 1, ...lamports]).flat(),
    signatures: [],
  });
  return signedV1(message, wallet);
}

const randomAddress = (below: Below): Uint8Array => Uint8Array.from({ length: 32 }, () => below(256));

/** Applies `mutate` to a transaction; at times to its message before signing, at times not at all. */
export function mutatedV1(
  below: Below,
  wire: Buffer,
  wallet: Keypair,
  mutate: (bytes: Uint8Array) => Uint8Array,
): Buffer {
  if (below(8) === 0) return wire;
  if (below(2) === 0) return Buffer.from(mutate(wire));
  return signedV1(mutate(wire.subarray(0, -SIGNATURE)), wallet);
}

const signedV1 = (message: Uint8Array, wallet: Keypair): Buffer => Buffer.concat([message, wallet.sign(message)]);
