// Token-2022's extensions of an account or a mint, as a list of named values.
import { ByteReader } from '../../encoding/bytes';
import { EXTENSIONS_START, TOKEN_EXTENSIONS } from '../../layouts/tokenExtensions';
import type { DecodedUnit } from '../../layouts/unit';
import type { DecodedField, DecodedValue } from '../decoded';
import { fieldsValue, readRows } from '../layout';

/** An account cannot hold more kinds than there are; entries beyond this many are left as bytes. */
const MAX_EXTENSIONS = 64;

/** The field `extensions`; empty for data that ends with the base. `tokens`: unit of the mint's amounts. */
export function extensionFields(data: Uint8Array, tokens: DecodedUnit): readonly DecodedField[] {
  if (data.length <= EXTENSIONS_START) return [];
  const found: DecodedValue[] = [];
  let at = EXTENSIONS_START;
  while (found.length < MAX_EXTENSIONS) {
    const reader = new ByteReader(data.subarray(at));
    const type = reader.u16();
    const length = reader.u16();
    const value = reader.take(length);
    if (reader.failed || (type === 0 && length === 0)) break;
    found.push(extensionOf(type, value, tokens));
    at += 4 + length;
  }
  const left = data.subarray(at);
  const unread = left.some((byte) => byte !== 0);
  return [
    { name: 'extensions', value: { kind: 'list', items: found } },
    ...(unread ? [{ name: 'unread', value: { kind: 'bytes', bytes: left } as const }] : []),
  ];
}

/** A type that is not known, or a value that is too short for its type, is shown as its bytes. */
function extensionOf(type: number, value: Uint8Array, tokens: DecodedUnit): DecodedValue {
  const extension = TOKEN_EXTENSIONS[type];
  const name = extension?.name ?? `extension ${type}`;
  const asBytes = fieldsValue(
    value.length === 0 ? [] : [{ name: 'data', value: { kind: 'bytes', bytes: value } }],
    name,
  );
  if (extension?.rows === undefined) return asBytes;
  const fields = readRows(new ByteReader(value), extension.rows, tokens);
  return fields === undefined ? asBytes : fieldsValue(fields, name);
}
