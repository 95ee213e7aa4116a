// Layouts as data: a row is a field's name and the type of its bytes. `core/solana/decode/layout.ts` prints them for
// people, `localnet/rpc/parsed/parsedLayout.ts` in the form of a node's `jsonParsed`.
import type { DecodedUnit } from './unit';

interface LayoutNumber {
  readonly kind: 'integer' | 'float';
  /** `jsonParsed` writes the number as a string. */
  readonly isQuoted?: true;
}

interface LayoutInteger extends LayoutNumber {
  readonly kind: 'integer';
  readonly bytes: 1 | 2 | 4 | 8 | 16;
  readonly isSigned?: true;
  readonly unit?: DecodedUnit;
  /** The largest value means that it never happened. */
  readonly hasNever?: true;
}

export interface LayoutList {
  readonly kind: 'list';
  /** Bytes of the count before the items, `compact` for a compact-u16; `rest`: items up to the end. */
  readonly count: 4 | 8 | 'compact' | 'rest';
  readonly of: LayoutType;
  /** Bytes of an item, the fewest if `isVariable`. */
  readonly width: number;
  readonly isVariable?: true;
}

/** Integers are little-endian. */
export type LayoutType =
  | LayoutInteger
  /** Seven bits a byte, the lowest first. */
  | { readonly kind: 'varint' }
  /** A double. */
  | (LayoutNumber & { readonly kind: 'float' })
  /** One byte, 0 or 1. */
  | { readonly kind: 'flag' }
  /** 32 bytes. `isZeroNone`: zeros for no key, as Token-2022's extensions have it. */
  | { readonly kind: 'pubkey'; readonly isZeroNone?: true }
  /** 32 bytes, shown in base58 like a key. */
  | { readonly kind: 'hash' }
  /** In base64 in `jsonParsed`, unless `isBase58`. `isZeroNone`: as with keys. */
  | { readonly kind: 'bytes'; readonly count: number; readonly isZeroNone?: true; readonly isBase58?: true }
  /** Bytes after their count in eight bytes, as bincode writes them. */
  | { readonly kind: 'countedBytes' }
  /** Everything that is left. */
  | { readonly kind: 'rest' }
  /** `length`: bytes of the length before the text; `rest`: text up to the end. `isPadded`: zeros may end it. */
  | { readonly kind: 'text'; readonly length: 4 | 8 | 'rest'; readonly isPadded?: true }
  /** A word by its number of so many bytes. In `jsonParsed` those of four bytes begin with a capital. */
  | { readonly kind: 'word'; readonly bytes: 1 | 4 | 8; readonly words: readonly string[] }
  /** A value after a tag of so many bytes. `isFixed`: the value's bytes are there in either case. */
  | { readonly kind: 'option'; readonly of: LayoutType; readonly tag: 1 | 4; readonly isFixed?: true }
  /** `isTuple`: `jsonParsed` shows the values without their names. */
  | { readonly kind: 'struct'; readonly rows: readonly LayoutRow[]; readonly isTuple?: true }
  | LayoutList
  /** `places` of `width` bytes, of which those in use are shown, and `tail` bytes of bookkeeping. */
  | {
      readonly kind: 'ring';
      readonly rows: readonly LayoutRow[];
      readonly places: number;
      readonly width: number;
      readonly tail: number;
    }
  /** A bincode bit vector: of the bits only the number of ones is shown. */
  | { readonly kind: 'bits' }
  /** Tokens in eight bytes. Their decimals are in the byte after them, which is the next row. */
  | { readonly kind: 'checkedTokens' }
  /** Rows after a version in one byte; only versions up to `newest` have them. */
  | { readonly kind: 'versioned'; readonly rows: readonly LayoutRow[]; readonly newest: number };

/**
 * `parsedAs`: the name in `jsonParsed` if it is another one, with a full stop between an object and its member; null if
 * `jsonParsed` does not show the field.
 */
