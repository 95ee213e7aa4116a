// Whether a transaction's signatures fit what was signed. Needs the serialised bytes: a node's JSON has lost them.
import { ed25519 } from '../chain/crypto';
import { encodeBase58 } from '../encoding/base58';
import { decodeTransaction } from '../wire/transaction';
import type { Evidence } from './explain';
import type { SignatureCheck } from './explanation';

/** The evidence in the serialised bytes beyond their decoded content. */
export const wireEvidence = (bytes: Uint8Array): Evidence => ({
  wire: bytes,
  signatures: checkedSignatures(bytes),
});

/** One for each signer that the message asks for, in its order; empty for bytes that are no transaction. */
function checkedSignatures(bytes: Uint8Array): readonly SignatureCheck[] {
  const transaction = decodeTransaction(bytes);
  if (!transaction.ok) return [];
  const { message, messageBytes, signatures } = transaction.value;
  return message.accountKeys.slice(0, message.requiredSignatures).map((key, at) => {
    const signature = signatures[at];
    const isThere = signature?.some((byte) => byte !== 0) === true;
    return { signer: encodeBase58(key), state: isThere ? stateOf(signature, messageBytes, key) : 'missing' };
  });
}

function stateOf(signature: Uint8Array, message: Uint8Array, key: Uint8Array): SignatureCheck['state'] {
  try {
    return ed25519.verify(signature, message, key, { zip215: false }) ? 'valid' : 'invalid';
  } catch {
    // A signer whose address is not a point of the curve cannot have signed.
    return 'invalid';
  }
}
