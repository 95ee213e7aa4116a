// Reads the service's command line by the table of its options. An option it does not know is an error, never ignored.
import {
  conflictOf,
  isLeftOut,
  localnetOption,
  longForm,
  optionText,
  SHOWN_OPTIONS,
  spreadShorthands,
  valueCount,
} from '../process/localnetOptions/rows';
import { LOCALNET_OPTIONS } from '../process/localnetOptions/table';
import type { LocalnetOption } from '../process/localnetOptions/types';
import { conflictIn, consensusOf } from './optionConflicts';
import { readOptionValue, Refusal } from './optionReads';
import type { Options } from './optionTypes';
import { VALIDATOR_NOTICES, VALIDATOR_REFUSALS } from './open/validatorOptions';

export type ReadOptions =
  | { readonly ok: true; readonly options: Options }
  | { readonly ok: false; readonly message: string };

/** Where solana-test-validator has its faucet. */
const VALIDATOR_FAUCET_PORT = 9900;

const memberOf = (name: string, { sets }: LocalnetOption): string =>
  sets ?? name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/** The values of options that are not given. */
const DEFAULTS = Object.entries<LocalnetOption>(LOCALNET_OPTIONS).flatMap(([name, option]) => {
  const isSwitch = option.value === undefined && option.is === undefined;
  const value =
    option.default === undefined
      ? option.multiple === true
        ? []
        : isSwitch
          ? false
          : undefined
      : readOptionValue(option, [String(option.default)]);
  return [
    [memberOf(name, option), value] as const,
    ...(option.also === undefined ? [] : [[option.also, false] as const]),
  ];
});

export function readOptions(given: readonly string[]): ReadOptions {
  const args = spreadShorthands(given);
  const values = new Map<string, unknown>(DEFAULTS);
  const names = new Set<string>();
  const notices: string[] = [];
  const refused = (message: string): ReadOptions => ({ ok: false, message });
  for (let at = 0; at < args.length; at++) {
    const [short = '', ...rest] = (args[at] ?? '').split('=');
    const name = longForm(short);
    const idle = VALIDATOR_NOTICES.get(name);
    if (idle !== undefined) {
      const most = rest.length > 0 ? 0 : idle.values;
      for (let taken = 0; taken < most && isValue(args[at + 1]); taken++) at++;
      notices.push(`${name} changes nothing: ${idle.notice}.`);
      continue;
    }
    const option = localnetOption(name);
    if (option === undefined || option.terminal === 'alone') return refused(unknownText(name));
    names.add(name);
    const count = valueCount(option);
    if (count === 0 && rest.length > 0) return refused(`${name} takes no value`);
    let words = rest.length > 0 ? [rest.join('=')] : [];
    do {
      const isOmitted = words.length === 0 && isLeftOut(option, args[at + 1]);
      while (!isOmitted && words.length < count && at + 1 < args.length) words.push(args[++at] ?? '');
      if (words.length < count && !isOmitted) return refused(`${name} needs ${count === 1 ? 'a value' : option.value}`);
      const value = isOmitted ? option.without : readOptionValue(option, words);
      if (value === undefined || value instanceof Refusal)
        return refused(`${name}: not allowed: ${words.join(' ')}; ${value?.reason ?? optionText(option)}`);
      const member = memberOf(name.slice(2), option);
      const before = values.get(member);
      const list: readonly unknown[] = Array.isArray(before) ? before : [];
      values.set(member, option.multiple === true ? [...list, value] : value);
      if (option.also !== undefined) values.set(option.also, true);
      words = [];
    } while (option.multiple === true && isValue(args[at + 1]));
  }
  const options = settled({ ...Object.fromEntries(values), notices } as unknown as Options);
  const conflict = conflictOf(names) ?? conflictIn(options);
  return conflict === undefined ? { ok: true, options } : refused(conflict);
}

/** With what follows from several options. */
function settled(options: Options): Options {
  return {
    ...options,
    consensus: consensusOf(options),
    ...(options.validator && {
      ledger: options.ledger ?? 'test-ledger',
      faucetPort: options.faucetPort ?? VALIDATOR_FAUCET_PORT,
    }),
  };
}

/** Whether a word of the command line is a value, not an option; "-" is a value. */
const isValue = (word: string | undefined): boolean => word !== undefined && (word === '-' || !word.startsWith('-'));

function unknownText(name: string): string {
  const reason = VALIDATOR_REFUSALS.get(name);
  return reason === undefined ? `Unknown option: ${name}` : `${name} is not offered: ${reason}`;
}

export function helpText(): string {
  const rows = Object.entries(SHOWN_OPTIONS).flatMap(([name, { value, text, terminal }]) => {
    const usage = value === undefined ? `--${name}` : `--${name} ${value}`;
    return terminal === 'alone' ? [] : [`  ${usage.padEnd(22)} ${text}`];
  });
  return `Runs the service on this machine, on 127.0.0.1, until it is stopped.\n\n${rows.join('\n')}\n`;
}
