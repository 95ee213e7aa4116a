// A small program in the way of Anchor as an .so file: a counter that its authority may raise. Instructions and the account
// begin with the discriminators that Anchor derives; errors have Anchor's numbers. Its interface is
// test/fixtures/counter/idl.json.
import { createHash } from 'node:crypto';
import { sharedObject, type Line, type Source } from '../../support/programs/assembler';

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

const AUTHORITY_CHECK: Source = AUTHORITY_WORDS.flatMap((at) => [
  load(2, AT.counterAuthority + at),
  load(3, AT.authorityKey + at),
  jumpDiffers(2, 3, 'another authority'),
]);

const sourceWith = (authorityCheck: Source): Source => [
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
  ...authorityCheck,
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

/** The program as the file that a build writes. */
export const counterProgram = (): Buffer => sharedObject(sourceWith(AUTHORITY_CHECK));

/** The same program with a counter that everybody may raise. */
export const openCounterProgram = (): Buffer => sharedObject(sourceWith([]));
