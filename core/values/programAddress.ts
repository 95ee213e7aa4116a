// Program-derived addresses: the hash of seeds, bump and program that is no point of the ed25519 curve.
import { decodeBase58, encodeBase58 } from './base58';
import { KEY_BYTES } from './keys';
import { sha256 } from './sha256';

/** The field's prime. */
const P = 2n ** 255n - 19n;
/** The curve is -x² + y² = 1 + d·x²·y². */
const D = modulo(-121665n * inverse(121666n));

const MARK = new TextEncoder().encode('ProgramDerivedAddress');
const MAX_SEEDS = 16;

function modulo(value: bigint): bigint {
  const left = value % P;
  return left < 0n ? left + P : left;
}

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  let square = modulo(base);
  for (let left = exponent; left > 0n; left >>= 1n) {
    if ((left & 1n) === 1n) result = modulo(result * square);
    square = modulo(square * square);
  }
  return result;
}

function inverse(value: bigint): bigint {
  return power(value, P - 2n);
}

/** Whether 32 bytes are a point of the curve, as validators decide it: the sign bit of x plays no part. */
export function isOnCurve(bytes: Uint8Array): boolean {
  if (bytes.length !== KEY_BYTES) return false;
  let y = 0n;
  for (let at = KEY_BYTES - 1; at >= 0; at--) y = (y << 8n) + BigInt(bytes[at] ?? 0);
  y = modulo(y & (2n ** 255n - 1n));
  const squared = y * y;
  // x² = (y² - 1) / (d·y² + 1): there is a point where that has a root.
  const x2 = modulo((squared - 1n) * inverse(D * squared + 1n));
  return x2 === 0n || power(x2, (P - 1n) / 2n) === 1n;
}

/** The address of a program's own account, and its bump; `undefined` for a program that is no key, or seeds too long. */
export function programAddress(
  seeds: readonly Uint8Array[],
  program: string,
): { readonly address: string; readonly bump: number } | undefined {
  const key = program.length > 2 * KEY_BYTES ? undefined : decodeBase58(program);
  if (key?.length !== KEY_BYTES || seeds.length >= MAX_SEEDS) return undefined;
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
  const from = decodeBase58(base);
  const to = decodeBase58(owner);
  if (from?.length !== KEY_BYTES || to?.length !== KEY_BYTES || bytes.length > KEY_BYTES) return undefined;
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
