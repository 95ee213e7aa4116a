// Reads the envelope of a JSON-RPC answer out of bytes as they stream in: the exact id tokens and the error objects,
// while results of any size only pass by. It follows strings and brackets; that the JSON between them is right is
// checked where it is parsed.

/** One answer of a single response or of a batch. */
export interface EnvelopeEntry {
  /** The JSON token of `id`; undefined if absent. */
  readonly id?: string;
  /** The JSON text of `error`, unless it is null or absent. */
  readonly error?: string;
  readonly hasResult: boolean;
}

export type AnswerEnvelope =
  | { readonly kind: 'answers'; readonly isBatch: boolean; readonly entries: readonly EnvelopeEntry[] }
  | { readonly kind: 'malformed' };

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** Bytes kept of a member's name, an id and an error object; longer ones make the answer malformed. */
const CAPS: Readonly<Record<string, number>> = { id: 1024, error: 4 * 1024 * 1024 };
const NAME_CAP = 64;

export class EnvelopeScanner {
  #depth = 0;
  /** Depth inside the objects that hold `id`: 1, or 2 in a batch. */
  #memberDepth = 0;
  #isBatch = false;
  #done = false;
  #malformed = false;
  #inString = false;
  #escaped = false;
  /** At member depth: whether the next string is a name. */
  #atName = false;
  #name = '';
  #entry: { id?: string; error?: string; hasResult: boolean } = { hasResult: false };
  readonly #entries: EnvelopeEntry[] = [];
  /** The token being kept: its parts from earlier chunks, and where it continues in this one (-1: no token). */
  #kept: Buffer[] = [];
  #keptBytes = 0;
  #keepFrom = -1;
  #keepCap = 0;

  /** `maxEntries`: a batch with more answers than questions is malformed, and costs no more memory. */
  constructor(private readonly maxEntries: number) {}

  push(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length && !this.#malformed) {
      if (this.#inString) {
        at = this.#skipString(chunk, at);
        continue;
      }
      const byte = chunk[at] ?? 0;
      // Inside a result only strings and brackets matter.
      if (byte === QUOTE) this.#openString(at);
      else if (byte === 0x7b || byte === 0x5b) this.#open(byte === 0x5b);
      else if (byte === 0x7d || byte === 0x5d) this.#close(chunk, at);
      else if (this.#depth <= this.#memberDepth) this.#plain(chunk, byte, at);
      at++;
    }
    if (this.#keepFrom >= 0) {
      this.#keep(chunk.subarray(this.#keepFrom));
      this.#keepFrom = 0;
    }
  }

  /** Continues at the closing bracket of a result of which only the beginning was seen. */
  endResult(chunk: Buffer): void {
    this.#depth = this.#memberDepth + 1;
    this.#inString = false;
    this.#escaped = false;
    this.push(chunk);
  }

  end(): AnswerEnvelope {
    if (this.#malformed || !this.#done || this.#depth !== 0) return { kind: 'malformed' };
    return { kind: 'answers', isBatch: this.#isBatch, entries: this.#entries };
  }

  /** Skips to the end of the string or the chunk; the platform's search makes long base64 cheap. */
  #skipString(chunk: Buffer, start: number): number {
    let at = start;
    if (this.#escaped) {
      this.#escaped = false;
      at++;
    }
    for (;;) {
      const quote = chunk.indexOf(QUOTE, at);
      const end = quote === -1 ? chunk.length : quote;
      let slashes = 0;
      while (end - 1 - slashes >= at && chunk[end - 1 - slashes] === BACKSLASH) slashes++;
      if (quote === -1) {
        this.#escaped = slashes % 2 === 1;
        return chunk.length;
      }
      if (slashes % 2 === 0) {
        this.#inString = false;
        if (this.#atName && this.#depth === this.#memberDepth) this.#closeName(chunk, quote);
        return quote + 1;
      }
      at = quote + 1;
    }
  }

  #openString(at: number): void {
    this.#inString = true;
    if (this.#depth < this.#memberDepth || this.#depth === 0) this.#malformed = true;
    else if (this.#atName && this.#depth === this.#memberDepth) this.#startKeeping(at, NAME_CAP);
  }

  #closeName(chunk: Buffer, quote: number): void {
    this.#atName = false;
    const token = this.#takeKept(chunk, quote + 1);
    try {
      this.#name = token.includes('\\') ? String(JSON.parse(token)) : token.slice(1, -1);
    } catch {
      this.#malformed = true;
    }
  }

  #open(isArray: boolean): void {
    if (this.#depth === 0) {
      this.#malformed ||= this.#done;
      this.#isBatch = isArray;
      this.#memberDepth = isArray ? 2 : 1;
    } else if (this.#depth < this.#memberDepth && isArray) this.#malformed = true;
    this.#depth++;
    if (this.#depth !== this.#memberDepth) return;
    this.#atName = true;
    this.#name = '';
    this.#entry = { hasResult: false };
  }

  #close(chunk: Buffer, at: number): void {
    if (this.#depth === 0) this.#malformed = true;
    if (this.#depth === this.#memberDepth) {
      this.#closeMember(chunk, at);
      if (this.#entries.length >= this.maxEntries) this.#malformed = true;
      else this.#entries.push(this.#entry);
    }
    this.#depth--;
    if (this.#depth === 0) this.#done = true;
  }

  /** A byte outside strings and brackets, at or above member depth. */
  #plain(chunk: Buffer, byte: number, at: number): void {
    const isSpace = byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
    if (isSpace) return;
    if (this.#depth === this.#memberDepth && this.#depth > 0) {
      if (byte === 0x3a) this.#startValue(at);
      else if (byte === 0x2c) {
        this.#closeMember(chunk, at);
        this.#atName = true;
      } else if (this.#atName) this.#malformed = true;
    } else if (byte !== 0x2c || this.#depth === 0) this.#malformed = true;
  }

  #startValue(at: number): void {
    if (this.#name === 'result') this.#entry.hasResult = true;
    const cap = Object.hasOwn(CAPS, this.#name) ? CAPS[this.#name] : undefined;
    if (cap !== undefined) this.#startKeeping(at + 1, cap);
  }

  #closeMember(chunk: Buffer, at: number): void {
    if (this.#keepFrom < 0 || this.#inString) return;
    const text = this.#takeKept(chunk, at).trim();
    if (this.#name === 'id') this.#entry.id = text;
    else if (this.#name === 'error' && text !== 'null') this.#entry.error = text;
  }

  #startKeeping(at: number, cap: number): void {
    this.#kept = [];
    this.#keptBytes = 0;
    this.#keepFrom = at;
    this.#keepCap = cap;
  }

  #takeKept(chunk: Buffer, end: number): string {
    const from = this.#keepFrom;
    if (this.#keptBytes === 0 && end - from <= this.#keepCap) {
      // The whole value is in this chunk, the usual case: no copy.
      this.#keepFrom = -1;
      return chunk.toString('utf8', from, end);
    }
    this.#keep(chunk.subarray(this.#keepFrom, end));
    this.#keepFrom = -1;
    const text = Buffer.concat(this.#kept).toString('utf8');
    this.#kept = [];
    return text;
  }

  #keep(bytes: Buffer): void {
    this.#keptBytes += bytes.length;
    if (this.#keptBytes > this.#keepCap) {
      this.#malformed = true;
      this.#kept = [];
      return;
    }
    // A copy: a view would retain the chunk until the body ends.
    this.#kept.push(Buffer.from(bytes));
  }
}
