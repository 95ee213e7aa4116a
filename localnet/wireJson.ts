// Reads WireJson, and writes it as text in chunks, so that an answer of many megabytes is never in memory as one string and never holds
// up other clients. Never rounds: a bigint is written as its digits.
import { WireParts, WireText, type WireJson } from './api';

/** Text is handed on in pieces of about this many UTF-16 units. */
const CHUNK = 64 * 1024;

type WireObject = { readonly [key: string]: WireJson | undefined };

type Frame =
  | { readonly kind: 'text'; readonly text: WireText; isWritten: boolean }
  | { readonly kind: 'parts'; readonly parts: WireParts['parts']; next: number }
  | { readonly kind: 'array'; readonly items: readonly WireJson[]; next: number }
  | { readonly kind: 'object'; readonly value: WireObject; readonly keys: readonly string[]; next: number };

/** The value at the end of a path of members; `undefined` where there is nothing. */
export function wireAt(value: WireJson | undefined, ...path: readonly string[]): WireJson | undefined {
  let found = value;
  for (const name of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined;
    found = (found as WireObject)[name];
  }
  return found;
}

/** The chunks of `value`; a small value is one chunk. A member that is `undefined` is left out, as JSON.stringify does. */
export function* wireChunks(value: WireJson): Generator<string, void, void> {
  let text = '';
  for (const part of wireParts(value)) {
    for (const piece of typeof part === 'string' ? [part] : part.pieces()) {
      text += piece;
      if (text.length < CHUNK) continue;
      yield text;
      text = '';
    }
  }
  if (text !== '') yield text;
}

/** As `wireChunks`, with texts that are made while they are written still unmade. */
export function* wireParts(value: WireJson): Generator<string | WireText, void, void> {
  const open: Frame[] = [];
  let text = '';

  const begin = (item: WireJson): string => {
    if (item === null || typeof item !== 'object') return scalar(item);
    if (item instanceof WireText) {
      open.push({ kind: 'text', text: item, isWritten: false });
      return '"';
    }
    if (item instanceof WireParts) {
      open.push({ kind: 'parts', parts: item.parts, next: 0 });
      return '';
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

  const end = (last: string): string => {
    open.pop();
    return last;
  };

  /** The next piece of what is open innermost. */
  const step = (frame: Frame): string | WireText => {
    if (frame.kind === 'text') {
      if (frame.isWritten) return end('"');
      frame.isWritten = true;
      return frame.text;
    }
    const at = frame.next++;
    if (frame.kind === 'parts') return frame.parts[at] ?? end('');
    const comma = at === 0 ? '' : ',';
    if (frame.kind === 'array') return at < frame.items.length ? comma + begin(frame.items[at] ?? null) : end(']');
    const key = frame.keys[at];
    return key === undefined ? end('}') : `${comma}${JSON.stringify(key)}:${begin(frame.value[key] ?? null)}`;
  };

  text += begin(value);
  for (let frame = open.at(-1); frame !== undefined; frame = open.at(-1)) {
    const piece = step(frame);
    if (typeof piece === 'string') {
      text += piece;
      if (text.length < CHUNK) continue;
    }
    if (text !== '') yield text;
    text = '';
    if (typeof piece !== 'string') yield piece;
  }
  if (text !== '') yield text;
}

/** The whole text of a small value. */
export function wireText(value: WireJson): string {
  return [...wireChunks(value)].join('');
}

/** Bounds of a value written in one go: its number of values, and UTF-16 units of its text. */
const MOST_VALUES = 200;
const MOST_TEXT = 8 * 1024;

/** The whole text of a value that is small, in one go; `undefined` for others, and for texts that are made while written. */
export function smallText(value: WireJson): string | undefined {
  return new SmallWriter().text(value);
}

class SmallWriter {
  #values = 0;

  text(item: WireJson): string | undefined {
    if (item === null || typeof item !== 'object') {
      return typeof item === 'string' && item.length > MOST_TEXT ? undefined : scalar(item);
    }
    if (item instanceof WireText || item instanceof WireParts) return undefined;
    return Array.isArray(item) ? this.#array(item as readonly WireJson[]) : this.#object(item as WireObject);
  }

  #array(items: readonly WireJson[]): string | undefined {
    let text = '[';
    for (const item of items) {
      const part = this.#member(item, text);
      if (part === undefined) return undefined;
      text += text.length === 1 ? part : `,${part}`;
    }
    return `${text}]`;
  }

  #object(object: WireObject): string | undefined {
    let text = '{';
    for (const key of Object.keys(object)) {
      const value = object[key];
      if (value === undefined) continue;
      const part = this.#member(value, text);
      if (part === undefined) return undefined;
      text += `${text.length === 1 ? '' : ','}${JSON.stringify(key)}:${part}`;
    }
    return `${text}}`;
  }

  /** The text of one more value behind what is there. */
  #member(value: WireJson, before: string): string | undefined {
    return ++this.#values > MOST_VALUES || before.length > MOST_TEXT ? undefined : this.text(value);
  }
}

function scalar(value: null | boolean | string | number | bigint): string {
  return typeof value === 'bigint' ? value.toString() : JSON.stringify(value);
}
