// Scans JSON as it streams, in chunks of any size: reports where values begin and end, down to the depth that the visitor
// asks for. Keeps no values and never throws; the parser checks that the text is valid JSON.

export type ValueKind = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null';

/** A member's name or an item's index; undefined for the outermost value and for names too long for any path. */
export type Key = string | number | undefined;

export interface Visitor {
  /** A value begins at this byte of the whole text. Return true to visit its members or items. */
  begin(key: Key, kind: ValueKind, offset: number): boolean;
  /** The innermost open value ends before this byte. Returns false to stop the scan. */
  end(offset: number): boolean;
}

/** Longest member name kept, in bytes. */
const NAME_BYTES = 256;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** Role of a byte inside a skipped value: none, start of a string, one level deeper, one level up. */
const DEEP = new Uint8Array(256);
DEEP[QUOTE] = 1;
DEEP[0x5b] = DEEP[0x7b] = 2;
DEEP[0x5d] = DEEP[0x7d] = 3;

interface Frame {
  readonly isArray: boolean;
  index: number;
  name: Key;
  expects: 'name' | 'colon' | 'value' | 'comma';
}

const decoder = new TextDecoder();

export class JsonScanner {
  /** Bytes seen so far. */
  #offset: number;
  readonly #frames: Frame[] = [];
  /** Nesting depth inside a skipped value. */
  #deep = 0;
  #inString = false;
  #isEscaped = false;
  #isName = false;
  #name: number[] = [];
  /** Inside a number or a literal. */
  #inToken = false;
  #isStopped = false;

  /** `offset`: position of the first byte in the whole text. */
  constructor(
    private readonly visitor: Visitor,
    offset = 0,
  ) {
    this.#offset = offset;
  }

  /** A scanner that starts inside an array, before its item `index`. */
  static inArray(visitor: Visitor, offset: number, index: number): JsonScanner {
    const scanner = new JsonScanner(visitor, offset);
    scanner.#frames.push({ isArray: true, index, name: undefined, expects: 'value' });
    return scanner;
  }

