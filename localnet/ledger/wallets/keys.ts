// Ed25519 keypairs and signing with node:crypto: the ledger's own wallet, faucet and traffic. Never a user's key.
import { createPrivateKey, createPublicKey, hash, randomBytes, sign, type KeyObject } from 'node:crypto';
import { decodeBase58, encodeBase58 } from '../../../core/solana/encoding/base58';
import type { LedgerWallet } from '../types';

export interface Keypair extends LedgerWallet {
  readonly publicKey: Uint8Array;
  sign(message: Uint8Array): Uint8Array;
}

/** PKCS #8 around a raw Ed25519 seed (RFC 8410). */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');

export function keypairFromSeed(seed: Uint8Array): Keypair {
  const key: KeyObject = createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, seed]), format: 'der', type: 'pkcs8' });
  const publicKey = new Uint8Array(createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32));
  return {
    address: encodeBase58(publicKey),
    publicKey,
    secretKey: new Uint8Array(Buffer.concat([seed, publicKey])),
    sign: (message) => new Uint8Array(sign(null, message, key)),
  };
}

/** The bytes of an address or a hash of the ledger's own. */
export const bytes32Of = (base58: string): Uint8Array => decodeBase58(base58) ?? new Uint8Array(32);

/** A source of 32-byte values, each named: the same names give the same bytes when `seed` is given, fresh ones when not. */
export function byteSource(seed: string | undefined): (name: string) => Uint8Array {
  const root = seed === undefined ? randomBytes(32) : hash('sha256', `localnet:${seed}`, 'buffer');
  return (name) => hash('sha256', Buffer.concat([root, Buffer.from(name)]), 'buffer');
}
