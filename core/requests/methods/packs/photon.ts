// ZK Compression: compressed accounts and tokens as the Photon indexer serves them.
// Source: the interface description of Photon, version 0.50.
import type { FieldSpec, MethodRecord, ValueSpec } from '../types';
import { integer, listSpec, objectSpec, optionalSpec, packRecords, required, type MethodFacts } from '../records/build';
import { BYTES, DATA_SLICE, EXAMPLE, HASH, PUBKEY, SIGNATURE, STRING } from '../records/shared';

const ACCOUNT_HASH = 'G48THYrfFq3Bdxjw3tZqaCb3w8qiBif1ofGgGei9g8FG';
const OWNER = EXAMPLE.wallet;

const CURSOR = optionalSpec('cursor', 'Where the page begins: the cursor of the answer before it.', STRING);
const LIMIT = optionalSpec('limit', 'How many to return.', integer(0));
const PAGE: readonly FieldSpec[] = [CURSOR, LIMIT];
const MINT = optionalSpec('mint', 'Only tokens of this mint.', PUBKEY);
const OWNED = required('owner', 'The owner.', PUBKEY);
const HASHED = required('hash', 'The hash of the compressed account.', HASH);
/** An account by its address or by its hash. */
const EITHER: readonly FieldSpec[] = [
  optionalSpec(
    'address',
    'The address of the compressed account, if it has one; an address or a hash is needed.',
    PUBKEY,
  ),
  optionalSpec('hash', 'Its hash.', HASH),
];
const NEW_ADDRESS: ValueSpec = objectSpec([
  required('address', 'The address to be made.', PUBKEY),
  required('tree', 'The address tree.', PUBKEY),
]);

const ACCOUNT = '{ hash, address, owner, lamports, data, tree, leafIndex, seq, slotCreated }';
const TOKEN_ACCOUNT = `{ account: ${ACCOUNT}, tokenData: { mint, owner, amount, delegate, state, tlv } }`;
const PROOF = '{ hash, merkleTree, leafIndex, proof: string[], root, rootSeq }';
const inContext = (value: string): string => `{ context: { slot }, value: ${value} }`;
const paged = (items: string): string => inContext(`{ items: ${items}[], cursor }`);
const SIGNATURES = paged('{ signature, slot, blockTime }');

const byName = (
  name: string,
  summary: string,
  params: readonly FieldSpec[],
  [result, example]: readonly [string, MethodRecord['example']],
): MethodFacts => ({ name, summary, structure: 'preferName', params, result, example });

/** The parameters are the items themselves: `params` is the list. */
const ofItems = (
  name: string,
  summary: string,
  item: FieldSpec,
  [result, example]: readonly [string, MethodRecord['example']],
): MethodFacts => ({ name, summary, params: [item], repeats: true, result, example });

