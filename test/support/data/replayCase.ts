// A case for replay whose transaction is a transfer of 1 lamport, signed by nobody.
import type { ReplayCase } from '../../../core/solana/replay/case';
import { encodeBase58 } from '../../../core/solana/encoding/base58';

/** An address by the byte that it repeats. */
export const addressOf = (byte: number): string => encodeBase58(new Uint8Array(32).fill(byte));

/** `bytes`: of its accounts' addresses. */
export const replayCase = (...bytes: readonly number[]): ReplayCase => ({
  signature: encodeBase58(new Uint8Array(64).fill(1)),
  wire: Buffer.concat([
    Buffer.from([1]),
    Buffer.alloc(64, 1),
    Buffer.from([1, 0, 1, 2]),
    Buffer.alloc(32, 7),
    Buffer.alloc(32, 0),
    Buffer.alloc(32, 9),
    Buffer.from([1, 1, 1, 0, 0]),
  ]),
  slot: 9,
  blockTime: 1_700_000_000,
  accounts: new Map(
    bytes.map((byte) => [
      addressOf(byte),
      { lamports: 5n, owner: addressOf(8), data: Uint8Array.of(1, 2), executable: false, rentEpoch: 0n },
    ]),
  ),
  expected: { error: null },
  notes: [],
});
