// The ledger as a state file keeps it: changes in the order they happened, each whole or not at all. Knows no file.
import { sameAccount, type AccountStore } from './accounts/accounts';
import type { Chain, OpenBlock } from './chain/chain';
import type { AccountChange } from './types';
import type { History } from './chain/history';
import { NO_FEES } from './engine/fees';
import { LandedTransaction } from './engine/record';
import { VoteRecord, type CastVote } from './chain/voteRecord';
import type { AccountState, LedgerBlock, TransactionMeta } from './types';
import { decodeStrictly } from './transaction/wire';

/** A transaction of a saved block; all else of its record follows from these. */
export interface SavedTransaction {
  readonly wire: Uint8Array;
  readonly meta: TransactionMeta;
}

/** A closed block. */
export interface SavedBlock extends Omit<LedgerBlock, 'transactions' | 'bankId'> {
  readonly transactions: readonly SavedTransaction[];
  /** The node's vote, the last transaction of the block. */
  readonly vote?: CastVote;
}

/** Makes the record of a vote again. */
type VoteMaker = (
  cast: CastVote,
  block: Pick<LedgerBlock, 'slot' | 'height' | 'blockTime'>,
  index: number,
) => VoteRecord;

/** An account as of a slot of the endpoint it was fetched from; `undefined` if it did not exist. */
export interface FetchedAccount {
  readonly slot: number;
  readonly account: AccountState | undefined;
}

export type SavedChange =
  /** Accounts that were fetched from elsewhere, as they came: they hold at every height. */
  | { readonly kind: 'fetched'; readonly accounts: readonly (readonly [address: string, fetched: FetchedAccount])[] }
  /** Accounts that hold at every height, as if they had always been. */
  | { readonly kind: 'accounts'; readonly accounts: readonly AccountChange[] }
  /** A block whose writes are among the accounts already. */
  | { readonly kind: 'past'; readonly block: SavedBlock }
  /** A block that was closed, with what it wrote, as its end left it. */
  | {
      readonly kind: 'block';
      readonly block: SavedBlock;
      readonly accounts: readonly AccountChange[];
      /** Milliseconds that time travel has added to the clock. */
      readonly timeOffset: number;
      /** Account writes so far. */
      readonly writes: number;
    };

/** Takes each change before anybody is notified of it. Throws if the change cannot be kept. */
export type LedgerJournal = (change: SavedChange) => void;

/** Accounts of one change: a line of the file stays of a size that is read at ease. */
const ACCOUNTS_AT_ONCE = 500;
/** Bytes of accounts in one change. */
const BYTES_AT_ONCE = 4 * 1024 * 1024;

export function saveBlock(block: LedgerBlock): SavedBlock {
  const { slot, parentSlot, height, blockhash, previousBlockhash, blockTime, epochStartTime, transactionCount } = block;
  const vote = block.transactions.at(-1);
  const { rewards, rewardPartitions } = block;
  return {
    ...{ slot, parentSlot, height, blockhash, previousBlockhash, blockTime, epochStartTime },
    transactions: block.transactions.flatMap((record) =>
      record instanceof VoteRecord ? [] : [{ wire: record.wire, meta: record.meta }],
    ),
    ...(vote instanceof VoteRecord ? { vote: vote.cast } : {}),
    transactionCount,
    ...(rewards === undefined ? {} : { rewards }),
    ...(rewardPartitions === undefined ? {} : { rewardPartitions }),
  };
}

/** Banks are numbered by height here: an abandoned one of an earlier run is not among what was saved. */
export function openSaved({ transactions, vote, ...head }: SavedBlock, madeVote: VoteMaker): OpenBlock {
  const { slot, height, blockTime } = head;
  const votes = vote === undefined ? [] : [madeVote(vote, head, transactions.length)];
  const records = transactions.map(({ wire, meta }, index) => {
    const sent = { wire, transaction: decodeStrictly(wire) };
    const record = new LandedTransaction(sent, meta, { slot, height, blockTime, index });
    record.settle();
    return record;
  });
  return {
    ...head,
    bankId: height,
    costUnits: 0n,
    fees: NO_FEES,
    transactions: [...records, ...votes],
  };
}

/** The parts of a ledger that are saved. */
export interface SavedParts {
  readonly accounts: AccountStore;
  readonly chain: Chain;
  /** Accounts that every engine brings: kept only if they have changed, since the next engine may bring newer ones. */
  readonly engineAccounts: ReadonlyMap<string, AccountState>;
  /** The accounts a ledger begins with: their removal must be recorded. */
  readonly firstAccounts: ReadonlyMap<string, AccountState>;
  readonly fetched: ReadonlyMap<string, FetchedAccount>;
  readonly timeOffset: number;
  readonly writes: number;
}

