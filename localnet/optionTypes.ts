// The service's command line, as read: a member for each option of the table. Types only.
import type { LOCALNET_OPTIONS } from '../process/localnetOptions/table';
import type { OptionRead } from './optionReads';

type Table = typeof LOCALNET_OPTIONS;
type Camel<Name> = Name extends `${infer First}-${infer Rest}` ? `${First}${Capitalize<Camel<Rest>>}` : Name;
type Member<Name extends keyof Table> = Table[Name] extends { readonly sets: infer Sets extends string }
  ? Sets
  : Camel<Name>;

/** One value of an option, by the members of its row. */
type Value<Row> = Row extends { readonly bounds: unknown }
  ? number | (Row extends { readonly without: infer Without } ? Without : never)
  : Row extends { readonly choices: readonly (infer Choice)[] }
    ? Choice
    : Row extends { readonly reads: infer Kind extends keyof OptionRead }
      ? OptionRead[Kind]
      : boolean;

type Values<Row> = Row extends { readonly multiple: true }
  ? readonly Value<Row>[]
  : Row extends { readonly default: unknown }
    ? Value<Row>
    : Row extends { readonly value: unknown } | { readonly is: unknown }
      ? Value<Row> | undefined
      : boolean;

type Also = Extract<Table[keyof Table], { readonly also: string }>['also'];

export type Options = {
  readonly [Name in keyof Table as Name extends Also ? never : Member<Name>]: Values<Table[Name]>;
} & { readonly [Name in Also]: boolean } & {
  /** Sentences about options that change nothing. */
  readonly notices: readonly string[];
};
