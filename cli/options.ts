// The options of every command, as tables: parsing, the help texts and the refusals are read from them.
import { parseArgs } from 'node:util';
import { readDuration } from '../core/requests/document/duration';
import { UsageError } from './exit';
import { refuseKeys, refuseKeyWords } from './session/keysInArgv';
import { SHOWN_OPTIONS } from '../process/localnetOptions/rows';

export interface Option {
  /** The name of its value in the help; without it the option is a switch. */
  readonly value?: string;
  readonly multiple?: true;
  /** Its values are completed from the files at hand (session/values.ts). */
  readonly isNamed?: true;
  readonly text: string;
}

type Options = Readonly<Record<string, Option>>;

/** Enough to know where files would be sent. */
const DESTINATIONS: Options = {
  endpoint: {
    value: 'NAME',
    isNamed: true,
    text: 'an endpoint profile from solana-rpc.json or your own configuration',
  },
  provider: {
    value: 'NAME',
    text: 'the addresses of a known provider: helius, alchemy:devnet, …; see docs/providers.md',
  },
  'rpc-url': { value: 'URL', text: 'the complete URL for HTTPS requests; a key may go to its origin' },
  'swqos-url': { value: 'URL', text: 'where SWQOS lines send transactions; default: --rpc-url' },
};

export const DESTINATION: readonly string[] = Object.keys(DESTINATIONS);

const PLACE: Options = {
  ...DESTINATIONS,
  'ws-url': { value: 'URL', text: 'the complete URL for WebSocket' },
  'grpc-url': { value: 'URL', text: 'the complete URL for gRPC' },
  'rest-url': { value: 'URL', text: 'the URL of usage, with or without /v1/usage at its end' },
  auth: {
    value: 'INTERFACE=FORM',
    multiple: true,
    text: 'how the key travels: rpc=bearer, ws=query:NAME, grpc=header:NAME, swqos=none, …',
  },
};

const ENDPOINT: Options = {
  ...PLACE,
  'key-stdin': { text: 'read keys from standard input: one RPC key, or lines rpc=…, grpc=…, swqos=…' },
};

const ENVIRONMENT: Options = {
  env: { value: 'NAME', text: 'an environment of solana-rpc.json: its variables, and its endpoint' },
};

const VARIABLES: Options = {
  ...ENVIRONMENT,
  var: { value: 'NAME=VALUE', multiple: true, text: 'a variable, read as in a file; outranks the files' },
  'var-file': { value: 'FILE', text: 'variables from lines NAME=VALUE' },
  'env-file': { value: 'FILE', text: 'the same; Node 20 itself follows a NODE_OPTIONS in that file' },
};

const ALLOW_ENV: Options = {
  'allow-env': {
    value: 'NAME',
    multiple: true,
    text: 'an environment variable that {{$processEnv NAME}} may send to any host',
  },
};

const WALLET: Options = {
  wallet: {
    value: 'NAME=FILE',
    multiple: true,
    text: 'a keypair file by the name of an endpoint or of a wallet that a request names; it signs after a question',
  },
};

const REPORTER: Options = {
  reporter: { value: 'NAME', text: 'text (default), or github: also annotations and a job summary' },
};

const JSON_OPTION: Options = { json: { text: 'one JSON document on standard output' } };

const WATCH: Options = { watch: { text: 'again when a file that was read changes, until Ctrl+C' } };

const COLOR: Options = { color: { value: 'WHEN', text: 'colours: always, never or auto (default)' } };

export interface Command {
  readonly usage: string;
  readonly text: string;
  readonly options: Options;
  /** Its words besides options: request files, any files, or one of a few words (an empty list: any words); absent if it takes none. */
  readonly words?: 'requests' | 'files' | readonly string[];
}

