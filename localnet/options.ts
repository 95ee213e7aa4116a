// The options of the service's command line. An option it does not know is an error, never ignored.
import { decodeBase58 } from '../core/values/encoding/base58';
import { COMPRESSIONS } from './geyser/framing';
import { isPlanName, PLANS, type PlanName } from './keys/plans';
import type { AgaveLine } from './ledger/types';
import { VALIDATOR_REFUSALS, VALIDATOR_SHORTHANDS } from './open/validatorOptions';

/** An account file; an `address` of `undefined` is the one in the file. */
export interface AccountFile {
  readonly address: string | undefined;
  readonly file: string;
}

/** A program file. `address` and `authority` are addresses or files of keypairs; "none" is an authority nobody has. */
export interface ProgramFile {
  readonly address: string;
  readonly file: string;
  readonly authority: string;
}

export interface Options {
  /** 0 is any free port. */
  readonly port: number;
  readonly grpcPort: number;
  /** What gRPC messages are compressed with for clients that accept it. */
  readonly grpcCompression: readonly string[];
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
  /** The line of Agave whose shapes answers have. */
  readonly agave: AgaveLine;
  /** Milliseconds after which getProgramAccounts times out. */
  readonly scanMs: number;
  /** The line of ready.ts when it is ready, instead of a sentence. */
  readonly json: boolean;
  /** End when stdin ends or the process that started this one is gone. */
  readonly withParent: boolean;
  /** The seed is the first line of stdin: what `--seed` does, for seeds that other processes must not see. */
  readonly seedFromStdin: boolean;
  /** Serve at the root path without keys, as a validator for tests does. */
  readonly open: boolean;
  /** The port of the open HTTP; the open WebSocket has the next. */
  readonly rpcPort: number;
  /** The folder of keypair files, log and state. */
  readonly ledger: string | undefined;
  /** Begin anew where a state is there. */
  readonly reset: boolean;
  readonly quiet: boolean;
  readonly accountFiles: readonly AccountFile[];
  readonly accountFolders: readonly string[];
  readonly programFiles: readonly ProgramFile[];
  readonly mint: string | undefined;
  readonly slotsPerEpoch: number | undefined;
  /** The slot that is finalized at the start. */
  readonly warpSlot: number | undefined;
  /** Lamports. */
  readonly faucetLamports: bigint | undefined;
  /** Each transaction gets a slot, which ends with it. */
  readonly instant: boolean;
  /** A vote transaction in each block; `undefined` where nothing was said: with `open` only. */
  readonly votes: boolean | undefined;
  readonly help: boolean;
}

export type ReadOptions =
  { readonly ok: true; readonly options: Options } | { readonly ok: false; readonly message: string };

const DEFAULTS: Options = {
  port: 0,
  grpcPort: 0,
  grpcCompression: [],
  plan: 'Dev',
  slotMs: 400,
  finalityLag: 31,
  seed: undefined,
  state: undefined,
  clone: undefined,
  traffic: 0,
  agaveUntil: false,
  agave: '4.2',
  scanMs: 30_000,
  json: false,
  withParent: false,
  seedFromStdin: false,
  open: false,
  rpcPort: 8899,
  ledger: undefined,
  reset: false,
  quiet: false,
  accountFiles: [],
  accountFolders: [],
  programFiles: [],
  mint: undefined,
  slotsPerEpoch: undefined,
  warpSlot: undefined,
  faucetLamports: undefined,
  instant: false,
  votes: undefined,
  help: false,
};

interface Definition {
  /** The names of its values in the help text, with blanks between; without them the option is a switch. */
  readonly value?: string;
  readonly text: string;
  /** The change that the option makes to what was read so far; `undefined` when its values are not allowed. */
  read(values: readonly string[], before: Options): Partial<Options> | undefined;
}

const MAX_PORT = 65_535;
const MS_PER_TICK = 6.25;

