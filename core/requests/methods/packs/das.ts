// The Digital Asset Standard: NFTs, compressed NFTs and tokens as one kind of record, served from an index.
// Source: Metaplex's specification of the API (version 1.1) and the pages of providers that serve it.
import type { FieldSpec, MethodRecord } from '../types';
import {
  integer,
  limit,
  listSpec,
  objectSpec,
  optionalSpec,
  packRecords,
  required,
  switches,
  words,
  type MethodFacts,
} from '../records/build';
import { BOOLEAN, PUBKEY, STRING } from '../records/shared';

/** The longest list of ids in one call. */
const MAX_IDS = 1000;
const ASSET = 'F9Lw3ki3hJ7PF9HQXsBzoY8GyE6sPoEZZdXJBsTTD2rk';
const COMPRESSED = 'Bu1DEKeawy7txbnCEJE4BU3BKLXaNAKCYcHR4XhndGss';
const OWNER = '86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY';
const COLLECTION = 'J1S9H3QjnRtBbbuD4HjPV6RpRhwuk4zKbxsnCHuTgh9w';

const COMMON_OPTIONS = [
  ['showUnverifiedCollections', 'Whether groupings that are not verified are listed too.'],
  ['showCollectionMetadata', 'Whether the metadata of the collection is returned.'],
  ['showInscription', 'Whether inscriptions are returned.'],
] as const;
const FUNGIBLE = ['showFungible', 'Whether fungible tokens are returned with their token information.'] as const;
const GRAND_TOTAL = ['showGrandTotal', 'Whether all matches are counted; slower.'] as const;
const OWNER_OPTIONS = [
  FUNGIBLE,
  ['showNativeBalance', "Whether the owner's SOL balance is returned."],
  ['showZeroBalance', 'Whether token accounts without tokens count.'],
] as const;

type Rows = readonly (readonly [string, string])[];

/** `displayOptions` is the older name of the same member. */
const options = (...rows: Rows): readonly FieldSpec[] => {
  const spec = objectSpec(switches(rows));
  return [
    optionalSpec('options', 'Additional data to return with the assets.', spec),
    optionalSpec('displayOptions', 'The older name of `options`.', spec),
  ];
};

const SORT_BY = optionalSpec(
  'sortBy',
  'In which order they come.',
  objectSpec([
    optionalSpec(
      'sortBy',
      'What orders them; `none` is the fastest.',
      words([
        ['created', 'When they were created.'],
        ['updated', 'When they last changed.'],
        ['recent_action', 'When something last happened to them.'],
        ['id', 'Their id; for paging with a cursor.'],
        ['none', 'No order.'],
      ]),
    ),
    optionalSpec(
      'sortDirection',
      'Which end comes first.',
      words([
        ['asc', 'The oldest or lowest.'],
        ['desc', 'The newest or highest.'],
      ]),
    ),
  ]),
);

/** Pages by number, by cursor, or between two ids. */
const PAGES: readonly FieldSpec[] = [
  limit(1000, 'to return'),
  optionalSpec('page', 'Which page, from 1.', integer(1)),
  optionalSpec('cursor', 'Where the page begins: the cursor of the answer before it.', STRING),
  optionalSpec('before', 'Only those before this id.', STRING),
  optionalSpec('after', 'Only those after this id.', STRING),
];

const ID = required('id', 'The asset: its mint, or the id of a compressed one.', PUBKEY);
const IDS = required('ids', 'The assets, at most 1,000.', listSpec(PUBKEY, MAX_IDS));
const ASSET_RESULT = '{ id, interface, content, authorities, compression, grouping, royalty, creators, ownership, … }';
const LIST_RESULT = '{ last_indexed_slot, total, limit, page | cursor, items: asset[] }';
const PROOF = '{ root, proof: string[], node_index, leaf, tree_id }';
const SIGNATURES = '{ total, limit, page, items: [signature, instruction][] }';

/** A method that lists assets: its own members, and its display options in addition to the common ones. */
interface AssetList extends Pick<MethodRecord, 'name' | 'summary' | 'example'> {
  readonly keys: readonly FieldSpec[];
  readonly display: Rows;
}

const listOf = ({ name, summary, keys, display, example }: AssetList): MethodFacts => ({
  name,
  summary,
  structure: 'preferName',
  params: [...keys, SORT_BY, ...PAGES, ...options(...COMMON_OPTIONS, GRAND_TOTAL, ...display)],
  result: LIST_RESULT,
  example,
});

