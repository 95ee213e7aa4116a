// The order in which the engine takes accounts that are put back: it reads a program's code from other accounts at the
// moment the program itself is written, and not again when that code changes.
import { encodeBase58 } from '../../../core/solana/encoding/base58';
import type { AccountView } from '../accounts/accounts';
import { BPF_LOADER_UPGRADEABLE } from '../accounts/addresses';
import type { AccountChange, AccountState } from '../types';

/** The address of a program's code follows the four bytes that say "program". */
const PROGRAM_BYTES = 36;
const PROGRAM = 2;

/**
 * Orders the changes: everything but programs first, then the programs, and last the programs that did not change but whose
 * code did. `accounts` is the state with the changes made.
 */
export function engineOrder(
  changes: readonly AccountChange[],
  accounts: Pick<AccountView, 'get' | 'candidates'>,
): readonly AccountChange[] {
  const isProgram = ([, account]: AccountChange): boolean => account?.executable === true;
  const changed = new Map(changes);
  const again: AccountChange[] = [];
  if (changes.some((change) => !isProgram(change) && change[1]?.owner === BPF_LOADER_UPGRADEABLE))
    for (const address of accounts.candidates(BPF_LOADER_UPGRADEABLE)) {
      const account = accounts.get(address);
      const code = account === undefined ? undefined : codeOf(account);
      if (code !== undefined && changed.has(code) && !changed.has(address)) again.push([address, account]);
    }
  return [...changes.filter((change) => !isProgram(change)), ...changes.filter(isProgram), ...again];
}

/** The address of the account that holds the program's code. */
function codeOf({ executable, data }: AccountState): string | undefined {
  if (!executable || data.length < PROGRAM_BYTES || data[0] !== PROGRAM) return undefined;
  return encodeBase58(data.subarray(4, PROGRAM_BYTES));
}
