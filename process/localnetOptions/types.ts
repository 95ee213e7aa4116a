// A row of the table of the local service's options.

/** How words become a value, besides numbers and choices: see localnet/optionReads.ts. */
export type ReadKind =
  | 'text'
  | 'address'
  | 'sol'
  | 'ticks'
  | 'host'
  | 'compressions'
  | 'accountFile'
  | 'programFile'
  | 'account'
  | 'maybe'
  | 'program'
  | 'table';

/** An option without `bounds`, `choices` and `reads` is a switch. */
export interface LocalnetOption {
  /** The names of its values in the help, with blanks between. */
  readonly value?: string;
  readonly text: string;
  /** Other names: a short one, or that of another tool. */
  readonly aliases?: readonly string[];
  /** It may be given again, or once with several values one after the other. */
  readonly multiple?: true;
  /** Not in the help. */
  readonly hidden?: true;
  /** `alone`: the service does not know it. `instead`: the terminal command carries it out and does not pass it on. */
  readonly terminal?: 'alone' | 'instead';
  /** A whole number from the first to the second. */
  readonly bounds?: readonly [least: number, most: number];
  readonly choices?: readonly string[];
  readonly reads?: ReadKind;
  /** Its value where none is behind it; without this member a value is needed. */
  readonly without?: string;
  /** The value of a switch that may be left open. */
  readonly is?: boolean;
  readonly default?: string | number;
  /** The default as the help has it, where `default` does not say it. */
  readonly shown?: string | number;
  /** The member of `Options` that it sets; its name in camel case if absent. */
  readonly sets?: string;
  /** A switch that it sets, too. */
  readonly also?: string;
  /** It makes the service read from another endpoint. */
  readonly fetches?: true;
  /** Its value is that endpoint. */
  readonly isSource?: true;
  /** Options of which one must be given with it, and why. */
  readonly needs?: { readonly any: readonly string[]; readonly why: string };
  /** Options that cannot be given with it, each with the refusal. */
  readonly excludes?: Readonly<Record<string, string>>;
}
