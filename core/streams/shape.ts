// What is known of a stream's messages without decoding them: which fields they have and how one is read out of the bytes.
// Pure; a message is a part of a larger array and is never copied here.

/** Numbers are exact: a bigint from 2^53 on. */
export type FieldValue = number | bigint | string | boolean;
export type FieldType = 'number' | 'text' | 'boolean';

export interface Column {
  /** The field's name as the filter knows it. */
  readonly field: string;
  readonly title: string;
  readonly align: 'start' | 'end';
}

export interface Shape {
  /** What a list shows of each message. */
  readonly columns: readonly Column[];
  /** Every field a filter may name. */
  readonly fields: ReadonlyMap<string, FieldType>;
  /** The slot of a message; NaN where it has none. */
  readonly slot: (bytes: Uint8Array, start: number, end: number) => number;
  /** When the service made a message, in milliseconds since the epoch; NaN where it does not say. */
  readonly sentAt: (bytes: Uint8Array, start: number, end: number) => number;
  /** Something comes at every slot: silence is lag too. */
  readonly isSteady: boolean;
  /** What becomes of slots and their banks is among the messages (core/streams/banks.ts). */
  readonly hearsOfSlots?: boolean;
  /** A field of a message; undefined where this one does not have it. */
  readonly value: (field: string, bytes: Uint8Array, start: number, end: number) => FieldValue | undefined;
  /** What tells a message from every other one, so that a repeated one is known; with a part for its bank, if it has one. */
  readonly identity: (bytes: Uint8Array, start: number, end: number) => string;
  /** Whether the message holds a text, in what is shown of it or in what it is made of. */
  readonly finds: (text: string) => (bytes: Uint8Array, start: number, end: number) => boolean;
}

/** A cell of a row. */
export const cellText = (value: FieldValue | undefined): string => (value === undefined ? '' : String(value));

/** The cells of a message, one for each column. */
export function cellsOf(shape: Shape, bytes: Uint8Array, start: number, end: number): readonly string[] {
  return shape.columns.map(({ field }) => cellText(shape.value(field, bytes, start, end)));
}

/** Where `wanted` begins between `start` and `end`; -1 where it does not. The platform's search finds its first byte. */
export function findBytes(bytes: Uint8Array, start: number, end: number, wanted: Uint8Array): number {
  const [first] = wanted;
  if (first === undefined) return start;
  const last = end - wanted.length;
  for (let at = bytes.indexOf(first, start); at >= 0 && at <= last; at = bytes.indexOf(first, at + 1)) {
    let same = 1;
    while (same < wanted.length && bytes[at + same] === wanted[same]) same++;
    if (same === wanted.length) return at;
  }
  return -1;
}

/** Bytes as text, each byte one character. */
export function latinText(bytes: Uint8Array, start: number, end: number): string {
  let text = '';
  for (let at = start; at < end; at += CHARACTERS)
    text += String.fromCharCode(...bytes.subarray(at, Math.min(end, at + CHARACTERS)));
  return text;
}

/** Arguments that a call takes at once, safely. */
const CHARACTERS = 1024;

const UTF8 = new TextDecoder();
export const utf8Text = (bytes: Uint8Array, start: number, end: number): string =>
  UTF8.decode(bytes.subarray(start, end));
