// Answers questions about the rows of the table: names, values, texts, and which options exclude or need one another.
import { LOCALNET_OPTIONS, MAX_COUNT, MAX_PORT } from './table';
import type { LocalnetOption } from './types';

const OPTIONS: ReadonlyMap<string, LocalnetOption> = new Map(
  Object.entries(LOCALNET_OPTIONS).map(([name, option]) => [`--${name}`, option]),
);
const NAMES = new Map([...OPTIONS].flatMap(([name, { aliases = [] }]) => aliases.map((alias) => [alias, name])));

/** Its row, by its own name with dashes. */
export const localnetOption = (name: string): LocalnetOption | undefined => OPTIONS.get(name);

/** Names with dashes of the options that a test of the row finds. */
export const localnetOptionsThat = (test: (option: LocalnetOption) => boolean): readonly string[] =>
  [...OPTIONS].flatMap(([name, option]) => (test(option) ? [name] : []));

/** An option by its own name; any other word as it is. */
export const longForm = (option: string): string => NAMES.get(option) ?? option;

/** Several shorthands in one argument, such as -rq, one by one. */
export function spreadShorthands(args: readonly string[]): readonly string[] {
  return args.flatMap((arg) => (/^-[a-zA-Z]{2,}$/.test(arg) ? [...arg.slice(1)].map((letter) => `-${letter}`) : [arg]));
}

/** How many values an option has. */
export const valueCount = ({ value }: LocalnetOption): number => value?.split(' ').length ?? 0;

/** Whether the option has no value here: it may be left out, and the next word is not a number. */
export const isLeftOut = ({ without }: LocalnetOption, following: string | undefined): boolean =>
  without !== undefined && !/^\d/.test(following ?? '');

/** Why options cannot be given together, regardless of their values; for people. `names` are long, with dashes. */
export function conflictOf(names: ReadonlySet<string>): string | undefined {
  for (const name of names) {
    const { needs, excludes = {} } = OPTIONS.get(name) ?? {};
    if (needs?.any.some((other) => names.has(other)) === false)
      return `${name} needs ${needs.any.join(' or ')}: ${needs.why}`;
    const [refusal] = Object.entries(excludes).flatMap(([other, message]) => (names.has(other) ? [message] : []));
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

/** The text of an option for people, with its bounds and its default. */
export function optionText({ text, bounds = [0, MAX_PORT], default: own, shown }: LocalnetOption): string {
  const [least, most] = bounds;
  // Everybody knows those of a port.
  const isPort = most === MAX_PORT || most === MAX_PORT - 1;
  const range = most < MAX_COUNT ? `, ${least} to ${most}` : least > 1 ? `, at least ${least}` : '';
  const otherwise = shown ?? own;
  return `${text}${isPort ? '' : range}${otherwise === undefined ? '' : ` (default: ${otherwise})`}`;
}

/** The rows of the help: options with their texts, by names without dashes. */
export const SHOWN_OPTIONS = Object.fromEntries(
  Object.entries<LocalnetOption>(LOCALNET_OPTIONS)
    .filter(([, { hidden }]) => hidden !== true)
    .map(([name, option]) => [name, { ...option, text: optionText(option) }]),
);

/** The refusal of an empty seed. */
export const NO_SEED = 'The first line of standard input is empty: --seed-stdin reads the seed from it.';
