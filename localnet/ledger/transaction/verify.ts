// Checks the signatures of a transaction with node:crypto, for the few transactions the engine is given in another form
// than they were signed in.
import { createPublicKey, verify } from 'node:crypto';
import { decodeBase58 } from '../../../core/solana/encoding/base58';
import type { StrictTransaction } from './wireTypes';

/** SubjectPublicKeyInfo around a raw Ed25519 public key (RFC 8410). */
const SPKI_HEAD = Buffer.from('302a300506032b6570032100', 'hex');

/** True when every signature fits the message and its signer. */
export function signaturesFit(
  wire: Uint8Array,
  { signatures, message, messageOffset, messageEnd }: StrictTransaction,
): boolean {
  const signed = wire.subarray(messageOffset, messageEnd);
  return signatures.every((signature, index) => {
    const raw = decodeBase58(message.staticKeys[index] ?? '');
    if (raw?.length !== 32) return false;
    const key = createPublicKey({ key: Buffer.concat([SPKI_HEAD, raw]), format: 'der', type: 'spki' });
    return verify(null, signed, key, signature);
  });
}
