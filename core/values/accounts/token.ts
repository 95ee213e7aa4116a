// Accounts of the SPL Token program, told apart by their size; Token-2022 lays the same base out before its extensions.
import { knownAddress } from '../addresses';
import { encodeBase58 } from '../base58';
import { ByteReader } from '../bytes';
import type { AccountBytes, Decoded, DecodedField, Programs, Unit } from '../decoded';
import { flag, items, LAMPORTS, oneOf, packedOption, pubkey, readRows, u8, u64, type Row } from './layout';

export const ACCOUNT_SIZE = 165;
export const MINT_SIZE = 82;
export const MULTISIG_SIZE = 355;
const MAX_SIGNERS = 11;

const ACCOUNT_STATE = oneOf('uninitialized', 'initialized', 'frozen');

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

function made(kind: Decoded['kind'], title: string, fields: readonly DecodedField[] | undefined): Decoded | undefined {
  return fields === undefined ? undefined : { kind, title, fields };
}

/** Decimals of a mint, where anything here knows them. */
export function decimalsOf(mint: string, known: Programs): number | undefined {
  return known.decimals?.(mint) ?? knownAddress(mint)?.decimals;
}

/** A native account counts lamports. */
export function tokenAccountFields(data: Uint8Array, known: Programs): readonly DecodedField[] | undefined {
  if (data.length < ACCOUNT_SIZE) return undefined;
  const mint = encodeBase58(data.subarray(0, 32));
  const decimals = decimalsOf(mint, known);
  const unit: Unit = { kind: 'tokens', mint, ...(decimals === undefined ? {} : { decimals }) };
  const rows: readonly Row[] = [
    ['mint', pubkey],
    ['owner', pubkey],
    ['amount', u64(unit)],
    ['delegate', packedOption(pubkey)],
    ['state', ACCOUNT_STATE],
    ['isNative', packedOption(u64(LAMPORTS))],
    ['delegatedAmount', u64(unit)],
    ['closeAuthority', packedOption(pubkey)],
  ];
  return readRows(new ByteReader(data), rows);
}

export function mintFields(data: Uint8Array): readonly DecodedField[] | undefined {
  if (data.length < MINT_SIZE) return undefined;
  const unit: Unit = { kind: 'tokens', decimals: data[44] ?? 0 };
  return readRows(new ByteReader(data), [
    ['mintAuthority', packedOption(pubkey)],
    ['supply', u64(unit)],
    ['decimals', u8()],
    ['isInitialized', flag],
    ['freezeAuthority', packedOption(pubkey)],
  ]);
}

export function multisigFields(data: Uint8Array): readonly DecodedField[] | undefined {
  if (data.length < MULTISIG_SIZE) return undefined;
  const signers = Math.min(data[1] ?? 0, MAX_SIGNERS);
  return readRows(new ByteReader(data), [
    ['requiredSigners', u8()],
    ['validSigners', u8()],
    ['isInitialized', flag],
    ['signers', (reader) => items(reader, signers, pubkey)],
  ]);
}
