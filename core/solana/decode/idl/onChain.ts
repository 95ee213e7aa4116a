// The IDL that a program has published on the chain: the accounts that may contain it, in order, and their contents.
// Fetches nothing.
import { ByteReader } from '../../encoding/bytes';
import { keyBytes } from '../../chain/keys';
import { addressWithSeed, programAddress } from '../../chain/programAddress';
import { FOUNDATION, METADATA_PROGRAM, readProgramMetadata, SEED_BYTES } from './programMetadata';
import type { MetadataCompression, MetadataSource, ProgramMetadata } from './programMetadata';
import { MAX_IDL_TEXT, readIdl, type ReadIdl } from './read';

/** Unpacks data (gzip: RFC 1952, zlib: RFC 1950); throws, or rejects, for malformed data and above `most` bytes. */
export type Inflate = (
  data: Uint8Array,
  most: number,
  compression: Exclude<MetadataCompression, 'none'>,
) => Uint8Array | Promise<Uint8Array>;

/** An account that may contain a program's IDL. */
export interface IdlPlace {
  /** Who wrote it: the program's authority, with the Program Metadata program or as Anchor did, or the foundation. */
  readonly from: 'metadata' | 'foundation' | 'anchor';
  /** Base58. */
  readonly address: string;
  /** Its owner, base58: data written by another program is not the program's IDL. */
  readonly owner: string;
}

/** Addresses of native programs end like this, and nobody can make another that does. Anchor publishes none for them. */
const NATIVE = /1{20}$/;
const SEED = 'idl';

/** The accounts to request, in order; a missing or unusable one is skipped. Empty if the text is not a key. */
export function idlPlaces(program: string): readonly IdlPlace[] {
  const places = [
    { from: 'metadata', address: metadataAddress(program, SEED), owner: METADATA_PROGRAM },
    { from: 'foundation', address: metadataAddress(program, SEED, FOUNDATION), owner: METADATA_PROGRAM },
    { from: 'anchor', address: NATIVE.test(program) ? undefined : anchorAddress(program), owner: program },
  ] as const;
  return places.flatMap(({ from, address, owner }) => (address === undefined ? [] : [{ from, address, owner }]));
}

/**
 * The account of a document (`seed`: `idl`, `security`) for a program. Without an authority the canonical one, which only
 * the program's upgrade authority can write. `undefined` for an invalid key, and for a seed longer than 16 bytes.
 */
export function metadataAddress(program: string, seed: string, authority?: string): string | undefined {
  const padded = new Uint8Array(SEED_BYTES);
  const text = new TextEncoder().encode(seed);
  const base = keyBytes(program);
  const other = authority === undefined ? undefined : keyBytes(authority);
  if (text.length > SEED_BYTES || base === undefined || (authority !== undefined && other === undefined))
    return undefined;
  padded.set(text);
  return programAddress([base, ...(other === undefined ? [] : [other]), padded], METADATA_PROGRAM)?.address;
}

/** The account in which Anchor before 1.0 keeps the IDL of a program (base58). */
export function anchorAddress(program: string): string | undefined {
  const base = programAddress([], program);
  return base === undefined ? undefined : addressWithSeed(base.address, 'anchor:idl', program);
}

/** An account's content: the IDL, or where it is. */
export type PublishedIdlData =
  | { readonly kind: 'source'; readonly source: MetadataSource; readonly compression: MetadataCompression }
  /** One sentence without a full stop. */
  | { readonly kind: 'refused'; readonly message: string };

/** Reads the account of a place. A program's own header must name the program, so that it is nobody else's. */
export function readIdlPlace({ from }: IdlPlace, program: string, data: Uint8Array): PublishedIdlData {
  if (from === 'anchor') return readAnchorAccount(data);
  const metadata = readProgramMetadata(data);
  if (metadata === undefined || !belongs(metadata, from, program))
    return { kind: 'refused', message: 'the account is not an IDL of this program' };
  const { format, source, compression } = metadata;
  if (format === 'yaml' || format === 'toml')
    return { kind: 'refused', message: `the IDL is written as ${format.toUpperCase()}, and only JSON is read` };
  return { kind: 'source', source, compression };
}

const belongs = (
  { program, seed, isCanonical, authority }: ProgramMetadata,
  from: IdlPlace['from'],
  of: string,
): boolean =>
  program === of && seed === SEED && (from === 'metadata' ? isCanonical : !isCanonical && authority === FOUNDATION);

/** Eight bytes of discriminator, the authority, and the length of the rest in four bytes. */
const ANCHOR_HEAD = 8 + 32;

function readAnchorAccount(data: Uint8Array): PublishedIdlData {
  const reader = new ByteReader(data);
  reader.take(ANCHOR_HEAD);
  const bytes = reader.take(reader.u32());
  if (reader.failed || bytes.length === 0)
    return { kind: 'refused', message: 'its data is not an IDL that Anchor wrote' };
  return { kind: 'source', source: { kind: 'direct', bytes }, compression: 'zlib' };
}

/** The document's bytes in the data of the account that a source names; `undefined` where the account is shorter. */
export function externalBytes(
  { offset, length }: Extract<MetadataSource, { kind: 'external' }>,
  data: Uint8Array,
): Uint8Array | undefined {
  const end = length === undefined ? data.length : offset + length;
  return offset > end || end > data.length ? undefined : data.subarray(offset, end);
}

/** The text that an account contains, and what it says. */
export interface PublishedText extends ReadIdl {
  readonly text?: string;
}

/** Decompresses and parses a document. Its errors are problems, as for a file. */
export async function readPublished(
  bytes: Uint8Array,
  compression: MetadataCompression,
  inflate: Inflate,
): Promise<PublishedText> {
  let text: string;
  try {
    const whole = compression === 'none' ? bytes : await inflate(bytes, MAX_IDL_TEXT, compression);
    if (whole.length > MAX_IDL_TEXT) throw new Error('too long');
    text = new TextDecoder('utf-8', { fatal: true }).decode(whole);
  } catch {
    const message = 'its data cannot be unpacked, or is longer than an IDL';
    return { idl: undefined, additional: [], problems: [{ place: 'the account', message }] };
  }
  return { text, ...readIdl(text) };
}
