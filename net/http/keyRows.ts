// Reads a list of keys, as the REST interface and the local service give it. Lenient; never holds a key itself.
import type { KeyType } from '../../core/service/errors';
import type { ListedKey } from '../../core/service/usage';
import { harmless } from '../../core/service/redaction/redact';
import { isJsonArray, member, type JsonValue } from '../../core/solana/json/json';
import { known } from '../../core/solana/common/known';

const TYPES: readonly KeyType[] = ['rpc', 'grpc', 'swqos'];
/** Rows beyond this are dropped: a hostile service must not fill a view. */
const MAX_ROWS = 1000;
const MAX_TEXT = 120;

/** The rows of `{keys: […]}` or of a bare array; undefined for anything else. Rows without an id are left out. */
export function readKeyRows(value: JsonValue): readonly ListedKey[] | undefined {
  const rows = isJsonArray(value) ? value : member(value, 'keys');
  return isJsonArray(rows) ? rows.slice(0, MAX_ROWS).flatMap(readKey) : undefined;
}

function readKey(row: JsonValue): readonly ListedKey[] {
  const text = (...names: readonly string[]): string | undefined => {
    const found = names.map((name) => member(row, name)).find((each) => typeof each === 'string');
    return typeof found === 'string' ? harmless(found, { max: MAX_TEXT }) : undefined;
  };
  const keyId = text('key_id', 'keyId');
  if (keyId === undefined) return [];
  const word = text('type')
    ?.toLowerCase()
    .replace(/[^a-z]|key$/g, '');
  return [
    known({
      keyId,
      type: TYPES.find((one) => one === word),
      label: text('label'),
      plan: text('plan'),
      state: text('state'),
    }),
  ];
}
