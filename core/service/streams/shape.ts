// The fields of a stream's messages, and how one is read from the bytes without decoding the message. Pure; a message is
// a range of a larger array and is never copied here.

/** Numbers are exact: a bigint from 2^53 on. */
export type FieldValue = number | bigint | string | boolean;
export type FieldType = 'number' | 'text' | 'boolean';

export interface ShapeColumn {
  /** The field's name in filters. */
  readonly field: string;
  readonly title: string;
  readonly align: 'start' | 'end';
}

export interface Shape {
  /** Columns of a list. */
  readonly columns: readonly ShapeColumn[];
  /** Every field a filter may name. */
  readonly fields: ReadonlyMap<string, FieldType>;
  /** The slot of a message; NaN if it has none. */
  readonly slot: (bytes: Uint8Array, start: number, end: number) => number;
  /** When the service created a message, in milliseconds since the epoch; NaN if the message does not say. */
  readonly sentAt: (bytes: Uint8Array, start: number, end: number) => number;
  /** Has a message at every slot, so silence counts as lag. */
  readonly isSteady: boolean;
  /** Messages include the fate of slots and their banks (core/service/streams/banks.ts). */
  readonly hearsOfSlots?: boolean;
  /** The field that reports slots as confirmed and final (runner/streams/settling.ts); absent where nothing does. */
  readonly settles?: string;
  /** A field of a message; undefined if the message lacks it. */
  readonly value: (field: string, bytes: Uint8Array, start: number, end: number) => FieldValue | undefined;
  /** Identifies a message, so that a repeat is recognised; includes its bank, if any. */
  readonly identity: (bytes: Uint8Array, start: number, end: number) => string;
  /** Whether the message contains a text, as shown or in its bytes. */
  readonly finds: (text: string) => (bytes: Uint8Array, start: number, end: number) => boolean;
}

/** A cell of a row. */
export const cellText = (value: FieldValue | undefined): string => (value === undefined ? '' : String(value));

/** Whether one of the fields of a message shows a text, in any case. */
export function showsText(text: string, value: Shape['value'], fields: readonly string[]): ReturnType<Shape['finds']> {
  const lower = text.toLowerCase();
  return (bytes, start, end) =>
    fields.some((field) => {
      const cell = cellText(value(field, bytes, start, end));
      return cell.toLowerCase().includes(lower);
    });
}

/** The cells of a message, one for each column. */
export function cellsOf(shape: Shape, bytes: Uint8Array, start: number, end: number): readonly string[] {
  return shape.columns.map(({ field }) => cellText(shape.value(field, bytes, start, end)));
}

/** The cells of two messages of one moment: both statuses, else those of the second. */
export const joinedCells = (
  { columns, settles }: Shape,
  first: readonly string[],
  second: readonly string[],
): readonly string[] =>
  columns.map(({ field }, at) => (field === settles ? `${first[at]}, ${second[at]}` : (second[at] ?? '')));

/** Offset of `wanted` between `start` and `end`, or -1. Uses the platform's search for its first byte. */
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

/** A safe number of arguments for one call. */
const CHARACTERS = 1024;

const UTF8 = new TextDecoder();
export const utf8Text = (bytes: Uint8Array, start: number, end: number): string =>
  UTF8.decode(bytes.subarray(start, end));
