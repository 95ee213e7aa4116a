// A transaction in a block as the history keeps it: small once its block is confirmed, when fewer ask for it.
import { MEMO_PROGRAMS } from '../accounts/addresses';
import type { TransactionMeta, TransactionRecord } from '../types';
import { decodeStrictly, signatureOf } from '../transaction/wire';
import type { DecodedMessage, SentTransaction, StrictTransaction } from '../transaction/wireTypes';

/** Approximate size of a record without the parts that are counted one by one. */
const RECORD_BYTES = 2_000;
const KEY_BYTES = 100;
const INNER_BYTES = 300;

/** A transaction that may let go of what its bytes say too, once fewer ask for it. */
export interface SettlingRecord extends TransactionRecord {
  settle(): void;
}

/** Where a transaction is in the chain. */
export type Place = Pick<TransactionRecord, 'slot' | 'height' | 'index' | 'blockTime'>;

export class LandedTransaction implements SettlingRecord {
  readonly signature: string;
  readonly slot: number;
  readonly height: number;
  readonly index: number;
  readonly blockTime: number;
  readonly wire: Uint8Array;
  readonly accountKeys: readonly string[];
  readonly memo: string | null;
  #decoded: StrictTransaction | undefined;

  constructor(
    { wire, transaction }: SentTransaction,
    readonly meta: TransactionMeta,
    { slot, height, index, blockTime }: Place,
  ) {
    const { writable, readonly } = meta.loadedAddresses;
    this.signature = signatureOf(transaction);
    this.slot = slot;
    this.height = height;
    this.index = index;
    this.blockTime = blockTime;
    this.wire = wire;
    this.accountKeys = [...transaction.message.staticKeys, ...writable, ...readonly];
    this.memo = memoOf(transaction.message);
    this.#decoded = transaction;
  }

  get transaction(): StrictTransaction {
    return this.#decoded ?? decodeStrictly(this.wire);
  }

  /** Lets go of what the wire bytes say too. */
  settle(): void {
    this.#decoded = undefined;
  }
}

/** About how many bytes of memory a record takes. */
export function weightOf(record: TransactionRecord): number {
  // The node's own vote goes with its block.
  if (record.isVote === true) return 0;
  const { wire, accountKeys, meta } = record;
  const logs = meta.logMessages.reduce((sum, line) => sum + line.length, 0);
  const inner = meta.innerInstructions.reduce((sum, { instructions }) => sum + instructions.length, 0);
  return RECORD_BYTES + wire.length + accountKeys.length * KEY_BYTES + logs + inner * INNER_BYTES;
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

/** Every top-level memo instruction as "[bytes] text", as history shows them; `null` when the message has no memo. */
function memoOf({ instructions, staticKeys }: DecodedMessage): string | null {
  const memos: string[] = [];
  for (const { programIdIndex, data } of instructions) {
    if (MEMO_PROGRAMS.has(staticKeys[programIdIndex] ?? '')) memos.push(`[${data.length}] ${textOf(data)}`);
  }
  return memos.length === 0 ? null : memos.join('; ');
}

function textOf(data: Uint8Array): string {
  try {
    return strictUtf8.decode(data);
  } catch {
    return '(unparseable)';
  }
}
