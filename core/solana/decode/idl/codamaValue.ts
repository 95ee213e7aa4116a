// The value nodes of a Codama document as the JSON that the encoder takes: discriminators, sentinels, hidden parts, seeds.
import { textBytes } from '../../json/writtenBytes';
import { isJsonArray, JsonNumber, member, type JsonValue } from '../../json/json';
import { isIdlEncoding } from './model';
import { MAX_NESTING, textAt } from './problems';

/** `undefined` for a node that is not known, or makes no sense. */
export function nodeJson(node: JsonValue | undefined, depth = 0): JsonValue | undefined {
  if (depth > MAX_NESTING) return undefined;
  const inside = (key: string): JsonValue | undefined => nodeJson(member(node, key), depth + 1);
  switch (textAt(node, 'kind')) {
    case 'numberValueNode': {
      const number = member(node, 'number');
      return typeof number === 'number' || number instanceof JsonNumber ? number : undefined;
    }
    case 'booleanValueNode':
      return member(node, 'boolean') === true;
    case 'publicKeyValueNode':
      return textIn(node, 'publicKey');
    case 'stringValueNode':
      return textIn(node, 'string');
    case 'bytesValueNode':
      return bytesIn(node);
    case 'noneValueNode':
      return null;
    case 'someValueNode':
      return inside('value');
    case 'arrayValueNode':
    case 'setValueNode':
    case 'tupleValueNode':
      return allIn(node, 'items', (item) => nodeJson(item, depth + 1));
    case 'structValueNode': {
      const fields = allIn(node, 'fields', (field): readonly [string, JsonValue] | undefined => {
        const value = nodeJson(member(field, 'value'), depth + 1);
        return value === undefined ? undefined : [textAt(field, 'name') ?? '', value];
      });
      return fields && Object.fromEntries(fields);
    }
    case 'enumValueNode': {
      const variant = textAt(node, 'variant');
      if (variant === undefined || member(node, 'value') === undefined) return variant;
      const value = inside('value');
      return value === undefined ? undefined : Object.fromEntries([[variant, value]]);
    }
    default:
      return undefined;
  }
}

function textIn(node: JsonValue | undefined, key: string): string | undefined {
  const text = member(node, key);
  return typeof text === 'string' ? text : undefined;
}

/** Codama writes the number of an instruction of a Shank program as hexadecimal digits without a leading zero. */
function bytesIn(node: JsonValue | undefined): readonly number[] | undefined {
  const [data, encoding = ''] = [textIn(node, 'data'), textAt(node, 'encoding')];
  if (data === undefined || !isIdlEncoding(encoding)) return undefined;
  const bytes = textBytes(encoding === 'base16' && data.length === 1 ? `0${data}` : data, encoding);
  return bytes && [...bytes];
}

/** The items of a list, each read; undefined where one cannot be. */
function allIn<T>(
  node: JsonValue | undefined,
  key: string,
  read: (item: JsonValue) => T | undefined,
): readonly T[] | undefined {
  const items = member(node, key);
  if (!isJsonArray(items)) return undefined;
  const all = items.map(read).filter((item) => item !== undefined);
  return all.length < items.length ? undefined : all;
}
