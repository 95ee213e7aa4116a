// Writes WireJson as text in chunks, so that an answer of many megabytes never stands in memory as one string and never
// holds up other clients. Never rounds: a bigint leaves as its digits.
import type { WireJson } from '../api';

/** Text is handed on in pieces of about this many UTF-16 units. */
const CHUNK = 64 * 1024;

type WireObject = { readonly [key: string]: WireJson | undefined };

type Frame =
  | { readonly kind: 'array'; readonly items: readonly WireJson[]; next: number }
  | { readonly kind: 'object'; readonly value: WireObject; readonly keys: readonly string[]; next: number };

/** The chunks of `value`; a small value is one chunk. A member that is `undefined` is left out, as JSON.stringify does. */
export function* wireChunks(value: WireJson): Generator<string, void, void> {
  const open: Frame[] = [];
  let text = '';

  const begin = (item: WireJson): string => {
    if (item === null || typeof item !== 'object') return scalar(item);
    if (Array.isArray(item)) {
      open.push({ kind: 'array', items: item as readonly WireJson[], next: 0 });
      return '[';
    }
    const object = item as WireObject;
    const keys = Object.keys(object).filter((key) => object[key] !== undefined);
    open.push({ kind: 'object', value: object, keys, next: 0 });
    return '{';
  };

  text += begin(value);
  for (let frame = open.at(-1); frame !== undefined; frame = open.at(-1)) {
    const at = frame.next++;
    const comma = at === 0 ? '' : ',';
    if (frame.kind === 'array') {
      if (at === frame.items.length) {
        open.pop();
        text += ']';
      } else {
        text += comma;
        text += begin(frame.items[at] ?? null);
      }
    } else {
      const key = frame.keys[at];
      if (key === undefined) {
        open.pop();
        text += '}';
      } else {
        text += `${comma}${JSON.stringify(key)}:`;
        text += begin(frame.value[key] ?? null);
      }
    }
    if (text.length >= CHUNK) {
      yield text;
      text = '';
    }
  }
  if (text !== '') yield text;
}

/** The whole text of a small value. */
export function wireText(value: WireJson): string {
  return [...wireChunks(value)].join('');
}

function scalar(value: null | boolean | string | number | bigint): string {
  return typeof value === 'bigint' ? value.toString() : JSON.stringify(value);
}
