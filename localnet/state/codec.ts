// Encodes a record as a line of text and back: a checksum, a blank, JSON. Distinguishes a truncated line from a damaged
// one; never guesses.
import { constants } from 'node:buffer';
import { crc32 } from 'node:zlib';
import { BIGINT, BYTES_TAG, FieldFault, NONE_TAG } from './fields';
import { RECORD } from './recordFields';
import type { StateRecord } from './records';

/** The first line of the file: what it is, and the version of its form. */
export const HEADER = 'solana-rpc-workbench state 1\n';

const CHECKSUM_DIGITS = 8;
const NEWLINE = 0x0a;
const RECORD_HEAD = /^[0-9a-f]{8} \{"part":$/;
const RECORD_HEAD_LENGTH = 17;
/** Bytes of a line: what one string of Node can hold. */
const MAX_LINE = constants.MAX_STRING_LENGTH;
/** Bytes of a line that does not begin as a record does: what a machine that went down may leave at the end. */
const MAX_TORN = 64 * 1024 * 1024;
/** Bytes in which the end of a line is first looked for. */
const FIRST_READ = 4 * 1024;

/** The line, its end included. */
export function encodeRecord(record: StateRecord): Buffer {
  const json = JSON.stringify(plain(record));
  return Buffer.from(`${checksum(json)} ${json}\n`);
}

export type DecodedRecord =
  | {
      readonly ok: true;
      readonly records: readonly StateRecord[];
      /** Bytes up to the end of the last whole record; what lies behind is the torn end of a write. */
      readonly length: number;
    }
  | { readonly ok: false; readonly message: string };

/** The source of the lines: a Buffer, or a file with the same interface. */
export interface StateBytes {
  readonly length: number;
  /** The bytes from one place to before another, as far as there are any. They stay until the next call. */
  subarray(from: number, to: number): Buffer;
}

/** Reads the lines after the header. Only the last line may be broken: a process that was killed leaves such a one. */
export function decodeRecords(bytes: StateBytes): DecodedRecord {
  const records: StateRecord[] = [];
  let at = HEADER.length;
  while (at < bytes.length) {
    const line = lineAt(bytes, at);
    if (line === undefined) return { ok: false, message: `it is damaged at byte ${at}` };
    const end = at + line.length + 1;
    try {
      const record = decodeLine(line);
      // A line without its end may be incomplete even if all of it is valid.
      if (record === undefined || end > bytes.length)
        return end >= bytes.length && !holdsRecord(line)
          ? { ok: true, records, length: at }
          : { ok: false, message: `it is damaged at byte ${at}` };
      records.push(record);
    } catch (error) {
      if (!(error instanceof FieldFault)) throw error;
      return { ok: false, message: `in record ${records.length + 1}, at byte ${at}, ${error.message}` };
    }
    at = end;
  }
  return { ok: true, records, length: at };
}

/** The line that begins here, without its end; undefined if it is too long. */
function lineAt(bytes: StateBytes, at: number): Buffer | undefined {
  const isRecord = RECORD_HEAD.test(bytes.subarray(at, at + RECORD_HEAD_LENGTH).toString('latin1'));
  const most = isRecord ? MAX_LINE : MAX_TORN;
  for (let length = FIRST_READ; ; length *= 2) {
    const part = bytes.subarray(at, at + Math.min(length, most + 1));
    const end = part.indexOf(NEWLINE);
    if (end !== -1) return part.subarray(0, end);
    if (part.length > most) return undefined;
    if (at + part.length >= bytes.length || part.length < length) return part;
  }
}

/** Whether a broken line has the start of another record in it: then something was damaged, not truncated. */
function holdsRecord(broken: Buffer): boolean {
  return broken.includes(' {"part":', CHECKSUM_DIGITS + 1);
}

/** Undefined for a broken line. Throws FieldFault for a whole one with a record that nobody wrote here. */
function decodeLine(line: Buffer): StateRecord | undefined {
  const json = line.subarray(CHECKSUM_DIGITS + 1);
  if (line.toString('latin1', 0, CHECKSUM_DIGITS + 1) !== `${checksum(json)} `) return undefined;
  return RECORD.read(parsed(json), '');
}

function parsed(json: Buffer): unknown {
  try {
    return JSON.parse(json.toString('utf8'));
  } catch {
    throw new FieldFault('', 'JSON');
  }
}

function checksum(text: string | Uint8Array): string {
  return crc32(text).toString(16).padStart(CHECKSUM_DIGITS, '0');
}

/** The value as JSON can hold it, and as the fields read it. JSON's own replacer takes four times as long. */
function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return { [BIGINT]: value.toString() };
  if (value === undefined) return { [NONE_TAG]: true };
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Uint8Array)
    return { [BYTES_TAG]: Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64') };
  if (Array.isArray(value)) return value.map(plain);
  const copy: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) copy[name] = plain(member);
  return copy;
}