/** The whole ledger as changes, but for its open block. What it answers is of one moment, however late it is read. */
export function saveAll(parts: SavedParts): Iterable<SavedChange> {
  const { accounts, chain, timeOffset, writes } = parts;
  const base = chain.height('finalized');
  const { at, later } = accounts.split(base);
  const blocks = chain.closed();
  const fetched = [...parts.fetched];
  // Only what could change meanwhile is looked at now: the rest of the work is done between other work.
  return (function* () {
    yield* fetchedChanges(fetched);
    yield* accountChanges(keptAccounts(at, new Map(fetched), parts));
    const newest = blocks.at(-1);
    for (const block of blocks) {
      // The newest one says how far clock and writes are, also where it is final.
      if (block.height <= base && block !== newest) yield { kind: 'past', block: saveBlock(block) };
      else {
        const written = later.get(block.height) ?? [];
        yield { kind: 'block', block: saveBlock(block), accounts: written, timeOffset, writes };
      }
    }
  })();
}

function* keptAccounts(
  at: ReadonlyMap<string, AccountState>,
  fetched: ReadonlyMap<string, FetchedAccount>,
  { engineAccounts, firstAccounts }: Pick<SavedParts, 'engineAccounts' | 'firstAccounts'>,
): Generator<AccountChange, void, void> {
  for (const change of at) {
    const [address, account] = change;
    const before = fetched.get(address)?.account ?? engineAccounts.get(address);
    if (!sameAccount(before, account)) yield change;
  }
  for (const address of new Set([...firstAccounts.keys(), ...fetched.keys()]))
    if (!at.has(address)) yield [address, undefined];
}

/** The accounts that were fetched, as changes of a size that is read at ease. */
export function* fetchedChanges(
  all: Iterable<readonly [address: string, fetched: FetchedAccount]>,
): Generator<SavedChange, void, void> {
  for (const accounts of inParts(all, ([, { account }]) => account)) yield { kind: 'fetched', accounts };
}

function* accountChanges(all: Iterable<AccountChange>): Generator<SavedChange, void, void> {
  for (const accounts of inParts(all, ([, account]) => account)) yield { kind: 'accounts', accounts };
}

/** The items in lists, each of a few accounts and of few bytes; a larger item is alone. */
function* inParts<T>(all: Iterable<T>, accountOf: (item: T) => AccountState | undefined): Generator<T[], void, void> {
  let part: T[] = [];
  let bytes = 0;
  for (const item of all) {
    const size = accountOf(item)?.data.length ?? 0;
    if (part.length > 0 && (bytes + size > BYTES_AT_ONCE || part.length >= ACCOUNTS_AT_ONCE)) {
      yield part;
      [part, bytes] = [[], 0];
    }
    part.push(item);
    bytes += size;
  }
  if (part.length > 0) yield part;
}

/** The parts of the ledger that a replay needs. */
interface Replaying {
  readonly begin: (first: OpenBlock) => Chain;
  readonly vote: VoteMaker;
  /** Called with each account that was fetched. */
  readonly fetched: (address: string, fetched: FetchedAccount) => void;
}

/** Makes the changes on accounts and history; `undefined` when there is no block among them. */
export function replayHistory(
  changes: Iterable<SavedChange>,
  accounts: AccountStore,
  history: History,
  { begin, vote, fetched }: Replaying,
): Pick<SavedParts, 'chain' | 'timeOffset' | 'writes'> | undefined {
  let chain: Chain | undefined;
  let last = { timeOffset: 0, writes: 0 };
  const add = (saved: SavedBlock): Chain => {
    const block = openSaved(saved, vote);
    requireNext(chain?.open, block);
    if (chain === undefined) chain = begin(block);
    else chain.add(block);
    for (const record of block.transactions) history.add(record);
    return chain;
  };
  for (const change of changes) {
    switch (change.kind) {
      case 'fetched':
        for (const [address, one] of change.accounts) {
          fetched(address, one);
          accounts.setEverywhere(address, one.account);
        }
        break;
      case 'accounts':
        for (const [address, account] of change.accounts) accounts.setEverywhere(address, account);
        break;
      case 'past':
        add(change.block);
        break;
      case 'block':
        accounts.open(change.block.height);
        for (const [address, account] of change.accounts) accounts.set(address, account);
        accounts.finalize(add(change.block).height('finalized'));
        last = change;
    }
  }
  return chain === undefined ? undefined : { chain, timeOffset: last.timeOffset, writes: last.writes };
}

/** Every block is one height above the one before it: what counts heights would else count through all between. */
function requireNext(last: OpenBlock | undefined, { height, slot }: OpenBlock): void {
  if (last === undefined || (height === last.height + 1 && slot > last.slot)) return;
  throw new Error(`the block of slot ${slot} does not follow the one of slot ${last.slot}`);
}

/** The differences between the accounts a fresh engine has and those it should have. */
export function accountDifferences(fresh: ReadonlyMap<string, AccountState>, wanted: AccountStore): AccountChange[] {
  const found: AccountChange[] = [];
  for (const [address, account] of wanted.entries())
    if (!sameAccount(fresh.get(address), account)) found.push([address, account]);
  for (const address of fresh.keys()) if (wanted.get(address) === undefined) found.push([address, undefined]);
  return found;
}