const SEARCH: readonly FieldSpec[] = [
  optionalSpec('negate', 'Whether the conditions exclude instead.', BOOLEAN, false),
  optionalSpec(
    'conditionType',
    'How conditions combine.',
    words([
      ['all', 'All of them hold.'],
      ['any', 'One of them holds.'],
    ]),
  ),
  optionalSpec(
    'interface',
    'The kind of asset.',
    words([
      ['V1_NFT', 'An NFT of Token Metadata.'],
      ['V1_PRINT', 'A print of a master edition.'],
      ['LEGACY_NFT', 'An NFT from before the standard.'],
      ['V2_NFT', 'An NFT of the second version.'],
      ['FungibleAsset', 'A semi-fungible asset.'],
      ['FungibleToken', 'A fungible token.'],
      ['Custom', 'Another kind.'],
      ['Identity', 'An identity.'],
      ['Executable', 'A program.'],
      ['ProgrammableNFT', 'A programmable NFT.'],
      ['MplCoreAsset', 'An asset of Metaplex Core.'],
      ['MplCoreCollection', 'A collection of Metaplex Core.'],
    ]),
  ),
  optionalSpec('ownerAddress', 'The owner.', PUBKEY),
  optionalSpec(
    'ownerType',
    'How it is owned.',
    words([
      ['single', 'By one owner.'],
      ['token', 'Through token accounts.'],
    ]),
  ),
  optionalSpec(
    'tokenType',
    'Which tokens; an extra of some providers, and only with `ownerAddress`.',
    words([
      ['fungible', 'Fungible tokens.'],
      ['nonFungible', 'NFTs of both kinds.'],
      ['regularNft', 'NFTs with accounts.'],
      ['compressedNft', 'Compressed NFTs.'],
      ['all', 'All tokens.'],
    ]),
  ),
  optionalSpec('creatorAddress', 'One of the creators.', PUBKEY),
  optionalSpec('creatorVerified', 'Whether that creator is verified.', BOOLEAN),
  optionalSpec('authorityAddress', 'One of the authorities.', PUBKEY),
  optionalSpec('grouping', 'The group: its key and its value, such as `["collection", address]`.', {
    kind: 'array',
    items: STRING,
    minItems: 2,
    maxItems: 2,
  }),
  optionalSpec('delegateAddress', 'The delegate.', PUBKEY),
  optionalSpec('delegate', 'The delegate, as some providers call it.', { kind: 'any' }),
  optionalSpec('frozen', 'Whether it is frozen.', BOOLEAN),
  optionalSpec('supply', 'Its supply.', integer(0)),
  optionalSpec('supplyMint', 'The mint of its supply.', PUBKEY),
  optionalSpec('compressed', 'Whether it is compressed.', BOOLEAN),
  optionalSpec('compressible', 'Whether it may be compressed.', BOOLEAN),
  optionalSpec('tree', 'The Merkle tree that holds it; an extra of some providers.', PUBKEY),
  optionalSpec(
    'royaltyTargetType',
    'Who gets royalties.',
    words([
      ['creators', 'The creators.'],
      ['fanout', 'The members of a fanout wallet.'],
      ['single', 'One address.'],
    ]),
  ),
  optionalSpec('royaltyTarget', 'The address that gets royalties.', PUBKEY),
  optionalSpec('royaltyAmount', 'Royalties in basis points.', integer(0, 10_000)),
  optionalSpec('burnt', 'Whether it is burnt.', BOOLEAN),
  optionalSpec('jsonUri', 'The address of its metadata document.', STRING),
  optionalSpec('name', 'Its name.', STRING),
];

const batch = (name: string, alias: string): MethodFacts => ({
  name,
  summary: `Reads up to 1,000 assets in one call; \`${alias}\` is the same method.`,
  structure: 'preferName',
  params: [IDS, ...options(...COMMON_OPTIONS, FUNGIBLE)],
  result: `(${ASSET_RESULT} | null)[]`,
  example: { ids: [ASSET] },
});

const proofs = (name: string, alias: string): MethodFacts => ({
  name,
  summary: `Reads the Merkle proofs of up to 1,000 compressed assets; \`${alias}\` is the same method.`,
  structure: 'preferName',
  params: [IDS],
  result: `{ [id]: ${PROOF} | null }`,
  example: { ids: [COMPRESSED] },
});

const signatures = (name: string, alias: string): MethodFacts => ({
  name,
  summary: `Lists the transactions of a compressed asset; \`${alias}\` is the same method.`,
  structure: 'preferName',
  params: [
    optionalSpec('id', 'The asset; without it, a tree and a leaf.', PUBKEY),
    ...PAGES,
    optionalSpec('tree', 'The Merkle tree that holds the asset.', PUBKEY),
    optionalSpec('treeId', 'The older name of `tree`.', PUBKEY),
    { ...optionalSpec('leafIndex', 'The leaf of the asset in its tree.', integer(0)), alsoAccepts: [STRING] },
    optionalSpec(
      'sortDirection',
      'Which end comes first.',
      words([
        ['asc', 'The oldest.'],
        ['desc', 'The newest.'],
      ]),
    ),
  ],
  result: SIGNATURES,
  example: { id: COMPRESSED, page: 1, limit: 100 },
});

