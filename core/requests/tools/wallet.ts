// Recognises the secret key of a wallet: 64 bytes of which the last 32 are the public key of the first.
import { ed25519 } from '../../solana/chain/crypto';
import { decodeBase58 } from '../../solana/encoding/base58';
import { decodeBase64 } from '../../solana/encoding/base64';
import { isSignature } from '../../solana/chain/keys';

const BYTES = 64;
const BASE64 = /^[A-Za-z0-9+/]{86}==$/;

/** A keypair as the Solana tools write it: base58, base64, or a JSON array of 64 bytes. */
export const isWalletKey = (value: unknown): boolean => keypairBytes(value) !== undefined;

/** Why a request may not read a keypair file. */
export const keypairRefusal = (path: string): string =>
  `${path} is the keypair of a wallet, which no request reads: give the wallet a name, and use that.`;

/** The 64 bytes of a keypair, in any of these forms. */
export function keypairBytes(value: unknown): Uint8Array | undefined {
  const bytes = bytesOf(value);
  if (bytes?.length !== BYTES) return undefined;
  const own = ed25519.getPublicKey(bytes.subarray(0, BYTES / 2));
  return own.every((byte, at) => byte === bytes[at + BYTES / 2]) ? bytes : undefined;
}

function bytesOf(value: unknown): Uint8Array | undefined {
  if (typeof value === 'string') {
    if (/^\s*\[[\d,\s]{100,600}\]\s*$/.test(value))
      return bytesOf(
        value
          .split(/[[\],\s]+/)
          .filter((part) => part !== '')
          .map(Number),
      );
    if (BASE64.test(value)) return decodeBase64(value);
    return isSignature(value) ? decodeBase58(value) : undefined;
  }
  const isBytes = Array.isArray(value) && value.length === BYTES;
  if (!isBytes || !value.every((byte) => Number.isInteger(byte) && byte >= 0 && byte < 256)) return undefined;
  return Uint8Array.from(value as readonly number[]);
}
