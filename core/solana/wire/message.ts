// Builds the messages of `{{$transfer …}}` and `{{$memo …}}`: a System transfer and a memo. Signing itself is a port elsewhere.
import { writeMessage, writeTransaction, type UncompiledInstruction } from './messageWriter';
import { isPublicKey } from '../chain/keys';
import { MAX_U64 } from '../chain/lamports';
import { memo, transfer } from './wellKnown';

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
  | { readonly ok: true; readonly message: Uint8Array }
  | { readonly ok: false; readonly reason: string };

/** The bytes to sign for a transfer of lamports, as a legacy message. */
export function transferMessage({ from, to, lamports, blockhash }: TransferRequest): Built {
  if (!isPublicKey(to)) return refused('the receiver is not a public key');
  if (lamports < 0n || lamports > MAX_U64) return refused('the amount is not a u64');
  return legacyMessage(from, blockhash, transfer({ from, to, lamports }));
}

/** The bytes to sign for a memo, signed by its sender. */
export function memoMessage({ from, text, blockhash }: MemoRequest): Built {
  const { length } = new TextEncoder().encode(text);
  if (length > MAX_MEMO_BYTES) return refused(`the memo has ${length} bytes, at most ${MAX_MEMO_BYTES} fit`);
  return legacyMessage(from, blockhash, memo({ text, signer: from }));
}

function legacyMessage(from: string, blockhash: string, instruction: UncompiledInstruction): Built {
  if (!isPublicKey(from)) return refused('the sender is not a public key');
  if (!isPublicKey(blockhash)) return refused('the blockhash is not one');
  return writeMessage({ version: 'legacy', feePayer: from, blockhash, instructions: [instruction] });
}

/** The transaction of one signer: its signature (64 bytes) before the message. */
export const attachSignature = (message: Uint8Array, signature: Uint8Array): Uint8Array =>
  writeTransaction('legacy', message, [signature]);

const refused = (reason: string): Built => ({ ok: false, reason });
