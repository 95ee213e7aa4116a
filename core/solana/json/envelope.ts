// Inserts missing `jsonrpc` and `id` members into the text of a JSON-RPC body; the rest stays as written.
import { methodOf } from './calls';
import { isJsonArray, isJsonObject, member, parseJson, printJson, type JsonValue } from './json';

export interface CallEnvelope {
  readonly body: string;
  /** One per request of the body, in order, as JSON tokens. */
  readonly ids: readonly string[];
  /** The method; "batch" for an array; empty if the body names none. */
  readonly method: string;
  readonly isBatch: boolean;
}

/** `json` is the body on one line, without white space between tokens. Throws JsonSyntaxError if it is not JSON. */
export function fillEnvelope(json: string, freshId: () => number): CallEnvelope {
  const value = parseJson(json);
  const isBatch = isJsonArray(value);
  const items: readonly JsonValue[] = isBatch ? value : [value];
  const taken = new Set(items.map(idOf));
  const starts = isBatch ? itemStarts(json) : [0];
  const ids: string[] = [];
  let body = '';
  let copied = 0;
  items.forEach((item, index) => {
    const id = idOf(item) ?? unusedId(freshId, taken);
    ids.push(id);
    if (!isJsonObject(item)) return;
    const missing = [
      ...(Object.hasOwn(item, 'jsonrpc') ? [] : ['"jsonrpc":"2.0"']),
      ...(Object.hasOwn(item, 'id') ? [] : [`"id":${id}`]),
    ];
    if (missing.length === 0) return;
    const inside = (starts[index] ?? 0) + 1;
    const comma = json[inside] === '}' ? '' : ',';
    body += json.slice(copied, inside) + missing.join(',') + comma;
    copied = inside;
  });
  return { body: body + json.slice(copied), ids, method: isBatch ? 'batch' : (methodOf(value) ?? ''), isBatch };
}

function idOf(item: JsonValue): string | undefined {
  const id = member(item, 'id');
  return id === undefined ? undefined : printJson(id);
}

function unusedId(freshId: () => number, taken: ReadonlySet<string | undefined>): string {
  for (;;) {
    const id = String(freshId());
    if (!taken.has(id)) return id;
  }
}

/** Offsets of the items of a single-line array. */
function itemStarts(json: string): readonly number[] {
  const starts: number[] = [];
  let depth = 0;
  for (let at = 0; at < json.length; at++) {
    const char = json[at];
    if (char === '"') {
      for (at++; json[at] !== '"' && at < json.length; at++) if (json[at] === '\\') at++;
    } else if (char === '{' || char === '[') {
      depth++;
      if (depth === 1) starts.push(at + 1);
    } else if (char === '}' || char === ']') depth--;
    else if (char === ',' && depth === 1) starts.push(at + 1);
  }
  return starts;
}
