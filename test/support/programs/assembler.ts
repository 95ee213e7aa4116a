// Assembles programs for the runtime's virtual machine and wraps them as the .so file that a build writes, because no
// compiler for them is at hand.

/** One instruction (Solana's sBPF, version 0). */
export interface Line {
  /** Operation, registers, offset and constant; a jump names its label instead of the offset. */
  readonly code: number;
  readonly to?: number;
  readonly from?: number;
  readonly offset?: number | string;
  readonly value?: bigint;
  /** Calls the runtime's function of this name. */
  readonly calls?: string;
}

/** Instructions, and labels as texts. */
export type Source = readonly (Line | string)[];

interface Assembled {
  readonly code: Buffer;
  /** Where the runtime's functions are called: bytes from the start of the code. */
  readonly calls: readonly { readonly at: number; readonly name: string }[];
}

const INSTRUCTION_BYTES = 8;
/** Loads a constant of eight bytes; takes two places. */
const WIDE = 0x18;

function assemble(source: Source): Assembled {
  const size = ({ code }: Line): number => (code === WIDE ? 2 : 1);
  const labels = new Map<string, number>();
  let place = 0;
  for (const line of source)
    if (typeof line === 'string') labels.set(line, place);
    else place += size(line);
  const code = Buffer.alloc(place * INSTRUCTION_BYTES);
  const calls: { readonly at: number; readonly name: string }[] = [];
  let at = 0;
  for (const line of source) {
    if (typeof line === 'string') continue;
    const { code: operation, to = 0, from = 0, offset = 0, value = 0n } = line;
    const start = at * INSTRUCTION_BYTES;
    code[start] = operation;
    code[start + 1] = to | (from << 4);
    code.writeInt16LE(typeof offset === 'number' ? offset : placeOf(labels, offset) - at - 1, start + 2);
    code.writeUInt32LE(Number(value & 0xffffffffn), start + 4);
    if (line.calls !== undefined) calls.push({ at: start, name: line.calls });
    if (size(line) === 2) code.writeUInt32LE(Number(value >> 32n), start + INSTRUCTION_BYTES + 4);
    at += size(line);
  }
  return { code, calls };
}

function placeOf(labels: ReadonlyMap<string, number>, label: string): number {
  const place = labels.get(label);
  if (place === undefined) throw new Error(`No label ${label}`);
  return place;
}

const ELF_HEADER = 64;
const PROGRAM_HEADER = 56;
const SECTION_HEADER = 64;
const SYMBOL = 24;
const RELOCATION = 16;
/** Writes the hash of a symbol's name into a call (R_BPF_64_32). */
const CALL_RELOCATION = 10n;

/** A section of an ELF file (elf(5)). */
interface Section {
  readonly name: string;
  readonly type: number;
  readonly flags: number;
  readonly bytes: Buffer;
  /** The section that it refers to. */
  readonly link?: number;
  readonly entry?: number;
}

const LOADED = 2;

