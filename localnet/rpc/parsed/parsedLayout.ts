// Prints layouts in the form of `jsonParsed`. Bytes that do not fit a layout are not parsed: it throws NotParsed.
import type { LayoutList, LayoutRow, LayoutType } from '../../../core/solana/layouts/layout';
import { shape, type InstructionShape } from '../../../core/solana/layouts/shape';
import { encodeBase58 } from '../../../core/solana/encoding/base58';
import type { WireJson } from '../../api';
import { family, type Info, type ParsedCursor, type ParsedInstruction, type ReadInstruction } from './parsedCursor';
import { Fields, isZero, NotParsed } from './parsedFields';
import { capital, signer, withoutNulls } from './parsedTokenParts';
import { tokenAmount } from './tokenAmount';

type Members = { [key: string]: WireJson };

/** The shown rows by their names; nothing is read after the last of them. */
export function parsedRows(fields: Fields, rows: readonly LayoutRow[]): Info {
  const info: Members = {};
  const last = rows.findLastIndex(([, , parsedAs]) => parsedAs !== null);
  for (const [name, type, parsedAs = name] of rows.slice(0, last + 1)) {
    const value = parsedValue(fields, type);
    if (parsedAs !== null) put(info, parsedAs.split('.'), value);
  }
  return info;
}

function put(info: Members, [name = '', ...path]: readonly string[], value: WireJson): void {
  if (path.length === 0) info[name] = value;
  else put((info[name] ??= {}) as Members, path, value);
}

/** The rows with `name` read, but not shown. */
export const rowsWithout = (rows: readonly LayoutRow[], name: string): readonly LayoutRow[] =>
  rows.map((row) => (row[0] === name ? [row[0], row[1], null] : row));

export function parsedValue(fields: Fields, type: LayoutType): WireJson {
  switch (type.kind) {
    case 'integer':
    case 'float': {
      const value = type.kind === 'float' ? fields.f64() : fields.integer(type.bytes, type.isSigned);
      return type.isQuoted === true ? value.toString() : value;
    }
    case 'flag':
      return fields.bool();
    case 'pubkey':
      return type.isZeroNone === true ? fields.nonZeroKey() : fields.key();
    case 'hash':
      return fields.key();
    case 'bytes':
      if (type.isBase58 === true) return encodeBase58(fields.bytes(type.count));
      return type.isZeroNone === true ? fields.nonZeroBase64(type.count) : fields.base64(type.count);
    case 'countedBytes':
      return fields.base64(fields.length(fields.u64()));
    case 'text':
      return fields.text(type.length);
    case 'word':
      return wordAt(type.words, Number(fields.integer(type.bytes)), type.bytes === 4);
    case 'option':
      return fields.option(() => parsedValue(fields, type.of));
    case 'struct': {
      const members = parsedRows(fields, type.rows);
      return type.isTuple === true ? Object.values(members) : members;
    }
    case 'list':
      return fields.list(countOf(fields, type), type.width, () => parsedValue(fields, type.of));
    case 'ring': {
      const places = fields.list(type.places, type.width, () => fields.bytes(type.width));
      fields.bytes(type.tail);
      return places
        .filter((place) => !isZero(place.subarray(0, 32)))
        .map((place) => parsedRows(new Fields(place), type.rows));
    }
    case 'checkedTokens': {
      const amount = fields.u64();
      const [decimals] = fields.peek(1);
      if (decimals === undefined) throw new NotParsed();
      return tokenAmount(amount, decimals);
    }
    // Nodes show none of these, or in another way.
    case 'varint':
    case 'rest':
    case 'bits':
    case 'versioned':
      throw new NotParsed();
  }
}

function countOf(fields: Fields, { count, width }: LayoutList): number | bigint {
  if (count === 'compact') throw new NotParsed();
  return count === 'rest' ? Math.floor(fields.rest / width) : fields.integer(count);
}

function wordAt(words: readonly string[], number: number, isCapital: boolean): string {
  const word = words[number];
  if (word === undefined) throw new NotParsed();
  return isCapital ? capital(word) : word;
}

const REPEATED = '…';
/** Accounts that sign for the one before them, a multisig. */
const SIGNERS = `signer${REPEATED}`;

/** How an instruction of a shape is read. */
export type ReadShape = (c: ParsedCursor, shape: InstructionShape) => ParsedInstruction;

/**
 * Accounts first, then the data, then who signs. An account that may be left out is null then; one whose name the data
 * has, too, is not shown.
 */
export const readShape: ReadShape = (c, one) => readParts(c, one, (accounts, data) => ({ ...accounts, ...data }));

/** The data first, then the accounts. */
export const readDataFirst: ReadShape = (c, one) => readParts(c, one, (accounts, data) => ({ ...data, ...accounts }));

/** Without the members that have no value. */
export const readValued: ReadShape = (c, one) =>
  readParts(c, one, (accounts, data) => withoutNulls({ ...accounts, ...data }));

function readParts(
  c: ParsedCursor,
  { name, roles, optional, rows }: InstructionShape,
  join: (accounts: Info, data: Info) => Info,
): ParsedInstruction {
  const data = parsedRows(c, rows);
  const accounts: Members = {};
  const signs = roles.at(-1) === SIGNERS ? roles.length - 2 : roles.length;
  roles.slice(0, signs).forEach((role, index) => {
    if (role.endsWith(REPEATED)) accounts[`${role.slice(0, -1)}s`] = c.accounts.slice(index);
    else if (role in data) accounts[role] = data[role] ?? null;
    else accounts[role] = optional.includes(role) ? (c.accounts[index] ?? null) : c.account(index);
  });
  const authority = roles[signs];
  const info = { ...join(accounts, data), ...(authority === undefined ? {} : signer(c, signs, authority)) };
  return { type: name, ...(Object.keys(info).length > 0 && { info }) };
}

/** An instruction that only `jsonParsed` shows, with the parts of a shape. */
export function instruction(...parts: Parameters<typeof shape>): ReadInstruction {
  const described = shape(...parts);
  return (c) => readShape(c, described);
}

/** A program's instructions by number; `special` are those that `read` does not show as nodes do, by name. */
export const readersOf = (
  shapes: readonly (InstructionShape | undefined)[],
  special: Readonly<Record<string, ReadShape>> = {},
  read = readShape,
): readonly (ReadInstruction | undefined)[] =>
  shapes.map((one) => {
    if (one === undefined) return undefined;
    const { [one.name]: own } = special;
    if (own === undefined && one.inner !== undefined) return family(readersOf(one.inner, special, read));
    return (c) => (own ?? read)(c, one);
  });