export const COMMANDS = {
  run: {
    usage: 'run FILE…',
    text: 'send the requests of .jsonrpc files and check their assertions',
    words: 'requests',
    options: {
      ...ENDPOINT,
      local: { text: 'start a local service for this run, and end it' },
      case: { value: 'DIR', text: 'the same with the accounts, slot and time of a case that replay --save wrote' },
      name: { value: 'NAME', multiple: true, isNamed: true, text: 'only this request and what it needs' },
      tag: { value: 'TAG', multiple: true, isNamed: true, text: 'only requests with this tag and what they need' },
      ...VARIABLES,
      ...ALLOW_ENV,
      ...WALLET,
      ...JSON_OPTION,
      ...COLOR,
      junit: { value: 'FILE', text: 'also write a JUnit report' },
      ...REPORTER,
      jobs: { value: 'N', text: 'run up to N files at a time (default 1)' },
      parallel: { value: 'N', text: 'up to N requests of a file at a time, where they only read (default 1)' },
      ...WATCH,
      quiet: { text: 'print only requests that failed, and the sum' },
      'update-snapshots': { text: 'store the matchesSnapshot results in __snapshots__ next to the file' },
      bail: { text: 'stop at the first request that fails' },
      yes: { text: 'answer yes to every @note, and sign' },
      timeout: { value: 'D', text: 'for requests without @timeout: 500ms, 10s, 2m (default 30s)' },
    },
  },
  watch: {
    usage: 'watch WHAT',
    text: 'follow an address, a signature, a transaction (-) or FILE#NAME: live on a terminal, NDJSON in a pipe',
    words: 'requests',
    options: {
      ...ENDPOINT,
      local: { text: 'start a local service for it, and end it' },
      grpc: { text: 'watch an account over gRPC' },
      count: { value: 'N', text: 'stop after N messages' },
      ...VARIABLES,
      ...ALLOW_ENV,
      ...COLOR,
      json: { text: 'NDJSON on a terminal, too' },
      timeout: { value: 'D', text: 'for the opening: 500ms, 10s, 2m (default 30s)' },
    },
  },
  explain: {
    usage: 'explain WHAT [OTHER]',
    text: 'say what a transaction did and what it cost: a signature, a FILE with one, or - for standard input; with OTHER, compare two',
    words: 'files',
    options: {
      ...ENDPOINT,
      simulate: { text: 'simulate what has not landed first: its outcome, and its accounts after it' },
      ...JSON_OPTION,
      ...COLOR,
      timeout: { value: 'D', text: 'for each request: 500ms, 10s, 2m (default 30s)' },
    },
  },
  replay: {
    usage: 'replay WHAT',
    text: 'run a transaction of the chain again on a private ledger: a signature, or the DIR of a case that was saved',
    words: 'files',
    options: {
      ...ENDPOINT,
      save: { value: 'DIR', text: 'keep it as a folder that runs again without a network' },
      force: { text: 'overwrite an existing case' },
      account: {
        value: 'FILE',
        multiple: true,
        text: 'an account of "solana account --output json" in place of the original',
      },
      program: { value: 'ADDRESS=FILE', multiple: true, text: 'other code for a program, from its .so file' },
      set: {
        value: 'ADDRESS.FIELD=VALUE',
        multiple: true,
        text: 'another value for lamports, owner or data (base64) of an account',
      },
      slot: { value: 'N', text: 'the slot that it runs at, in place of the original' },
      'unix-time': { value: 'SECONDS', text: 'the time of the clock, in place of that of its block' },
      update: { text: 'keep what happens here as what the folder expects' },
      explain: { text: 'also print its calls with their logs, as explain does' },
      ...JSON_OPTION,
      ...COLOR,
    },
  },
  check: {
    usage: 'check FILE…',
    text: 'find mistakes in .jsonrpc files; sends nothing',
    words: 'requests',
    options: {
      ...DESTINATIONS,
      ...VARIABLES,
      ...JSON_OPTION,
      ...COLOR,
      ...REPORTER,
      ...WATCH,
      sarif: { value: 'FILE', text: 'also write a SARIF 2.1.0 report' },
    },
  },
  convert: {
    usage: 'convert FILE',
    text: 'make a .jsonrpc text of a .http file of REST Client, httpYac or JetBrains, and say what could not be converted',
    words: 'files',
    options: {
      out: { value: 'FILE', text: 'write it there instead of to standard output' },
      force: { text: 'overwrite an existing file' },
      ...JSON_OPTION,
    },
  },
  usage: {
    usage: 'usage',
    text: 'show how many requests were made, by method',
    options: {
      ...ENDPOINT,
      from: { value: 'T', text: 'start: Unix seconds, a date, or a span before now such as 24h or 7d' },
      to: { value: 'T', text: 'end, in the same forms (default: now)' },
      'key-id': { value: 'ID', text: 'of one key' },
      ...JSON_OPTION,
      ...COLOR,
    },
  },
  completion: {
    usage: 'completion SHELL',
    text: 'print the completion script of bash, zsh or fish',
    words: ['bash', 'zsh', 'fish'],
    options: {},
  },
  localnet: {
    usage: 'localnet',
    text: 'run a Solana service on this machine until Ctrl+C',
    options: SHOWN_OPTIONS,
  },
  lsp: {
    usage: 'lsp --stdio',
    text: 'the language server for Neovim, Helix, Zed and others; see docs/editors.md',
    options: {
      stdio: { text: 'speak LSP on standard input and output; needed' },
      clientProcessId: { value: 'PID', text: 'end when this process does; editors give it' },
      ...PLACE,
      ...ENVIRONMENT,
      ...ALLOW_ENV,
      ...WALLET,
      local: { text: 'start a local service with the first request that is run' },
      timeout: { value: 'D', text: 'for requests without @timeout: 500ms, 10s, 2m (default 30s)' },
    },
  },
  mcp: {
    usage: 'mcp',
    text: 'tools for language models over the Model Context Protocol; see docs/mcp.md',
    options: {
      'allow-endpoint': {
        value: 'NAME',
        multiple: true,
        isNamed: true,
        text: 'an endpoint profile that tools may send to, besides the local service',
      },
      env: { value: 'NAME', text: 'an environment of solana-rpc.json: its variables; never its endpoint' },
      'allow-send': { text: 'let tools send transactions to those endpoints' },
      timeout: { value: 'D', text: 'for requests without @timeout: 500ms, 10s, 2m (default 30s)' },
    },
  },
} as const satisfies Readonly<Record<string, Command>>;

