// A small program in the way of Anchor as an .so file, assembled here because no compiler for it is at hand: a counter
// that its authority may raise. Instructions and the account begin with the discriminators that Anchor derives; errors
// have Anchor's numbers. Its interface is test/fixtures/counter/idl.json.
import { createHash } from 'node:crypto';

/** The first eight bytes of SHA-256, as Anchor derives them from "global:name" and "account:Name". */
export function discriminator(name: string): Buffer {
  return createHash('sha256').update(name).digest().subarray(0, 8);
}

/** Discriminator, count, authority. */
export const COUNTER_BYTES = 48;

/** Where things lie in what the loader hands to a program of two accounts, of 48 bytes and of none. */
const AT = {
  accounts: 0,
  counterLength: 88,
  counterTag: 96,
  count: 104,
  counterAuthority: 112,
  isSigner: 10_393,
  authorityKey: 10_400,
  authorityLength: 10_472,
  instructionTag: 20_736,
  amount: 20_744,
} as const;

const ERRORS = { fallback: 101, hasOne: 2001, discriminator: 3002, signer: 3010 } as const;

interface Line {
  /** Operation, registers, offset and constant; a jump names its label instead of the offset. */
  readonly code: number;
  readonly to?: number;
  readonly from?: number;
  readonly offset?: number | string;
  readonly value?: bigint;
}

type Source = readonly (Line | string)[];

const load = (to: number, offset: number): Line => ({ code: 0x79, to, from: 1, offset });
const loadByte = (to: number, offset: number): Line => ({ code: 0x71, to, from: 1, offset });
const store = (offset: number, from: number): Line => ({ code: 0x7b, to: 1, from, offset });
const constant = (to: number, value: bigint): Line => ({ code: 0x18, to, value });
const jumpUnless = (to: number, value: number, label: string): Line => ({
  code: 0x55,
  to,
  value: BigInt(value),
  offset: label,
});
const jumpEqual = (to: number, from: number, label: string): Line => ({ code: 0x1d, to, from, offset: label });
const jumpDiffers = (to: number, from: number, label: string): Line => ({ code: 0x5d, to, from, offset: label });
const end = (result: number): Line[] => [{ code: 0xb7, to: 0, value: BigInt(result) }, { code: 0x95 }];

const tag = (name: string): bigint => discriminator(name).readBigUInt64LE();

const AUTHORITY_WORDS = [0, 8, 16, 24];

const SOURCE: Source = [
  load(2, AT.accounts),
  jumpUnless(2, 2, 'no instruction'),
  load(2, AT.counterLength),
  jumpUnless(2, COUNTER_BYTES, 'no counter'),
  load(2, AT.authorityLength),
  jumpUnless(2, 0, 'no instruction'),
  loadByte(2, AT.isSigner),
  jumpUnless(2, 1, 'not signed'),
  load(2, AT.instructionTag),
  constant(3, tag('global:initialize')),
  jumpEqual(2, 3, 'initialize'),
  constant(3, tag('global:increment')),
  jumpDiffers(2, 3, 'no instruction'),
  load(2, AT.counterTag),
  constant(3, tag('account:Counter')),
  jumpDiffers(2, 3, 'no counter'),
  ...AUTHORITY_WORDS.flatMap((at) => [
    load(2, AT.counterAuthority + at),
    load(3, AT.authorityKey + at),
    jumpDiffers(2, 3, 'another authority'),
  ]),
  load(2, AT.count),
  load(3, AT.amount),
  { code: 0x0f, to: 2, from: 3 },
  store(AT.count, 2),
  ...end(0),
  'initialize',
  load(2, AT.counterTag),
  jumpUnless(2, 0, 'no counter'),
  constant(3, tag('account:Counter')),
  store(AT.counterTag, 3),
  ...AUTHORITY_WORDS.flatMap((at) => [load(2, AT.authorityKey + at), store(AT.counterAuthority + at, 2)]),
  ...end(0),
  'no instruction',
  ...end(ERRORS.fallback),
  'no counter',
  ...end(ERRORS.discriminator),
  'another authority',
  ...end(ERRORS.hasOne),
  'not signed',
  ...end(ERRORS.signer),
];

const INSTRUCTION_BYTES = 8;

function assemble(source: Source): Buffer {
  const size = (line: Line): number => (line.code === 0x18 ? 2 : 1);
  const labels = new Map<string, number>();
  let place = 0;
  for (const line of source)
    if (typeof line === 'string') labels.set(line, place);
    else place += size(line);
  const code = Buffer.alloc(place * INSTRUCTION_BYTES);
  let at = 0;
  for (const line of source) {
    if (typeof line === 'string') continue;
    const { code: operation, to = 0, from = 0, offset = 0, value = 0n } = line;
    const start = at * INSTRUCTION_BYTES;
    code[start] = operation;
    code[start + 1] = to | (from << 4);
    code.writeInt16LE(typeof offset === 'number' ? offset : (labels.get(offset) ?? 0) - at - 1, start + 2);
    code.writeUInt32LE(Number(value & 0xffffffffn), start + 4);
    if (size(line) === 2) code.writeUInt32LE(Number(value >> 32n), start + INSTRUCTION_BYTES + 4);
    at += size(line);
  }
  return code;
}

const ELF_HEADER = 64;
const PROGRAM_HEADER = 56;
const SECTION_HEADER = 64;

/** A section header of an ELF file (elf(5)). */
interface Section {
  /** Offset in the table of names. */
  readonly name: number;
  readonly type: number;
  readonly flags: number;
  /** Offset in the file. */
  readonly at: number;
  readonly length: number;
}

/** The program as the file that a build writes: one segment, one section of code. */
export function counterProgram(): Buffer {
  const code = assemble(SOURCE);
  const names = Buffer.from('\0.text\0.shstrtab\0');
  const codeAt = ELF_HEADER + PROGRAM_HEADER;
  const namesAt = codeAt + code.length;
  const sectionsAt = Math.ceil((namesAt + names.length) / 8) * 8;
  const file = Buffer.alloc(sectionsAt + 3 * SECTION_HEADER);
  const words = (at: number, ...values: readonly number[]): void =>
    values.forEach((value, index) => file.writeBigUInt64LE(BigInt(value), at + index * 8));
  file.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]);
  // A shared object for machine 247 (BPF), version 1.
  file.writeUInt16LE(3, 16);
  file.writeUInt16LE(247, 18);
  file.writeUInt32LE(1, 20);
  words(24, codeAt, ELF_HEADER, sectionsAt);
  [ELF_HEADER, PROGRAM_HEADER, 1, SECTION_HEADER, 3, 2].forEach((value, index) =>
    file.writeUInt16LE(value, 52 + index * 2),
  );
  // Loaded, readable and executable.
  file.writeUInt32LE(1, ELF_HEADER);
  file.writeUInt32LE(5, ELF_HEADER + 4);
  words(ELF_HEADER + 8, codeAt, codeAt, codeAt, code.length, code.length, 8);
  file.set(code, codeAt);
  file.set(names, namesAt);
  const section = (index: number, { name, type, flags, at, length }: Section): void => {
    const start = sectionsAt + index * SECTION_HEADER;
    file.writeUInt32LE(name, start);
    file.writeUInt32LE(type, start + 4);
    words(start + 8, flags, type === 1 ? at : 0, at, length);
    words(start + 48, 8);
  };
  section(1, { name: 1, type: 1, flags: 6, at: codeAt, length: code.length });
  section(2, { name: 7, type: 3, flags: 0, at: namesAt, length: names.length });
  return file;
}
