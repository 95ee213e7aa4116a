// Finds account filters that no account can pass: sizes that differ, bytes behind the end, bytes that contradict each
// other, keys where the program keeps none. Reads values only; what is not known yet is skipped.
import { decodeBase58 } from '../../../solana/encoding/base58';
import { decodeBase64 } from '../../../solana/encoding/base64';
import { integerOf, isJsonArray, isJsonObject, member, type JsonValue } from '../../../solana/json/json';
import { KEY_BYTES, judgeBase58 } from '../../../solana/chain/keys';
import { knownAddress } from '../../../solana/chain/addresses';
import { MAX_U64 } from '../../../solana/chain/lamports';
import { keysOf, sizesOf, type LayoutKey } from '../filterKinds';
import type { Fix } from '../problems';
import { orList, pathOf, type ParamsPlace, type Reporter } from '../reporter';

/** A 64-bit integer; undefined if invalid (already reported). */
export function checkedU64(value: JsonValue | undefined): bigint | undefined {
  const integer = integerOf(value);
  return integer !== undefined && integer >= 0n && integer <= MAX_U64 ? integer : undefined;
}

/** The bytes of a memcmp filter and where they are compared. */
interface Comparison {
  readonly offset: bigint;
  readonly bytes: Uint8Array;
  /** The text, where it is one. */
  readonly text: string | undefined;
  readonly place: ParamsPlace;
}

/** `filters` is the list, `place` its place, `program` the first parameter. Reports each fault once. */
export function checkAccountFilters(
  report: Reporter,
  filters: JsonValue | undefined,
  place: ParamsPlace,
  program: JsonValue | undefined,
): void {
  if (!isJsonArray(filters)) return;
  const isKnown = typeof program === 'string' && !report.isUnknown(program);
  let size: bigint | undefined;
  let sized: ParamsPlace | undefined;
  const comparisons: Comparison[] = [];
  for (let index = 0; index < filters.length; index++) {
    const filter = filters[index];
    // A filter of two kinds is a fault that is known by now.
    if (!isJsonObject(filter) || Object.keys(filter).length !== 1) continue;
    const at: ParamsPlace = { parent: place, step: index };
    const wanted = checkedU64(member(filter, 'dataSize'));
    if (wanted !== undefined && size !== undefined && wanted !== size) {
      const message = `Another filter asks for ${size} bytes of data: no account has both sizes.`;
      report.value('empty-answer', { parent: at, step: 'dataSize' }, message, [{ kind: 'remove', path: pathOf(at) }]);
    }
    if (wanted !== undefined && size === undefined) sized = at;
    size ??= wanted;
    const comparison = comparisonOf(report, member(filter, 'memcmp'), { parent: at, step: 'memcmp' });
    if (comparison !== undefined) comparisons.push(comparison);
  }
  if (isKnown && size !== undefined && sized !== undefined && checkSize(report, program, size, sized)) return;
  for (let index = 0; index < comparisons.length; index++) {
    const comparison = comparisons[index];
    if (comparison === undefined || isBehind(report, comparison, size)) continue;
    const other = comparisons.find((one, before) => before < index && contradicts(one, comparison));
    if (other !== undefined) {
      const message = `Another filter compares other bytes at the same place (byte ${overlapOf(other, comparison)}): no account passes both.`;
      report.value('empty-answer', comparison.place, message, [
        { kind: 'remove', path: pathOf(comparison.place).slice(0, -1) },
      ]);
    } else if (isKnown) checkKey(report, comparison, program, size);
  }
}

function comparisonOf(report: Reporter, memcmp: JsonValue | undefined, place: ParamsPlace): Comparison | undefined {
  const offset = checkedU64(member(memcmp, 'offset'));
  const given = member(memcmp, 'bytes');
  if (offset === undefined || given === undefined || report.isUnknown(given)) return undefined;
  const bytes = bytesOf(given, member(memcmp, 'encoding'));
  if (bytes === undefined) return undefined;
  return { offset, bytes, text: typeof given === 'string' ? given : undefined, place };
}

/** Texts above this stand for more bytes than a filter compares, which is a fault found elsewhere. */
const MAX_TEXT = 200;

