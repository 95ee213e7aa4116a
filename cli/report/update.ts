// A message of a stream as one line for people: the time, the slot, and what matters of an account.
import { isJsonObject, member, printJson, type JsonValue } from '../../core/values/json';
import { formatSol } from '../../core/values/lamports';
import { escapeLine } from '../terminal';

const WIDTH = 160;

/** Shows each message; an account's balance with what changed since the one before. */
export function updateLine(write: (line: string) => void): (message: JsonValue) => void {
  let before: bigint | undefined;
  return (message) => {
    const account = member(message, 'value') ?? member(member(message, 'account'), 'account');
    const lamports = lamportsOf(member(account, 'lamports'));
    const slot = slotOf(message);
    const facts = [new Date().toISOString().slice(11, 23), ...(slot === undefined ? [] : [`slot ${slot}`])];
    if (lamports === undefined) facts.push(escapeLine(printJson(message), WIDTH));
    else {
      facts.push(formatSol(lamports));
      if (before !== undefined && before !== lamports) facts.push(`(${changeText(lamports - before)})`);
      const owner = member(account, 'owner');
      if (typeof owner === 'string') facts.push(`owner ${escapeLine(owner, 50)}`);
      before = lamports;
    }
    write(facts.join('  '));
  };
}

const changeText = (change: bigint): string => `${change < 0n ? '-' : '+'}${formatSol(change < 0n ? -change : change)}`;

function lamportsOf(value: JsonValue | undefined): bigint | undefined {
  const text = value === undefined || isJsonObject(value) ? '' : printJson(value).replaceAll('"', '');
  return /^\d{1,20}$/.test(text) ? BigInt(text) : undefined;
}

/** As its digits: a number in a notification, text in an update. */
function slotOf(message: JsonValue): string | undefined {
  const inner = ['context', 'account', 'slot', 'transaction', 'blockMeta'].map((key) => member(message, key));
  const slot =
    inner.map((part) => member(part, 'slot')).find((found) => found !== undefined) ?? member(message, 'slot');
  return slot === undefined || isJsonObject(slot) ? undefined : printJson(slot).replaceAll('"', '');
}
