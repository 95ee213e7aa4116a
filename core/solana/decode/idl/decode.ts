// Data read after an IDL: accounts, arguments, events. Never throws.
import type { DecodedField } from '../decoded';
import { Decoder } from './decoder';
import type { Idl, IdlDiscriminator, IdlIdentified, IdlInstruction, IdlRecord } from './model';

/** The record whose discriminators all match; if several, the most specific, then the first. */
export function recordOf<T extends IdlIdentified>(records: readonly T[], data: Uint8Array): T | undefined {
  let found: T | undefined;
  let most = 0;
  for (const record of records) {
    const { discriminators } = record;
    if (discriminators.length === 0 || !discriminators.every((one) => holds(one, data))) continue;
    const weight = discriminators.reduce((sum, one) => sum + (one.kind === 'size' ? 1 : one.bytes.length), 0);
    if (weight > most) [found, most] = [record, weight];
  }
  return found;
}

function holds(discriminator: IdlDiscriminator, data: Uint8Array): boolean {
  if (discriminator.kind === 'size') return data.length === discriminator.size;
  const { offset, bytes } = discriminator;
  if (offset + bytes.length > data.length) return false;
  for (let at = 0; at < bytes.length; at++) if (bytes[at] !== data[offset + at]) return false;
  return true;
}

/** The fields of an account or event; `undefined` when the data ends before them or does not fit them. */
export function decodeRecord(idl: Idl, record: IdlRecord, data: Uint8Array): readonly DecodedField[] | undefined {
  const decoder = new Decoder(idl, data.subarray(record.start));
  const value = decoder.whole(record.type);
  if (value === undefined) return undefined;
  const fields = value.kind === 'fields' && value.name === undefined ? value.fields : [{ name: 'value', value }];
  const left = decoder.left();
  // Accounts are made larger than their fields; only bytes that say something are shown.
  return left.some((byte) => byte !== 0) ? [...fields, leftField(left)] : fields;
}

/** `unread`: which argument the data does not fit, and why; without a capital and a full stop. */
export type DecodedArguments = { readonly fields: readonly DecodedField[] } | { readonly unread: string };

/** The arguments of an instruction. */
export function decodeArguments(idl: Idl, instruction: IdlInstruction, data: Uint8Array): DecodedArguments {
  const decoder = new Decoder(idl, data.subarray(instruction.start));
  const value = decoder.whole({ kind: 'struct', fields: instruction.args });
  if (value?.kind !== 'fields') return { unread: decoder.fault() };
  const left = decoder.left();
  return { fields: left.length > 0 ? [...value.fields, leftField(left)] : value.fields };
}

const leftField = (bytes: Uint8Array): DecodedField => ({
  name: 'bytes after the fields',
  value: { kind: 'bytes', bytes },
});
