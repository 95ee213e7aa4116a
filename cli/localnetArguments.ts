// The command line of `solana-rpc localnet`: what this process carries out, and what the service is started with.
import { longForm, spreadShorthands } from '../process/localnetOptions';
import { UsageError } from './exit';
import { LOCALNET_OPTIONS } from './localnetOptions';

/** Options that this process alone carries out. */
const OWN: readonly string[] = ['--json', '--key-stdin', '--seed-stdin', '--with-parent'];
/** Options whose value is an endpoint that this process reads for the service. */
const SOURCES: readonly string[] = ['--url', '--fork'];

export interface LocalnetArguments {
  /** The service's arguments; its source is called `source` there, never a URL. */
  passed(source: string | undefined): readonly string[];
  /** The endpoint that accounts come from; undefined if the options name none. */
  readonly source: string | undefined;
  readonly seed: string | undefined;
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
  refuseContradictions(names, source);
  if (seed?.includes('\n') === true) throw new UsageError('--seed is more than one line. Give one line.');
  return {
    passed: (at) =>
      options.flatMap(({ name, words }) => {
        if (OWN.includes(name) || (isSeed && name === '--seed')) return [];
        return at !== undefined && SOURCES.includes(name) ? [name, at] : words;
      }),
    source,
    seed: isSeed ? seed : undefined,
    words: options.flatMap(({ name }) => (name.startsWith('-') ? [] : [name])),
    has: (option) => names.has(option),
  };
}

function refuseContradictions(names: ReadonlySet<string>, source: string | undefined): void {
  if (names.has('--seed') && names.has('--seed-stdin'))
    throw new UsageError('--seed and --seed-stdin give two seeds. Give one of them.');
  if (!names.has('--key-stdin')) return;
  if (source === undefined)
    throw new UsageError('--key-stdin needs --url or --fork: the key is for the endpoint that accounts come from.');
  const other = ['--seed-stdin', '--with-parent'].find((name) => names.has(name));
  if (other !== undefined)
    throw new UsageError(
      `--key-stdin and ${other} both read standard input. Leave one out; a key may also be in SOLANA_RPC_KEY.`,
    );
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
    const isSwitch = OWN.includes(name) && own.length > 0;
    yield { name: isSwitch ? '' : name, ...(value !== undefined && { value }), words: words.slice(at, next) };
  }
}

/** How many of the words behind an option are its values. */
function valuesOf(name: string, following: string): number {
  if (!name.startsWith('-')) return 0;
  const known = Object.entries(LOCALNET_OPTIONS).find(([option]) => name === `--${option}`)?.[1];
  // Only the service knows it.
  if (known === undefined) return following.startsWith('-') ? 0 : 1;
  if (!('value' in known)) return 0;
  return name === '--warp-slot' && !/^\d/.test(following) ? 0 : known.value.split(' ').length;
}