  push(chunk: Uint8Array): void {
    let at = 0;
    while (at < chunk.length && !this.#isStopped) {
      if (this.#inString) at = this.#string(chunk, at);
      else if (this.#deep > 0) at = this.#skip(chunk, at);
      else at = this.#shallow(chunk, at);
    }
    this.#offset += chunk.length;
  }

  /** Skips a value: only strings and brackets matter. */
  #skip(chunk: Uint8Array, start: number): number {
    let depth = this.#deep;
    for (let at = start; at < chunk.length; at++) {
      const meaning = DEEP[chunk[at] ?? 0];
      if (meaning === 0) continue;
      if (meaning === 1) {
        const end = stringEnd(chunk, at + 1);
        if (end < 0) {
          this.#inString = true;
          this.#isEscaped = endsEscaped(chunk, at + 1);
          this.#deep = depth;
          return chunk.length;
        }
        at = end - 1;
      } else if (meaning === 2) depth++;
      else if (--depth === 0) {
        this.#deep = 0;
        this.#ended(at + 1);
        return at + 1;
      }
    }
    this.#deep = depth;
    return chunk.length;
  }

  /** The rest of a string that started in an earlier chunk, or whose bytes are kept. */
  #string(chunk: Uint8Array, start: number): number {
    let at = start;
    if (this.#isEscaped) {
      this.#isEscaped = false;
      at++;
    }
    const end = stringEnd(chunk, at);
    const stop = end < 0 ? chunk.length : end;
    if (this.#isName && this.#name.length <= NAME_BYTES)
      for (const byte of chunk.subarray(start, Math.min(stop, start + NAME_BYTES + 2))) this.#name.push(byte);
    if (end < 0) {
      this.#isEscaped = endsEscaped(chunk, at);
      return stop;
    }
    this.#inString = false;
    if (this.#deep > 0) return stop;
    if (this.#isName) this.#named();
    else this.#ended(stop);
    return stop;
  }

  #named(): void {
    this.#isName = false;
    const frame = this.#frames.at(-1);
    if (frame === undefined) return;
    frame.expects = 'colon';
    frame.name = this.#name.length > NAME_BYTES ? undefined : nameOf(Uint8Array.from(this.#name));
    this.#name = [];
  }

  /** One byte of a container that is being visited. */
  #shallow(chunk: Uint8Array, at: number): number {
    const byte = chunk[at] ?? 0;
    const isSpace = byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
    const isClosing = byte === 0x7d || byte === 0x5d;
    if (this.#inToken) {
      if (!isSpace && !isClosing && byte !== 0x2c) return at + 1;
      this.#inToken = false;
      this.#ended(at);
    }
    if (isSpace) return at + 1;
    const frame = this.#frames.at(-1);
    if (isClosing) {
      this.#frames.pop();
      if (frame !== undefined) this.#ended(at + 1);
    } else if (byte === 0x2c) {
      if (frame !== undefined) frame.expects = frame.isArray ? 'value' : 'name';
    } else if (byte === 0x3a && frame?.expects === 'colon') frame.expects = 'value';
    else if (byte === QUOTE && frame?.expects === 'name') {
      this.#isName = true;
      this.#inString = true;
      this.#name = [byte];
    } else this.#begun(byte, at, frame);
    return at + 1;
  }

  #begun(byte: number, at: number, frame: Frame | undefined): void {
    // Text after the outermost value, or where no value may be, is for the parser to reject.
    if (frame !== undefined && frame.expects !== 'value') return;
    const kind = kindOf(byte);
    const key = frame === undefined ? undefined : frame.isArray ? frame.index : frame.name;
    const isEntered = this.visitor.begin(key, kind, this.#offset + at);
    if (kind === 'string') this.#inString = true;
    else if (kind !== 'object' && kind !== 'array') this.#inToken = true;
    else if (!isEntered) this.#deep = 1;
    else {
      const isArray = kind === 'array';
      this.#frames.push({ isArray, index: 0, name: undefined, expects: isArray ? 'value' : 'name' });
    }
  }

  #ended(at: number): void {
    const frame = this.#frames.at(-1);
    if (frame === undefined) this.#isStopped = true;
    else {
      frame.expects = 'comma';
      if (frame.isArray) frame.index++;
    }
    if (!this.visitor.end(this.#offset + at)) this.#isStopped = true;
  }
}

function kindOf(byte: number): ValueKind {
  switch (byte) {
    case 0x7b:
      return 'object';
    case 0x5b:
      return 'array';
    case QUOTE:
      return 'string';
    case 0x74:
    case 0x66:
      return 'boolean';
    case 0x6e:
      return 'null';
    default:
      return 'number';
  }
}

function nameOf(token: Uint8Array): Key {
  try {
    return String(JSON.parse(decoder.decode(token)));
  } catch {
    return undefined;
  }
}

/** Offset after the closing quote of the string whose content starts at `start`; -1 if it continues in the next chunk. */
function stringEnd(chunk: Uint8Array, start: number): number {
  for (let from = start; ;) {
    const quote = quoteAt(chunk, from);
    if (quote < 0) return -1;
    if (chunk[quote - 1] !== BACKSLASH || slashesBefore(chunk, quote, start) % 2 === 0) return quote + 1;
    from = quote + 1;
  }
}

/** Bytes checked one by one before searching: starting a search costs more than a short loop. */
const WALKED = 16;

function quoteAt(chunk: Uint8Array, from: number): number {
  const near = Math.min(chunk.length, from + WALKED);
  for (let at = from; at < near; at++) if (chunk[at] === QUOTE) return at;
  return chunk.indexOf(QUOTE, near);
}

const endsEscaped = (chunk: Uint8Array, start: number): boolean => slashesBefore(chunk, chunk.length, start) % 2 === 1;

function slashesBefore(chunk: Uint8Array, at: number, from: number): number {
  let count = 0;
  while (at - 1 - count >= from && chunk[at - 1 - count] === BACKSLASH) count++;
  return count;
}
