// The options of the service's command line. An option it does not know is an error, never ignored.
import { SLOT_MS_BOUNDS } from '../core/solana/chain/chain';
import { isPublicKey } from '../core/solana/chain/keys';
import { COMPRESSIONS, NEEDED_NODE } from './geyser/framing';
import { FEATURE_OPTIONS } from './featureOptions';
import { isPlanName, PLANS } from './keys/plans';
import { CONSENSUS, DEFAULT_CONSENSUS, type Consensus } from './ledger/consensus';
import { conflictIn, consensusOf } from './optionConflicts';
import { cloneAs, number, one, text, type Definition } from './optionReads';
import type { Options } from './optionTypes';
import { longForm, spreadShorthands } from '../process/localnetOptions';
import { VALIDATOR_NOTICES, VALIDATOR_REFUSALS } from './open/validatorOptions';

export type ReadOptions =
  | { readonly ok: true; readonly options: Options }
  | { readonly ok: false; readonly message: string };

const DEFAULTS: Options = {
  port: 0,
  grpcPort: 0,
  grpcCompression: [],
  plan: 'Dev',
  consensus: undefined,
  alpenglow: false,
  slotMs: undefined,
  finalityLag: undefined,
  seed: undefined,
  state: undefined,
  trustState: false,
  accountsFile: undefined,
  clones: [],
  source: undefined,
  fork: false,
  forkSlot: undefined,
  traffic: 0,
  agaveUntil: false,
  agave: undefined,
  scanMs: 30_000,
  json: false,
  withParent: false,
  seedFromStdin: false,
  open: false,
  rpcPort: 8899,
  ledger: undefined,
  bindAddress: '127.0.0.1',
  faucetPort: undefined,
  validator: false,
  config: undefined,
  notices: [],
  version: false,
  reset: false,
  quiet: false,
  accountFiles: [],
  accountFolders: [],
  programFiles: [],
  mint: undefined,
  slotsPerEpoch: undefined,
  warpSlot: undefined,
  unixTime: undefined,
  paused: false,
  faucetLamports: undefined,
  features: { off: [] },
  computeUnitLimit: undefined,
  logBytes: undefined,
  instant: false,
  votes: undefined,
  help: false,
};

/** Where solana-test-validator has its faucet. */
const VALIDATOR_FAUCET_PORT = 9900;
const MAX_PORT = 65_535;
const MAX_SLOT = 999_999_999;
const MS_PER_TICK = 6.25;
const { alpenglow, tower } = CONSENSUS;

