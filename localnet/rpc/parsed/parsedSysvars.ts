// Sysvar accounts as `jsonParsed` shows them.
import { SYSVARS } from '../../../core/solana/layouts/sysvars';
import { WireText, type WireJson } from '../../api';
import type { AgaveLine } from '../../ledger/types';
import { Fields, NotParsed, type Parsed } from './parsedFields';
import { parsedRows } from './parsedLayout';

/** Slots that the history of slots remembers, a bit each. */
const SLOT_HISTORY_BITS = 1024 * 1024;

/** `undefined` for a sysvar not in the table; throws NotParsed for data too short for it. */
export function parseSysvar(address: string, data: Uint8Array, line: AgaveLine): Parsed | undefined {
  const sysvar = SYSVARS.get(address);
  if (sysvar === undefined) return undefined;
  const { name, rows } = sysvar;
  const fields = new Fields(data);
  if (name === 'slotHistory') return { type: name, info: slotHistory(fields) };
  // Since SIMD-0194 the rate is that of a byte, without years, and the only member.
  const info = parsedRows(fields, name === 'rent' && line !== '3.1' ? rows.slice(0, 1) : rows);
  if (name !== 'rent' || line !== '3.1') return { type: name, info: info.entries ?? info };
  const { lamportsPerByte: lamportsPerByteYear, ...others } = info;
  return { type: name, info: { lamportsPerByteYear, ...others } };
}

/** The bits as text of a million digits, made while it is written. */
function slotHistory(fields: Fields): WireJson {
  const words = fields.option(() => fields.u64());
  if (words !== BigInt(SLOT_HISTORY_BITS / 64)) throw new NotParsed();
  const bytes = fields.bytes(SLOT_HISTORY_BITS / 8);
  fields.u64();
  const bits = new WireText(function* () {
    for (let at = 0; at < bytes.length; at += 1024) yield bitsOf(bytes.subarray(at, at + 1024));
  });
  return { nextSlot: fields.u64(), bits };
}

/** The lowest bit of a byte comes first. */
function bitsOf(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) for (let bit = 0; bit < 8; bit++) text += (byte >> bit) & 1;
  return text;
}
