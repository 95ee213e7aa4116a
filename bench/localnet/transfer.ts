// A plain transfer of lamports as wire bytes: one signature, one instruction of the system program.
import { decodeBase58 } from '../../core/solana/encoding/base58';
import type { Keypair } from '../../localnet/ledger/wallets/keys';

const TRANSFER = 2;
const SYSTEM_PROGRAM = new Uint8Array(32);

/** Signed by `from`, which is not `to`. */
export function transferBytes(from: Keypair, to: string, lamports: number, blockhash: string): Buffer {
  const data = Buffer.alloc(12);
  data.writeUInt32LE(TRANSFER);
  data.writeBigUInt64LE(BigInt(lamports), 4);
  const message = Buffer.concat([
    // One signer, one readonly key without a signature: the program.
    Buffer.of(1, 0, 1, 3),
    from.publicKey,
    bytesOf(to),
    SYSTEM_PROGRAM,
    bytesOf(blockhash),
    Buffer.of(1, 2, 2, 0, 1, data.length),
    data,
  ]);
  return Buffer.concat([Buffer.of(1), from.sign(message), message]);
}

function bytesOf(text: string): Uint8Array {
  const bytes = decodeBase58(text);
  if (bytes?.length !== 32) throw new Error(`"${text}" is not 32 bytes as base58.`);
  return bytes;
}
