// Accounts of the Program Metadata program (solana-program/program-metadata), in which programs publish their IDL and
// other documents: what their header says. Where they are: onChain.ts.
import { withoutTrailing } from '../../common/ends';
import { encodeBase58 } from '../../encoding/base58';
import { ByteReader } from '../../encoding/bytes';

export const METADATA_PROGRAM = 'ProgM6JCCvbYkfKqJYHePx4xxSUSqJp7rh8Lyv7nk7S';
/** Publishes documents for programs that have none, such as native programs. */
export const FOUNDATION = 'fndnu15PLXELbLsTqrfbiweBvsBj2o12RoVfkeCCbX2';

export const SEED_BYTES = 16;
/** The first byte of an account that contains a document; 1 is a buffer, 0 is empty. */
const METADATA = 2;

const COMPRESSIONS = ['none', 'gzip', 'zlib'] as const;
const FORMATS = ['none', 'json', 'yaml', 'toml'] as const;
const ENCODINGS = ['none', 'utf8', 'base58', 'base64'] as const;

export type MetadataCompression = (typeof COMPRESSIONS)[number];

export interface ProgramMetadata {
  /** Base58. */
  readonly program: string;
  /** Base58; absent where nobody may write it any more. */
  readonly authority?: string;
  readonly isMutable: boolean;
  readonly isCanonical: boolean;
  readonly seed: string;
  /** How the document's bytes are written as text where they are shown; the bytes themselves are the document. */
  readonly encoding: (typeof ENCODINGS)[number];
  readonly compression: MetadataCompression;
  readonly format: (typeof FORMATS)[number];
  readonly source: MetadataSource;
}

export type MetadataSource =
  | { readonly kind: 'direct'; readonly bytes: Uint8Array }
  /** From outside. */
  | { readonly kind: 'url'; readonly url: string }
  /** In another account, base58, from a byte on; without `length` to its end. */
  | { readonly kind: 'external'; readonly address: string; readonly offset: number; readonly length?: number };

const UTF8 = new TextDecoder('utf-8');

/** Reads an account's data; `undefined` for a buffer, an empty account and anything that is malformed. */
export function readProgramMetadata(data: Uint8Array): ProgramMetadata | undefined {
  const reader = new ByteReader(data);
  if (reader.u8() !== METADATA) return undefined;
  const program = encodeBase58(reader.take(32));
  const authority = reader.take(32);
  const isMutable = reader.u8() !== 0;
  const isCanonical = reader.u8() !== 0;
  const seed = withoutTrailing(UTF8.decode(reader.take(SEED_BYTES)), '\0');
  const encoding = ENCODINGS[reader.u8()];
  const compression = COMPRESSIONS[reader.u8()];
  const format = FORMATS[reader.u8()];
  const sourceKind = reader.u8();
  const length = reader.u32();
  reader.take(5);
  const source = sourceOf(sourceKind, reader.take(length));
  const isWhole = !reader.failed && encoding !== undefined && compression !== undefined && format !== undefined;
  if (!isWhole || source === undefined) return undefined;
  return {
    program,
    ...(authority.every((byte) => byte === 0) ? {} : { authority: encodeBase58(authority) }),
    isMutable,
    isCanonical,
    seed,
    encoding,
    compression,
    format,
    source,
  };
}

function sourceOf(kind: number, bytes: Uint8Array): MetadataSource | undefined {
  switch (kind) {
    case 0:
      return { kind: 'direct', bytes };
    case 1:
      return { kind: 'url', url: UTF8.decode(bytes) };
    case 2: {
      const reader = new ByteReader(bytes);
      const address = encodeBase58(reader.take(32));
      const offset = reader.u32();
      const length = reader.u32();
      return reader.failed ? undefined : { kind: 'external', address, offset, ...(length === 0 ? {} : { length }) };
    }
    default:
      return undefined;
  }
}
