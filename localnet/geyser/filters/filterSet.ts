// All the filters of one SubscribeRequest, built together: which updates pass, under which names, in what form.
import type { SubscribeRequest, SubscribeRequestFilterBlocks, SubscribeRequestFilterSlots } from '../../../proto';
import type { LedgerBlock, Commitment } from '../../ledger/types';
import { accountFilter, dataSlices, slicedData, type AccountMatch, type DataSlices } from './accountFilter';
import { cuckooSet } from './cuckoo';
import { filterAddresses, namedFilters } from './filterInput';
import { STATUS_OF, type AccountWrite, type Emission, type Update } from '../emission';
import { levelOf } from '../levels';
import { accountMessage, accountUpdate, blockMetaMessage, entryMessage, transactionMessage } from '../messages';
import { transactionFilter, type TransactionMatch } from './transactionFilter';
import { encodeUpdate, wholeBody, type UpdateBody } from '../updates';

/** An update that passed: the names of the filters, and the SubscribeUpdate without them. */
export interface Passed {
  readonly names: readonly string[];
  readonly body: Uint8Array;
}

interface BlockFilter {
  /** Chooses among the transactions and accounts of the block; `undefined` keeps all. */
  readonly includes: ((address: string) => boolean) | undefined;
  readonly transactions: boolean;
  readonly accounts: boolean;
  readonly entries: boolean;
}

type SlotUpdate = Update & { readonly kind: 'slot' };

export class FilterSet {
  readonly level: Commitment;
  readonly #accounts: ReadonlyMap<string, AccountMatch>;
  readonly #slices: DataSlices;
  readonly #slots: ReadonlyMap<string, (update: SlotUpdate) => boolean>;
  readonly #transactions: ReadonlyMap<string, TransactionMatch>;
  readonly #statuses: ReadonlyMap<string, TransactionMatch>;
  readonly #blocks: ReadonlyMap<string, BlockFilter>;
  readonly #metas: readonly string[];
  /** Whether each asks for banks that are cleared. */
  readonly #entries: ReadonlyMap<string, () => boolean>;
  readonly #footers: ReadonlyMap<string, (isCertified: boolean) => boolean>;

