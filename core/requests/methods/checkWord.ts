// Checks words: encodings, commitment levels and enums, each with the nearest words as fixes.
import { nearestNames } from '../../solana/common/nearest';
import type { Fix } from './problems';
import { orList, quote, type ParamsPlace, type Reporter } from './reporter';
import type { Encoding } from './types';

/** Encodings that are one somewhere. `binary` is the old name of base58, which nodes still read. */
const ENCODINGS = new Set<string>(['base58', 'base64', 'base64+zstd', 'jsonParsed', 'json', 'binary']);

/** Levels of old clusters, and what is closest to them now. */
const OLD_COMMITMENTS = new Map([
  ['recent', 'processed'],
  ['single', 'confirmed'],
  ['singleGossip', 'confirmed'],
  ['root', 'finalized'],
  ['max', 'finalized'],
]);

export function checkEncoding(report: Reporter, allowed: readonly Encoding[], value: string, place: ParamsPlace): void {
  if ((allowed as readonly string[]).includes(value)) return;
  if (value === 'binary' && allowed.includes('base58')) return;
  const expected = orList(allowed.map((one) => JSON.stringify(one)));
  if (ENCODINGS.has(value)) {
    const fixes = allowed.map((one): Fix => ({ kind: 'replace', value: one }));
    report.value('encoding-unsupported', place, `${quote(value)} does not work here: use ${expected}.`, fixes);
  } else unknownWord(report, value, { words: allowed, expected }, place);
}

export function checkCommitment(report: Reporter, allowed: readonly string[], value: string, place: ParamsPlace): void {
  if (allowed.includes(value)) return;
  const expected = orList(allowed.map((one) => JSON.stringify(one)));
  const fixes = allowed.map((one): Fix => ({ kind: 'replace', value: one }));
  if (value === 'processed') {
    report.value('commitment-unsupported', place, `"processed" is refused here: use ${expected}.`, fixes);
    return;
  }
  const modern = OLD_COMMITMENTS.get(value);
  if (modern === undefined) {
    unknownWord(report, value, { words: allowed, expected }, place);
    return;
  }
  const offered = allowed.includes(modern) ? modern : (allowed[0] ?? modern);
  report.value('enum-value', place, `${quote(value)} is an old name that nodes refuse: use ${expected}.`, [
    { kind: 'replace', value: offered },
  ]);
}

/** The words that are allowed somewhere. */
interface AllowedWords {
  readonly words: readonly string[];
  /** The expectation in the words of the message. */
  readonly expected: string;
}

export function unknownWord(
  report: Reporter,
  value: string,
  { words, expected }: AllowedWords,
  place: ParamsPlace,
): void {
  if (report.isUnknown(value)) return;
  const near = nearestNames(value, words);
  const offered = near.length > 0 ? near : words.length <= 4 ? words : [];
  const fixes = offered.map((word): Fix => ({ kind: 'replace', value: word }));
  report.value('enum-value', place, `${quote(value)} is not allowed here: expected ${expected}.`, fixes);
}
