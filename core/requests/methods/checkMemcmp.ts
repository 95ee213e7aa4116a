// Checks the bytes of a memcmp filter: text in the encoding its sibling names, or an array of byte values.
import { decodeBase58 } from '../../solana/encoding/base58';
import { base64Length } from '../../solana/encoding/base64';
import { isJsonArray, type JsonValue } from '../../solana/json/json';
import { isBase58, isKeyText } from '../../solana/chain/keys';
import { checkInteger } from './checkInteger';
import { pathOf, type ParamsPlace, type Reporter } from './reporter';

const BYTE = { kind: 'integer', type: 'u8' } as const;

/** Base58 text of more digits than this stands for more than 128 bytes; decoding it would only cost time. */
const digitsFor = (bytes: number): number => Math.ceil(bytes * 1.3658);

export function checkMemcmpBytes(report: Reporter, maxBytes: number, value: JsonValue, place: ParamsPlace): void {
  if (isJsonArray(value)) {
    if (value.length > maxBytes) tooLong(report, maxBytes, value.length, place);
    const count = Math.min(value.length, maxBytes);
    for (let i = 0; i < count; i++) checkInteger(report, BYTE, value[i] ?? null, { parent: place, step: i });
    return;
  }
  if (typeof value !== 'string') return;
  const { owner } = place;
  const encoding = owner !== undefined && Object.hasOwn(owner, 'encoding') ? owner['encoding'] : undefined;
  if (encoding === 'base64') checkBase64(report, maxBytes, value, place);
  else if (encoding === undefined || encoding === null || encoding === 'base58' || encoding === 'binary') {
    checkBase58(report, maxBytes, value, place);
  }
}

function checkBase64(report: Reporter, maxBytes: number, text: string, place: ParamsPlace): void {
  const length = base64Length(text);
  if (report.isUnknown(text)) return;
  const { parent } = place;
  if (isKeyText(text)) {
    const members = { encoding: 'base58' };
    const message = 'This looks like a base58 key, but the encoding is base64.';
    report.value('base58-bytes', place, message, [{ kind: 'set', path: pathOf(parent), members }]);
    return;
  }
  if (length >= 0 && length <= maxBytes) return;
  if (length >= 0) tooLong(report, maxBytes, length, place);
  else report.value('not-base64', place, 'The encoding is base64, but this is not valid base64.');
}

function checkBase58(report: Reporter, maxBytes: number, text: string, place: ParamsPlace): void {
  const valid = isBase58(text);
  // A digit is a byte at most, so that short texts need no decoding.
  if (valid && text.length <= maxBytes) return;
  const decoded = valid && text.length <= digitsFor(maxBytes) ? decodeBase58(text) : undefined;
  if (decoded !== undefined && decoded.length <= maxBytes) return;
  if (report.isUnknown(text)) return;
  if (valid) {
    tooLong(report, maxBytes, decoded?.length, place);
    return;
  }
  const other = base64Length(text) > 0 ? ' For base64 add "encoding": "base64" to the filter.' : '';
  report.value('not-base58', place, `Filter bytes are base58 text: letters and digits without 0, O, I and l.${other}`);
}

function tooLong(report: Reporter, maxBytes: number, found: number | undefined, place: ParamsPlace): void {
  const size = found === undefined ? 'more' : String(found);
  report.value('out-of-range', place, `A filter compares at most ${maxBytes} bytes; this holds ${size}.`);
}
