// Describes a transaction before it is signed, in lines for people: from the bytes to sign, never from the request.
import { buildTransaction } from '../../solana/decode/transactions/build';
import { partsFromWire } from '../../solana/decode/transactions/fromWire';
import { transactionRows } from '../../solana/decode/transactions/rows';
import { rowLine } from '../../solana/decode/decodedText';
import type { Programs } from '../../solana/decode/decoded';
import { decodeMessage } from '../../solana/wire/transaction';

/** Rows that say nothing of what is signed. */
const LEFT_OUT = new Set(['outcome', 'blockhash']);

export interface Signing {
  readonly message: Uint8Array;
  readonly programs: Programs;
  /** The host that it is signed for. */
  readonly host: string;
  /** Wallets that sign and whose keypair files the user named; without the endpoint's own. */
  readonly wallets: readonly { readonly name: string; readonly address: string }[];
}

/** The question before a signature: the decoded transaction, an empty line, the question. */
export function signingQuestion({ message, programs, host, wallets }: Signing): readonly string[] {
  const names = wallets.map(({ name }) => `"${name}"`).join(' and ');
  return [
    ...signingLines(message, programs),
    ...wallets.map(({ name, address }) => `wallet "${name}": ${address}`),
    '',
    `Sign a transaction for ${host}${names === '' ? '' : ` with the wallet ${names}`}?`,
  ];
}

/** One line each, made harmless; a message that cannot be read is said to be so. */
export function signingLines(message: Uint8Array, programs: Programs): readonly string[] {
  const decoded = decodeMessage(message);
  if (!decoded.ok) return [`A message that cannot be read: ${decoded.reason}.`];
  const parts = partsFromWire({ signatures: [], message: decoded.value });
  return transactionRows(buildTransaction(parts, programs))
    .filter(({ depth, name }) => depth > 0 || !LEFT_OUT.has(name))
    .map(rowLine);
}
