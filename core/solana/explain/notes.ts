// Notes about a transaction that deserve attention: limits that a version 1 transaction leaves unset, a size near its
// bound, compute units that a crash cost, repeated instructions, an old blockhash, accounts that are locked needlessly.
import type { DecodedInstruction, DecodedTransaction } from '../decode/decoded';
import { configLines } from '../wire/configText';
import { groupDigits } from '../chain/lamports';
import { isUnpaid } from './calls';
import type { TransactionSize } from './explanation';
import { isUntouched, type WrittenAccount } from './written';

/** From this share of the bound on, little more fits. */
const NEARLY_FULL = 0.95;

/** Blocks: two fifths of what a blockhash has. */
const NEARLY_EXPIRED = 60;

/** Facts computed from a transaction. */
interface Computed {
  readonly size: TransactionSize | undefined;
  /** Compute units that are no call's. */
  readonly outside: bigint | undefined;
  /** Blocks for which the blockhash is still good. */
  readonly left: number | undefined;
  readonly written: readonly WrittenAccount[] | undefined;
}

/** Sentences with a full stop. */
export const notesOf = (
  transaction: DecodedTransaction,
  { size, outside, left, written = [] }: Computed,
): readonly string[] => [
  ...(isUnpaid(transaction) ? ['It did not run and paid nothing.'] : []),
  ...unsetLimits(transaction),
  ...unknownCalls(transaction),
  ...nearlyFull(size),
  ...forfeited(transaction, outside),
  ...duplicates(transaction.instructions),
  ...aged(left),
  ...written.filter(isUntouched).map(({ address }) => `${address} is writable but does not change.`),
];

function forfeited({ error }: DecodedTransaction, outside: bigint | undefined): readonly string[] {
  if (outside === undefined) return [];
  const units = `${groupDigits(outside.toString())} compute units were charged in addition to those of the calls`;
  return [error === undefined ? `${units}.` : `${units}: a program that crashes forfeits what is left.`];
}

/** Limits that mean 0 where they are unset, and no default. */
const TRAPS = ['computeUnitLimit', 'loadedAccountsDataSizeLimit'] as const;

function unsetLimits({ version, config }: DecodedTransaction): readonly string[] {
  if (version !== 1 || config === undefined) return [];
  const unset: ReadonlySet<string> = new Set(TRAPS.filter((name) => config[name] === undefined));
  return configLines(config).flatMap(({ name, value }) => (unset.has(name) ? [`${name}: ${value}.`] : []));
}

function unknownCalls({ isInnerUnknown, logs }: DecodedTransaction): readonly string[] {
  const isCalling = logs.some((node) => node.kind === 'call' && node.children.some(({ kind }) => kind === 'call'));
  return isInnerUnknown === true && isCalling
    ? ['The node gave no inner instructions: calls within calls are those of the logs, without arguments and accounts.']
    : [];
}

function aged(left: number | undefined): readonly string[] {
  if (left === undefined || left > NEARLY_EXPIRED) return [];
  if (left === 0) return ['Its blockhash has expired, or the node does not know it: sign again with a fresh one.'];
  return [`Its blockhash is good for ${left === 1 ? '1 more block' : `${left} more blocks`}.`];
}

function nearlyFull(size: TransactionSize | undefined): readonly string[] {
  if (size === undefined || size.bytes < size.of * NEARLY_FULL) return [];
  return [`It has ${size.bytes} of at most ${size.of} bytes: ${size.of - size.bytes} are left.`];
}

function duplicates(instructions: readonly DecodedInstruction[]): readonly string[] {
  const first = new Map<string, number>();
  return instructions.flatMap((instruction, index) => {
    const { program, accounts, data } = instruction;
    if (data === undefined) return [];
    const same = JSON.stringify([program, accounts.map(({ address }) => address ?? null), [...data]]);
    const earlier = first.get(same);
    if (earlier === undefined) {
      first.set(same, index);
      return [];
    }
    return [`Instruction ${index + 1} is the same as instruction ${earlier + 1}.`];
  });
}
