// The accounts that a transaction needs to run again: those it names, its lookup tables, and the code of its programs.
import { decodeBase64 } from '../encoding/base64';
import { encodeBase58 } from '../encoding/base58';
import { integerOf, member, type JsonValue } from '../json/json';
import { decodeTransaction } from '../wire/transaction';
import type { Message } from '../wire/transactionTypes';
import { listIn } from './outcome';
import { RENT } from './programs';

/** A transaction as getTransaction answers it in base64. */
export interface AnsweredTransaction {
  readonly signature: string;
  readonly wire: Uint8Array;
  readonly message: Message;
  readonly slot: number;
  /** Unix seconds. */
  readonly blockTime: number;
  /** Static keys, then those of lookup tables, writable ones first. */
  readonly addresses: readonly string[];
  readonly meta: JsonValue;
}

/** `answer`: the result of getTransaction. A text is why it cannot be replayed, without a full stop. */
export function landedTransaction(answer: JsonValue): AnsweredTransaction | string {
  const [text, encoding] = listIn(answer, 'transaction');
  const wire = typeof text === 'string' && encoding === 'base64' ? decodeBase64(text) : undefined;
  if (wire === undefined) return 'the endpoint did not answer with the transaction in base64';
  const decoded = decodeTransaction(wire);
  if (!decoded.ok) return decoded.reason;
  const { message, signatures } = decoded.value;
  const [slot, blockTime] = [safeIn(answer, 'slot'), safeIn(answer, 'blockTime')];
  const meta = member(answer, 'meta');
  if (slot === undefined || meta === undefined || meta === null)
    return 'the endpoint no longer knows at which slot it ran and what it did';
  if (blockTime === undefined) return 'the endpoint no longer knows the time of its block, which the clock is set to';
  return {
    signature: encodeBase58(signatures[0] ?? new Uint8Array()),
    wire,
    message,
    slot,
    blockTime,
    addresses: addressesOf(message, meta),
    meta,
  };
}

/** Static keys, then those that `meta` says were loaded from lookup tables, writable ones first. */
export function addressesOf({ accountKeys }: Message, meta: JsonValue): readonly string[] {
  const loaded = member(meta, 'loadedAddresses');
  const texts = (name: string): readonly string[] => listIn(loaded, name).filter((one) => typeof one === 'string');
  return [...accountKeys.map(encodeBase58), ...texts('writable'), ...texts('readonly')];
}

function safeIn(value: JsonValue, name: string): number | undefined {
  const integer = integerOf(member(value, name));
  return integer !== undefined && integer >= 0n && integer <= BigInt(Number.MAX_SAFE_INTEGER)
    ? Number(integer)
    : undefined;
}

/** The accounts that the transaction names, its lookup tables, and the chain's rent; each once. */
export const neededBy = ({ addresses, message }: AnsweredTransaction): readonly string[] => [
  ...new Set([...addresses, ...message.lookups.map(({ table }) => encodeBase58(table)), RENT]),
];
