// Decodes accounts of Metaplex's Token Metadata program, identified by their first byte.
import { ByteReader } from '../../encoding/bytes';
import type { AccountBytes, Decoded, DecodedField, DecodedValue } from '../decoded';
import {
  BASIS_POINTS,
  borshText,
  fieldsValue,
  flag,
  items,
  wordByNumber,
  option,
  pubkey,
  readRows,
  struct,
  textValue,
  u16,
  u64,
  u8,
  type LayoutRead,
  type LayoutRow,
} from '../layout';

const CREATOR = struct(['address', pubkey], ['verified', flag], ['share', u8({ kind: 'percent' })]);

const creators: LayoutRead = (reader) => {
  const count = reader.u32();
  // 34 bytes a creator.
  if (count * 34 > reader.left) reader.take(reader.left + 1);
  return items(reader, reader.failed ? 0 : count, CREATOR);
};

const METADATA: readonly LayoutRow[] = [
  ['updateAuthority', pubkey],
  ['mint', pubkey],
  ['name', borshText],
  ['symbol', borshText],
  ['uri', borshText],
  ['sellerFee', u16(BASIS_POINTS)],
  ['creators', option(creators)],
  ['primarySaleHappened', flag],
  ['isMutable', flag],
];

const collectionDetails: LayoutRead = (reader): DecodedValue => {
  const version = reader.u8();
  const size = reader.u64();
  return version === 0
    ? fieldsValue([{ name: 'size', value: { kind: 'integer', value: size } }], 'V1')
    : fieldsValue([], `V${version + 1}`);
};

const programmableConfig: LayoutRead = (reader) => {
  const version = reader.u8();
  return fieldsValue([{ name: 'ruleSet', value: option(pubkey)(reader) }], `V${version + 1}`);
};

/** Added over the years: an older account has padding here, or ends before. */
const LATER: readonly LayoutRow[] = [
  ['editionNonce', option(u8())],
  [
    'tokenStandard',
    option(
      wordByNumber(
        'NonFungible',
        'FungibleAsset',
        'Fungible',
        'NonFungibleEdition',
        'ProgrammableNonFungible',
        'ProgrammableNonFungibleEdition',
      ),
    ),
  ],
  ['collection', option(struct(['verified', flag], ['key', pubkey]))],
  [
    'uses',
    option(struct(['useMethod', wordByNumber('Burn', 'Multiple', 'Single')], ['remaining', u64()], ['total', u64()])),
  ],
  ['collectionDetails', option(collectionDetails)],
  ['programmableConfig', option(programmableConfig)],
];

interface Shape {
  readonly title: string;
  readonly rows: readonly LayoutRow[];
  readonly later?: readonly LayoutRow[];
}

/** By the first byte. */
const SHAPES: ReadonlyMap<number, Shape> = new Map<number, Shape>([
  [
    1,
    {
      title: 'Token edition',
      rows: [
        ['parent', pubkey],
        ['edition', u64()],
      ],
    },
  ],
  [
    2,
    {
      title: 'Token master edition (v1)',
      rows: [
        ['supply', u64()],
        ['maxSupply', option(u64())],
        ['printingMint', pubkey],
        ['oneTimePrintingAuthorizationMint', pubkey],
      ],
    },
  ],
  [4, { title: 'Token metadata', rows: METADATA, later: LATER }],
  [
    6,
    {
      title: 'Token master edition',
      rows: [
        ['supply', u64()],
        ['maxSupply', option(u64())],
      ],
    },
  ],
  [
    9,
    {
      title: 'Collection authority record',
      rows: [
        ['bump', u8()],
        ['updateAuthority', option(pubkey)],
      ],
    },
  ],
  [
    11,
    {
      title: 'Token record',
      rows: [
        ['bump', u8()],
        ['state', wordByNumber('Unlocked', 'Locked', 'Listed')],
        ['ruleSetRevision', option(u64())],
        ['delegate', option(pubkey)],
        ['delegateRole', option(u8())],
        ['lockedTransfer', option(pubkey)],
      ],
    },
  ],
]);

export function decodeMetadata({ data }: AccountBytes): Decoded | undefined {
  const reader = new ByteReader(data);
  const shape = SHAPES.get(reader.u8());
  const fields = shape === undefined ? undefined : readRows(reader, shape.rows);
  if (shape === undefined || fields === undefined) return undefined;
  return { kind: 'metadata', title: shape.title, fields: [...fields, ...laterFields(reader, shape.later ?? [])] };
}

/** As many rows as the bytes contain; an unreadable row ends the list with a note. */
function laterFields(reader: ByteReader, rows: readonly LayoutRow[]): readonly DecodedField[] {
  const fields: DecodedField[] = [];
  for (const [name, read] of rows) {
    if (reader.left === 0) break;
    const value = read(reader);
    if (reader.failed) return [...fields, { name, value: textValue('cannot be read') }];
    fields.push({ name, value });
  }
  return fields;
}
