// Checks a part of account data against the encoding that it is to be written in.
import { integerOf, isJsonObject, member, type JsonObject } from '../../../solana/json/json';
import type { Fix } from '../problems';
import { pathOf, type ParamsPlace, type Reporter } from '../reporter';

/** Most bytes of account data that nodes write as base58. */
const MAX_BASE58_DATA = 128;

/** Options whose text has none of these words are fine with any `dataSlice`. */
export const SLICE_NEEDS_CHECK = /"(?:jsonParsed|base58)"/;

/** `value`: options with `dataSlice` and perhaps `encoding`. A slice of another type is a problem that is known by now. */
export function checkSlice(report: Reporter, value: JsonObject, place: ParamsPlace | undefined): void {
  const slice = member(value, 'dataSlice');
  const encoding = member(value, 'encoding');
  if (!isJsonObject(slice)) return;
  const base64: Fix = { kind: 'set', path: pathOf(place), members: { encoding: 'base64' } };
  const at: ParamsPlace = { parent: place, step: 'dataSlice' };
  if (encoding === 'jsonParsed') {
    const message = 'dataSlice has no effect on data that a node parses: with jsonParsed the whole account comes.';
    report.key('no-effect', at, message, [base64, { kind: 'remove' }]);
    return;
  }
  const length = integerOf(member(slice, 'length'));
  if (encoding !== 'base58' || length === undefined || length <= BigInt(MAX_BASE58_DATA)) return;
  const message = `Nodes write at most ${MAX_BASE58_DATA} bytes of data as base58: a longer part is answered with an error.`;
  report.value('base58-limit', { parent: at, step: 'length' }, message, [
    base64,
    { kind: 'replace', value: MAX_BASE58_DATA },
  ]);
}
