// Bytes as people write them in JSON: a list of byte values, or text that begins with its encoding (`hex:00ff`).
import { decodeBase58 } from '../encoding/base58';
import { decodeBase64 } from '../encoding/base64';
import { isJsonArray, type JsonValue } from './json';

/** No transaction carries more. */
const MAX_BYTES = 4_096;

type TextEncoding = 'utf8' | 'base16' | 'base58' | 'base64';

const ENCODINGS: Readonly<Record<string, TextEncoding>> = {
  hex: 'base16',
  base58: 'base58',
  base64: 'base64',
  text: 'utf8',
};

/** An array of byte values, or `hex:…`, `base58:…`, `base64:…`, `text:…`; undefined for anything else. */
export function writtenBytes(value: JsonValue): Uint8Array | undefined {
  if (typeof value === 'string') {
    const [, name = '', text = ''] = /^(\w+):([^]*)$/.exec(value) ?? [];
    const encoding = Object.hasOwn(ENCODINGS, name) ? ENCODINGS[name] : undefined;
    return encoding === undefined ? undefined : textBytes(text, encoding);
  }
  if (!isJsonArray(value) || value.length > MAX_BYTES) return undefined;
  const isByte = (one: JsonValue): one is number =>
    typeof one === 'number' && Number.isInteger(one) && one >= 0 && one <= 255;
  return value.every(isByte) ? Uint8Array.from(value) : undefined;
}

/** The bytes of a text in its encoding; undefined where it is not in it, or too long. */
export function textBytes(text: string, encoding: TextEncoding): Uint8Array | undefined {
  if (text.length > 2 * MAX_BYTES) return undefined;
  switch (encoding) {
    case 'utf8':
      return new TextEncoder().encode(text);
    case 'base16':
      return /^(?:[0-9a-f]{2})*$/i.test(text)
        ? Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16))
        : undefined;
    case 'base58':
      return decodeBase58(text);
    case 'base64':
      return decodeBase64(text);
  }
}
