// Reads a ZIP archive held in memory: the files of a VSIX and their contents.
import assert from 'node:assert/strict';
import { inflateRawSync } from 'node:zlib';

export interface ZipEntry {
  readonly name: string;
  readonly data: Buffer;
}

const END = 0x06054b50;
const ENTRY = 0x02014b50;

/** All files, in the order of the archive's directory. Throws on an archive that is not well-formed. */
export function readZip(bytes: Buffer): readonly ZipEntry[] {
  let end = bytes.length - 22;
  while (end >= 0 && bytes.readUInt32LE(end) !== END) end -= 1;
  assert.ok(end >= 0, 'the archive has a directory');
  const entries: ZipEntry[] = [];
  let at = bytes.readUInt32LE(end + 16);
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left -= 1) {
    assert.equal(bytes.readUInt32LE(at), ENTRY);
    const nameLength = bytes.readUInt16LE(at + 28);
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength);
    const packed = bytes.readUInt16LE(at + 10) === 8;
    const size = bytes.readUInt32LE(at + 20);
    const local = bytes.readUInt32LE(at + 42);
    const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
    const raw = bytes.subarray(start, start + size);
    entries.push({ name, data: packed ? inflateRawSync(raw) : raw });
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return entries;
}