const OPTIONS: Readonly<Record<string, Definition>> = {
  '--port': {
    value: 'N',
    text: 'HTTP, WebSocket and REST port (default: any free one)',
    read: number('port', 0, MAX_PORT),
  },
  '--grpc-port': { value: 'N', text: 'gRPC port (default: any free one)', read: number('grpcPort', 0, MAX_PORT) },
  '--grpc-compression': {
    value: 'NAMES',
    text: 'compress gRPC messages for clients that accept it: gzip, zstd, or gzip,zstd (default: none)',
    read: one((value) => {
      const names = value === 'none' ? [] : value.split(',');
      if (names.every((name) => COMPRESSIONS.includes(name))) return { grpcCompression: names };
      const missing = names.find((name) => !COMPRESSIONS.includes(name) && Object.hasOwn(NEEDED_NODE, name));
      return missing === undefined
        ? undefined
        : `${missing} needs Node.js ${NEEDED_NODE[missing]}; this is ${process.version}`;
    }),
  },
  '--plan': {
    value: 'NAME',
    text: `plan of the first keys: ${Object.keys(PLANS).join(', ')} (default: ${DEFAULTS.plan})`,
    read: one((value) => (isPlanName(value) ? { plan: value } : undefined)),
  },
  '--consensus': {
    value: 'NAME',
    text: `alpenglow (as the clusters since autumn 2026) or tower (as before, with votes) (default: ${DEFAULT_CONSENSUS})`,
    read: one((value) => (Object.hasOwn(CONSENSUS, value) ? { consensus: value as Consensus } : undefined)),
  },
  '--alpenglow': { text: 'the same as --consensus alpenglow', read: () => ({ alpenglow: true }) },
  '--slot-ms': {
    value: 'N',
    text: `milliseconds per slot, ${SLOT_MS_BOUNDS.join(' to ')} (default: ${alpenglow.slotMs}; tower: ${tower.slotMs})`,
    read: number('slotMs', ...SLOT_MS_BOUNDS),
  },
  '--finality-lag': {
    value: 'N',
    text: `slots until a block is finalized, 2 to 150; with --consensus tower (default: ${tower.finalityLag})`,
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
  '--trust-state': {
    text: 'keep the keys of a state that was not written by you on this machine',
    read: () => ({ trustState: true }),
  },
  '--accounts': {
    value: 'FILE',
    text: 'begin with the accounts of this JSON file',
    read: text('accountsFile'),
  },
  '--url': {
    value: 'URL',
    text: 'where --clone fetches from: a URL, a profile, or m, d, t, l as the Solana tools have them',
    read: text('source'),
  },
  '--fork': {
    value: 'URL',
    text: 'fetch accounts of this URL or profile when something first needs them, once',
    read: one((value) => (value === '' ? undefined : { source: value, fork: true })),
  },
  '--fork-slot': {
    value: 'N',
    text: 'fetch nothing of the source that is older than its slot N, which it has just passed',
    read: number('forkSlot', 1, MAX_SLOT),
  },
  '--clone': {
    value: 'ADDRESS',
    isMultiple: true,
    text: 'begin with this account of --url, a program with its code; refused where it does not exist',
    read: cloneAs('account'),
  },
  '--maybe-clone': {
    value: 'ADDRESS',
    isMultiple: true,
    text: 'the same for an account that may not exist',
    read: cloneAs('maybe'),
  },
  '--clone-upgradeable-program': {
    value: 'ADDRESS',
    isMultiple: true,
    text: 'the same for a program of the upgradeable loader',
    read: cloneAs('program'),
  },
  '--deep-clone-address-lookup-table': {
    value: 'ADDRESS',
    isMultiple: true,
    text: 'the same for a lookup table and the accounts that it names',
    read: cloneAs('table'),
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
    text: `answer as this line of Agave does: 4.4, 4.2 or 3.1, the last two with tower (default: ${alpenglow.agave}; tower: ${tower.agave})`,
    read: one((value) => (value === '4.4' || value === '4.2' || value === '3.1' ? { agave: value } : undefined)),
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
    read: (values) => {
      const change = number('rpcPort', 1, MAX_PORT - 1)(values);
      return typeof change === 'string' ? change : { ...change, open: true };
    },
  },
  '--ledger': {
    value: 'DIR',
    text: 'keep keypairs, log and state in this folder, across restarts',
    read: text('ledger'),
  },
  '--reset': { text: 'discard the ledger that --ledger or --state has kept', read: () => ({ reset: true }) },
  '--account': {
    value: 'ADDRESS FILE',
    isMultiple: true,
    text: 'an account from a file of "solana account --output json"; "-" takes the address in the file',
    read: ([address = '', file = ''], { accountFiles }) =>
      file === '' || (address !== '-' && !isPublicKey(address))
        ? undefined
        : { accountFiles: [...accountFiles, { address: address === '-' ? undefined : address, file }] },
  },
  '--account-dir': {
    value: 'DIR',
    isMultiple: true,
    text: 'the accounts of every .json file of a folder',
    read: ([folder = ''], { accountFolders }) =>
      folder === '' ? undefined : { accountFolders: [...accountFolders, folder] },
  },
  '--bpf-program': {
    value: 'ADDRESS FILE',
    isMultiple: true,
    text: 'a program from its .so file, at an address or that of a keypair file',
    read: ([address = '', file = ''], { programFiles }) =>
      address === '' || file === ''
        ? undefined
        : { programFiles: [...programFiles, { address, file, authority: 'none' }] },
  },
  '--upgradeable-program': {
    value: 'ADDRESS FILE AUTHORITY',
    isMultiple: true,
    text: 'the same with the one who may upgrade it: an address, a keypair file, or "none"',
    read: ([address = '', file = '', authority = ''], { programFiles }) =>
      address === '' || file === '' || authority === ''
        ? undefined
        : { programFiles: [...programFiles, { address, file, authority }] },
  },
  '--mint': {
    value: 'ADDRESS',
    text: 'an address that begins with 500,000,000 SOL',
    read: one((value) => (isPublicKey(value) ? { mint: value } : undefined)),
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
    text: `the time of a slot in ticks of ${MS_PER_TICK} ms (default: ${alpenglow.slotMs / MS_PER_TICK}; tower: ${tower.slotMs / MS_PER_TICK})`,
    read: one((value) => {
      const ticks = /^\d{1,4}$/.test(value) ? Number(value) : 0;
      return ticks === 0 ? undefined : { slotMs: ticks * MS_PER_TICK };
    }),
  },
  '--warp-slot': {
    value: 'N',
    isOptional: true,
    text: 'begin with this slot finalized; without N with the newest slot of --url',
    read: (values) => (values.length === 0 ? { warpSlot: 'source' } : number('warpSlot', 1, MAX_SLOT)(values)),
  },
  '--unix-time': {
    value: 'SECONDS',
    text: 'begin at this Unix time (default: now)',
    read: one((value) => (/^\d{1,11}$/.test(value) ? { unixTime: Number(value) } : undefined)),
  },
  '--paused': {
    text: 'begin with the clock paused: no slot ends until resumeClock or nextSlot of the admin interface',
    read: () => ({ paused: true }),
  },
  '--bind-address': {
    value: 'HOST',
    text: '127.0.0.1 (default), or with --open 0.0.0.0: its two ports on every interface of this machine',
    read: one((value) => {
      if (value === '0.0.0.0') return { bindAddress: value };
      return value === '127.0.0.1' || value === 'localhost' ? { bindAddress: '127.0.0.1' } : undefined;
    }),
  },
  ...FEATURE_OPTIONS,
  '--compute-unit-limit': {
    value: 'N',
    text: 'compute units of a transaction, overriding the limit it requests (default: that limit)',
    read: number('computeUnitLimit', 1, 999_999_999),
  },
  '--log-messages-bytes-limit': {
    value: 'N',
    text: 'bytes of log that a transaction keeps; what is longer is cut (default: 10000)',
    read: number('logBytes', 0, 999_999_999),
  },
  '--instant': {
    text: 'a slot for each transaction, which ends with it: confirmed at once, finalized when somebody asks',
    read: () => ({ instant: true }),
  },
  '--votes': {
    text: 'with --consensus tower: a vote transaction of the node in each block (default with --open)',
    read: () => ({ votes: true }),
  },
  '--no-votes': { text: 'no vote transactions in blocks', read: () => ({ votes: false }) },
  '--rpc-pubsub-enable-vote-subscription': { text: 'taken; voteSubscribe is always there', read: () => ({}) },
  '--rpc-pubsub-enable-block-subscription': { text: 'taken; blockSubscribe is always there', read: () => ({}) },
  '--faucet-port': {
    value: 'N',
    text: 'serve airdrops in the protocol of solana-faucet on this port of 127.0.0.1',
    read: number('faucetPort', 1, MAX_PORT),
  },
  '--config': {
    value: 'FILE',
    text: 'the configuration of the Solana tools, whose wallet is the mint',
    read: text('config'),
  },
  '--validator': {
    text: 'answer for solana-test-validator: --open, ./test-ledger, its faucet port, what it prints',
    hidden: true,
    read: (_, { ledger, faucetPort }) => ({
      validator: true,
      open: true,
      ledger: ledger ?? 'test-ledger',
      faucetPort: faucetPort ?? VALIDATOR_FAUCET_PORT,
    }),
  },
  '--version': { text: 'print the version', hidden: true, read: () => ({ version: true }) },
  '--quiet': { text: 'print nothing but errors', read: () => ({ quiet: true }) },
  '--help': { text: 'print this text', read: () => ({ help: true }) },
};

export function readOptions(given: readonly string[]): ReadOptions {
  const args = spreadShorthands(given);
  let options = DEFAULTS;
  for (let at = 0; at < args.length; at++) {
    const [short = '', ...rest] = (args[at] ?? '').split('=');
    const name = longForm(short);
    const idle = VALIDATOR_NOTICES.get(name);
    if (idle !== undefined) {
      const most = rest.length > 0 ? 0 : idle.values;
      for (let taken = 0; taken < most && isValue(args[at + 1]); taken++) at++;
      options = { ...options, notices: [...options.notices, `${name} changes nothing: ${idle.notice}.`] };
      continue;
    }
    const definition = Object.hasOwn(OPTIONS, name) ? OPTIONS[name] : undefined;
    if (definition === undefined) return { ok: false, message: unknownText(name) };
    const names = definition.value?.split(' ') ?? [];
    if (names.length === 0 && rest.length > 0) return { ok: false, message: `${name} takes no value` };
    let values = rest.length > 0 ? [rest.join('=')] : [];
    do {
      const isLeftOut = definition.isOptional === true && !/^\d/.test(args[at + 1] ?? '');
      while (!isLeftOut && values.length < names.length && at + 1 < args.length) values.push(args[++at] ?? '');
      if (values.length < names.length && !isLeftOut)
        return {
          ok: false,
          message: names.length === 1 ? `${name} needs a value` : `${name} needs ${definition.value}`,
        };
      const change = definition.read(values, options);
      if (change === undefined || typeof change === 'string')
        return { ok: false, message: `${name}: not allowed: ${values.join(' ')}; ${change ?? definition.text}` };
      options = { ...options, ...change };
      values = [];
    } while (definition.isMultiple === true && isValue(args[at + 1]));
  }
  const conflict = conflictIn(options);
  if (conflict !== undefined) return { ok: false, message: conflict };
  return { ok: true, options: { ...options, consensus: consensusOf(options) } };
}

/** Whether a word of the command line is a value, not an option; "-" is a value. */
const isValue = (word: string | undefined): boolean => word !== undefined && (word === '-' || !word.startsWith('-'));

function unknownText(name: string): string {
  const reason = VALIDATOR_REFUSALS.get(name);
  return reason === undefined ? `Unknown option: ${name}` : `${name} is not offered: ${reason}`;
}

export function helpText(): string {
  const shown = Object.entries(OPTIONS).filter(([, { hidden }]) => hidden !== true);
  const rows = shown.map(([name, { value, text }]) => {
    const usage = value === undefined ? name : `${name} ${value}`;
    return `  ${usage.padEnd(22)} ${text}`;
  });
  return `Runs the service on this machine, on 127.0.0.1, until it is stopped.\n\n${rows.join('\n')}\n`;
}
