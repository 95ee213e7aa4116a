// Decodes sysvar accounts, identified by address.
import { addressName } from '../../chain/addresses';
import { ByteReader } from '../../encoding/bytes';
import type { AccountBytes, Decoded } from '../decoded';
import { fixedOption, SLOT_UNIT, u64 } from '../../layouts/layout';
import { SYSVARS } from '../../layouts/sysvars';
import { readRows } from '../layout';

/** `undefined` without an address: the bytes alone do not identify a sysvar. */
export function decodeSysvar({ address, data }: AccountBytes): Decoded | undefined {
  const rows = address === undefined ? undefined : SYSVARS.get(address)?.rows;
  const fields = rows === undefined ? undefined : readRows(new ByteReader(data), rows);
  if (address === undefined || fields === undefined) return undefined;
  return { kind: 'sysvar', title: addressName(address) ?? 'Sysvar', fields };
}

/** A runtime feature's account: the slot it was switched on in, if it was. */
export function decodeFeature({ data }: AccountBytes): Decoded | undefined {
  const [tag = 0] = data;
  const fields = readRows(new ByteReader(data), [['activatedAt', fixedOption(u64(SLOT_UNIT))]]);
  return fields === undefined || tag > 1 ? undefined : { kind: 'feature', title: 'Runtime feature', fields };
}
