// Decodes sysvar accounts, identified by address.
import { addressName } from '../../chain/addresses';
import { ByteReader } from '../../encoding/bytes';
import type { AccountBytes, Decoded, DecodedValue } from '../decoded';
import { SLOT_UNIT } from '../../layouts/layout';
import { SYSVARS } from '../../layouts/sysvars';
import { integerValue, readRows } from '../layout';

/** `undefined` without an address: the bytes alone do not identify a sysvar. */
export function decodeSysvar({ address, data }: AccountBytes): Decoded | undefined {
  const rows = address === undefined ? undefined : SYSVARS.get(address)?.rows;
  const fields = rows === undefined ? undefined : readRows(new ByteReader(data), rows);
  if (address === undefined || fields === undefined) return undefined;
  return { kind: 'sysvar', title: addressName(address) ?? 'Sysvar', fields };
}

/** A runtime feature's account: the slot it was switched on in, if it was. */
export function decodeFeature({ data }: AccountBytes): Decoded | undefined {
  const reader = new ByteReader(data);
  const tag = reader.u8();
  const slot = reader.u64();
  if (reader.failed || tag > 1) return undefined;
  const value: DecodedValue = tag === 0 ? { kind: 'none' } : integerValue(slot, SLOT_UNIT);
  return { kind: 'feature', title: 'Runtime feature', fields: [{ name: 'activatedAt', value }] };
}