function bytesOf(given: JsonValue, encoding: JsonValue | undefined): Uint8Array | undefined {
  if (isJsonArray(given)) {
    const numbers = given.flatMap((item) => (typeof item === 'number' && item >= 0 && item < 256 ? [item] : []));
    return numbers.length === given.length ? Uint8Array.from(numbers) : undefined;
  }
  if (typeof given !== 'string' || given.length > MAX_TEXT) return undefined;
  return encoding === 'base64' ? decodeBase64(given) : decodeBase58(given);
}

/** A size that no account of the program has; true where that was reported. `place`: of the filter with the size. */
function checkSize(report: Reporter, program: string, size: bigint, place: ParamsPlace): boolean {
  const sizes = sizesOf(program);
  if (sizes === undefined || sizes.some((one) => BigInt(one.bytes) === size)) return false;
  const known = orList(sizes.map((one) => `${one.bytes} (${one.name})`));
  const fixes = sizes.slice(0, 1).map((one): Fix => ({ kind: 'replace', value: one.bytes }));
  const message = `Accounts of this program have ${known} bytes of data, none has ${size}.`;
  report.value('empty-answer', { parent: place, step: 'dataSize' }, message, fixes);
  return true;
}

function isBehind(report: Reporter, { offset, bytes, place }: Comparison, size: bigint | undefined): boolean {
  const end = offset + BigInt(bytes.length);
  if (size === undefined || end <= size || bytes.length === 0) return false;
  const message = `The filter compares bytes ${offset} to ${end - 1n}, and dataSize lets only accounts of ${size} bytes through.`;
  report.value('empty-answer', { parent: place, step: 'offset' }, message);
  return true;
}

/** The first byte that both compare; undefined where they have none in common. */
function overlapOf(a: Comparison, b: Comparison): bigint | undefined {
  const start = a.offset > b.offset ? a.offset : b.offset;
  const endOf = ({ offset, bytes }: Comparison): bigint => offset + BigInt(bytes.length);
  const end = endOf(a) < endOf(b) ? endOf(a) : endOf(b);
  for (let at = start; at < end; at++) if (a.bytes[Number(at - a.offset)] !== b.bytes[Number(at - b.offset)]) return at;
  return undefined;
}

const contradicts = (a: Comparison, b: Comparison): boolean => overlapOf(a, b) !== undefined;

/** A whole key is compared where the accounts of the program keep one, and with an account of the right kind. */
function checkKey(report: Reporter, comparison: Comparison, program: string, size: bigint | undefined): void {
  const { offset, bytes, text, place } = comparison;
  const keys = keysOf(program, size);
  if (
    keys === undefined ||
    bytes.length !== KEY_BYTES ||
    text === undefined ||
    judgeBase58(text, KEY_BYTES).kind !== 'ok'
  )
    return;
  if (offset >= BigInt(keys.end)) return;
  const found = keys.keys.filter((key) => BigInt(key.offset) === offset);
  if (found.length === 0) {
    const near = nearestKeys(keys.keys, Number(offset));
    const known = orList(keys.keys.map((key) => `${key.offset} (${key.name})`));
    const message = `No public key begins at byte ${offset} of these accounts; keys begin at byte ${known}.`;
    const fixes = near.map((key): Fix => ({ kind: 'replace', value: key.offset }));
    report.value('empty-answer', { parent: place, step: 'offset' }, message, fixes);
    return;
  }
  const kind = knownAddress(text)?.kind;
  const mint = keys.keys.find((key) => key.name === 'mint');
  if (kind !== 'mint' || mint === undefined || found.some((key) => key.name === 'mint')) return;
  const message = `This is a mint, and byte ${offset} holds the ${found.map((key) => key.name).join(' or ')}; the mint begins at byte ${mint.offset}.`;
  report.value('wrong-account', { parent: place, step: 'bytes' }, message, [
    { kind: 'set', path: pathOf(place), members: { offset: mint.offset } },
  ]);
}

const nearestKeys = (keys: readonly LayoutKey[], offset: number): readonly LayoutKey[] =>
  [...keys].sort((a, b) => Math.abs(a.offset - offset) - Math.abs(b.offset - offset)).slice(0, 2);
