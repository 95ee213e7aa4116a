// Serialised transactions as text: in base64, which nodes and wallets write, or in base58.
import { decodeBase58, encodeBase58 } from '../encoding/base58';
import { decodeBase64 } from '../encoding/base64';
import { durableNonceOf, type DurableNonce } from './nonce';
import { decodeTransaction, unsignedTransaction } from './transaction';
import type { Transaction } from './transactionTypes';

/** Longer texts hold no transaction; base58 of many characters is slow to read. UTF-16 units. */
const MAX_TEXT = 6_000;

const ENCODINGS = [
  ['base64', decodeBase64],
  ['base58', decodeBase58],
] as const;

/** The transaction that a text encodes, in base64 or base58; undefined if it is not one. */
export function transactionFromText(text: string): Transaction | undefined {
  if (text.length > MAX_TEXT) return undefined;
  for (const [, decode] of ENCODINGS) {
    const bytes = decode(text);
    const transaction = bytes === undefined ? undefined : decodeTransaction(bytes);
    if (transaction?.ok === true) return transaction.value;
  }
  return undefined;
}

/** The blockhash, or the nonce, of the transaction that `text` encodes; in base58. */
export function blockhashOf(text: string): string | undefined {
  const transaction = transactionFromText(text);
  return transaction === undefined ? undefined : encodeBase58(transaction.message.blockhash);
}

/** The durable nonce of the transaction that `text` encodes; undefined if it has none. */
export function nonceOf(text: string): DurableNonce | undefined {
  const transaction = transactionFromText(text);
  return transaction === undefined ? undefined : durableNonceOf(transaction.message);
}

export interface WireTransaction {
  readonly encoding: 'base64' | 'base58';
  readonly bytes: Uint8Array;
}

/** Reads a serialised transaction in either encoding; a reason if it is not a transaction. */
export function wireTransaction(text: string): WireTransaction | string {
  // `base64` and mail wrap it into lines.
  const joined = text.replace(/\s+/g, '');
  const reasons: string[] = [];
  for (const [encoding, decode] of ENCODINGS) {
    const bytes = decode(joined);
    if (bytes === undefined) continue;
    const transaction = decodeTransaction(bytes);
    if (transaction.ok) return { encoding, bytes };
    reasons.push(`As ${encoding}: ${transaction.reason}.`);
  }
  return reasons[0] ?? 'It is neither base64 nor base58.';
}

/** The unsigned transaction of a message that was given without signatures; undefined for any other text. */
export function wireMessage(text: string): WireTransaction | undefined {
  const joined = text.replace(/\s+/g, '');
  for (const [encoding, decode] of ENCODINGS) {
    const bytes = decode(joined);
    const unsigned = bytes && !decodeTransaction(bytes).ok ? unsignedTransaction(bytes) : undefined;
    if (unsigned !== undefined) return { encoding, bytes: unsigned };
  }
  return undefined;
}
