// Turns what happens on the ledger into notifications, each at the commitment its subscription asked for. Knows no
// sockets; a slot's transactions and accounts come before that slot's own status.
import type { JsonValue } from '../../core/solana/json/json';
import type { WireJson } from '../api';
import { NO_ACCOUNT, SYSVAR_OWNER } from '../ledger/accounts/addresses';
import type {
  AccountState,
  LedgerBlock,
  Commitment,
  Ledger,
  LedgerEvent,
  NodeRelease,
  TransactionRecord,
} from '../node/open';
import { encodeAccount, type AccountFormat } from '../rpc/format/encode';
import { completeLevel } from '../rpc/format/params';
import { RpcFailure } from '../rpc/failure';
import { wireAt } from '../wireJson';
import { blockUpdate } from './blocks';
import type { Topic } from './topics';

export interface FeedSubscription {
  readonly id: number;
  readonly topic: Topic;
  /** Called with each `result`; `last` with the one after which the subscription is over. */
  readonly send: (result: WireJson, last: boolean) => void;
}

const LATER: readonly Commitment[] = ['confirmed', 'finalized'];

type Changes = Map<string, AccountState | undefined>;
type TopicOf<Kind extends Topic['kind']> = Extract<Topic, { kind: Kind }>;

export class Feed {
  /** By what they wait for, so that an event meets only those it may concern. */
  readonly #byKey = new Map<string, Set<FeedSubscription>>();
  readonly #changesOf = new Map<number, Changes>();
  /** The slot of the last notification of the moving sysvars. */
  readonly #sysvarsOf = new Map<Commitment, number>();
  /** Of blocks: one of them could not be shown. As on a node they stay, and hear of no other block. */
  readonly #stuck = new WeakSet<FeedSubscription>();
  #nextId = 0;
  #root = 0;

  constructor(
    private readonly ledger: Pick<
      Ledger,
      'rpc' | 'events' | 'view' | 'vote' | 'release' | 'moving' | 'finalizeOnRequest'
    >,
    private readonly now: () => number,
  ) {}

