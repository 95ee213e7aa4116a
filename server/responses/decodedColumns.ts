// What the accounts of a table say, as members of their items, so that it is shown, sorted, filtered and written like any
// other column. Loaded with the first table that asks for it.
import { decodablePlace, decodeItems } from '../../core/response/decodable';
import type { Programs } from '../../core/values/decode/decoded';
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/values/json/json';

/** The member under which it stands in front of the others. */
const DECODED = 'decoded';

/** Whether these items are accounts that can be decoded. */
export const areAccounts = (items: readonly JsonValue[]): boolean =>
  decodablePlace({ result: items })?.kind === 'accounts';

/** The items with what they say. `request`: the request that was sent, which may name the addresses. */
export function withDecoded(
  items: readonly JsonValue[],
  from: number,
  request: JsonValue | undefined,
  known: Programs,
): readonly JsonValue[] {
  const decoded = decodeItems({ kind: 'accounts', items, from, request }, known);
  return items.map((item, at) => {
    const found = decoded[at];
    if (found === undefined || !isJsonObject(item)) return item;
    // What lies inside lists and structures is for the document; the lamports have a column of their own.
    const rows = found.isDecoded ? found.rows.filter(({ depth, name }) => depth === 0 && name !== 'lamports') : [];
    const members: JsonObject = Object.fromEntries([
      ['kind', found.what],
      ...rows.map(({ name, value }) => [name, value] as const),
    ]);
    return { [DECODED]: members, ...item };
  });
}
