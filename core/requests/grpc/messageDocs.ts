// Descriptions of gRPC request fields, a sentence or two each, and the values of their closed sets. Data only; names and
// types are in proto/.

type Docs = Readonly<Record<string, string>>;

const COMMITMENT = 'How settled it must be; PROCESSED where it is left out.';
const ONE_OF_ACCOUNTS = 'Public keys, one of which a transaction has to name; those from lookup tables count.';
const NONE_OF_ACCOUNTS = 'Public keys, none of which a transaction may name.';
const ALL_OF_ACCOUNTS = 'Public keys, all of which a transaction has to name.';
const CUCKOO = 'A compressed set of addresses in place of a long list; it lets a few others through.';
const VOTES =
  'Whether votes come: true only them, false all but them, left out both. With Alpenglow votes are not transactions: true matches nothing after its genesis block.';
const PING =
  'Sent on an open stream to keep it: answered with a pong of the same id, the rest of the request is ignored.';

/** By the message's name and the field's name as in the .proto. */
const FIELDS: Readonly<Record<string, Docs>> = {
  SubscribeRequest: {
    accounts: 'Writes to accounts that a filter lets through. A filter without fields lets every account through.',
    slots: 'Each slot with its status.',
    transactions: 'Whole transactions with what they did. A filter without fields lets every transaction through.',
    blocks: 'Whole blocks, sent when they are complete.',
    blocks_meta: 'Blocks without their content: hash, height, time, counts.',
    commitment: 'Commitment at which an update is sent; PROCESSED by default.',
    accounts_data_slice:
      'The pieces of each account’s data that are sent, ascending and apart; all of it where it is empty.',
    entry: 'The entries that a block is made of.',
    ping: PING,
    transactions_status: 'Transactions without their content: signature, place in the block, error.',
    block_footer: 'The end of each block, on clusters that run Alpenglow: bank hash, producer’s time and software.',
    from_slot: 'Replays what the service still keeps from this slot on; SubscribeReplayInfo returns the oldest.',
  },
  SubscribeRequestFilterAccounts: {
    account: 'Public keys of accounts; one of them is enough.',
    owner: 'Programs that own the accounts; one of them is enough.',
    filters: 'What else an account must be: at most four, and it has to pass all of them.',
    nonempty_txn_signature: 'If true, only writes that a transaction made; if false, only the others.',
    cuckoo_accounts_filter: CUCKOO,
  },
  SubscribeRequestFilterAccountsFilter: {
    memcmp: 'The account’s data holds these bytes at this offset.',
    datasize: 'The account’s data has this many bytes.',
    token_account_state: 'If true, only accounts whose data is laid out as a token account.',
    lamports: 'The account’s balance compares like this.',
  },
  SubscribeRequestFilterAccountsFilterMemcmp: {
    offset: 'Where in the account’s data the comparison begins, in bytes.',
    bytes: 'The bytes, at most 128, which JSON writes in base64.',
    base58: 'The bytes, at most 128, in base58: a public key as it is written.',
    base64: 'The bytes, at most 128, in base64.',
  },
  SubscribeRequestFilterAccountsFilterLamports: {
    eq: 'Exactly so many lamports.',
    ne: 'Any balance but this one, in lamports.',
    lt: 'Less than so many lamports.',
    gt: 'More than so many lamports.',
  },
  CuckooFilter: {
    data: 'The buckets, in base64.',
    bucket_count: 'How many buckets there are.',
    entries_per_bucket: 'Fingerprints in each bucket.',
    fingerprint_bits: 'Bits of each fingerprint.',
    hash_seed: 'Seed of the hash.',
    hash_algorithm: 'How addresses are hashed.',
  },
  SubscribeRequestFilterSlots: {
    filter_by_commitment: 'If true, each slot is reported once, when it reaches the commitment of the request.',
    interslot_updates: 'If true, also reports what happens to a slot before it is processed, from its first shred on.',
  },
  SubscribeRequestFilterEntry: {
    include_update_parent:
      'If true, also sends entryUpdateParent, by which a leader clears a bank and takes another parent.',
  },
  SubscribeRequestFilterBlockFooter: {
    include_certificates: 'If true, footers come with their certificates; false if left out.',
  },
  SubscribeRequestFilterTransactions: {
    vote: VOTES,
    failed: 'Whether failed ones come: true only them, false all but them, left out both.',
    account_include: ONE_OF_ACCOUNTS,
    account_exclude: NONE_OF_ACCOUNTS,
    signature: 'The first signature of the one transaction that is wanted.',
    account_required: ALL_OF_ACCOUNTS,
    cuckoo_account_include: CUCKOO,
    token_accounts: 'Counts the owners of its token accounts as accounts of a transaction, too.',
    match_mints: 'Counts the mints of its token balances as accounts of a transaction, too; Helius LaserStream only.',
  },
  SubscribeRequestFilterBlocks: {
    account_include: 'Public keys that choose the transactions and accounts inside; every block comes all the same.',
    include_transactions: 'Whether blocks hold their transactions; true where it is left out.',
    include_accounts: 'Whether blocks hold the accounts they wrote; false where it is left out.',
    include_entries: 'Whether blocks hold their entries; false where it is left out.',
    cuckoo_account_include: CUCKOO,
  },
  SubscribeRequestAccountsDataSlice: {
    offset: 'First byte of the piece.',
    length: 'Bytes of the piece. A piece that reaches past the end of the data is left out.',
  },
  SubscribeRequestPing: { id: 'Comes back in the pong.' },
  SubscribeDeshredRequest: {
    deshred_transactions: 'Transactions straight from the shreds, before they run; most services answer UNIMPLEMENTED.',
    ping: PING,
    slots: 'Each slot with its status.',
  },
  SubscribeRequestFilterDeshredTransactions: {
    vote: VOTES,
    account_include: ONE_OF_ACCOUNTS,
    account_exclude: NONE_OF_ACCOUNTS,
    account_required: ALL_OF_ACCOUNTS,
  },
  SubscribePreprocessedRequest: {
    transactions: 'Transactions before they run; Helius LaserStream only.',
    ping: PING,
  },
  SubscribePreprocessedRequestFilterTransactions: {
    vote: VOTES,
    signature: 'The first signature of the one transaction that is wanted.',
    account_include: ONE_OF_ACCOUNTS,
    account_exclude: NONE_OF_ACCOUNTS,
    account_required: ALL_OF_ACCOUNTS,
  },
  PingRequest: { count: 'Comes back in the answer.' },
  GetLatestBlockhashRequest: { commitment: COMMITMENT },
  GetBlockHeightRequest: { commitment: COMMITMENT },
  GetSlotRequest: { commitment: COMMITMENT },
  IsBlockhashValidRequest: { blockhash: 'The blockhash, in base58.', commitment: COMMITMENT },
};

/** By the name of the set. */
const VALUES: Readonly<Record<string, Docs>> = {
  CommitmentLevel: {
    PROCESSED: 'As soon as the node has run it; a fork may take it back.',
    CONFIRMED: 'The same moment as FINALIZED. Before Alpenglow: two thirds of the stake have voted for its block.',
    FINALIZED: 'Its block is rooted: nothing takes it back.',
  },
  CuckooHashAlgorithm: { SIP_HASH: 'SipHash.' },
  TokenAccountExpansionControlFlag: {
    ALL: 'Owners of every token balance of the transaction.',
    BALANCE_CHANGED: 'Only owners of balances that it changed.',
  },
};

/** Help on a filter's name, its key in the map. */
export const FILTER_NAME = 'A name of your choice: each update lists the names of the filters that let it through.';

export const fieldDoc = (message: string, field: string): string | undefined => FIELDS[message]?.[field];

export const valueDoc = (set: string, value: string): string | undefined => VALUES[set]?.[value];