  /** Listens from now on; returns what ends it. */
  start(): () => void {
    return this.ledger.events.on((event) => this.#take(event));
  }

  get release(): NodeRelease {
    return this.ledger.release;
  }

  /** Ids are never used again. */
  add(topic: Topic, send: FeedSubscription['send']): FeedSubscription {
    const subscription = { id: this.#nextId++, topic, send };
    const key = keyOf(topic);
    const waiting = this.#byKey.get(key) ?? new Set();
    this.#byKey.set(key, waiting.add(subscription));
    return subscription;
  }

  remove(subscription: FeedSubscription): void {
    const key = keyOf(subscription.topic);
    const waiting = this.#byKey.get(key);
    waiting?.delete(subscription);
    if (waiting?.size === 0) this.#byKey.delete(key);
  }

  /** Answers a signature subscription whose transaction has already come as far as it asks for. */
  async catchUp(subscription: FeedSubscription): Promise<void> {
    const { topic } = subscription;
    if (topic.kind !== 'signature') return;
    if (topic.commitment === 'finalized') this.ledger.finalizeOnRequest();
    const params: JsonValue = [[topic.signature]];
    const outcome = await this.ledger.rpc.call('getSignatureStatuses', params, { staked: false });
    const status = outcome.ok ? wireAt(outcome.result, 'value', '0') : undefined;
    const reached = wireAt(status, 'confirmationStatus');
    const rank = ['processed', 'confirmed', 'finalized'] as const;
    const known = rank.findIndex((commitment) => commitment === reached);
    if (known < rank.indexOf(topic.commitment)) return;
    const { slot } = this.ledger.view(completeLevel(topic.commitment));
    this.#finish(subscription, { context: { slot }, value: { err: wireAt(status, 'err') ?? null } });
  }

  #take(event: LedgerEvent): void {
    switch (event.kind) {
      case 'transaction':
        this.#received(event.record);
        this.#logs(event.record, 'processed', event.record.slot);
        return;
      case 'account': {
        const { address, account, slot, isEdit } = event;
        this.#account(address, account, slot, 'processed');
        if (isEdit)
          for (const commitment of LATER)
            this.#account(address, account, this.ledger.view(commitment).slot, commitment);
        else this.#changes(slot).set(address, account);
        return;
      }
      case 'slot':
        this.#slot(event);
        return;
      case 'dead':
        this.#dead(event);
    }
  }

  #slot({ slot, parent, status, block }: Extract<LedgerEvent, { kind: 'slot' }>): void {
    if (status === 'finalized') this.#root = slot;
    for (const { send } of this.#waiting('slotsUpdates')) send(this.#update(slot, parent, status, block), false);
    switch (status) {
      case 'created':
        for (const { send } of this.#waiting('slot')) send({ parent, root: this.#root, slot }, false);
        this.#sysvars(slot, 'processed');
        return;
      case 'processed':
        // As on a node, a transaction has no outcome before its slot is complete.
        for (const record of block.transactions) this.#outcome(record, status, slot);
        return;
      case 'confirmed':
        this.#vote(block);
        this.#settle(block, status);
        this.#sysvars(slot, status);
        return;
      case 'finalized':
        this.#settle(block, status);
        this.#sysvars(slot, status);
        for (const { send } of this.#waiting('root')) send(slot, false);
        for (const old of this.#changesOf.keys()) if (old <= slot) this.#changesOf.delete(old);
    }
  }

  /** The sysvars of a slot that is the newest to have come as far; made for those who wait for them, and for nobody else. */
  #sysvars(slot: number, commitment: Commitment): void {
    if (this.#byKey.size === 0) return;
    const isProgramWatched = this.#waiting(`program:${SYSVAR_OWNER}`).size > 0;
    const watched = this.ledger.moving.filter(
      (address) => isProgramWatched || this.#waiting(`account:${address}`).size > 0,
    );
    if (watched.length === 0 || slot === this.#sysvarsOf.get(commitment)) return;
    this.#sysvarsOf.set(commitment, slot);
    const view = this.ledger.view(commitment);
    for (const address of watched) this.#account(address, view.get(address), slot, commitment);
  }

  /** A slot is lost: at processed its accounts revert, and it never reaches higher commitments. */
  #dead({ slot, parent, isReplaced, reason, restored }: Extract<LedgerEvent, { kind: 'dead' }>): void {
    const update = { slot, timestamp: this.now(), type: 'dead', err: reason };
    if (!isReplaced) for (const { send } of this.#waiting('slotsUpdates')) send(update, false);
    this.#changesOf.delete(slot);
    for (const [address, account] of restored) this.#account(address, account, parent, 'processed');
  }

  /** A block has reached a commitment: now its transactions and accounts are news there. */
  #settle(block: LedgerBlock, commitment: Commitment): void {
    for (const record of block.transactions) {
      this.#outcome(record, commitment, block.slot);
      this.#logs(record, commitment, block.slot);
    }
    for (const [address, account] of this.#changesOf.get(block.slot) ?? []) {
      this.#account(address, account, block.slot, commitment);
    }
    for (const subscription of this.#waiting('block')) {
      const { commitment: wanted, ...filter } = subscription.topic as TopicOf<'block'>;
      if (wanted !== commitment || this.#stuck.has(subscription)) continue;
      const update = blockUpdate(block, filter);
      if (update === undefined) continue;
      if (update.isLast) this.#stuck.add(subscription);
      subscription.send({ context: { slot: block.slot }, value: update.value }, false);
    }
  }

  /** The one node's vote is what confirms a block; with Alpenglow nobody hears of it. */
  #vote(block: LedgerBlock): void {
    const { vote: voteOn } = this.ledger;
    if (voteOn === undefined || this.#waiting('vote').size === 0) return;
    const vote = { ...voteOn(block) };
    for (const { send } of this.#waiting('vote')) send(vote, false);
  }

  /** A transaction has come in, which says nothing of its outcome. */
  #received({ signature, slot }: TransactionRecord): void {
    for (const { topic, send } of this.#waiting(`signature:${signature}`))
      if ((topic as TopicOf<'signature'>).received) send({ context: { slot }, value: 'receivedSignature' }, false);
  }

  #outcome({ signature, meta: { err } }: TransactionRecord, commitment: Commitment, slot: number): void {
    for (const subscription of [...this.#waiting(`signature:${signature}`)])
      if ((subscription.topic as TopicOf<'signature'>).commitment === commitment)
        this.#finish(subscription, { context: { slot }, value: { err } });
  }

  #logs(record: TransactionRecord, commitment: Commitment, slot: number): void {
    const context = { slot };
    const { err } = record.meta;
    for (const { topic, send } of this.#waiting('logs')) {
      const { mentions, votes, commitment: wanted } = topic as TopicOf<'logs'>;
      if (record.isVote === true && !votes) continue;
      if (wanted !== commitment || (mentions !== undefined && !record.accountKeys.includes(mentions))) continue;
      send({ context, value: { signature: record.signature, err, logs: record.meta.logMessages } }, false);
    }
  }

  #account(address: string, account: AccountState | undefined, slot: number, commitment: Commitment): void {
    const shown = account ?? NO_ACCOUNT;
    for (const { topic, send } of this.#waiting(`account:${address}`)) {
      const { commitment: wanted, format } = topic as TopicOf<'account'>;
      if (wanted === commitment)
        send({ context: { slot }, value: this.#encode(address, shown, format, commitment) }, false);
    }
    for (const { topic, send } of this.#waiting(`program:${shown.owner}`)) {
      const { commitment: wanted, format, filters } = topic as TopicOf<'program'>;
      if (wanted !== commitment || !filters.every((filter) => filter(shown))) continue;
      const value = { pubkey: address, account: this.#encode(address, shown, format, commitment) };
      send({ context: { slot }, value }, false);
    }
  }

  #encode(address: string, account: AccountState, format: AccountFormat, commitment: Commitment): WireJson {
    try {
      return encodeAccount(address, account, format, this.ledger.view(commitment));
    } catch (error) {
      if (!(error instanceof RpcFailure)) throw error;
      // Data too long for bare base58: nodes put the sentence where the data would be.
      const bytes = encodeAccount(
        address,
        { ...account, data: new Uint8Array() },
        format,
        this.ledger.view(commitment),
      );
      return { ...(bytes as { readonly [key: string]: WireJson }), data: 'error: data too large for bs58 encoding' };
    }
  }

  #update(slot: number, parent: number, status: 'created' | Commitment, block: LedgerBlock): WireJson {
    const common = { slot, timestamp: this.now() };
    switch (status) {
      case 'created':
        return { ...common, type: 'createdBank', parent };
      case 'confirmed':
        return { ...common, type: 'optimisticConfirmation' };
      case 'finalized':
        return { ...common, type: 'root' };
      case 'processed': {
        const count = block.transactions.length;
        const failedCount = block.transactions.filter(({ meta }) => meta.err !== null).length;
        const stats = {
          numTransactionEntries: count,
          numSuccessfulTransactions: count - failedCount,
          numFailedTransactions: failedCount,
          maxTransactionsPerEntry: Math.min(1, count),
        };
        return { ...common, type: 'frozen', stats };
      }
    }
  }

  #finish(subscription: FeedSubscription, result: WireJson): void {
    if (!this.#waiting(keyOf(subscription.topic)).has(subscription)) return;
    this.remove(subscription);
    subscription.send(result, true);
  }

  #waiting(key: string): ReadonlySet<FeedSubscription> {
    return this.#byKey.get(key) ?? NOBODY;
  }

  #changes(slot: number): Changes {
    const changes = this.#changesOf.get(slot) ?? new Map<string, AccountState | undefined>();
    this.#changesOf.set(slot, changes);
    return changes;
  }
}

const NOBODY: ReadonlySet<FeedSubscription> = new Set();

function keyOf(topic: Topic): string {
  switch (topic.kind) {
    case 'account':
      return `account:${topic.address}`;
    case 'program':
      return `program:${topic.program}`;
    case 'signature':
      return `signature:${topic.signature}`;
    case 'logs':
    case 'slot':
    case 'root':
    case 'slotsUpdates':
    case 'block':
    case 'vote':
      return topic.kind;
  }
}
