// The kept part of a stream: the newest messages as the bytes received, bounded in rows and bytes. Evicts and counts
// the oldest, exactly. Records only the place of a message; copies its bytes once, together with their neighbours.

import type { Missing } from '../../core/service/streams/gap';
import { RING_LIMITS, type RingLimits } from './bounds';

const FIRST_SLAB = 64 * 1024;
const SLAB = 1024 * 1024;
const FIRST_ROWS = 1024;

interface Slab {
  readonly bytes: Buffer;
  used: number;
}

export class Ring {
  /** Number of the oldest row that is kept, and the one behind the newest. */
  first = 0;
  next = 0;
  /** Updates that were evicted for newer ones. */
  dropped = 0;
  /** Bytes of the memory that holds messages. */
  held = 0;

  #slabs: Slab[] = [];
  /** Rows count slabs from the first there ever was. */
  #slabsGone = 0;
  #spare: Slab | undefined;
  /** The array that was copied last, completely from an offset on: its messages need no separate copy. */
  #source: Uint8Array | undefined;
  #sourceTo = 0;
  /** When it came: a clock for each message is slow. */
  #now = 0;

  /** Of each row, at its number modulo the capacity. */
  #mask = FIRST_ROWS - 1;
  #slabOf = new Uint32Array(FIRST_ROWS);
  #startOf = new Uint32Array(FIRST_ROWS);
  #lengthOf = new Uint32Array(FIRST_ROWS);
  #times = new Float64Array(FIRST_ROWS);
  #slots = new Float64Array(FIRST_ROWS);
  readonly #gaps = new Map<number, Missing>();
  /** The second messages of rows that have two. */
  readonly #also = new Map<number, readonly [bytes: Buffer, start: number, end: number]>();

  constructor(
    private readonly limits: RingLimits = RING_LIMITS,
    /** Called for each update before it is evicted. */
    private readonly onDrop: (number: number) => void = () => undefined,
    private readonly unixMs: () => number = Date.now,
  ) {}

