// Keypairs of wallets, as the Solana tools write them.
import { generateKeyPairSync } from 'node:crypto';
import { encodeBase58 } from '../../../core/solana/encoding/base58';

export interface Keypair {
  readonly address: string;
  /** The content of its file: 64 numbers. */
  readonly file: string;
  /** The secret key in base58. */
  readonly secret: string;
}

export function newKeypair(): Keypair {
  const { privateKey } = generateKeyPairSync('ed25519');
  const { d = '', x = '' } = privateKey.export({ format: 'jwk' });
  const bytes = Buffer.concat([Buffer.from(d, 'base64url'), Buffer.from(x, 'base64url')]);
  return {
    address: encodeBase58(bytes.subarray(32)),
    file: JSON.stringify([...bytes]),
    secret: encodeBase58(bytes),
  };
}
