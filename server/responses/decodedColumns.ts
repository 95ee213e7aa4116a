// Adds decoded account fields to the items of a table, so that they are shown, sorted, filtered and exported like any
// other column. Loaded with the first table that requests them.
import { decodablePlace, decodeItems } from '../../core/service/response/decodable';
import type { Programs } from '../../core/solana/decode/decoded';
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/solana/json/json';

/** The member with the decoded fields, before the others. */
const DECODED = 'decoded';

/** Whether these items are accounts that can be decoded. */
export const areAccounts = (items: readonly JsonValue[]): boolean =>
  decodablePlace({ result: items })?.kind === 'accounts';

/** The items with their decoded fields. `request`: the sent request, which may name the addresses. */
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
    // Nested lists and structures are shown in the document only; lamports are a column already.
    const rows = found.isDecoded ? found.rows.filter(({ depth, name }) => depth === 0 && name !== 'lamports') : [];
    const members: JsonObject = Object.fromEntries([
      ['kind', found.what],
      ...rows.map(({ name, value }) => [name, value] as const),
    ]);
    return { [DECODED]: members, ...item };
  });
}