  /**
   * Keeps a message and gives its number. While the same array comes again its bytes are those of before: it is copied
   * when it first comes, from `start` to its end.
   */
  add(bytes: Uint8Array, start: number, end: number, slot: number): number {
    if (bytes !== this.#source) this.#copy(bytes, start);
    const number = this.#addRow(this.#slabsGone + this.#slabs.length - 1, slot);
    this.#startOf[number & this.#mask] = start + this.#sourceTo;
    this.#lengthOf[number & this.#mask] = end - start;
    return number;
  }

  /** Keeps a message as the second one of the newest row; as a row, where that is a gap or gone. Gives the row's number. */
  join(bytes: Uint8Array, start: number, end: number, slot: number): number {
    const newest = this.next - 1;
    if (bytes !== this.#source) this.#copy(bytes, start);
    const slab = this.#slabs.at(-1);
    if (slab === undefined || !this.holds(newest) || this.#gaps.has(newest)) return this.add(bytes, start, end, slot);
    this.#also.set(newest, [slab.bytes, start + this.#sourceTo, end + this.#sourceTo]);
    return newest;
  }

  addGap(gap: Missing): number {
    this.#now = this.unixMs();
    const number = this.#addRow(this.#slabsGone + Math.max(0, this.#slabs.length - 1), NaN);
    this.#startOf[number & this.#mask] = 0;
    this.#lengthOf[number & this.#mask] = 0;
    this.#gaps.set(number, gap);
    return number;
  }

  /** The gap at this row; undefined for an update. */
  gap(number: number): Missing | undefined {
    return this.#gaps.get(number);
  }

  holds(number: number): boolean {
    return number >= this.first && number < this.next;
  }

  /** Reads a row that is kept, where it lies. */
  read<T>(number: number, reader: (bytes: Buffer, start: number, end: number) => T): T {
    const at = number & this.#mask;
    const { bytes } = this.#slabs[(this.#slabOf[at] ?? 0) - this.#slabsGone] ?? EMPTY;
    const start = this.#startOf[at] ?? 0;
    return reader(bytes, start, start + (this.#lengthOf[at] ?? 0));
  }

  /** Whether the row has a second message. */
  isTwofold = (number: number): boolean => this.#also.has(number);

  /** Reads the row's second message; undefined where it has one alone. */
  also<T>(number: number, reader: (bytes: Buffer, start: number, end: number) => T): T | undefined {
    const place = this.#also.get(number);
    return place === undefined ? undefined : reader(...place);
  }

  time = (number: number): number => this.#times[number & this.#mask] ?? 0;
  size = (number: number): number =>
    (this.#lengthOf[number & this.#mask] ?? 0) + (this.also(number, (_bytes, start, end) => end - start) ?? 0);
  slot = (number: number): number => this.#slots[number & this.#mask] ?? NaN;

  /** The array that was handed last is not held any longer. */
  release(): void {
    this.#source = undefined;
  }

  #copy(bytes: Uint8Array, start: number): void {
    const length = bytes.length - start;
    let slab = this.#slabs.at(-1);
    if (slab === undefined || slab.bytes.length - slab.used < length) slab = this.#addSlab(length);
    slab.bytes.set(start === 0 ? bytes : bytes.subarray(start), slab.used);
    this.#now = this.unixMs();
    this.#source = bytes;
    this.#sourceTo = slab.used - start;
    slab.used += length;
  }

  #addSlab(length: number): Slab {
    const usual = Math.min(SLAB, FIRST_SLAB * 2 ** this.#slabs.length);
    const size = Math.max(usual, length);
    while (this.held + size > this.limits.bytes && this.#slabs.length > 0) this.#dropSlab();
    const spare = this.#spare;
    this.#spare = undefined;
    const slab =
      spare !== undefined && spare.bytes.length === size ? spare : { bytes: Buffer.allocUnsafeSlow(size), used: 0 };
    slab.used = 0;
    this.#slabs.push(slab);
    this.held += size;
    return slab;
  }

  /** Evicts every row of the oldest slab. */
  #dropSlab(): void {
    const oldest = this.#slabsGone;
    while (this.first < this.next && (this.#slabOf[this.first & this.#mask] ?? 0) === oldest) this.#drop();
    if (this.#slabsGone === oldest) this.#forgetSlab();
  }

  #forgetSlab(): void {
    const slab = this.#slabs.shift();
    this.#slabsGone++;
    if (slab === undefined) return;
    this.held -= slab.bytes.length;
    // Reused: a busy stream needs dozens a second.
    if (slab.bytes.length === SLAB) this.#spare = slab;
  }

  #drop(): void {
    const number = this.first;
    if (this.#gaps.size > 0 && this.#gaps.delete(number)) this.first++;
    else {
      this.onDrop(number);
      this.#also.delete(number);
      this.first++;
      this.dropped++;
    }
    // The last slab is being written into.
    const oldest = this.first === this.next ? undefined : this.#slabOf[this.first & this.#mask];
    while (oldest !== undefined && this.#slabsGone < oldest && this.#slabs.length > 1) this.#forgetSlab();
  }

  /** A row whose bytes the caller places in the slab. */
  #addRow(slab: number, slot: number): number {
    if (this.next - this.first >= this.limits.rows) this.#drop();
    else if (this.next - this.first > this.#mask) this.#grow();
    const number = this.next++;
    const at = number & this.#mask;
    this.#slabOf[at] = slab;
    this.#times[at] = this.#now;
    this.#slots[at] = slot;
    return number;
  }

  #grow(): void {
    const capacity = 2 * (this.#mask + 1);
    const grown = <A extends Uint32Array | Float64Array>(old: A, fresh: A): A => {
      for (let number = this.first; number < this.next; number++)
        fresh[number & (capacity - 1)] = old[number & this.#mask] ?? 0;
      return fresh;
    };
    this.#slabOf = grown(this.#slabOf, new Uint32Array(capacity));
    this.#startOf = grown(this.#startOf, new Uint32Array(capacity));
    this.#lengthOf = grown(this.#lengthOf, new Uint32Array(capacity));
    this.#times = grown(this.#times, new Float64Array(capacity));
    this.#slots = grown(this.#slots, new Float64Array(capacity));
    this.#mask = capacity - 1;
  }
}

const EMPTY: Slab = { bytes: Buffer.alloc(0), used: 0 };
