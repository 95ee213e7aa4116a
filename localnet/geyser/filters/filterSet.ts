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
import { encodeUpdate, sharedUpdate, wholeBody, type UpdateBody } from '../updates';

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
    const { update } = emission;
    switch (update.kind) {
      case 'account':
        yield* named(namesOf(this.#accounts, update), () => this.#accountBody(emission, update));
        return;
      case 'transaction': {
        const { record, bankId } = update;
        const whole = (): Uint8Array =>
          sharedUpdate(emission, 'transaction', () => wholeBody.transaction(record, bankId));
        const status = (): Uint8Array =>
          sharedUpdate(emission, 'status', () => wholeBody.transactionStatus(record, bankId));
        yield* named(namesOf(this.#transactions, record), whole);
        yield* named(namesOf(this.#statuses, record), status);
        return;
      }
      case 'slot':
        yield* named(namesOf(this.#slots, update), () => sharedUpdate(emission, 'slot', () => wholeBody.slot(update)));
        return;
      case 'entry':
        yield* named([...this.#entries.keys()], () =>
          sharedUpdate(emission, 'entry', () => wholeBody.entry(update.block)),
        );
        return;
      case 'entryUpdateParent':
        yield* named(namesOf(this.#entries, update), () =>
          sharedUpdate(emission, 'entryUpdateParent', () => wholeBody.entryUpdateParent(update)),
        );
        return;
      case 'blockFooter':
        for (const isCertified of [false, true])
          yield* named(namesOf(this.#footers, isCertified), () =>
            sharedUpdate(emission, `footer ${isCertified}`, () => wholeBody.blockFooter(update.block, isCertified)),
          );
        return;
      case 'blockMeta':
        yield* named(this.#metas, () => sharedUpdate(emission, 'blockMeta', () => wholeBody.blockMeta(update.block)));
        return;
      case 'block':
        for (const [name, filter] of this.#blocks) {
          yield {
            names: [name],
            body: encodeUpdate(blockBody(filter, update.block, update.writes, this.#slices), emission.at),
          };
        }
        return;
    }
  }

  #accountBody(emission: Emission, write: AccountWrite): Uint8Array {
    if (this.#slices.length === 0) return sharedUpdate(emission, 'account', () => wholeBody.account(write));
    return encodeUpdate({ case: 'account', value: accountUpdate(write, slicedOf(write, this.#slices)) }, emission.at);
  }
}

function* named(names: readonly string[], body: () => Uint8Array): Generator<Passed, void, void> {
  if (names.length > 0) yield { names, body: body() };
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