export const PHOTON_METHODS = packRecords('photon', [
  byName('getCompressedAccount', 'Reads a compressed account.', EITHER, [inContext(ACCOUNT), { hash: ACCOUNT_HASH }]),
  byName(
    'getCompressedAccountProof',
    'Reads the Merkle proof of a compressed account.',
    [HASHED],
    [inContext(PROOF), { hash: ACCOUNT_HASH }],
  ),
  byName(
    'getCompressedAccountsByOwner',
    'Lists the compressed accounts of an owner.',
    [
      OWNED,
      ...PAGE,
      DATA_SLICE,
      optionalSpec('filters', 'What the data has to hold.', {
        kind: 'array',
        items: objectSpec([
          required(
            'memcmp',
            'Bytes at an offset of the data.',
            objectSpec([
              required('offset', 'Where they begin.', BYTES),
              required('bytes', 'The bytes in base58.', { kind: 'memcmpBytes', maxBytes: 128 }),
            ]),
          ),
        ]),
      }),
    ],
    [paged(ACCOUNT), { owner: OWNER, limit: 100 }],
  ),
  byName('getCompressedBalance', 'Reads the lamports of a compressed account.', EITHER, [
    inContext('lamports'),
    { hash: ACCOUNT_HASH },
  ]),
  byName(
    'getCompressedBalanceByOwner',
    'Reads the lamports of all compressed accounts of an owner.',
    [OWNED],
    [inContext('lamports'), { owner: OWNER }],
  ),
  byName(
    'getCompressedMintTokenHolders',
    'Lists the holders of a compressed token, the largest first.',
    [required('mint', 'The mint.', PUBKEY), ...PAGE],
    [paged('{ owner, balance }'), { mint: EXAMPLE.usdcMint, limit: 10 }],
  ),
  byName('getCompressedTokenAccountBalance', 'Reads the balance of a compressed token account.', EITHER, [
    inContext('{ amount }'),
    { hash: ACCOUNT_HASH },
  ]),
  byName(
    'getCompressedTokenAccountsByDelegate',
    'Lists the compressed token accounts a delegate may spend from.',
    [required('delegate', 'The delegate.', PUBKEY), MINT, ...PAGE],
    [paged(TOKEN_ACCOUNT), { delegate: OWNER }],
  ),
  byName(
    'getCompressedTokenAccountsByOwner',
    'Lists the compressed token accounts of an owner.',
    [OWNED, MINT, ...PAGE],
    [paged(TOKEN_ACCOUNT), { owner: OWNER, limit: 50 }],
  ),
  byName(
    'getCompressedTokenBalancesByOwner',
    'Adds up the compressed tokens of an owner, by mint.',
    [OWNED, MINT, ...PAGE],
    [inContext('{ token_balances: { mint, balance }[], cursor }'), { owner: OWNER }],
  ),
  byName(
    'getCompressedTokenBalancesByOwnerV2',
    'Adds up the compressed tokens of an owner, by mint; `items` as in the other lists.',
    [OWNED, MINT, ...PAGE],
    [paged('{ mint, balance }'), { owner: OWNER }],
  ),
  byName(
    'getCompressionSignaturesForAccount',
    'Lists the transactions of a compressed account.',
    [HASHED],
    [inContext('{ items: { signature, slot, blockTime }[] }'), { hash: ACCOUNT_HASH }],
  ),
  byName(
    'getCompressionSignaturesForAddress',
    'Lists the transactions of a compressed address.',
    [required('address', 'The address.', PUBKEY), ...PAGE],
    [SIGNATURES, { address: OWNER }],
  ),
  byName(
    'getCompressionSignaturesForOwner',
    'Lists the transactions of the compressed accounts of an owner.',
    [OWNED, ...PAGE],
    [SIGNATURES, { owner: OWNER }],
  ),
  byName(
    'getCompressionSignaturesForTokenOwner',
    'Lists the transactions of the compressed token accounts of an owner.',
    [OWNED, ...PAGE],
    [SIGNATURES, { owner: OWNER }],
  ),
  {
    name: 'getIndexerHealth',
    summary: 'Reports whether the indexer keeps up.',
    result: '"ok"',
  },
  {
    name: 'getIndexerSlot',
    summary: 'Reads the last slot that the indexer has read.',
    result: 'u64',
  },
  byName('getLatestCompressionSignatures', 'Lists the newest transactions with compression.', PAGE, [
    SIGNATURES,
    { limit: 10 },
  ]),
  byName('getLatestNonVotingSignatures', 'Lists the newest transactions that are no votes.', PAGE, [
    SIGNATURES,
    { limit: 10 },
  ]),
  ofItems(
    'getMultipleCompressedAccountProofs',
    'Reads the Merkle proofs of several compressed accounts.',
    required('hash', 'The hash of a compressed account; as many as are needed.', HASH),
    [inContext(`${PROOF}[]`), [ACCOUNT_HASH]],
  ),
  byName(
    'getMultipleCompressedAccounts',
    'Reads several compressed accounts.',
    [
      optionalSpec('addresses', 'Their addresses; addresses or hashes are needed.', listSpec(PUBKEY)),
      optionalSpec('hashes', 'Their hashes.', listSpec(HASH)),
    ],
    [inContext(`{ items: (${ACCOUNT} | null)[] }`), { hashes: [ACCOUNT_HASH] }],
  ),
  ofItems(
    'getMultipleNewAddressProofs',
    'Reads proofs that addresses are not taken yet.',
    required('address', 'An address to be made; as many as are needed.', PUBKEY),
    [inContext('{ address, merkleTree, root, proof, … }[]'), [OWNER]],
  ),
  ofItems(
    'getMultipleNewAddressProofsV2',
    'Reads proofs that addresses are not taken yet, each in its tree.',
    required('address', 'An address to be made and its tree; as many as are needed.', NEW_ADDRESS),
    [inContext('{ address, merkleTree, root, proof, … }[]'), [{ address: OWNER, tree: EXAMPLE.validator }]],
  ),
  byName(
    'getTransactionWithCompressionInfo',
    'Reads a transaction with the compressed accounts it opened and closed.',
    [required('signature', 'First signature of the transaction.', SIGNATURE)],
    ['{ transaction, compressionInfo: { openedAccounts, closedAccounts } }', { signature: EXAMPLE.signature }],
  ),
  byName(
    'getValidityProof',
    'Reads one zero-knowledge proof for compressed accounts that exist and addresses that do not yet.',
    [
      optionalSpec('hashes', 'Hashes of accounts that exist.', { kind: 'array', items: HASH }),
      optionalSpec('newAddresses', 'Addresses to be made, in the default tree; older indexers.', {
        kind: 'array',
        items: PUBKEY,
      }),
      optionalSpec('newAddressesWithTrees', 'Addresses to be made, each with its tree.', {
        kind: 'array',
        items: NEW_ADDRESS,
      }),
    ],
    [
      inContext('{ compressedProof: { a, b, c }, roots, rootIndices, leaves, leafIndices, merkleTrees }'),
      { hashes: [ACCOUNT_HASH] },
    ],
  ),
]);
