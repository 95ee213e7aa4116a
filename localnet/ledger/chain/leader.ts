// The one node as leader: ends slots, and brings transactions into them, now or later. A slot that is lost to a fork
// gives its transactions back, and the node sends those again that it was asked to send again.
import type { Route } from '../../api';
import type { ConsensusRules } from '../consensus';
import { highestCostOf } from '../engine/cost';
import { executeTransaction, type TransactionFate } from '../engine/execute';
import { resolveLookups } from '../accounts/lookupTables';
import { nonceAccountOf } from '../accounts/nonce';
import type { LedgerState } from '../state';
import type { Troubles } from '../types';
import { isWritable, signatureOf } from '../transaction/wire';
import type { DecodedMessage, SentTransaction, StrictTransaction } from '../transaction/wireTypes';

/** Transactions that may wait; what comes beyond is lost, as in a full queue. */
const MAX_WAITING = 10_000;
/** Between two tries of a node. ms of a cluster's */
const RETRY_MS = 2_000;

/** A transaction on its way, as a client sent it. */
export interface Sending extends SentTransaction {
  /** True when its signatures were verified just now. */
  readonly verified: boolean;
  /** How often the node tries again by itself; `undefined` while the blockhash is good. */
  readonly maxRetries: number | undefined;
  /** Asked at each try what becomes of it on the way. */
  readonly route: () => Route;
}

interface Waiting {
  readonly sending: Sending;
  /** The height at whose opening it is its turn. */
  readonly due: number;
  /** Tries that are left after this one; `undefined` for one on its way, which nothing can hold up any more. */
  readonly retries: number | undefined;
}

export class Leader {
  #waiting: Waiting[] = [];
  /** Signatures of the open slot that nobody sends again. */
  readonly #sentOnce = new Set<string>();

  constructor(
    private readonly state: LedgerState,
    private readonly rules: Pick<ConsensusRules, 'slotMs' | 'blockUnits' | 'accountUnits'>,
    private readonly troubles: () => Troubles,
    /** Every transaction gets a slot, which ends with it. */
    private readonly instant = false,
  ) {}

  /** Takes a transaction; `undefined` when it is not in the open slot, where it may come later or never. */
  send(sending: Sending): TransactionFate | undefined {
    return this.landed(this.#attempt(sending, sending.maxRetries ?? Number.POSITIVE_INFINITY));
  }

  /** Ends the slot of a transaction that has landed, where each gets one; answers what it was given. */
  landed<T extends TransactionFate | undefined>(landing: T): T {
    if (this.instant && landing?.kind === 'landed') this.nextSlot();
    return landing;
  }

  /** Ends slots until every block with a transaction is finalized; blocks that hold none wait for the next time. */
  finalize(): void {
    const { chain } = this.state;
    for (let height = chain.open.height; height > chain.height('finalized'); height--)
      if (chain.atHeight(height)?.transactions.some(({ isVote }) => isVote !== true) === true) {
        while (chain.height('finalized') < height) this.nextSlot();
        return;
      }
  }

  /** Makes what is complete final, where each transaction gets a slot and nobody would wait for thirty more. Ends no slot. */
  finalizeOnRequest(): void {
    if (this.instant) this.state.finalize();
  }

  /** Ends the open slot and opens the next. */
  nextSlot(): void {
    const { chain } = this.state;
    const fate = this.troubles().fork();
    // After a request, finality keeps up with the slots; a transaction stays confirmed until the next slot ends.
    const next = chain.height('finalized') + 1;
    const newest = chain.open.transactions.length === 0 ? chain.open.height : chain.open.height - 1;
    const lost = this.state.nextSlot(fate);
    if (this.instant) this.state.finalize(Math.min(next, newest));
    for (const one of lost?.transactions ?? [])
      if (!this.#sentOnce.has(one.signature)) executeTransaction(this.state, one);
    // The second bank of the slot holds what was sent again, and ends with the slot.
    if (fate === 'replaced') this.state.nextSlot();
    this.#sentOnce.clear();
    const { height } = this.state.chain.open;
    const due = this.#waiting.filter((one) => one.due <= height);
    this.#waiting = this.#waiting.filter((one) => one.due > height);
    for (const { sending, retries } of due) {
      if (retries === undefined) this.#land(sending);
      else this.#attempt(sending, retries);
    }
  }

  /** Forgets what waits. */
  clear(): void {
    this.#waiting = [];
  }

  #attempt(sending: Sending, retries: number): TransactionFate | undefined {
    const route = sending.route();
    switch (route.kind) {
      case 'open':
        return this.#land(sending);
      case 'next-slot':
        this.#wait(sending, 1);
        return undefined;
      case 'late':
        this.#wait(sending, Math.ceil(route.ms / this.rules.slotMs));
        return undefined;
      case 'lost':
        if (retries > 0 && this.#isCurrent(sending.transaction))
          this.#wait(sending, RETRY_MS / this.state.rules.slotMs, retries - 1);
        return undefined;
    }
  }

  /** In the open block, or in the next where this one, or what it has for an account, could become too large with it. */
  #land(sending: Sending): TransactionFate | undefined {
    const { transaction, verified, maxRetries } = sending;
    if (!this.#fits(transaction)) {
      if (this.#isCurrent(transaction)) this.#wait(sending, 1);
      return undefined;
    }
    if (maxRetries === 0) this.#sentOnce.add(signatureOf(transaction));
    return executeTransaction(this.state, sending, !verified);
  }

  #fits({ message }: StrictTransaction): boolean {
    const { blockUnits, accountUnits } = this.rules;
    const { costUnits, transactions } = this.state.chain.open;
    const cost = highestCostOf(message);
    if (costUnits + cost > blockUnits) return false;
    // No account has more than the whole block.
    if (costUnits + cost <= accountUnits) return true;
    const { loaded } = resolveLookups(message, this.state.view('processed'));
    const used = new Map<string, bigint>();
    for (const { accountKeys, transaction, meta } of transactions)
      for (const address of writableOf(transaction.message, accountKeys))
        used.set(address, (used.get(address) ?? 0n) + (meta.costUnits ?? 0n));
    return writableOf(message, [...message.staticKeys, ...loaded.writable]).every(
      (address) => (used.get(address) ?? 0n) + cost <= accountUnits,
    );
  }

  #wait(sending: Sending, slots: number, retries?: number): void {
    const due = this.state.chain.open.height + Math.max(1, slots);
    if (this.#waiting.length < MAX_WAITING) this.#waiting.push({ sending, due, retries });
  }

  /** True while the transaction could still land: its blockhash is good, or its nonce has not moved. */
  #isCurrent({ message }: StrictTransaction): boolean {
    const { chain } = this.state;
    const view = this.state.view('processed');
    if (chain.isBlockhashValid(message.blockhash, view.height)) return true;
    return nonceAccountOf(message, view, chain.latestBlockhash(view.height).blockhash) !== undefined;
  }
}

function writableOf(message: DecodedMessage, keys: readonly string[]): readonly string[] {
  return keys.filter((_, index) => isWritable(message, index));
}