  /** Throws GrpcFailure INVALID_ARGUMENT "failed to create filter: …". */
  constructor(request: Omit<SubscribeRequest, '$typeName'>) {
    this.level = levelOf(request.commitment);
    this.#accounts = namedFilters(request.accounts, accountFilter);
    this.#slices = dataSlices(request.accountsDataSlice);
    this.#slots = namedFilters(request.slots, (filter) => slotFilter(filter, this.level));
    this.#transactions = namedFilters(request.transactions, transactionFilter);
    this.#statuses = namedFilters(request.transactionsStatus, transactionFilter);
    this.#blocks = namedFilters(request.blocks, blockFilter);
    this.#metas = [...namedFilters(request.blocksMeta, () => true).keys()];
    this.#entries = namedFilters(
      request.entry,
      ({ includeUpdateParent }) =>
        () =>
          includeUpdateParent === true,
    );
    this.#footers = namedFilters(
      request.blockFooter,
      ({ includeCertificates }) =>
        (isCertified) =>
          (includeCertificates === true) === isCertified,
    );
  }

  /** The stream's messages for an update: none, one, or one per filter where their contents differ. */
  *pass(emission: Emission): Generator<Passed, void, void> {
    const { update, at } = emission;
    switch (update.kind) {
      case 'account': {
        const names = namesOf(this.#accounts, update);
        if (this.#slices.length === 0) yield* shared(emission, names, 'account', () => wholeBody.account(update));
        else if (names.length > 0) {
          const value = accountUpdate(update, slicedOf(update, this.#slices));
          yield { names, body: encodeUpdate({ case: 'account', value }, at) };
        }
        return;
      }
      case 'transaction': {
        const { record, bankId } = update;
        const statuses = namesOf(this.#statuses, record);
        yield* shared(emission, namesOf(this.#transactions, record), 'transaction', () =>
          wholeBody.transaction(record, bankId),
        );
        yield* shared(emission, statuses, 'status', () => wholeBody.transactionStatus(record, bankId));
        return;
      }
      case 'slot':
        yield* shared(emission, namesOf(this.#slots, update), 'slot', () => wholeBody.slot(update));
        return;
      case 'entry':
        yield* shared(emission, [...this.#entries.keys()], 'entry', () => wholeBody.entry(update.block));
        return;
      case 'entryUpdateParent':
        yield* shared(emission, namesOf(this.#entries, update), update.kind, () => wholeBody.entryUpdateParent(update));
        return;
      case 'blockFooter':
        for (const isCertified of [false, true])
          yield* shared(emission, namesOf(this.#footers, isCertified), `footer ${isCertified}`, () =>
            wholeBody.blockFooter(update.block, isCertified),
          );
        return;
      case 'blockMeta':
        yield* shared(emission, this.#metas, 'blockMeta', () => wholeBody.blockMeta(update.block));
        return;
      case 'block':
        for (const [name, filter] of this.#blocks)
          yield { names: [name], body: encodeUpdate(blockBody(filter, update.block, update.writes, this.#slices), at) };
        return;
    }
  }
}

/** The update for these filters, if there are any; its bytes are made once per `name` for every stream. */
function* shared(
  emission: Emission,
  names: readonly string[],
  name: string,
  make: () => UpdateBody,
): Generator<Passed, void, void> {
  if (names.length > 0) yield { names, body: emission.body(name, (at) => encodeUpdate(make(), at)) };
}

function namesOf<Subject>(
  filters: ReadonlyMap<string, (subject: Subject) => boolean>,
  subject: Subject,
): readonly string[] {
  const names: string[] = [];
  for (const [name, matches] of filters) if (matches(subject)) names.push(name);
  return names;
}

/** Without interslot updates only the three commitments come. */
function slotFilter(filter: SubscribeRequestFilterSlots, level: Commitment): (update: SlotUpdate) => boolean {
  const commitments = Object.values(STATUS_OF);
  return ({ status }) =>
    (filter.interslotUpdates === true || commitments.includes(status)) &&
    (filter.filterByCommitment !== true || status === STATUS_OF[level]);
}

function blockFilter(filter: SubscribeRequestFilterBlocks): BlockFilter {
  const addresses = filterAddresses(filter.accountInclude);
  const cuckoo = filter.cuckooAccountInclude === undefined ? undefined : cuckooSet(filter.cuckooAccountInclude);
  const chooses = addresses !== undefined || cuckoo !== undefined;
  return {
    includes: chooses ? (key) => addresses?.has(key) === true || cuckoo?.(key) === true : undefined,
    transactions: filter.includeTransactions ?? true,
    accounts: filter.includeAccounts ?? false,
    entries: filter.includeEntries ?? false,
  };
}

function blockBody(
  { includes, transactions, accounts, entries }: BlockFilter,
  block: LedgerBlock,
  writes: readonly AccountWrite[],
  slices: DataSlices,
): UpdateBody {
  const records = transactions ? block.transactions : [];
  const kept = accounts ? writes : [];
  return {
    case: 'block',
    value: {
      ...blockMetaMessage(block),
      bankId: BigInt(block.bankId),
      updatedAccountCount: BigInt(writes.length),
      transactions: records
        .filter(({ accountKeys }) => includes === undefined || accountKeys.some(includes))
        .map(transactionMessage),
      accounts: kept
        .filter(({ address }) => includes === undefined || includes(address))
        .map((write) => accountMessage(write, slicedOf(write, slices))),
      entries: entries ? [entryMessage(block)] : [],
    },
  };
}

function slicedOf({ account }: AccountWrite, slices: DataSlices): Uint8Array | undefined {
  return account === undefined ? undefined : slicedData(account.data, slices);
}
