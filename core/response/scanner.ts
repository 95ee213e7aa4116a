// Follows JSON as its bytes stream by, in pieces of any size: tells where values begin and end, down to where the visitor
// still wants to know. Keeps no values and never throws; that the text is right JSON is checked where it is parsed.

export type ValueKind = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null';

/** A member's name, an item's index; undefined for the outermost value and for a name longer than any path asks for. */
export type Key = string | number | undefined;

export interface Visitor {
  /** A value begins at a byte of the whole text. True: its members or items are told, too. */
  begin(key: Key, kind: ValueKind, offset: number): boolean;
  /** The innermost value that was begun and not ended ends before this byte. False: nothing that follows is wanted. */
  end(offset: number): boolean;
}

/** Bytes kept of a member's name. */
const NAME_BYTES = 256;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** What a byte means inside a value that nobody asks about: nothing, a string's begin, one level deeper, one less. */
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
  /** Levels below the value whose inside nobody asks about. */
  #deep = 0;
  #inString = false;
  #isEscaped = false;
  #isName = false;
  #name: number[] = [];
  /** A number or a word is going on. */
  #inToken = false;
  #isStopped = false;

  /** `offset`: where in the whole text the first byte stands. */
  constructor(
    private readonly visitor: Visitor,
    offset = 0,
  ) {
    this.#offset = offset;
  }

  /** A scanner that begins inside an array, in front of its item `index`. */
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

  /** A value that nobody asks about: only strings and brackets count. */
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

  /** The rest of a string that an earlier piece began, or of one whose bytes are kept. */
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

  /** One byte of a container that is told. */
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
    // What follows the outermost value, or stands where no value can, is left to the parser.
    if (frame !== undefined && frame.expects !== 'value') return;
    const kind = kindOf(byte);
    const key = frame === undefined ? undefined : frame.isArray ? frame.index : frame.name;
    const isTold = this.visitor.begin(key, kind, this.#offset + at);
    if (kind === 'string') this.#inString = true;
    else if (kind !== 'object' && kind !== 'array') this.#inToken = true;
    else if (!isTold) this.#deep = 1;
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

/** Behind the quote that ends the string whose inside begins at `start`; -1 where it goes on in the next piece. */
function stringEnd(chunk: Uint8Array, start: number): number {
  for (let from = start; ;) {
    const quote = quoteAt(chunk, from);
    if (quote < 0) return -1;
    if (chunk[quote - 1] !== BACKSLASH || slashesBefore(chunk, quote, start) % 2 === 0) return quote + 1;
    from = quote + 1;
  }
}

/** Bytes that are walked through before they are searched: beginning a search costs more than a short walk. */
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
