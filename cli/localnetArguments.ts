// The command line of `solana-rpc localnet`: what this process carries out, and what the service is started with.
import {
  conflictOf,
  isLeftOut,
  localnetOption,
  localnetOptionsThat,
  longForm,
  spreadShorthands,
  valueCount,
} from '../process/localnetOptions/rows';
import { UsageError } from './exit';

/** Options that this process alone carries out. */
const OWN = localnetOptionsThat(({ terminal }) => terminal !== undefined);
/** Options whose value is an endpoint that this process reads for the service. */
const SOURCES = localnetOptionsThat(({ isSource }) => isSource === true);

export interface LocalnetArguments {
  /** The service's arguments; its source is called `source` there, never a URL. */
  passed(source: string | undefined): readonly string[];
  /** The endpoint that accounts come from; undefined if the options name none. */
  readonly source: string | undefined;
  readonly seed: string | undefined;
  /** The folder of --shim. */
  readonly shim: string | undefined;
  /** Words that belong to no option. */
  readonly words: readonly string[];
  has(option: string): boolean;
}

/** Throws UsageError for options that contradict each other. */
export function readLocalnetArguments(args: readonly string[]): LocalnetArguments {
  const options = [...optionsIn(args)];
  const names = new Set(options.map(({ name }) => name));
  const values = (wanted: readonly string[]): ReadonlySet<string> =>
    new Set(options.flatMap(({ name, value = '' }) => (wanted.includes(name) ? [value] : [])));
  const [source, other] = values(SOURCES);
  if (other !== undefined) throw new UsageError('--url and --fork name two endpoints; one is read.');
  // The service refuses an empty one.
  const seed = [...values(['--seed'])].at(-1);
  const isSeed = seed !== undefined && seed !== '';
  const conflict = conflictOf(names);
  if (conflict !== undefined) throw new UsageError(conflict);
  if (seed?.includes('\n') === true) throw new UsageError('--seed is more than one line. Give one line.');
  return {
    passed: (at) =>
      options.flatMap(({ name, words }) => {
        if (OWN.includes(name) || (isSeed && name === '--seed')) return [];
        return at !== undefined && SOURCES.includes(name) ? [name, at] : words;
      }),
    source,
    seed: isSeed ? seed : undefined,
    shim: [...values(['--shim'])].at(-1),
    words: options.flatMap(({ name }) => (name.startsWith('-') ? [] : [name])),
    has: (option) => names.has(option),
  };
}

interface Written {
  /** In its long form; a word that belongs to no option as it is. */
  readonly name: string;
  readonly value?: string;
  /** As the service takes it. */
  readonly words: readonly string[];
}

function* optionsIn(args: readonly string[]): Generator<Written, void, void> {
  const words = spreadShorthands(args);
  for (let at = 0, next = 0; at < words.length; at = next) {
    const [written = '', ...own] = (words[at] ?? '').split('=');
    const name = longForm(written);
    next = at + 1 + Math.max(0, valuesOf(name, words[at + 1] ?? '-') - own.length);
    const value = own.length > 0 ? own.join('=') : words.slice(at + 1, next)[0];
    // A switch with a value is for the service, which refuses it.
    const isSwitch = OWN.includes(name) && valuesOf(name, '') === 0 && own.length > 0;
    const given = [[name, ...own].join('='), ...words.slice(at + 1, next)];
    yield { name: isSwitch ? '' : name, ...(value !== undefined && { value }), words: given };
  }
}

/** How many of the words behind an option are its values. */
function valuesOf(name: string, following: string): number {
  if (!name.startsWith('-')) return 0;
  const known = localnetOption(name);
  // Only the service knows it.
  if (known === undefined) return following.startsWith('-') ? 0 : 1;
  return isLeftOut(known, following) ? 0 : valueCount(known);
}
