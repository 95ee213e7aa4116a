// Program-derived addresses: the hash of seeds, bump and program that is not a point of the ed25519 curve.
import { encodeBase58 } from '../encoding/base58';
import { ed25519, sha256 } from './crypto';
import { keyBytes, KEY_BYTES } from './keys';

const MARK = new TextEncoder().encode('ProgramDerivedAddress');
const MAX_SEEDS = 16;

/** Whether 32 bytes are a point of the curve, as validators decide it: without regard to canonical form (ZIP 215). */
export function isOnCurve(bytes: Uint8Array): boolean {
  if (bytes.length !== KEY_BYTES) return false;
  try {
    ed25519.Point.fromBytes(bytes, true);
    return true;
  } catch {
    return false;
  }
}

/** A program-derived address and its bump; `undefined` if the program is not a key or the seeds are too long. */
export function programAddress(
  seeds: readonly Uint8Array[],
  program: string,
): { readonly address: string; readonly bump: number } | undefined {
  const key = keyBytes(program);
  if (key === undefined || seeds.length >= MAX_SEEDS) return undefined;
  if (seeds.some((seed) => seed.length > KEY_BYTES)) return undefined;
  for (let bump = 255; bump >= 0; bump--) {
    const hash = sha256(joined([...seeds, Uint8Array.of(bump), key, MARK]));
    if (!isOnCurve(hash)) return { address: encodeBase58(hash), bump };
  }
  return undefined;
}

/** The address that a base, a seed and an owner give: no bump, and it may be on the curve. */
export function addressWithSeed(base: string, seed: string, owner: string): string | undefined {
  const bytes = new TextEncoder().encode(seed);
  const from = keyBytes(base);
  const to = keyBytes(owner);
  if (from === undefined || to === undefined || bytes.length > KEY_BYTES) return undefined;
  return encodeBase58(sha256(joined([from, bytes, to])));
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
