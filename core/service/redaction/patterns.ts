// Secrets compiled for searching in UTF-8 bytes: finds where one begins and ends, in any spelling and any mix of escapes.
import { EscapeReader, characterOf, isIntroducer, type Character } from './characters';
import { SecretPrefilter } from './prefilter';
import { StartTable } from './starts';
import { spellingsOf, type Spelling } from './spellings';

/** One spelling of a secret. */
interface Pattern {
  /** The characters allowed at each place: one, or both cases of a letter. */
  readonly places: readonly (readonly Character[])[];
  /** The bytes at each place in either case; undefined where a byte does not decide: escapes, or not ASCII. */
  readonly plain: { readonly bytes: Uint8Array; readonly others: Uint8Array } | undefined;
}

/** Compile once per secret: it takes longer than most searches. */
export class SecretPatterns {
  readonly prefilter: SecretPrefilter;
  /** Bytes of the longest spelling without escapes. */
  readonly longest: number;
  readonly isEmpty: boolean;
  readonly #reader = new EscapeReader();
  readonly #all: readonly Pattern[];
  /** The patterns that may begin with each byte. */
  readonly #startingWith: (readonly Pattern[])[] = [];
  readonly #starts: StartTable;

  constructor(secrets: readonly string[]) {
    const spellings = secrets.flatMap(spellingsOf);
    this.prefilter = new SecretPrefilter(spellings);
    this.isEmpty = spellings.length === 0;
    this.#all = spellings.map(compiled);
    this.longest = Math.max(0, ...this.#all.map(({ places }) => bytesOf(places)));
    this.#starts = new StartTable(this.#all.map(({ places }) => places));
    for (const pattern of this.#all)
      for (const { utf8 } of pattern.places[0] ?? []) {
        const byte = utf8[0] ?? 0;
        this.#startingWith[byte] = [...(this.#startingWith[byte] ?? []), pattern];
      }
  }

  /** 1 for the bytes with which a secret may begin, escaped or not. */
  get first(): Uint8Array {
    return this.#starts.first;
  }

  /** Quickly rules out most offsets. `at`: below `length`, at one of the `first`. */
  mayBegin(bytes: Uint8Array, length: number, at: number): boolean {
    return this.#starts.mayBegin(bytes, length, at);
  }

  /**
   * The end of the longest secret that begins at `at`; -1 if none does. `isOpen`: whether more bytes after `length`
   * might change that.
   */
  endAt(bytes: Uint8Array, length: number, at: number): number {
    const reader = this.#reader;
    reader.bytes = bytes;
    reader.length = length;
    reader.isOpen = false;
    let longest = -1;
    const byte = bytes[at] ?? 0;
    const patterns = isIntroducer(byte) ? this.#all : this.#startingWith[byte];
    if (patterns === undefined) return -1;
    for (const pattern of patterns) {
      const end = endOf(pattern, reader, at);
      if (end > longest) longest = end;
    }
    return longest;
  }

  /** Of the last `endAt`. */
  get isOpen(): boolean {
    return this.#reader.isOpen;
  }
}

const bytesOf = (places: Pattern['places']): number =>
  places.reduce((bytes, [char]) => bytes + (char?.utf8.length ?? 0), 0);

function compiled({ text, ignoresCase }: Spelling): Pattern {
  const cases = (char: string): readonly string[] => (ignoresCase ? [...new Set([char, char.toUpperCase()])] : [char]);
  const places = [...text].map((char) => cases(char).map(characterOf));
  const isPlain = places.every(([char]) => char !== undefined && char.utf8.length === 1 && !isIntroducer(char.code));
  if (!isPlain) return { places, plain: undefined };
  const bytes = Uint8Array.from(places, (place) => place[0]?.code ?? 0);
  return { places, plain: { bytes, others: Uint8Array.from(places, (place) => place.at(-1)?.code ?? 0) } };
}

/** Goes byte by byte as far as nothing is escaped: that settles nearly every place. */
function endOf(pattern: Pattern, reader: EscapeReader, start: number): number {
  const { plain } = pattern;
  if (plain === undefined) return endByPlaces(pattern, reader, 0, start);
  const { bytes: text, length } = reader;
  const { bytes, others } = plain;
  let at = start;
  for (let place = 0; place < bytes.length; place++, at++) {
    if (at >= length) {
      reader.isOpen = true;
      return -1;
    }
    const byte = text[at];
    if (byte === bytes[place] || byte === others[place]) continue;
    return isIntroducer(byte) ? endByPlaces(pattern, reader, place, at) : -1;
  }
  return at;
}

/** Follows every way to read what begins at `start` from `place` on. */
function endByPlaces({ places }: Pattern, reader: EscapeReader, from: number, start: number): number {
  let ends = [start];
  for (let place = from; place < places.length && ends.length > 0; place++) {
    const next: number[] = [];
    for (const end of ends) for (const char of places[place] ?? []) reader.read(char, end, next);
    ends = next;
  }
  return Math.max(-1, ...ends);
}
