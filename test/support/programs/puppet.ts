// A program that executes its instruction data: logs, events, return data, calls, invalid writes, any error. It replaces
// programs of every kind where a test needs a transaction with a given effect on a real virtual machine.
import { layOut } from '../data/layouts';
import { sharedObject, type Line, type Source } from './assembler';

/** One thing that the program does. Accounts are named by their place in the instruction. */
export type Act =
  /** `times`: at most 255. */
  | { readonly act: 'log'; readonly text: string; readonly times?: number }
  /** `Program data`, of which events are made. */
  | { readonly act: 'data'; readonly bytes: Uint8Array }
  | { readonly act: 'return'; readonly bytes: Uint8Array }
  /** Calls a program with `count` accounts from `first` on. */
  | {
      readonly act: 'call';
      readonly program: number;
      readonly first: number;
      readonly count: number;
      readonly data: Uint8Array;
    }
  /** Ends with this value: a program's own error below 2^32, one of the runtime's above (`ProgramError`, 1 is Custom(0)). */
  | { readonly act: 'fail'; readonly code: bigint }
  | { readonly act: 'loop'; readonly times: number }
  | { readonly act: 'abort' }
  /** Reads where nothing is. */
  | { readonly act: 'stray' }
  /** Writes a byte to the start of an account's data. */
  | { readonly act: 'write'; readonly account: number; readonly byte: number }
  /** Adds to an account's lamports; negative takes. */
  | { readonly act: 'lamports'; readonly account: number; readonly by: bigint };

const CODES = { log: 1, data: 2, return: 3, call: 4, fail: 5, loop: 6, abort: 7, stray: 8, write: 9, lamports: 10 };

/** The script's bytes: for each act a code, three places, the length of what follows, and that. */
export const script = (...acts: readonly Act[]): Uint8Array => layOut(...acts.map(actBytes));

function actBytes(act: Act): Uint8Array {
  const [places, payload] = partsOf(act);
  const [a = 0, b = 0, c = 0] = places;
  return layOut([1, CODES[act.act]], [1, a], [1, b], [1, c], [4, payload.length], payload);
}

const NOTHING = new Uint8Array();

function partsOf(act: Act): readonly [places: readonly number[], payload: Uint8Array] {
  switch (act.act) {
    case 'log':
      return [[act.times ?? 1], layOut(act.text)];
    case 'data':
    case 'return':
      return [[], act.bytes];
    case 'call':
      return [[act.program, act.first, act.count], act.data];
    case 'fail':
      return [[], layOut([8, act.code])];
    case 'loop':
      return [[], layOut([4, act.times])];
    case 'write':
      return [[act.account], layOut([1, act.byte])];
    case 'lamports':
      return [[act.account], layOut([8, act.by])];
    case 'abort':
    case 'stray':
      return [[], NOTHING];
  }
}

/** Where the program keeps what it hands to the runtime: its heap. */
const HEAP = 0x3_0000_0000n;
const AT = {
  infos: HEAP + 0x400n,
  metas: HEAP + 0x1800n,
  instruction: HEAP + 0x2000n,
  slice: HEAP + 0x2100n,
  count: HEAP + 0x2200n,
  left: HEAP + 0x2208n,
};
/** Bytes of `SolAccountInfo` and `SolAccountMeta`. */
const INFO = 56;
const META = 16;
/** Room that the loader leaves for an account to grow. */
const GROWTH = 10_240;

const load = (to: number, from: number, offset = 0): Line => ({ code: 0x79, to, from, offset });
const loadByte = (to: number, from: number, offset = 0): Line => ({ code: 0x71, to, from, offset });
const loadWord = (to: number, from: number, offset = 0): Line => ({ code: 0x61, to, from, offset });
const store = (to: number, offset: number, from: number): Line => ({ code: 0x7b, to, from, offset });
const storeByte = (to: number, offset: number, from: number): Line => ({ code: 0x73, to, from, offset });
const constant = (to: number, value: bigint): Line => ({ code: 0x18, to, value });
const move = (to: number, from: number): Line => ({ code: 0xbf, to, from });
const set = (to: number, value: number): Line => ({ code: 0xb7, to, value: BigInt.asUintN(32, BigInt(value)) });
const add = (to: number, value: number): Line => ({ code: 0x07, to, value: BigInt.asUintN(32, BigInt(value)) });
const addFrom = (to: number, from: number): Line => ({ code: 0x0f, to, from });
const times = (to: number, value: number): Line => ({ code: 0x27, to, value: BigInt(value) });
const mask = (to: number, value: number): Line => ({ code: 0x57, to, value: BigInt.asUintN(32, BigInt(value)) });
const jump = (label: string): Line => ({ code: 0x05, offset: label });
const jumpIf = (to: number, value: number, label: string): Line => ({
  code: 0x15,
  to,
  value: BigInt(value),
  offset: label,
});
const jumpUnless = (to: number, value: number, label: string): Line => ({
  code: 0x55,
  to,
  value: BigInt(value),
  offset: label,
});
const jumpFrom = (to: number, from: number, label: string): Line => ({ code: 0x3d, to, from, offset: label });
const calls = (name: string): Line => ({ code: 0x85, from: 1, value: 0xffffffffn, calls: name });
const EXIT: Line = { code: 0x95 };

