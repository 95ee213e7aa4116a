// The options of the service's command line. An option it does not know is an error, never ignored.
import { isPlanName, PLANS, type PlanName } from '../core/limits';

export interface Options {
  /** 0 is any free port. */
  readonly port: number;
  readonly grpcPort: number;
  readonly plan: PlanName;
  /** Milliseconds from one slot to the next. */
  readonly slotMs: number;
  /** Slots from the newest block to the finalized one. */
  readonly finalityLag: number;
  /** The same keys and wallet each time; `undefined` for random ones. */
  readonly seed: string | undefined;
  /** A state file, and a file of accounts to begin with. */
  readonly state: string | undefined;
  readonly clone: string | undefined;
  /** Transfers per second that the service itself makes. */
  readonly traffic: number;
  /** getSignaturesForAddress leaves `until` out, as nodes do; the contract includes it. */
  readonly agaveUntil: boolean;
  /** Milliseconds after which getProgramAccounts times out. */
  readonly scanMs: number;
  /** One line of JSON when ready, instead of text for people. */
  readonly json: boolean;
  /** End when stdin ends or the process that started this one is gone. */
  readonly withParent: boolean;
  /** The seed is the first line of stdin: what `--seed` does, for seeds that other processes must not see. */
  readonly seedFromStdin: boolean;
  readonly help: boolean;
}

export type ReadOptions =
  { readonly ok: true; readonly options: Options } | { readonly ok: false; readonly message: string };

const DEFAULTS: Options = {
  port: 0,
  grpcPort: 0,
  plan: 'Dev',
  slotMs: 400,
  finalityLag: 31,
  seed: undefined,
  state: undefined,
  clone: undefined,
  traffic: 0,
  agaveUntil: false,
  scanMs: 30_000,
  json: false,
  withParent: false,
  seedFromStdin: false,
  help: false,
};

interface Definition {
  /** The name of the value in the help text; without it the option is a switch. */
  readonly value?: string;
  readonly text: string;
  /** The change that the option makes; `undefined` when its value is not allowed. */
  read(value: string): Partial<Options> | undefined;
}

const MAX_PORT = 65_535;

const OPTIONS: Readonly<Record<string, Definition>> = {
  '--port': {
    value: 'N',
    text: 'HTTP, WebSocket and REST port (default: any free one)',
    read: number('port', 0, MAX_PORT),
  },
  '--grpc-port': { value: 'N', text: 'gRPC port (default: any free one)', read: number('grpcPort', 0, MAX_PORT) },
  '--plan': {
    value: 'NAME',
    text: `plan of the first keys: ${Object.keys(PLANS).join(', ')} (default: ${DEFAULTS.plan})`,
    read: (value) => (isPlanName(value) ? { plan: value } : undefined),
  },
  '--slot-ms': {
    value: 'N',
    text: 'milliseconds per slot, 1 to 60000 (default: 400)',
    read: number('slotMs', 1, 60_000),
  },
  '--finality-lag': {
    value: 'N',
    text: 'slots until a block is finalized, 2 to 150 (default: 31)',
    read: number('finalityLag', 2, 150),
  },
  '--seed': {
    value: 'TEXT',
    text: 'the same keys and wallet each time; for tests only',
    read: (value) => (value === '' ? undefined : { seed: value }),
  },
  '--state': {
    value: 'FILE',
    text: 'keep ledger, keys and usage in this file, across restarts',
    read: (value) => (value === '' ? undefined : { state: value }),
  },
  '--clone': {
    value: 'FILE',
    text: 'begin with the accounts of this JSON file',
    read: (value) => (value === '' ? undefined : { clone: value }),
  },
  '--traffic': {
    value: 'N',
    text: 'transfers per second to show on streams (default: 0)',
    read: number('traffic', 0, 1_000),
  },
  '--agave-until': {
    text: 'getSignaturesForAddress leaves the until signature out, as nodes do',
    read: () => ({ agaveUntil: true }),
  },
  '--scan-ms': {
    value: 'N',
    text: 'milliseconds until getProgramAccounts times out, 1 to 600000 (default: 30000)',
    read: number('scanMs', 1, 600_000),
  },
  '--json': { text: 'print one line of JSON when ready', read: () => ({ json: true }) },
  '--with-parent': { text: 'end when stdin ends or the parent process is gone', read: () => ({ withParent: true }) },
  '--seed-stdin': { text: 'read the seed from the first line of stdin', read: () => ({ seedFromStdin: true }) },
  '--help': { text: 'print this text', read: () => ({ help: true }) },
};

export function readOptions(args: readonly string[]): ReadOptions {
  let options = DEFAULTS;
  for (let at = 0; at < args.length; at++) {
    const [name = '', ...rest] = (args[at] ?? '').split('=');
    const definition = Object.hasOwn(OPTIONS, name) ? OPTIONS[name] : undefined;
    if (definition === undefined) return { ok: false, message: `Unknown option: ${name}` };
    let value: string | undefined = rest.length > 0 ? rest.join('=') : undefined;
    if (definition.value === undefined && value !== undefined) {
      return { ok: false, message: `${name} takes no value` };
    }
    if (definition.value !== undefined) value ??= args[++at];
    if (definition.value !== undefined && value === undefined) return { ok: false, message: `${name} needs a value` };
    const change = definition.read(value ?? '');
    if (change === undefined) return { ok: false, message: `${name}: not allowed: ${value}` };
    options = { ...options, ...change };
  }
  return { ok: true, options };
}

export function helpText(): string {
  const rows = Object.entries(OPTIONS).map(([name, { value, text }]) => {
    const usage = value === undefined ? name : `${name} ${value}`;
    return `  ${usage.padEnd(18)}${text}`;
  });
  return `Runs the service on this machine, on 127.0.0.1 only, until it is stopped.\n\n${rows.join('\n')}\n`;
}

function number(
  name: 'port' | 'grpcPort' | 'slotMs' | 'finalityLag' | 'traffic' | 'scanMs',
  least: number,
  most: number,
): Definition['read'] {
  return (value) => {
    const read = /^\d{1,6}$/.test(value) ? Number(value) : -1;
    return read >= least && read <= most ? { [name]: read } : undefined;
  };
}
