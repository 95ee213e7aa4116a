// How the words behind an option of the service become its value.
import { isPublicKey } from '../core/solana/chain/keys';
import { MS_PER_TICK } from '../process/localnetOptions/table';
import type { LocalnetOption, ReadKind } from '../process/localnetOptions/types';
import { COMPRESSIONS, NEEDED_NODE } from './geyser/framing';

/** An account file; an `address` of `undefined` is the one in the file. */
export interface AccountFile {
  readonly address: string | undefined;
  readonly file: string;
}

/** A program file. `address` and `authority` are addresses or files of keypairs; "none" is an authority nobody has. */
export interface ProgramFile {
  readonly address: string;
  readonly file: string;
  readonly authority: string;
}

/** An account to fetch: it must exist, it may, it is a program, or a lookup table whose accounts come along. */
export interface CloneOrder {
  readonly address: string;
  readonly kind: 'account' | 'maybe' | 'program' | 'table';
}

/** Words that are not allowed, with the reason. */
export class Refusal {
  constructor(readonly reason: string) {}
}

type Reader = (words: readonly string[]) => unknown;

/** `undefined` for words that are not allowed. */
const READERS = {
  text: ([word = '']) => (word === '' ? undefined : word),
  address: ([word = '']) => (isPublicKey(word) ? word : undefined),
  /** Lamports. */
  sol: ([word = '']) => {
    const match = /^(\d{1,10})(?:\.(\d{1,9}))?$/.exec(word);
    return match === null ? undefined : BigInt((match[1] ?? '') + (match[2] ?? '').padEnd(9, '0'));
  },
  /** Milliseconds. */
  ticks: ([word = '']) => (/^\d{1,4}$/.test(word) && Number(word) > 0 ? Number(word) * MS_PER_TICK : undefined),
  host: ([word = '']) => {
    if (word === '0.0.0.0') return word;
    return word === '127.0.0.1' || word === 'localhost' ? '127.0.0.1' : undefined;
  },
  compressions: ([word = '']) => {
    const names: readonly string[] = word === 'none' ? [] : word.split(',');
    const missing = names.filter((name) => !COMPRESSIONS.includes(name));
    const newer = missing.find((name) => Object.hasOwn(NEEDED_NODE, name));
    if (newer !== undefined)
      return new Refusal(`${newer} needs Node.js ${NEEDED_NODE[newer]}; this is ${process.version}`);
    return missing.length === 0 ? names : undefined;
  },
  accountFile: ([address = '', file = '']): AccountFile | undefined =>
    file === '' || (address !== '-' && !isPublicKey(address))
      ? undefined
      : { address: address === '-' ? undefined : address, file },
  programFile: ([address = '', file = '', authority = 'none']): ProgramFile | undefined =>
    address === '' || file === '' || authority === '' ? undefined : { address, file, authority },
  account: (words) => cloneOf('account', words),
  maybe: (words) => cloneOf('maybe', words),
  program: (words) => cloneOf('program', words),
  table: (words) => cloneOf('table', words),
} satisfies Record<ReadKind, Reader>;

/** The values of each kind. */
export type OptionRead = {
  readonly [Kind in ReadKind]: Exclude<ReturnType<(typeof READERS)[Kind]>, Refusal | undefined>;
};

/** The value of an option's words; `undefined` or a Refusal where they are not allowed. */
export function readOptionValue(
  { bounds, choices, reads, is = true }: LocalnetOption,
  words: readonly string[],
): unknown {
  const [word = ''] = words;
  if (bounds !== undefined) return numberIn(word, bounds);
  if (choices !== undefined) return choices.includes(word) ? word : undefined;
  return reads === undefined ? is : READERS[reads](words);
}

function numberIn(word: string, [least, most]: readonly [number, number]): number | Refusal {
  const read = /^\d{1,11}$/.test(word) ? Number(word) : -1;
  return read >= least && read <= most ? read : new Refusal(`it takes a whole number from ${least} to ${most}`);
}

function cloneOf(kind: CloneOrder['kind'], [address = '']: readonly string[]): CloneOrder | undefined {
  return isPublicKey(address) ? { address, kind } : undefined;
}
