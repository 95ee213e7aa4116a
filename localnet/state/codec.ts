// Encodes a record as a line of text and back: a checksum, a blank, JSON. Distinguishes a truncated line from a damaged
// one; never guesses.
import { crc32 } from 'node:zlib';
import { isDeeper, MAX_DEPTH, type JsonValue } from '../../core/values/json/json';
import type { StateRecord } from './records';

/** The first line of the file: what it is, and the version of its form. */
export const HEADER = 'solana-rpc-workbench state 1\n';

const CHECKSUM_DIGITS = 8;
const NEWLINE = 0x0a;
const RECORD_START = /[0-9a-f]{8} \{"part":/g;

/** Values without a JSON form become an object with one member: big integers, bytes, a removed account. */
const BIGINT = '$int';
const BYTES = '$b64';
const NONE = '$none';

/** The line, its end included. */
export function encodeRecord(record: StateRecord): Buffer {
  const json = JSON.stringify(plain(record));
  return Buffer.from(`${checksum(json)} ${json}\n`);
}

export type Decoded =
  | {
      readonly ok: true;
      readonly records: readonly StateRecord[];
      /** Bytes up to the end of the last whole record; what lies behind is the torn end of a write. */
      readonly length: number;
    }
  | { readonly ok: false; readonly message: string };

/** Reads the lines after the header. Only the last line may be broken: a process that was killed leaves such a one. */
export function decodeRecords(bytes: Buffer): Decoded {
  const records: StateRecord[] = [];
  let at = HEADER.length;
  while (at < bytes.length) {
    const end = bytes.indexOf(NEWLINE, at);
    const record = end === -1 ? undefined : decodeLine(bytes.subarray(at, end));
    if (record === undefined) {
      const last = end === -1 || end === bytes.length - 1 ? bytes.subarray(at) : undefined;
      return last !== undefined && !holdsRecord(last)
        ? { ok: true, records, length: at }
        : { ok: false, message: `it is damaged at byte ${at}` };
    }
    records.push(record);
    at = end + 1;
  }
  return { ok: true, records, length: at };
}

/** Whether a broken line contains a whole record: then something was damaged, not truncated. */
function holdsRecord(broken: Buffer): boolean {
  const line = broken.at(-1) === NEWLINE ? broken.subarray(0, -1) : broken;
  for (const { index } of line.toString('latin1').matchAll(RECORD_START))
    if (index > 0 && decodeLine(line.subarray(index)) !== undefined) return true;
  return false;
}

function decodeLine(line: Buffer): StateRecord | undefined {
  const json = line.subarray(CHECKSUM_DIGITS + 1);
  if (line.toString('latin1', 0, CHECKSUM_DIGITS + 1) !== `${checksum(json)} `) return undefined;
  // Written by encodeRecord: the checksum says so.
  const value = JSON.parse(json.toString('utf8')) as JsonValue;
  return isDeeper(value, MAX_DEPTH) ? undefined : (restored(value) as StateRecord);
}

function checksum(text: string | Uint8Array): string {
  return crc32(text).toString(16).padStart(CHECKSUM_DIGITS, '0');
}

/** The value as JSON can hold it. JSON's own replacer, called for every value, takes four times as long. */
function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return { [BIGINT]: value.toString() };
  if (value === undefined) return { [NONE]: true };
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Uint8Array)
    return { [BYTES]: Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64') };
  if (Array.isArray(value)) return value.map(plain);
  const copy: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) copy[name] = plain(member);
  return copy;
}

/** What `plain` was given, made in the place of the parsed value. */
function restored(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items: unknown[] = value;
    for (let at = 0; at < items.length; at++) items[at] = restored(items[at]);
    return items;
  }
  const members = value as Record<string, unknown>;
  for (const name in members) {
    const member = members[name];
    if (name === BIGINT && typeof member === 'string') return BigInt(member);
    if (name === BYTES && typeof member === 'string') return new Uint8Array(Buffer.from(member, 'base64'));
    if (name === NONE) return undefined;
    if (typeof member === 'object') members[name] = restored(member);
  }
  return members;
}
