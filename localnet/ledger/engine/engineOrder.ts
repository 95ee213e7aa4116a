// The order in which the engine takes accounts that are put back: it reads a program's code from other accounts at the
// moment the program itself is written, and not again when that code changes.
import type { AccountView } from '../accounts/accounts';
import { BPF_LOADER_UPGRADEABLE } from '../accounts/addresses';
import { codeAddressOf } from '../accounts/programs';
import type { AccountChange } from '../types';

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
      const code = account?.executable === true ? codeAddressOf(account) : undefined;
      if (code !== undefined && changed.has(code) && !changed.has(address)) again.push([address, account]);
    }
  return [...changes.filter((change) => !isProgram(change)), ...changes.filter(isProgram), ...again];
}
