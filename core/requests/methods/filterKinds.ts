// Filters of getProgramAccounts by the kind of account they find: the offset of a public key in the account's data, and
// the length of the data. Data only; the offsets are those of the programs' account layouts.
import {
  SYSTEM_PROGRAM as SYSTEM,
  TOKEN_2022_PROGRAM as TOKEN_2022,
  TOKEN_PROGRAM as TOKEN,
} from '../../solana/chain/addresses';

export interface FilterKind {
  /** Describes the accounts that are found. */
  readonly label: string;
  /** The program that owns such accounts. */
  readonly program: string;
  /** Bytes of the account's data, where it is always the same. */
  readonly dataSize?: number;
  /** Bytes that are the same in all of them, in base58. */
  readonly tag?: { readonly offset: number; readonly bytes: string };
  /** The key that is compared: where it begins, and what it is. */
  readonly key: LayoutKey;
}

/** A public key in the data of an account. */
export interface LayoutKey {
  readonly offset: number;
  readonly name: string;
}

const STAKE = 'Stake11111111111111111111111111111111111111';
const VOTE = 'Vote111111111111111111111111111111111111111';
const LOADER = 'BPFLoaderUpgradeab1e11111111111111111111111';
const LOOKUP_TABLE = 'AddressLookupTab1e1111111111111111111111111';

export const FILTER_KINDS: readonly FilterKind[] = [
  { label: 'Token accounts of an owner', program: TOKEN, dataSize: 165, key: { offset: 32, name: 'owner' } },
  { label: 'Token accounts of a mint', program: TOKEN, dataSize: 165, key: { offset: 0, name: 'mint' } },
  {
    label: 'Token accounts of a delegate',
    program: TOKEN,
    dataSize: 165,
    // The option before the delegate is set.
    tag: { offset: 72, bytes: '2UzHM' },
    key: { offset: 76, name: 'delegate' },
  },
  { label: 'Token-2022 accounts of an owner', program: TOKEN_2022, key: { offset: 32, name: 'owner' } },
  { label: 'Token-2022 accounts of a mint', program: TOKEN_2022, key: { offset: 0, name: 'mint' } },
  { label: 'Mints of an authority', program: TOKEN, dataSize: 82, key: { offset: 4, name: 'authority' } },
  { label: 'Mints with a freeze authority', program: TOKEN, dataSize: 82, key: { offset: 50, name: 'authority' } },
  { label: 'Nonce accounts of an authority', program: SYSTEM, dataSize: 80, key: { offset: 8, name: 'authority' } },
  { label: 'Stake accounts of a staker', program: STAKE, dataSize: 200, key: { offset: 12, name: 'staker' } },
  { label: 'Stake accounts of a withdrawer', program: STAKE, dataSize: 200, key: { offset: 44, name: 'withdrawer' } },
  { label: 'Stake delegated to a vote account', program: STAKE, dataSize: 200, key: { offset: 124, name: 'vote' } },
  { label: 'Vote accounts of a validator', program: VOTE, key: { offset: 4, name: 'identity' } },
  { label: 'Vote accounts of a withdrawer', program: VOTE, key: { offset: 36, name: 'withdrawer' } },
  { label: 'Program buffers of an authority', program: LOADER, key: { offset: 5, name: 'authority' } },
  { label: 'Lookup tables of an authority', program: LOOKUP_TABLE, key: { offset: 22, name: 'authority' } },
];

interface Layout {
  readonly name: string;
  readonly bytes: number;
  readonly keys: readonly LayoutKey[];
}

const MULTISIG_SIGNERS = 11;

/** All kinds of accounts that the token programs own; those of Token-2022 continue after these bytes. */
const TOKEN_LAYOUTS: readonly Layout[] = [
  {
    name: 'token account',
    bytes: 165,
    keys: [
      { offset: 0, name: 'mint' },
      { offset: 32, name: 'owner' },
      { offset: 76, name: 'delegate' },
      { offset: 133, name: 'close authority' },
    ],
  },
  {
    name: 'mint',
    bytes: 82,
    keys: [
      { offset: 4, name: 'mint authority' },
      { offset: 50, name: 'freeze authority' },
    ],
  },
  {
    name: 'multisig',
    bytes: 355,
    keys: Array.from({ length: MULTISIG_SIGNERS }, (_, index) => ({ offset: 3 + 32 * index, name: 'signer' })),
  },
];

/** The sizes of a program's accounts; undefined where it has others as well, or nothing is known of it. */
export function sizesOf(program: string): readonly Layout[] | undefined {
  return program === TOKEN ? TOKEN_LAYOUTS : undefined;
}

/**
 * The public keys in a program's accounts of a size, any size where it is undefined, and the byte from which on nothing
 * is known. Without a size the signers of multisig accounts are left out: nobody looks for them so.
 */
export function keysOf(
  program: string,
  size: bigint | undefined,
): { readonly keys: readonly LayoutKey[]; readonly end: number } | undefined {
  if (program !== TOKEN && program !== TOKEN_2022) return undefined;
  const [first, ...more] = TOKEN_LAYOUTS.filter(({ bytes, name }) =>
    size === undefined ? name !== 'multisig' : BigInt(bytes) === size,
  );
  if (first === undefined) return undefined;
  return { keys: [first, ...more].flatMap(({ keys }) => keys), end: first.bytes };
}

/** The kinds that a program owns; all kinds if the program is another one, or not known yet. */
export function filterKindsOf(program: string | undefined): readonly FilterKind[] {
  const own = FILTER_KINDS.filter((kind) => kind.program === program);
  return own.length > 0 ? own : FILTER_KINDS;
}

/** How an interface writes such a filter. */
export interface FilterForm {
  /** Of the member that holds the size of the data. */
  readonly size: string;
  /** Of the member that holds bytes in base58. */
  readonly bytes: string;
}

const JSON_RPC: FilterForm = { size: 'dataSize', bytes: 'bytes' };
export const YELLOWSTONE: FilterForm = { size: 'datasize', bytes: 'base58' };

/** The elements of `filters`, as an LSP snippet with the key as its tab stop. */
export function filterSnippet({ dataSize, tag, key }: FilterKind, form = JSON_RPC): string {
  const memcmp = (offset: number, bytes: string): string =>
    `{ "memcmp": { "offset": ${offset}, "${form.bytes}": "${bytes}" } }`;
  const size = dataSize === undefined ? [] : [`{ "${form.size}": ${dataSize} }`];
  const same = tag === undefined ? [] : [memcmp(tag.offset, tag.bytes)];
  return [...size, ...same, memcmp(key.offset, `\${1:${key.name}}`)].join(', ');
}