const OPTIONS: Readonly<Record<string, Definition>> = {
  '--port': {
    value: 'N',
    text: 'HTTP, WebSocket and REST port (default: any free one)',
    read: number('port', 0, MAX_PORT),
  },
  '--grpc-port': { value: 'N', text: 'gRPC port (default: any free one)', read: number('grpcPort', 0, MAX_PORT) },
  '--grpc-compression': {
    value: 'NAMES',
    text: `compress gRPC messages for clients that accept it: ${COMPRESSIONS.join(', ')}, or several (default: none)`,
    read: one((value) => {
      const names = value === 'none' ? [] : value.split(',');
      return names.every((name) => COMPRESSIONS.includes(name)) ? { grpcCompression: names } : undefined;
    }),
  },
  '--plan': {
    value: 'NAME',
    text: `plan of the first keys: ${Object.keys(PLANS).join(', ')} (default: ${DEFAULTS.plan})`,
    read: one((value) => (isPlanName(value) ? { plan: value } : undefined)),
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
    read: text('seed'),
  },
  '--state': {
    value: 'FILE',
    text: 'keep ledger, keys and usage in this file, across restarts',
    read: text('state'),
  },
  '--clone': {
    value: 'FILE',
    text: 'begin with the accounts of this JSON file',
    read: text('clone'),
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
  '--agave': {
    value: 'LINE',
    text: 'answer as this line of Agave does: 4.2 or 3.1 (default: 4.2)',
    read: one((value) => (value === '4.2' || value === '3.1' ? { agave: value } : undefined)),
  },
  '--scan-ms': {
    value: 'N',
    text: 'milliseconds until getProgramAccounts times out, 1 to 600000 (default: 30000)',
    read: number('scanMs', 1, 600_000),
  },
  '--json': { text: 'print one line of JSON when ready', read: () => ({ json: true }) },
  '--with-parent': { text: 'end when stdin ends or the parent process is gone', read: () => ({ withParent: true }) },
  '--seed-stdin': { text: 'read the seed from the first line of stdin', read: () => ({ seedFromStdin: true }) },
  '--open': {
    text: 'HTTP on port 8899 and WebSocket on 8900, at the root path and without keys, as solana-test-validator',
    read: () => ({ open: true }),
  },
  '--rpc-port': {
    value: 'N',
    text: 'the port of --open for HTTP; the WebSocket has the next (default: 8899)',
    read: (values, before) => {
      const change = number('rpcPort', 1, MAX_PORT - 1)(values, before);
      return change === undefined ? undefined : { ...change, open: true };
    },
  },
  '--ledger': {
    value: 'DIR',
    text: 'keep keypairs, log and state in this folder, across restarts',
    read: text('ledger'),
  },
  '--reset': { text: 'begin anew where --ledger or --state has kept a ledger', read: () => ({ reset: true }) },
  '--account': {
    value: 'ADDRESS FILE',
    text: 'an account from a file of "solana account --output json"; "-" takes the address in the file',
    read: ([address = '', file = ''], { accountFiles }) =>
      file === '' || (address !== '-' && !isAddress(address))
        ? undefined
        : { accountFiles: [...accountFiles, { address: address === '-' ? undefined : address, file }] },
  },
  '--account-dir': {
    value: 'DIR',
    text: 'the accounts of every .json file of a folder',
    read: ([folder = ''], { accountFolders }) =>
      folder === '' ? undefined : { accountFolders: [...accountFolders, folder] },
  },
  '--bpf-program': {
    value: 'ADDRESS FILE',
    text: 'a program from its .so file, at an address or that of a keypair file',
    read: ([address = '', file = ''], { programFiles }) =>
      address === '' || file === ''
        ? undefined
        : { programFiles: [...programFiles, { address, file, authority: 'none' }] },
  },
  '--upgradeable-program': {
    value: 'ADDRESS FILE AUTHORITY',
    text: 'the same with the one who may upgrade it: an address, a keypair file, or "none"',
    read: ([address = '', file = '', authority = ''], { programFiles }) =>
      address === '' || file === '' || authority === ''
        ? undefined
        : { programFiles: [...programFiles, { address, file, authority }] },
  },
  '--mint': {
    value: 'ADDRESS',
    text: 'an address that begins with 500,000,000 SOL',
    read: one((value) => (isAddress(value) ? { mint: value } : undefined)),
  },
  '--faucet-sol': {
    value: 'N',
    text: 'SOL that the faucet has (default: 500000000)',
    read: one((value) => {
      const match = /^(\d{1,10})(?:\.(\d{1,9}))?$/.exec(value);
      return match === null
        ? undefined
        : { faucetLamports: BigInt((match[1] ?? '') + (match[2] ?? '').padEnd(9, '0')) };
    }),
  },
  '--slots-per-epoch': {
    value: 'N',
    text: 'slots of an epoch, 32 to 999999999 (default: 432000)',
    read: number('slotsPerEpoch', 32, 999_999_999),
  },
  '--ticks-per-slot': {
    value: 'N',
    text: 'the time of a slot in ticks of 6.25 ms (default: 64)',
    read: one((value) => {
      const ticks = /^\d{1,4}$/.test(value) ? Number(value) : 0;
      return ticks === 0 ? undefined : { slotMs: ticks * MS_PER_TICK };
    }),
  },
  '--warp-slot': {
    value: 'N',
    text: 'begin with this slot finalized',
    read: number('warpSlot', 1, 999_999_999),
  },
  '--bind-address': {
    value: 'HOST',
    text: '127.0.0.1, the only address that is listened on',
    read: one((value) => (value === '127.0.0.1' || value === 'localhost' ? {} : undefined)),
  },
  '--instant': {
    text: 'a slot for each transaction, which ends with it: confirmed at once, finalized when somebody asks',
    read: () => ({ instant: true }),
  },
  '--votes': {
    text: 'a vote transaction of the node in each block (default with --open)',
    read: () => ({ votes: true }),
  },
  '--no-votes': { text: 'no vote transactions in blocks', read: () => ({ votes: false }) },
  '--rpc-pubsub-enable-vote-subscription': { text: 'taken; voteSubscribe is always there', read: () => ({}) },
  '--rpc-pubsub-enable-block-subscription': { text: 'taken; blockSubscribe is always there', read: () => ({}) },
  '--quiet': { text: 'print nothing but errors', read: () => ({ quiet: true }) },
  '--help': { text: 'print this text', read: () => ({ help: true }) },
};

export function readOptions(args: readonly string[]): ReadOptions {
  let options = DEFAULTS;
  for (let at = 0; at < args.length; at++) {
    const [given = '', ...rest] = (args[at] ?? '').split('=');
    const name = VALIDATOR_SHORTHANDS.get(given) ?? given;
    const definition = Object.hasOwn(OPTIONS, name) ? OPTIONS[name] : undefined;
    if (definition === undefined) return { ok: false, message: unknownText(name) };
    const names = definition.value?.split(' ') ?? [];
    if (names.length === 0 && rest.length > 0) return { ok: false, message: `${name} takes no value` };
    const values = rest.length > 0 ? [rest.join('=')] : [];
    while (values.length < names.length && at + 1 < args.length) values.push(args[++at] ?? '');
    if (values.length < names.length)
      return { ok: false, message: names.length === 1 ? `${name} needs a value` : `${name} needs ${definition.value}` };
    const change = definition.read(values, options);
    if (change === undefined) return { ok: false, message: `${name}: not allowed: ${values.join(' ')}` };
    options = { ...options, ...change };
  }
  return { ok: true, options };
}

function unknownText(name: string): string {
  const reason = VALIDATOR_REFUSALS.get(name);
  return reason === undefined ? `Unknown option: ${name}` : `${name} is not offered: ${reason}`;
}

export function helpText(): string {
  const rows = Object.entries(OPTIONS).map(([name, { value, text }]) => {
    const usage = value === undefined ? name : `${name} ${value}`;
    return `  ${usage.padEnd(22)} ${text}`;
  });
  return `Runs the service on this machine, on 127.0.0.1 only, until it is stopped.\n\n${rows.join('\n')}\n`;
}

type NumberOption =
  'port' | 'grpcPort' | 'slotMs' | 'finalityLag' | 'traffic' | 'scanMs' | 'rpcPort' | 'slotsPerEpoch' | 'warpSlot';

function number(name: NumberOption, least: number, most: number): Definition['read'] {
  return ([value = '']) => {
    const read = /^\d{1,9}$/.test(value) ? Number(value) : -1;
    return read >= least && read <= most ? { [name]: read } : undefined;
  };
}

function text(name: 'seed' | 'state' | 'clone' | 'ledger'): Definition['read'] {
  return ([value = '']) => (value === '' ? undefined : { [name]: value });
}

/** An option of one value. */
function one(read: (value: string) => Partial<Options> | undefined): Definition['read'] {
  return ([value = '']) => read(value);
}

function isAddress(value: string): boolean {
  return decodeBase58(value)?.length === 32;
}
