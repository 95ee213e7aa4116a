// A record as a line of text and back: a checksum, a blank, JSON. Tells a line that was cut off from one that was
// damaged; never guesses.
import { crc32 } from 'node:zlib';
import type { StateRecord } from './records';

/** The first line of the file: what it is, and the version of its form. */
export const HEADER = 'solana-rpc-workbench state 1\n';

const CHECKSUM_DIGITS = 8;
const NEWLINE = 0x0a;

/** Integers above 2^53 and bytes have no form of their own in JSON: they stand as objects with one member. */
const BIGINT = '$int';
const BYTES = '$b64';

/** The line, its end included. */
export function encodeRecord(record: StateRecord): Buffer {
  const json = JSON.stringify(record, replace);
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
      const isLast = end === -1 || end === bytes.length - 1;
      return isLast ? { ok: true, records, length: at } : { ok: false, message: `it is damaged at byte ${at}` };
    }
    records.push(record);
    at = end + 1;
  }
  return { ok: true, records, length: at };
}

function decodeLine(line: Buffer): StateRecord | undefined {
  const json = line.toString('utf8', CHECKSUM_DIGITS + 1);
  if (line.toString('latin1', 0, CHECKSUM_DIGITS + 1) !== `${checksum(json)} `) return undefined;
  // Written by encodeRecord: the checksum says so.
  return JSON.parse(json, revive) as StateRecord;
}

function checksum(text: string): string {
  return crc32(text).toString(16).padStart(CHECKSUM_DIGITS, '0');
}

function replace(this: unknown, _key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return { [BIGINT]: value.toString() };
  return value instanceof Uint8Array ? { [BYTES]: Buffer.from(value).toString('base64') } : value;
}

function revive(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (BIGINT in value && typeof value[BIGINT] === 'string') return BigInt(value[BIGINT]);
  if (BYTES in value && typeof value[BYTES] === 'string') return new Uint8Array(Buffer.from(value[BYTES], 'base64'));
  return value;
}