export type LayoutRow = readonly [name: string, type: LayoutType, parsedAs?: string | null];

export const LAMPORTS: DecodedUnit = { kind: 'lamports' };
export const SLOT_UNIT: DecodedUnit = { kind: 'slot' };
export const EPOCH: DecodedUnit = { kind: 'epoch' };
export const UNIX_TIME: DecodedUnit = { kind: 'unixTime' };
export const BASIS_POINTS: DecodedUnit = { kind: 'basisPoints' };
export const PERCENT_UNIT: DecodedUnit = { kind: 'percent' };
export const BYTES_UNIT: DecodedUnit = { kind: 'bytes' };
/** Tokens of a mint that the account names. */
export const TOKENS: DecodedUnit = { kind: 'tokens' };

const unsigned =
  (bytes: LayoutInteger['bytes']) =>
  (unit?: DecodedUnit): LayoutInteger => ({ kind: 'integer', bytes, ...(unit !== undefined && { unit }) });

export const u8 = unsigned(1);
export const u16 = unsigned(2);
export const u32 = unsigned(4);
export const u64 = unsigned(8);
export const u128 = unsigned(16);
export const i16 = (unit?: DecodedUnit): LayoutInteger => ({ ...u16(unit), isSigned: true });
export const i64 = (unit?: DecodedUnit): LayoutInteger => ({ ...u64(unit), isSigned: true });
export const u64OrNever = (unit: DecodedUnit): LayoutInteger => ({ ...u64(unit), hasNever: true });
export const f64 = { kind: 'float' } as const;
export const varint = { kind: 'varint' } as const;

/** A number that `jsonParsed` writes as a string. */
export const quotedNumber = (type: Extract<LayoutType, LayoutNumber>): LayoutType => ({ ...type, isQuoted: true });

export const flag: LayoutType = { kind: 'flag' };
export const pubkey: LayoutType = { kind: 'pubkey' };
export const optionalPubkey: LayoutType = { kind: 'pubkey', isZeroNone: true };
export const hash: LayoutType = { kind: 'hash' };
export const bytes = (count: number): LayoutType => ({ kind: 'bytes', count });
export const countedBytes: LayoutType = { kind: 'countedBytes' };
export const rest: LayoutType = { kind: 'rest' };

/** Text after its length in four bytes; `isPadded` with zeros if the program reserves space. */
export const borshText: LayoutType = { kind: 'text', length: 4, isPadded: true };
export const bincodeText: LayoutType = { kind: 'text', length: 8 };
export const restText: LayoutType = { kind: 'text', length: 'rest' };

export const wordByNumber = (...words: readonly string[]): LayoutType => ({ kind: 'word', bytes: 1, words });
/** A word by a number of four bytes. */
export const wordOf = (...words: readonly string[]): LayoutType => ({ kind: 'word', bytes: 4, words });

/** Bincode's and Borsh's option: a tag byte, and the value only where the tag is 1. */
export const option = (of: LayoutType): LayoutType => ({ kind: 'option', of, tag: 1 });
/** The same with the value's bytes always there. */
export const fixedOption = (of: LayoutType): LayoutType => ({ kind: 'option', of, tag: 1, isFixed: true });
/** The program library's packed option: a tag of four bytes, followed by the value's bytes in either case. */
export const packedOption = (of: LayoutType): LayoutType => ({ kind: 'option', of, tag: 4, isFixed: true });

export const struct = (...rows: readonly LayoutRow[]): LayoutType => ({ kind: 'struct', rows });

/** A list after its count in eight bytes, as bincode writes it. `width`: bytes of an item. */
export const bincodeList = (of: LayoutType, width: number): LayoutType => ({ kind: 'list', count: 8, of, width });
/** A list after its count in four bytes, as Borsh writes it. `width`: the fewest bytes of an item. */
export const borshList = (of: LayoutType, width: number): LayoutType => ({
  kind: 'list',
  count: 4,
  of,
  width,
  isVariable: true,
});