export const DAS_METHODS = packRecords('das', [
  {
    name: 'getAsset',
    summary: 'Reads one asset: content, owner, creators, royalties, compression.',
    structure: 'preferName',
    params: [ID, ...options(...COMMON_OPTIONS, FUNGIBLE)],
    result: ASSET_RESULT,
    example: { id: ASSET },
  },
  batch('getAssetBatch', 'getAssets'),
  batch('getAssets', 'getAssetBatch'),
  {
    name: 'getAssetProof',
    summary: 'Reads the Merkle proof of a compressed asset, which a transfer or a burn needs.',
    structure: 'preferName',
    params: [ID],
    result: PROOF,
    example: { id: COMPRESSED },
  },
  proofs('getAssetProofBatch', 'getAssetProofs'),
  proofs('getAssetProofs', 'getAssetProofBatch'),
  listOf({
    name: 'getAssetsByOwner',
    summary: 'Lists the assets of a wallet.',
    keys: [required('ownerAddress', 'The wallet.', PUBKEY)],
    display: OWNER_OPTIONS,
    example: { ownerAddress: OWNER, page: 1, limit: 100 },
  }),
  listOf({
    name: 'getAssetsByGroup',
    summary: 'Lists the assets of a collection or another group.',
    keys: [
      { ...required('groupKey', 'The kind of group.', STRING), suggested: ['collection'] },
      required('groupValue', 'The group, such as the address of a collection.', STRING),
    ],
    display: [FUNGIBLE],
    example: { groupKey: 'collection', groupValue: COLLECTION, page: 1, limit: 100 },
  }),
  listOf({
    name: 'getAssetsByCreator',
    summary: 'Lists the assets of a creator.',
    keys: [
      required('creatorAddress', 'The creator.', PUBKEY),
      optionalSpec('onlyVerified', 'Whether only assets count whose creator is verified.', BOOLEAN, false),
    ],
    display: [FUNGIBLE],
    example: { creatorAddress: 'D3XrkNZz6wx6cofot7Zohsf2KSsu2ArngNk8VqU9cTY3', onlyVerified: true },
  }),
  listOf({
    name: 'getAssetsByAuthority',
    summary: 'Lists the assets of an update authority.',
    keys: [required('authorityAddress', 'The authority.', PUBKEY)],
    display: [FUNGIBLE],
    example: { authorityAddress: '2RtGg6fsFiiF1EQzHqbd66AhW7R5bWeQGpTbv2UMkCdW', limit: 50 },
  }),
  listOf({
    name: 'searchAssets',
    summary: 'Lists the assets that meet conditions.',
    keys: SEARCH,
    display: OWNER_OPTIONS,
    example: { ownerAddress: OWNER, tokenType: 'all', limit: 50 },
  }),
  signatures('getSignaturesForAsset', 'getAssetSignatures'),
  signatures('getAssetSignatures', 'getSignaturesForAsset'),
  {
    name: 'getNftEditions',
    summary: 'Lists the editions of a master edition.',
    structure: 'preferName',
    params: [
      required('mint', 'The mint of the master edition.', PUBKEY),
      limit(1000, 'editions'),
      optionalSpec('page', 'Which page, from 1.', integer(1)),
      optionalSpec('cursor', 'Where the page begins.', STRING),
    ],
    result:
      '{ total, limit, page, master_edition_address, supply, max_supply, editions: { mint, edition_address, edition }[] }',
    example: { mint: 'Ey2Qb8kLctbchQsMnhZs5DjY32To2QtPuXNwWvk4NosL', limit: 10 },
  },
  {
    name: 'getTokenAccounts',
    summary: 'Lists token accounts of a mint, of an owner, or of both.',
    structure: 'preferName',
    params: [
      optionalSpec('mint', 'Only accounts of this mint; a mint or an owner is needed.', PUBKEY),
      optionalSpec('owner', 'Only accounts of this owner.', PUBKEY),
      ...PAGES,
      ...options(['showZeroBalance', 'Whether accounts without tokens are listed.']),
    ],
    result:
      '{ last_indexed_slot, total, limit, page | cursor, token_accounts: { address, mint, owner, amount, delegated_amount, frozen }[] }',
    example: { owner: OWNER, limit: 100 },
  },
]);