/** The program as the file that a build writes. */
export function sharedObject(source: Source): Buffer {
  const { code, calls } = assemble(source);
  const segments = calls.length === 0 ? 1 : 2;
  const codeAt = ELF_HEADER + segments * PROGRAM_HEADER;
  const text: Section = { name: '.text', type: 1, flags: 6, bytes: code };
  const dynamic = calls.length === 0 ? [] : dynamicSections(calls, codeAt, code.length);
  const names = Buffer.from(['', ...[text, ...dynamic].map(({ name }) => name), '.shstrtab', ''].join('\0'));
  const sections: readonly Section[] = [text, ...dynamic, { name: '.shstrtab', type: 3, flags: 0, bytes: names }];
  let end = codeAt;
  const places = sections.map(({ bytes }) => {
    const at = end;
    end = aligned(end + bytes.length);
    return at;
  });
  const file = Buffer.alloc(end + (sections.length + 1) * SECTION_HEADER);
  const words = (at: number, ...values: readonly number[]): void =>
    values.forEach((value, index) => file.writeBigUInt64LE(BigInt(value), at + index * 8));
  file.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]);
  // A shared object for machine 247 (BPF), version 1.
  file.writeUInt16LE(3, 16);
  file.writeUInt16LE(247, 18);
  file.writeUInt32LE(1, 20);
  words(24, codeAt, ELF_HEADER, end);
  [ELF_HEADER, PROGRAM_HEADER, segments, SECTION_HEADER, sections.length + 1, sections.length].forEach((value, index) =>
    file.writeUInt16LE(value, 52 + index * 2),
  );
  const segment = (index: number, [type, flags]: readonly [number, number], from: number, length: number): void => {
    const at = ELF_HEADER + index * PROGRAM_HEADER;
    file.writeUInt32LE(type, at);
    file.writeUInt32LE(flags, at + 4);
    words(at + 8, from, from, from, length, length, 8);
  };
  const whole = end - codeAt;
  // Loaded, readable and executable; then the dynamic table.
  segment(0, [1, 5], codeAt, whole);
  const table = sections.findIndex(({ name }) => name === '.dynamic');
  if (table >= 0) segment(1, [2, 6], places[table] ?? 0, sections[table]?.bytes.length ?? 0);
  sections.forEach(({ name, type, flags, bytes, link = 0, entry = 0 }, index) => {
    const at = places[index] ?? 0;
    file.set(bytes, at);
    const head = end + (index + 1) * SECTION_HEADER;
    file.writeUInt32LE(names.indexOf(`\0${name}\0`) + 1, head);
    file.writeUInt32LE(type, head + 4);
    words(head + 8, flags, (flags & LOADED) === 0 ? 0 : at, at, bytes.length);
    file.writeUInt32LE(link, head + 40);
    words(head + 48, 8, entry);
  });
  return file;
}

const aligned = (at: number): number => Math.ceil(at / 8) * 8;

/** Sections by which the loader finds the runtime's functions: symbols, names, where they are called, and their table. */
function dynamicSections(calls: Assembled['calls'], codeAt: number, codeLength: number): readonly Section[] {
  const functions = [...new Set(calls.map(({ name }) => name))];
  const names = Buffer.from(`\0${functions.join('\0')}\0`);
  const symbols = Buffer.alloc((functions.length + 1) * SYMBOL);
  functions.forEach((name, index) => {
    const at = (index + 1) * SYMBOL;
    symbols.writeUInt32LE(names.indexOf(`\0${name}\0`) + 1, at);
    // Global, of no type, defined elsewhere.
    symbols[at + 4] = 0x10;
  });
  const relocations = Buffer.alloc(calls.length * RELOCATION);
  calls.forEach(({ at, name }, index) => {
    relocations.writeBigUInt64LE(BigInt(codeAt + at), index * RELOCATION);
    const symbol = BigInt(functions.indexOf(name) + 1);
    relocations.writeBigUInt64LE((symbol << 32n) | CALL_RELOCATION, index * RELOCATION + 8);
  });
  const symbolsAt = aligned(codeAt + codeLength);
  const namesAt = aligned(symbolsAt + symbols.length);
  const relocationsAt = aligned(namesAt + names.length);
  // DT_SYMTAB, DT_SYMENT, DT_STRTAB, DT_STRSZ, DT_REL, DT_RELSZ, DT_RELENT, DT_NULL.
  const table = [
    [6, symbolsAt],
    [11, SYMBOL],
    [5, namesAt],
    [10, names.length],
    [17, relocationsAt],
    [18, relocations.length],
    [19, RELOCATION],
    [0, 0],
  ] as const;
  const dynamic = Buffer.alloc(table.length * 16);
  table.forEach(([tag, value], index) => {
    dynamic.writeBigUInt64LE(BigInt(tag), index * 16);
    dynamic.writeBigUInt64LE(BigInt(value), index * 16 + 8);
  });
  return [
    { name: '.dynsym', type: 11, flags: LOADED, bytes: symbols, link: 3, entry: SYMBOL },
    { name: '.dynstr', type: 3, flags: LOADED, bytes: names },
    { name: '.rel.dyn', type: 9, flags: LOADED, bytes: relocations, link: 2, entry: RELOCATION },
    { name: '.dynamic', type: 6, flags: LOADED | 1, bytes: dynamic, link: 3, entry: 16 },
  ];
}
