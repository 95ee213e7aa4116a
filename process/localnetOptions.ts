// Of the local service's options, what the service and those that start it read alike: short forms and the seed's line.

const LONG_FORMS: ReadonlyMap<string, string> = new Map([
  ['-h', '--help'],
  ['-C', '--config'],
  ['-c', '--clone'],
  ['-l', '--ledger'],
  ['-V', '--version'],
  ['-q', '--quiet'],
  ['-r', '--reset'],
  ['-u', '--url'],
  ['-w', '--warp-slot'],
  ['--max-compute-units', '--compute-unit-limit'],
  ['--accountsdb-plugin-config', '--geyser-plugin-config'],
]);

/** An option by its own name; any other word as it is. */
export const longForm = (option: string): string => LONG_FORMS.get(option) ?? option;

/** Several shorthands in one argument, such as -rq, one by one. */
export function spreadShorthands(args: readonly string[]): readonly string[] {
  return args.flatMap((arg) => (/^-[a-zA-Z]{2,}$/.test(arg) ? [...arg.slice(1)].map((letter) => `-${letter}`) : [arg]));
}

/** The refusal of an empty seed. */
export const NO_SEED = 'The first line of standard input is empty: --seed-stdin reads the seed from it.';
