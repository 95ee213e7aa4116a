// Decodes accounts of SPL Token, identified by size, and of Token-2022, which adds extensions to the same base.
import { knownAddress } from '../../chain/addresses';
import { encodeBase58 } from '../../encoding/base58';
import { ByteReader } from '../../encoding/bytes';
import type { AccountBytes, Decoded, DecodedField, Programs } from '../decoded';
import type { DecodedUnit } from '../unit';
import { extensionFields } from './extensions';
import {
  flag,
  items,
  LAMPORTS,
  wordByNumber,
  packedOption,
  pubkey,
  readRows,
  u8,
  u64,
  type LayoutRow,
} from '../layout';

const ACCOUNT_SIZE = 165;
const MINT_SIZE = 82;
const MULTISIG_SIZE = 355;
const MAX_SIGNERS = 11;
/** Where a mint says its decimals. */
const DECIMALS = 44;
/** The byte after the base of an extended account. */
const MINT = 1;
const ACCOUNT = 2;

const ACCOUNT_STATE = wordByNumber('uninitialized', 'initialized', 'frozen');

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
  if (data.length < ACCOUNT_SIZE) return undefined;
  const unit = accountUnit(data, known);
  const rows: readonly LayoutRow[] = [
    ['mint', pubkey],
    ['owner', pubkey],
    ['amount', u64(unit)],
    ['delegate', packedOption(pubkey)],
    ['state', ACCOUNT_STATE],
    ['rentExemptReserve', packedOption(u64(LAMPORTS))],
    ['delegatedAmount', u64(unit)],
    ['closeAuthority', packedOption(pubkey)],
  ];
  return readRows(new ByteReader(data), rows);
}

function mintFields(data: Uint8Array): readonly DecodedField[] | undefined {
  if (data.length < MINT_SIZE) return undefined;
  const unit = mintUnit(data);
  return readRows(new ByteReader(data), [
    ['mintAuthority', packedOption(pubkey)],
    ['supply', u64(unit)],
    ['decimals', u8()],
    ['isInitialized', flag],
    ['freezeAuthority', packedOption(pubkey)],
  ]);
}

function multisigFields(data: Uint8Array): readonly DecodedField[] | undefined {
  if (data.length < MULTISIG_SIZE) return undefined;
  const signers = Math.min(data[1] ?? 0, MAX_SIGNERS);
  return readRows(new ByteReader(data), [
    ['requiredSigners', u8()],
    ['validSigners', u8()],
    ['isInitialized', flag],
    ['signers', (reader) => items(reader, signers, pubkey)],
  ]);
}
