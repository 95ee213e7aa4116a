// Address lookup tables: a head of 56 bytes, then addresses to the end.
import { ByteReader } from '../../encoding/bytes';
import { fixedOption, pubkey, SLOT_UNIT, u64, u64OrNever, u8, type LayoutRow } from '../../layouts/layout';
import type { AccountBytes, Decoded } from '../decoded';
import { items, readRows } from '../layout';

const HEAD = 56;
const KEY = 32;
const TABLE = 1;

/** A table that was never deactivated says the last slot there can be. */
const ROWS: readonly LayoutRow[] = [
  ['deactivationSlot', u64OrNever(SLOT_UNIT)],
  ['lastExtendedSlot', u64(SLOT_UNIT)],
  ['lastExtendedSlotStartIndex', u8()],
  ['authority', fixedOption(pubkey)],
];

export function decodeLookupTable({ data }: AccountBytes): Decoded | undefined {
  const reader = new ByteReader(data);
  if (data.length < HEAD || (data.length - HEAD) % KEY !== 0 || reader.u32() !== TABLE) return undefined;
  const fields = readRows(reader, ROWS);
  if (fields === undefined) return undefined;
  const addresses = new ByteReader(data.subarray(HEAD));
  const list = items(addresses, addresses.left / KEY, pubkey, { width: KEY });
  return {
    kind: 'lookupTable',
    title: 'Address lookup table',
    fields: [...fields, { name: 'addresses', value: list }],
  };
}
