// A line of a state file with its checksum, of JSON that no service wrote.
import { crc32 } from 'node:zlib';

export const stateLine = (json: string): string => `${crc32(json).toString(16).padStart(8, '0')} ${json}\n`;