/** To r2: the `SolAccountInfo` whose place is in the act's byte at `offset`. */
const infoAt = (offset: number): Source => [
  loadByte(2, 6, offset),
  times(2, INFO),
  constant(3, AT.infos),
  addFrom(2, 3),
];
const copied = (words: number, to: number, from: number): Source =>
  Array.from({ length: words }, (_, at) => [load(4, from, at * 8), store(to, at * 8, 4)]).flat();

/** r6 reads what the loader handed over; r8 and r9 write the accounts as the runtime takes them; r7 counts. */
const ACCOUNTS: Source = [
  move(6, 1),
  load(7, 6),
  constant(2, AT.count),
  store(2, 0, 7),
  add(6, 8),
  constant(8, AT.infos),
  constant(9, AT.metas),
  'account',
  jumpIf(7, 0, 'accounts read'),
  loadByte(2, 6),
  jumpUnless(2, 0xff, 'same account'),
  move(3, 6),
  add(3, 8),
  store(8, 0, 3),
  store(9, 0, 3),
  add(3, 32),
  store(8, 32, 3),
  add(3, 32),
  store(8, 8, 3),
  add(3, 16),
  store(8, 24, 3),
  load(4, 6, 80),
  store(8, 16, 4),
  ...[1, 2, 3].flatMap((at) => [loadByte(2, 6, at), storeByte(8, 47 + at, 2)]),
  loadByte(2, 6, 2),
  storeByte(9, 8, 2),
  loadByte(2, 6, 1),
  storeByte(9, 9, 2),
  add(4, 7),
  mask(4, -8),
  add(6, 88 + GROWTH),
  addFrom(6, 4),
  load(3, 6),
  store(8, 40, 3),
  jump('next account'),
  'same account',
  move(5, 2),
  times(5, INFO),
  constant(3, AT.infos),
  addFrom(3, 5),
  ...copied(INFO / 8, 8, 3),
  move(5, 2),
  times(5, META),
  constant(3, AT.metas),
  addFrom(3, 5),
  ...copied(META / 8, 9, 3),
  'next account',
  add(6, 8),
  add(8, INFO),
  add(9, META),
  add(7, -1),
  jump('account'),
  'accounts read',
];

/** r6 is at the act, r7 at the end of the script, r9 at what the act carries, r8 is how long that is. */
const ACTS: Source = [
  'act',
  jumpFrom(6, 7, 'end'),
  loadByte(2, 6),
  loadWord(8, 6, 4),
  move(9, 6),
  add(9, 8),
  ...Object.entries(CODES).map(([name, code]) => jumpIf(2, code, name)),
  'end',
  set(0, 0),
  EXIT,
  'log',
  loadByte(3, 6, 1),
  'line',
  constant(2, AT.left),
  store(2, 0, 3),
  move(1, 9),
  move(2, 8),
  calls('sol_log_'),
  constant(2, AT.left),
  load(3, 2),
  add(3, -1),
  jumpUnless(3, 0, 'line'),
  jump('next act'),
  'data',
  constant(1, AT.slice),
  store(1, 0, 9),
  store(1, 8, 8),
  set(2, 1),
  calls('sol_log_data'),
  jump('next act'),
  'return',
  move(1, 9),
  move(2, 8),
  calls('sol_set_return_data'),
  jump('next act'),
  'call',
  ...infoAt(1),
  load(2, 2),
  constant(1, AT.instruction),
  store(1, 0, 2),
  loadByte(2, 6, 2),
  times(2, META),
  constant(3, AT.metas),
  addFrom(2, 3),
  store(1, 8, 2),
  loadByte(2, 6, 3),
  store(1, 16, 2),
  store(1, 24, 9),
  store(1, 32, 8),
  constant(2, AT.infos),
  constant(3, AT.count),
  load(3, 3),
  set(4, 0),
  set(5, 0),
  calls('sol_invoke_signed_c'),
  jump('next act'),
  'fail',
  load(0, 9),
  EXIT,
  'loop',
  loadWord(2, 9),
  'again',
  jumpIf(2, 0, 'next act'),
  add(2, -1),
  jump('again'),
  'abort',
  calls('abort'),
  EXIT,
  'stray',
  set(2, 0),
  load(2, 2),
  EXIT,
  'write',
  ...infoAt(1),
  load(2, 2, 24),
  loadByte(3, 9),
  storeByte(2, 0, 3),
  jump('next act'),
  'lamports',
  ...infoAt(1),
  load(2, 2, 8),
  load(3, 9),
  load(4, 2),
  addFrom(4, 3),
  store(2, 0, 4),
  'next act',
  move(6, 9),
  addFrom(6, 8),
  jump('act'),
];

/** `before`: bytes of the instruction data before the script, which the program does not read. */
export const puppetProgram = (before = 0): Buffer =>
  sharedObject([...ACCOUNTS, load(7, 6), add(6, 8), addFrom(7, 6), add(6, before), ...ACTS]);
