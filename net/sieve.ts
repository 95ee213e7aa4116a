// Tells of a long piece of bytes that none of several texts stands in it, by looking at few of its bytes. Never misses
// one; where it says that one may be there, an exact search has to follow.

/** Neighbouring bytes that are looked at together. */
const GRAM = 4;
/** Below so many bytes between two looks an exact search is as cheap. */
const MIN_STEP = 8;
/** Bits of a place in the first table: it has thousands of them, for the few hundred grams of a key. */
const CELL_BITS = 14;

export class Sieve {
  private readonly cells = new Uint8Array(1 << CELL_BITS);
  private readonly grams = new Set<number>();
  /**
   * Bytes from look to look. Of a text of n bytes n - 3 grams begin at neighbouring bytes, so one of them is looked at in
   * every run of so many bytes.
   */
  private readonly step: number;

  constructor(texts: readonly Uint8Array[]) {
    this.step = texts.reduce((least, { length }) => Math.min(least, length - GRAM + 1), Infinity);
    for (const text of texts) {
      for (let at = 0; at + GRAM <= text.length; at++) {
        const gram = gramAt(text, at);
        this.grams.add(gram);
        this.cells[cellOf(gram)] = 1;
      }
    }
  }

  /** False: none of the texts stands whole in the bytes. */
  mayHold(bytes: Uint8Array): boolean {
    const { step, cells, grams } = this;
    if (step === Infinity) return false;
    if (step < MIN_STEP) return true;
    for (let at = 0; at + GRAM <= bytes.length; at += step) {
      const gram = gramAt(bytes, at);
      if (cells[cellOf(gram)] === 1 && grams.has(gram)) return true;
    }
    return false;
  }
}

const gramAt = (bytes: Uint8Array, at: number): number =>
  (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16) | ((bytes[at + 3] ?? 0) << 24);

/** Multiplied by the golden ratio's bits, of which the highest are the most mixed. */
const cellOf = (gram: number): number => Math.imul(gram, 0x9e3779b1) >>> (32 - CELL_BITS);
