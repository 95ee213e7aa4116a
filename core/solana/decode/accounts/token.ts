// Decodes accounts of SPL Token, identified by size, and of Token-2022, which adds extensions to the same base.
import { knownAddress } from '../../chain/addresses';
import { encodeBase58 } from '../../encoding/base58';
import { ByteReader } from '../../encoding/bytes';
import {
  flag,
  LAMPORTS,
  packedOption,
  pubkey,
  TOKENS,
  u64,
  u8,
  wordByNumber,
  type LayoutRow,
} from '../../layouts/layout';
import type { DecodedUnit } from '../../layouts/unit';
import type { AccountBytes, Decoded, DecodedField, Programs } from '../decoded';
import { items, readRows } from '../layout';
import { extensionFields } from './extensions';

const ACCOUNT_SIZE = 165;
const MINT_SIZE = 82;
const MULTISIG_SIZE = 355;
const MAX_SIGNERS = 11;
/** Where a mint says its decimals. */
const DECIMALS = 44;
/** The byte after the base of an extended account. */
const MINT = 1;
const ACCOUNT = 2;

const TOKEN_ACCOUNT: readonly LayoutRow[] = [
  ['mint', pubkey],
  ['owner', pubkey],
  ['amount', u64(TOKENS)],
  ['delegate', packedOption(pubkey)],
  ['state', wordByNumber('uninitialized', 'initialized', 'frozen')],
  ['rentExemptReserve', packedOption(u64(LAMPORTS))],
  ['delegatedAmount', u64(TOKENS)],
  ['closeAuthority', packedOption(pubkey)],
];

const MINT_ROWS: readonly LayoutRow[] = [
  ['mintAuthority', packedOption(pubkey)],
  ['supply', u64(TOKENS)],
  ['decimals', u8()],
  ['isInitialized', flag],
  ['freezeAuthority', packedOption(pubkey)],
];

const MULTISIG: readonly LayoutRow[] = [
  ['requiredSigners', u8()],
  ['validSigners', u8()],
  ['isInitialized', flag],
];

export function decodeSplToken({ data }: AccountBytes, known: Programs): Decoded | undefined {
  switch (data.length) {
    case ACCOUNT_SIZE:
      return made('tokenAccount', 'SPL Token account', tokenAccountFields(data, known));
    case MINT_SIZE:
      return made('mint', 'SPL Token mint', mintFields(data));
    case MULTISIG_SIZE:
      return made('multisig', 'SPL Token multisig', multisigFields(data));
    default:
      return undefined;
  }
}

/** Token-2022: data longer than the base has a byte that names the type. */
export function decodeToken2022({ data }: AccountBytes, known: Programs): Decoded | undefined {
  const kind = data.length > ACCOUNT_SIZE && data.length !== MULTISIG_SIZE ? data[ACCOUNT_SIZE] : undefined;
  if (data.length === MINT_SIZE || kind === MINT) {
    return made('mint', 'Token-2022 mint', withExtensions(mintFields(data), data, mintUnit(data)));
  }
  if (data.length === ACCOUNT_SIZE || kind === ACCOUNT) {
    const fields = withExtensions(tokenAccountFields(data, known), data, accountUnit(data, known));
    return made('tokenAccount', 'Token-2022 account', fields);
  }
  return data.length === MULTISIG_SIZE ? made('multisig', 'Token-2022 multisig', multisigFields(data)) : undefined;
}

function withExtensions(
  base: readonly DecodedField[] | undefined,
  data: Uint8Array,
  tokens: DecodedUnit,
): readonly DecodedField[] | undefined {
  return base === undefined ? undefined : [...base, ...extensionFields(data, tokens)];
}

function made(kind: Decoded['kind'], title: string, fields: readonly DecodedField[] | undefined): Decoded | undefined {
  return fields === undefined ? undefined : { kind, title, fields };
}

/** Decimals of a mint, where anything here knows them. */
export function decimalsOf(mint: string, known: Programs): number | undefined {
  return known.decimals?.(mint) ?? knownAddress(mint)?.decimals;
}

/** The unit of a token account's amounts, if its mint's decimals are known. */
function accountUnit(data: Uint8Array, known: Programs): DecodedUnit {
  const mint = encodeBase58(data.subarray(0, 32));
  const decimals = decimalsOf(mint, known);
  return { kind: 'tokens', mint, ...(decimals === undefined ? {} : { decimals }) };
}

const mintUnit = (data: Uint8Array): DecodedUnit => ({ kind: 'tokens', decimals: data[DECIMALS] ?? 0 });

function tokenAccountFields(data: Uint8Array, known: Programs): readonly DecodedField[] | undefined {
  return readRows(new ByteReader(data), TOKEN_ACCOUNT, accountUnit(data, known));
}

function mintFields(data: Uint8Array): readonly DecodedField[] | undefined {
  return readRows(new ByteReader(data), MINT_ROWS, mintUnit(data));
}

function multisigFields(data: Uint8Array): readonly DecodedField[] | undefined {
  const signers = Math.min(data[1] ?? 0, MAX_SIGNERS);
  const reader = new ByteReader(data);
  const fields = readRows(reader, MULTISIG);
  return fields === undefined ? undefined : [...fields, { name: 'signers', value: items(reader, signers, pubkey) }];
}
