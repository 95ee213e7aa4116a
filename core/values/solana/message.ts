// Builds the messages a throw-away wallet signs: a System transfer and a memo. Signing itself is a port elsewhere.
import { decodeBase58 } from '../encoding/base58';
import { KEY_BYTES, SIGNATURE_BYTES } from './keys';
import { MAX_U64 } from './lamports';

const MEMO_PROGRAM = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr';
const TRANSFER = 2;

/** Memo text above this cannot fit in a transaction; the bound leaves room for everything around it. */
export const MAX_MEMO_BYTES = 1000;

export interface TransferRequest {
  /** Base58; pays the fee and signs. */
  readonly from: string;
  readonly to: string;
  readonly lamports: bigint;
  readonly blockhash: string;
}

export interface MemoRequest {
  /** Base58; pays the fee and signs. */
  readonly from: string;
  readonly text: string;
  readonly blockhash: string;
}

/** `reason`: one sentence without a full stop. */
export type Built =
  { readonly ok: true; readonly message: Uint8Array } | { readonly ok: false; readonly reason: string };

/** The bytes to sign for a transfer of lamports, as a legacy message. */
export function transferMessage(request: TransferRequest): Built {
  const from = keyOf(request.from);
  const to = keyOf(request.to);
  const blockhash = keyOf(request.blockhash);
  if (from === undefined) return refused('the sender is not a public key');
  if (to === undefined) return refused('the receiver is not a public key');
  if (blockhash === undefined) return refused('the blockhash is not one');
  if (request.lamports < 0n || request.lamports > MAX_U64) return refused('the amount is not a u64');
  const system = new Uint8Array(KEY_BYTES);
  // Every account stands in the list once: a transfer to oneself names one account twice.
  const toSelf = same(from, to);
  const keys = toSelf ? [from, system] : same(to, system) ? [from, system] : [from, to, system];
  const receiver = toSelf ? 0 : 1;
  const data = new Uint8Array(12);
  const view = new DataView(data.buffer);
  view.setUint32(0, TRANSFER, true);
  view.setBigUint64(4, request.lamports, true);
  return { ok: true, message: legacyMessage(keys, blockhash, { accounts: [0, receiver], data }) };
}

/** The bytes to sign for a memo, signed by its sender. */
export function memoMessage(request: MemoRequest): Built {
  const from = keyOf(request.from);
  const blockhash = keyOf(request.blockhash);
  const program = keyOf(MEMO_PROGRAM);
  if (from === undefined || program === undefined) return refused('the sender is not a public key');
  if (blockhash === undefined) return refused('the blockhash is not one');
  const text = new TextEncoder().encode(request.text);
  if (text.length > MAX_MEMO_BYTES) return refused(`the memo has ${text.length} bytes, at most ${MAX_MEMO_BYTES} fit`);
  return { ok: true, message: legacyMessage([from, program], blockhash, { accounts: [0], data: text }) };
}

/** The transaction of one signer: its signature (64 bytes) before the message. */
export function attachSignature(message: Uint8Array, signature: Uint8Array): Uint8Array {
  if (signature.length !== SIGNATURE_BYTES) throw new RangeError('a signature has 64 bytes');
  return concat([Uint8Array.of(1), signature, message]);
}

const refused = (reason: string): Built => ({ ok: false, reason });

function keyOf(text: string): Uint8Array | undefined {
  const bytes = text.length > 2 * KEY_BYTES ? undefined : decodeBase58(text);
  return bytes?.length === KEY_BYTES ? bytes : undefined;
}

const same = (a: Uint8Array, b: Uint8Array): boolean => a.every((byte, at) => byte === b[at]);

interface Instruction {
  /** Indexes of the message's keys. */
  readonly accounts: readonly number[];
  readonly data: Uint8Array;
}

/** One signer, one instruction; its program is the last key and the only read-only one. */
function legacyMessage(
  keys: readonly Uint8Array[],
  blockhash: Uint8Array,
  { accounts, data }: Instruction,
): Uint8Array {
  const header = Uint8Array.of(1, 0, 1);
  return concat([
    header,
    compactU16(keys.length),
    ...keys,
    blockhash,
    compactU16(1),
    Uint8Array.of(keys.length - 1),
    compactU16(accounts.length),
    Uint8Array.from(accounts),
    compactU16(data.length),
    data,
  ]);
}

/** Solana's compact-u16: seven bits a byte, low bits first. */
function compactU16(value: number): Uint8Array {
  const bytes: number[] = [];
  let left = value;
  while (left > 0x7f) {
    bytes.push((left & 0x7f) | 0x80);
    left >>= 7;
  }
  bytes.push(left);
  return Uint8Array.from(bytes);
}

function concat(parts: readonly Uint8Array[]): Uint8Array {
  let length = 0;
  for (const part of parts) length += part.length;
  const all = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
