// Details of an error beyond its text: an account, a line of the program's source, the two values that were compared.
import { visibleText } from '../decode/decodedText';
import type { TransactionFailure } from '../decode/decoded';
import { sameName } from '../decode/names';
import type { Clue, ExplainedAccount, ExplainedCall } from './explanation';

/** `call`: the one that failed. */
export function cluesOf(
  { account, words }: TransactionFailure,
  call: ExplainedCall | undefined,
  accounts: readonly ExplainedAccount[],
): readonly Clue[] {
  const clue = (name: Clue['name'], text: string | undefined): readonly Clue[] =>
    text === undefined ? [] : [{ name, text: visibleText(text) }];
  const named = words?.account;
  const address = named === undefined ? undefined : addressOf(named, call);
  return [
    ...clue('account', account === undefined ? undefined : accounts[account]?.address),
    ...clue('account', address === undefined ? named : `${named} (${address})`),
    ...clue('line', words?.place),
    ...clue('left', words?.left),
    ...clue('right', words?.right),
  ];
}

/** The program's source and its IDL may spell the name in another way. */
function addressOf(account: string, call: ExplainedCall | undefined): string | undefined {
  const found = call?.accounts.filter(({ role }) => role !== undefined && sameName(role, account)) ?? [];
  return found.length === 1 ? found[0]?.address : undefined;
}
