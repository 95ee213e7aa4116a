// Ed25519 signatures of wallets whose secret is a seed, by Node.
import { createPrivateKey, sign } from 'node:crypto';

/** Bytes of a seed, with which a Solana secret key begins. */
export const SEED = 32;
/** PKCS #8 prefix of the seed (RFC 8410). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** 64 bytes. `secretKey`: the seed, followed by anything that its format adds. */
export function signEd25519(secretKey: Uint8Array, message: Uint8Array): Uint8Array {
  const der = Buffer.concat([PKCS8, secretKey.subarray(0, SEED)]);
  return new Uint8Array(sign(null, message, createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })));
}