export type CommandName = keyof typeof COMMANDS;

export const isCommand = (name: string): name is CommandName => Object.hasOwn(COMMANDS, name);

/** The values given, by option; switches as true. */
export interface Given {
  readonly words: readonly string[];
  text(name: string): string | undefined;
  list(name: string): readonly string[];
  flag(name: string): boolean;
}

/** Reads a command's arguments. Throws UsageError; an argument that holds a key is refused without repeating it. */
export function readArguments(name: CommandName, args: readonly string[]): Given {
  refuseKeys(args);
  const command: Command = COMMANDS[name];
  const options = Object.fromEntries(
    Object.entries(command.options).map(([key, { value, multiple }]) => [
      key,
      { type: value === undefined ? ('boolean' as const) : ('string' as const), multiple: multiple === true },
    ]),
  );
  const parsed = parse([...args], options, command);
  refuseKeyWords(parsed.positionals);
  const values = new Map<string, unknown>(Object.entries(parsed.values));
  const list = (key: string): readonly string[] => {
    const value: unknown = values.get(key);
    const items: readonly unknown[] = Array.isArray(value) ? value : [value];
    return items.filter((item) => typeof item === 'string');
  };
  chooseColours(list('color').at(-1));
  return { words: parsed.positionals, text: (key) => list(key).at(-1), list, flag: (key) => values.get(key) === true };
}

/** `--color` outranks the environment, where everything that paints looks. */
function chooseColours(when: string | undefined): void {
  if (when === undefined || when === 'auto') return;
  if (when !== 'always' && when !== 'never') throw new UsageError('--color takes one of: always, never, auto.');
  process.env['FORCE_COLOR'] = when === 'always' ? '1' : '0';
}

function parse(
  args: string[],
  options: Record<string, { type: 'boolean' | 'string'; multiple: boolean }>,
  command: Command,
): { readonly values: object; readonly positionals: readonly string[] } {
  try {
    return parseArgs({ args, options, allowPositionals: command.words !== undefined, strict: true });
  } catch (error) {
    // Its message repeats a word that has no place here.
    refuseKeyWords(args);
    const reason = error instanceof Error ? (error.message.split('. ')[0] ?? '') : '';
    throw new UsageError(`${reason}. See: solana-rpc ${command.usage.split(' ')[0] ?? ''} --help`);
  }
}

/** `--timeout D` in milliseconds. */
export function durationOption(given: Given, name: string, fallback: number): number {
  const text = given.text(name);
  if (text === undefined) return fallback;
  const ms = readDuration(text);
  if (ms === undefined) throw new UsageError(`--${name} takes a duration above zero, such as 500ms, 10s or 2m.`);
  return ms;
}

/** An option that counts: a whole number above zero. */
export function countOption(given: Given, name: string, fallback: number): number {
  const text = given.text(name);
  if (text === undefined) return fallback;
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new UsageError(`--${name} takes a whole number above zero.`);
  return Number(text);
}

/** The help of one command. */
export function commandHelp(name: CommandName): string {
  const { usage, text, options }: Command = COMMANDS[name];
  const rows = Object.entries(options).map(([key, { value, text: about }]) => {
    return `  ${`--${key}${value === undefined ? '' : ` ${value}`}`.padEnd(20)} ${about}`;
  });
  return `solana-rpc ${usage} [options]\n\n${text}\n\n${rows.join('\n')}\n`;
}

/** The text of `solana-rpc --help`. */
export function generalHelp(): string {
  const rows = Object.values(COMMANDS).map(({ usage, text }) => `  ${usage.padEnd(16)} ${text}`);
  return `solana-rpc: Solana requests from .jsonrpc files

${rows.join('\n')}

  --help         of a command: its options
  --version

Keys come from SOLANA_RPC_KEY, SOLANA_GRPC_KEY and SOLANA_SWQOS_KEY, or from standard input with --key-stdin.
They go only to the URLs given on the command line, to origins in SOLANA_RPC_ORIGIN, and to your own configuration.

Exit codes: 0 all good, 1 wrong usage, 2 a file is invalid, 3 a request failed or was cancelled, 4 an assertion failed or a replay differs.
`;
}
