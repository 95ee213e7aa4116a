// Changes between two states of an account: by field if it is decoded, else by runs of bytes.
import type { ByteRange, Change, Decoded, DecodedField, DecodedValue } from './decoded';

/** Most changes listed: beyond that, a reader compares the whole. */
const MAX_CHANGES = 1_000;

/** The values that changed, in the order of `after`, then those that are gone. A different kind is one change of all. */
export function diffDecoded(before: Decoded, after: Decoded): readonly Change[] {
  const changes: Change[] = [];
  if (before.kind !== after.kind || before.title !== after.title) {
    return [{ path: [], before: whole(before), after: whole(after) }];
  }
  compareFields(before.fields, after.fields, [], changes);
  return changes;
}

const whole = ({ title, fields }: Decoded): DecodedValue => ({ kind: 'fields', name: title, fields });

type Path = Change['path'];

function compareFields(
  before: readonly DecodedField[],
  after: readonly DecodedField[],
  path: Path,
  into: Change[],
): void {
  // Names may repeat in an IDL: the first of a name on one side meets the first of it on the other.
  const left = new Map<string, DecodedValue[]>();
  for (const { name, value } of before) {
    const same = left.get(name);
    if (same === undefined) left.set(name, [value]);
    else same.push(value);
  }
  for (const { name, value } of after) compare(left.get(name)?.shift(), value, [...path, name], into);
  for (const [name, values] of left) for (const value of values) compare(value, undefined, [...path, name], into);
}

function compare(before: DecodedValue | undefined, after: DecodedValue | undefined, path: Path, into: Change[]): void {
  if (into.length >= MAX_CHANGES) return;
  if (before === undefined || after === undefined || !sameShape(before, after)) {
    into.push({ path, ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) });
  } else if (before.kind === 'fields' && after.kind === 'fields') {
    compareFields(before.fields, after.fields, path, into);
  } else if (before.kind === 'list' && after.kind === 'list') {
    const longest = Math.max(before.items.length, after.items.length);
    for (let at = 0; at < longest; at++) compare(before.items[at], after.items[at], [...path, at], into);
  } else if (!sameLeaf(before, after)) {
    into.push({ path, before, after });
  }
}

/** Whether both can be compared part by part. */
function sameShape(before: DecodedValue, after: DecodedValue): boolean {
  if (before.kind !== after.kind) return false;
  return before.kind !== 'fields' || after.kind !== 'fields' || before.name === after.name;
}

/** Of two values of one kind. */
const sameLeaf = (before: DecodedValue, after: DecodedValue): boolean =>
  before.kind === 'bytes' && after.kind === 'bytes'
    ? diffBytes(before.bytes, after.bytes).length === 0
    : Object.is(leafOf(before), leafOf(after));

function leafOf(value: DecodedValue): string | bigint | number | boolean | undefined {
  if (value.kind === 'text') return value.text;
  if (value.kind === 'pubkey') return value.address;
  return 'value' in value ? value.value : undefined;
}

/** More runs than these are given as one, from the first to the last. */
const MAX_RANGES = 256;
/** Equal bytes between two runs, up to so many, belong to the run: a u64 whose middle byte stayed is one change. */
const JOINED_OVER = 3;

/** Runs of differing bytes, as offsets into `after`; bytes beyond the shorter one's end differ. */
export function diffBytes(before: Uint8Array, after: Uint8Array): readonly ByteRange[] {
  const ranges: { offset: number; length: number }[] = [];
  const longest = Math.max(before.length, after.length);
  for (let at = 0; at < longest; at++) {
    if (at < before.length && at < after.length && before[at] === after[at]) continue;
    const last = ranges.at(-1);
    if (last !== undefined && (at - last.offset - last.length <= JOINED_OVER || ranges.length >= MAX_RANGES)) {
      last.length = at + 1 - last.offset;
    } else {
      ranges.push({ offset: at, length: 1 });
    }
  }
  return ranges;
}
