// The text of a notification's result, cut out of the message as it came: every digit stays.
import { findMembers } from '../../core/streams/jsonBytes';

const encoder = new TextEncoder();
const RESULT = ['params', 'result'].map((name) => encoder.encode(name));
const PLACE = { start: 0, end: 0 };

/** Undefined where the message is no notification. */
export function resultText(bytes: Buffer, start: number, end: number): string | undefined {
  return findMembers(bytes, start, end, RESULT, PLACE) ? bytes.toString('utf8', PLACE.start, PLACE.end) : undefined;
}
