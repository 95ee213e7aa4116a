// Decodes accounts of Metaplex's Token Metadata program, identified by their first byte.
import { ByteReader } from '../../encoding/bytes';
import {
  BASIS_POINTS,
  borshList,
  borshText,
  flag,
  option,
  PERCENT_UNIT,
  pubkey,
  struct,
  u16,
  u64,
  u8,
  wordByNumber,
  type LayoutRow,
} from '../../layouts/layout';
import type { AccountBytes, Decoded, DecodedField } from '../decoded';
import { readRows, readValue, textValue } from '../layout';

const CREATOR = struct(['address', pubkey], ['verified', flag], ['share', u8(PERCENT_UNIT)]);

const METADATA: readonly LayoutRow[] = [
  ['updateAuthority', pubkey],
  ['mint', pubkey],
  ['name', borshText],
  ['symbol', borshText],
  ['uri', borshText],
  ['sellerFee', u16(BASIS_POINTS)],
  ['creators', option(borshList(CREATOR, 34))],
  ['primarySaleHappened', flag],
  ['isMutable', flag],
];

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
  ['collectionDetails', option({ kind: 'versioned', rows: [['size', u64()]], newest: 0 })],
  ['programmableConfig', option({ kind: 'versioned', rows: [['ruleSet', option(pubkey)]], newest: 255 })],
];

interface Shape {
  readonly title: string;
  readonly rows: readonly LayoutRow[];
}

const shape = (title: string, ...rows: readonly LayoutRow[]): Shape => ({ title, rows });

/** Only this kind of account was extended. */
const TOKEN_METADATA = shape('Token metadata', ...METADATA);

/** By the first byte. */
const SHAPES: ReadonlyMap<number, Shape> = new Map([
  [1, shape('Token edition', ['parent', pubkey], ['edition', u64()])],
  [
    2,
    shape(
      'Token master edition (v1)',
      ['supply', u64()],
      ['maxSupply', option(u64())],
      ['printingMint', pubkey],
      ['oneTimePrintingAuthorizationMint', pubkey],
    ),
  ],
  [4, TOKEN_METADATA],
  [6, shape('Token master edition', ['supply', u64()], ['maxSupply', option(u64())])],
  [9, shape('Collection authority record', ['bump', u8()], ['updateAuthority', option(pubkey)])],
  [
    11,
    shape(
      'Token record',
      ['bump', u8()],
      ['state', wordByNumber('Unlocked', 'Locked', 'Listed')],
      ['ruleSetRevision', option(u64())],
      ['delegate', option(pubkey)],
      ['delegateRole', option(u8())],
      ['lockedTransfer', option(pubkey)],
    ),
  ],
]);

export function decodeMetadata({ data }: AccountBytes): Decoded | undefined {
  const reader = new ByteReader(data);
  const known = SHAPES.get(reader.u8());
  const fields = known === undefined ? undefined : readRows(reader, known.rows);
  if (known === undefined || fields === undefined) return undefined;
  const later = known === TOKEN_METADATA ? laterFields(reader) : [];
  return { kind: 'metadata', title: known.title, fields: [...fields, ...later] };
}

/** As many rows as the bytes contain; an unreadable row ends the list with a note. */
function laterFields(reader: ByteReader): readonly DecodedField[] {
  const fields: DecodedField[] = [];
  for (const [name, type] of LATER) {
    if (reader.left === 0) break;
    const value = readValue(reader, type);
    if (reader.failed) return [...fields, { name, value: textValue('cannot be read') }];
    fields.push({ name, value });
  }
  return fields;
}
