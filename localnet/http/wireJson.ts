// Writes WireJson as text in chunks, so that an answer of many megabytes never stands in memory as one string and never
// holds up other clients. Never rounds: a bigint leaves as its digits.
import { WireText, type WireJson } from '../api';

/** Text is handed on in pieces of about this many UTF-16 units. */
const CHUNK = 64 * 1024;

type WireObject = { readonly [key: string]: WireJson | undefined };

type Frame =
  | { readonly kind: 'text'; readonly pieces: Iterator<string, unknown> }
  | { readonly kind: 'array'; readonly items: readonly WireJson[]; next: number }
  | { readonly kind: 'object'; readonly value: WireObject; readonly keys: readonly string[]; next: number };

/** The chunks of `value`; a small value is one chunk. A member that is `undefined` is left out, as JSON.stringify does. */
export function* wireChunks(value: WireJson): Generator<string, void, void> {
  const open: Frame[] = [];
  let text = '';

  const begin = (item: WireJson): string => {
    if (item === null || typeof item !== 'object') return scalar(item);
    if (item instanceof WireText) {
      open.push({ kind: 'text', pieces: item.pieces()[Symbol.iterator]() });
      return '"';
    }
    if (Array.isArray(item)) {
      open.push({ kind: 'array', items: item as readonly WireJson[], next: 0 });
      return '[';
    }
    const object = item as WireObject;
    const keys = Object.keys(object).filter((key) => object[key] !== undefined);
    open.push({ kind: 'object', value: object, keys, next: 0 });
    return '{';
  };

  /** The next piece of what is open innermost. */
  const step = (frame: Frame): string => {
    if (frame.kind === 'text') {
      const piece = frame.pieces.next();
      if (piece.done !== true) return piece.value;
      open.pop();
      return '"';
    }
    const at = frame.next++;
    const comma = at === 0 ? '' : ',';
    if (frame.kind === 'array') {
      if (at < frame.items.length) return comma + begin(frame.items[at] ?? null);
      open.pop();
      return ']';
    }
    const key = frame.keys[at];
    if (key !== undefined) return `${comma}${JSON.stringify(key)}:${begin(frame.value[key] ?? null)}`;
    open.pop();
    return '}';
  };

  text += begin(value);
  for (let frame = open.at(-1); frame !== undefined; frame = open.at(-1)) {
    text += step(frame);
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
